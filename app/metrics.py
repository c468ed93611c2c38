"""
What is counted, in Prometheus' words.

Labels come from closed lists (route templates, codes), never from what a client sent. Children are
kept, because looking one up costs more than counting.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)
CONTENT_TYPE = CONTENT_TYPE_LATEST


class Meter:
    """The counters of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "hotdice_http_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "hotdice_http_request_seconds",
            "From the first byte of a request to the last of its answer.",
            ("method", "route"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._commands = Counter(
            "hotdice_commands", "Changing calls carried out.", ("command",), registry=self._registry
        )
        self._refusals = Counter(
            "hotdice_refusals", "Calls refused.", ("code",), registry=self._registry
        )
        self._children: dict[
            tuple[str, str, int, str | None], tuple[Counter, Histogram, Counter | None]
        ] = {}
        self._codes: dict[str, Counter] = {}

    def answered(
        self, method: str, route: str, status: int, seconds: float, command: str | None
    ) -> None:
        """
        Args:
            route: the template, not the path.
            command: the operation, where the call changed something.
        """
        key = (method, route, status, command)
        children = self._children.get(key)
        if children is None:
            children = self._children[key] = (
                self._requests.labels(method, route, str(status)),
                self._seconds.labels(method, route),
                self._commands.labels(command) if command else None,
            )
        children[0].inc()
        children[1].observe(seconds)
        if children[2] is not None:
            children[2].inc()

    def refused(self, code: str) -> None:
        child = self._codes.get(code)
        if child is None:
            child = self._codes[code] = self._refusals.labels(code)
        child.inc()

    def text(self) -> bytes:
        """Everything, as a scraper reads it."""
        return generate_latest(self._registry)
