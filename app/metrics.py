"""
What is counted, in Prometheus' words.

Labels come from closed lists (route templates, codes), never from what a client sent. Counting is
adding to plain numbers; the text is made when somebody asks for it.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from app.lag import BOUNDS_S, LoopLag
from app.live.announcers import Condition

CONTENT_TYPE = CONTENT_TYPE_LATEST
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)


class _Times:
    __slots__ = ("buckets", "total")

    def __init__(self) -> None:
        self.buckets = [0] * (len(SECONDS) + 1)
        self.total = 0.0


class Meter(Collector):
    """
    The counters of one server.

    Args:
        announcing: how its announcer does.
        followed: how many games are followed.
        decisions: how many moves its bots have made.
        lag: how late its event loop is.
        sharing: whether counts for rate limits are exchanged with other processes; None: with none.
    """

    def __init__(
        self,
        announcing: Callable[[], Condition],
        followed: Callable[[], int],
        decisions: Callable[[], int],
        lag: LoopLag,
        sharing: Callable[[], bool | None],
    ) -> None:
        self._announcing = announcing
        self._followed = followed
        self._decisions = decisions
        self._lag = lag
        self._sharing = sharing
        self._requests: dict[tuple[str, str, int], int] = defaultdict(int)
        self._times: dict[tuple[str, str], _Times] = defaultdict(_Times)
        self._commands: dict[str, int] = defaultdict(int)
        self._refusals: dict[str, int] = defaultdict(int)
        self.streams = 0
        """Open ones."""
        self._streams_ended: dict[int, int] = defaultdict(int)
        self._uncounted: int | None = None
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def answered(
        self, method: str, route: str, status: int, seconds: float | None, command: str | None
    ) -> None:
        """
        Args:
            route: the template, not the path.
            seconds: None for an answer that lasts as long as the client likes.
            command: the operation, where the call changed something.
        """
        self._requests[method, route, status] += 1
        if seconds is not None:
            times = self._times[method, route]
            times.buckets[bisect_left(SECONDS, seconds)] += 1
            times.total += seconds
        if command is not None:
            self._commands[command] += 1

    def commanded(self, command: str) -> None:
        """Carried out, asked for over a stream."""
        self._commands[command] += 1

    def refused(self, code: str) -> None:
        self._refusals[code] += 1

    def stream_ended(self, code: int) -> None:
        """With this close code of ours; 1000 where the client went."""
        self._streams_ended[code] += 1

    def text(self, uncounted: int | None) -> bytes:
        """
        Everything, as a scraper reads it.

        Args:
            uncounted: games that ended and wait to be counted; None where nobody knows.
        """
        self._uncounted = uncounted
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        requests = CounterMetricFamily(
            "hotdice_http_requests", "Requests answered.", labels=("method", "route", "status")
        )
        for (method, route, status), count in self._requests.items():
            requests.add_metric((method, route, str(status)), count)
        yield requests
        seconds = HistogramMetricFamily(
            "hotdice_http_request_seconds",
            "From the head of a request to the end of its answer.",
            labels=("method", "route"),
        )
        for labels, times in self._times.items():
            seconds.add_metric(labels, _summed(SECONDS, times.buckets), times.total)
        yield seconds
        commands = CounterMetricFamily(
            "hotdice_commands", "Changing calls carried out.", labels=("command",)
        )
        for command, count in self._commands.items():
            commands.add_metric((command,), count)
        yield commands
        refusals = CounterMetricFamily("hotdice_refusals", "Calls refused.", labels=("code",))
        for code, count in self._refusals.items():
            refusals.add_metric((code,), count)
        yield refusals
        yield GaugeMetricFamily("hotdice_streams", "Open streams.", self.streams)
        yield GaugeMetricFamily(
            "hotdice_games_followed", "Games with a stream open here.", self._followed()
        )
        yield GaugeMetricFamily(
            "hotdice_tasks",
            "Tasks of the event loop; idle, as many as ever.",
            len(asyncio.all_tasks()),
        )
        ended = CounterMetricFamily(
            "hotdice_streams_ended", "Streams ended, by close code.", labels=("code",)
        )
        for number, count in self._streams_ended.items():
            ended.add_metric((str(number),), count)
        yield ended
        yield CounterMetricFamily(
            "hotdice_bot_decisions", "Moves that bots made here.", self._decisions()
        )
        if self._uncounted is not None:
            yield GaugeMetricFamily(
                "hotdice_games_uncounted",
                "Games that ended and wait to be counted, in all processes together.",
                self._uncounted,
            )
        lag = HistogramMetricFamily(
            "hotdice_loop_lag_seconds", "How late the event loop served a timer, 40 times a second."
        )
        lag.add_metric((), _summed(BOUNDS_S, self._lag.buckets), self._lag.total_s)
        yield lag
        if (sharing := self._sharing()) is not None:
            yield GaugeMetricFamily(
                "hotdice_rate_limits_shared",
                "1 while rate limits are counted together with other processes, 0 while alone.",
                float(sharing),
            )
        yield from self._hints()

    def _hints(self) -> Iterator[Metric]:
        kind, connected, sent, heard, dropped = self._announcing()
        up = GaugeMetricFamily(
            "hotdice_announcer_connected",
            "1 while hints reach other processes and come from them.",
            labels=("kind",),
        )
        up.add_metric((kind,), float(connected))
        yield up
        for name, says, count in (
            ("sent", "Hints sent to other processes.", sent),
            ("heard", "Hints that came from other processes.", heard),
            ("dropped", "Hints that could not be sent.", dropped),
        ):
            yield CounterMetricFamily(f"hotdice_hints_{name}", says, count)


def _summed(bounds: Sequence[float], counts: Sequence[int]) -> list[tuple[str, float]]:
    """Buckets as Prometheus wants them: each with all below it."""
    below, buckets = 0, []
    for bound, count in zip((*bounds, "+Inf"), counts, strict=True):
        below += count
        buckets.append((str(bound), float(below)))
    return buckets
