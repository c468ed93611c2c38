"""
Games spread over processes.

Who plays which games changes nothing: a game depends on its contest and its number alone, and games
are handed on in the order of their numbers. Processes are forked where that is possible, so that
what strategies worked out beforehand is there; this one should have no threads by then.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator, Iterator, MutableSequence, Sequence
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any

from app.arena.contest import Contest
from app.arena.game import Played, StrategyFailed, played
from app.arena.minds import Failure
from app.arena.seats import Sitter, is_outside, sitter
from app.arena.watch import Watch

MOST_AT_ONCE = 25
"""Games handed to a process together: so many that handing over costs nothing beside them."""
LOOKS_EVERY_S = 0.5
"""Whether a process stands still, and whether that which shares out the games is still there."""


def cores() -> int:
    """Those this process may use."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def sitters_of(contest: Contest, watch: Watch) -> tuple[Sitter, ...]:
    """Raises: UnknownStrategy, NotLoaded."""
    return tuple(sitter(name, who, watch) for who, name in enumerate(contest.strategies))


def warm(contest: Contest) -> None:
    """Plays a game here, for processes forked from this one; none with outside code in it."""
    if not any(map(is_outside, contest.strategies)):
        played(contest, 0, sitters_of(contest, Watch(contest.limit_s)))


def all_played(
    contest: Contest, first: int, games: int, workers: int
) -> Generator[Played, None, None]:
    """
    Games `first` to `first + games - 1`, in this order. Closing the iterator ends all processes.

    Raises: StrategyFailed, for the first game in which a strategy failed, after those before it.
    """
    at_once = max(1, min(MOST_AT_ONCE, games // (4 * workers)))
    end = first + games
    spans = [range(begin, min(begin + at_once, end)) for begin in range(first, end, at_once)]
    # An interrupt is for this process alone: those that it starts have it blocked for good.
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        crew = [_Worker(contest) for _ in range(min(workers, len(spans)))]
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    try:
        yield from _in_order(contest, crew, spans)
    finally:
        for worker in crew:
            worker.end()


def _in_order(
    contest: Contest, crew: Sequence[_Worker], spans: Sequence[range]
) -> Iterator[Played]:
    ready: dict[int, tuple[list[Played], Failure | None]] = {}
    handed, told, failed = 0, 0, False
    while told < len(spans):
        for worker in crew:
            if worker.at is None and handed < len(spans) and not failed:
                worker.play(handed, spans[handed])
                handed += 1
        busy = [worker for worker in crew if worker.at is not None]
        heard = wait([worker.pipe for worker in busy], LOOKS_EVERY_S)
        for worker in busy:
            if worker.pipe in heard or worker.watch.stands_still():
                at, games, failure = worker.outcome()
                ready[at] = games, failure
                failed = failed or failure is not None
        while told in ready:
            games, failure = ready.pop(told)
            yield from games
            if failure is not None:
                raise StrategyFailed(contest, failure)
            told += 1


class _Worker:
    """A process, and the games it plays now."""

    def __init__(self, contest: Contest) -> None:
        forks = "fork" in get_all_start_methods()
        context = get_context("fork") if forks else get_context("spawn")
        self._board = RawArray("d", 2)
        self.watch = Watch(contest.limit_s, self._board)
        self.pipe, theirs = context.Pipe()
        self.at: int | None = None
        """Place of its games among the spans; None: it has nothing to do."""
        self._process = context.Process(
            target=_work, args=(contest, theirs, self._board, os.getpid()), daemon=True
        )
        sys.stdout.flush()
        self._process.start()
        theirs.close()

    def play(self, at: int, games: range) -> None:
        self.at = at
        with suppress(OSError):  # it is gone: which is heard when its outcome is asked for
            self.pipe.send(games)

    def outcome(self) -> tuple[int, list[Played], Failure | None]:
        """What has become of its games, which are over, or will never be."""
        at, self.at = self.at or 0, None
        number = int(self._board[1])
        if self.watch.stands_still() and not self.pipe.poll():
            limit_s = self.watch.limit_s
            self.end()
            did = f"took longer than {limit_s:g} s for a decision, in code that no signal reaches"
            return at, [], Failure(number, None, did)
        try:
            games, failure = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            did = f"ended its process (exit status {self._process.exitcode})"
            return at, [], Failure(number, None, did)
        return at, games, failure

    def end(self) -> None:
        self.pipe.close()
        self._process.kill()
        self._process.join()


def _work(
    contest: Contest, pipe: Connection[Any, Any], board: MutableSequence[float], parent: int
) -> None:
    """A process: plays what it is handed until nobody hands it anything."""
    os.dup2(2, 1)  # what a strategy prints is no part of the results
    watch = Watch(contest.limit_s, board)
    sitters = sitters_of(contest, watch)
    with suppress(EOFError, OSError):
        while True:
            while not pipe.poll(LOOKS_EVERY_S):
                if os.getppid() != parent:
                    return
            pipe.send(_games(contest, pipe.recv(), sitters, board))


def _games(
    contest: Contest, numbers: range, sitters: tuple[Sitter, ...], board: MutableSequence[float]
) -> tuple[list[Played], Failure | None]:
    games: list[Played] = []
    for number in numbers:
        board[1] = number
        try:
            games.append(played(contest, number, sitters))
        except StrategyFailed as failed:
            return games, failed.failure
    return games, None
