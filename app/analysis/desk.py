"""
Analyses of rule sets: asked for, worked out one after the other in a process apart, kept.

An analysis has the id of its rule set, so that whoever asks for the same rules shares it. It is
known to this process alone: another one answers 404, and working it out there costs it as much
as here. What is kept is bounded in number and time, and nothing of it outlives the process.
"""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal, NamedTuple

from app.apart import command
from app.errors import AnalysisFailed, AnalysisNotFound, Overloaded, TooLarge, TooManyAnalyses
from app.log import log
from app.rulebook import rules_key
from engine.odds.work import MOST_WORK, too_large, work
from engine.rules import Rules
from engine.rules_text import rules_to_data

QUICK_S = 2.0
"""Whoever asks waits so long for the answer itself."""
PATIENT_S = 8.0
"""The same where no more than about two seconds of computing are to be done: on a busy machine, and
behind another analysis, they take longer."""
QUICK_WORK = 1_000_000
"""Selections that are looked at in two seconds of computing, about; measured: docs/odds.md."""
KEPT_MS = 600_000
KEPT = 64
"""Finished ones kept at most: 20 to 100 KB each."""
PER_CALLER = 2
ADDRESS_FACTOR = 2
AGAIN_S = 5
"""When to ask again whoever has too many: most take no longer."""
MOST_LINE = 1 << 23
"""Bytes of a worker's line; a report has some ten thousand."""

Status = Literal["waiting", "running", "done", "failed"]


class Shown(NamedTuple):
    """An analysis as it is now."""

    id: str
    status: Status
    progress: float
    """0 to 1."""
    report: bytes | None
    """JSON; there once it is done."""


class Asker(NamedTuple):
    """Who asks, as far as that is known."""

    token: bytes | None
    """Its hash, good or not."""
    address: str

    def is_caller(self, other: Asker) -> bool:
        """By its token; without one an address stands for itself."""
        return (self.token or self.address) == (other.token or other.address)


class _Job:
    def __init__(self, name: str, by: Asker | None) -> None:
        self.id = name
        self.by = by
        """None: rules of the house, which take nobody's place."""
        self.status: Status = "waiting"
        self.progress = 0.0
        self.report: bytes | None = None
        self.error: TooLarge | AnalysisFailed | None = None
        self.ended_at: float | None = None
        self.task: asyncio.Task[None] | None = None

    def shown(self) -> Shown:
        if self.error is not None:
            raise self.error
        return Shown(self.id, self.status, self.progress, self.report)


class AnalysisDesk:
    """
    Args:
        waiting: jobs that may wait or run at a time.
        now: milliseconds.
        quick_s: how long `ask` waits for a job to end.
        patient_s: how long for one that is little work.
        per_caller: how many of these may be a caller's; of an address twice as many.
    """

    def __init__(
        self,
        waiting: int,
        now: Callable[[], float],
        quick_s: float = QUICK_S,
        patient_s: float = PATIENT_S,
        per_caller: int = PER_CALLER,
    ) -> None:
        self._waiting = waiting
        self._now = now
        self._quick_s = quick_s
        self._patient_s = patient_s
        self._per_caller = per_caller
        self._jobs: OrderedDict[str, _Job] = OrderedDict()
        self._one_at_a_time = asyncio.Semaphore(1)
        self._house = asyncio.Semaphore(1)
        """The presets as shipped are few and known: they wait for nobody."""
        self._estimating = asyncio.Semaphore(1)
        """A few hundredths of a second of a thread each: several at once would hold up the loop."""
        self._unestimated: list[Asker] = []

    async def ask(self, rules: Rules, by: Asker | None) -> Shown:
        """
        The analysis of a rule set: done, where that takes no longer than a moment.

        Args:
            by: who asks; None: a preset as shipped is asked for, which counts for nobody.
        Raises: TooLarge, Overloaded, TooManyAnalyses, AnalysisFailed.
        """
        self._expire()
        name, waits_s = rules_key(rules), self._quick_s
        job = self._jobs.get(name)
        if job is None or isinstance(job.error, AnalysisFailed):
            if by is None or await self._estimate(rules, by) <= QUICK_WORK:
                waits_s = self._patient_s
            job = self._jobs.get(name)
            if job is None or isinstance(job.error, AnalysisFailed):  # nobody was quicker
                job = self._begin(name, rules, by)
        if job.task is not None and not job.task.done():
            await asyncio.wait([job.task], timeout=waits_s)
        return job.shown()

    def _admit(self, by: Asker) -> None:
        """Raises: TooManyAnalyses, when enough of the caller or of its address are not done."""
        running = [job.by for job in self._jobs.values() if job.ended_at is None]
        begun = [each for each in (*running, *self._unestimated) if each is not None]
        for most, count in (
            (self._per_caller, sum(map(by.is_caller, begun))),
            (ADDRESS_FACTOR * self._per_caller, sum(b.address == by.address for b in begun)),
        ):
            if count >= most:
                raise TooManyAnalyses(limit=most, retry_after_s=AGAIN_S)

    async def _estimate(self, rules: Rules, by: Asker) -> int:
        """
        How much work it is.

        Raises: TooLarge, TooManyAnalyses; Overloaded, where too many wait to be told.
        """
        self._admit(by)
        if len(self._unestimated) >= self._waiting:
            raise Overloaded
        self._unestimated.append(by)
        try:
            async with self._estimating:
                if await asyncio.to_thread(too_large, rules):
                    raise TooLarge(needed=work(rules), limit=MOST_WORK)
                return await asyncio.to_thread(work, rules)
        finally:
            self._unestimated.remove(by)

    def find(self, name: str) -> Shown:
        """
        An analysis asked for before.

        Raises: AnalysisNotFound, TooLarge, AnalysisFailed.
        """
        self._expire()
        job = self._jobs.get(name)
        if job is None:
            raise AnalysisNotFound
        return job.shown()

    async def close(self) -> None:
        """Stops what runs. Twice is fine."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, name: str, rules: Rules, by: Asker | None) -> _Job:
        """Raises: Overloaded, TooManyAnalyses."""
        if by is not None:
            self._admit(by)
            strangers = [job for job in self._jobs.values() if job.by is not None]
            if sum(job.ended_at is None for job in strangers) >= self._waiting:
                raise Overloaded
        job = self._jobs[name] = _Job(name, by)
        job.task = asyncio.get_running_loop().create_task(self._run(job, rules))
        return job

    async def _run(self, job: _Job, rules: Rules) -> None:
        try:
            async with self._house if job.by is None else self._one_at_a_time:
                job.status = "running"
                await self._work(job, rules)
        except Exception as error:  # whatever it was, who asked is told
            log.error("analysis_failed", error=type(error).__name__)
            job.error = AnalysisFailed()
        finally:
            job.ended_at = self._now()
            if job.report is None and job.error is None:
                job.error = AnalysisFailed()
            job.status = "failed" if job.error else "done"

    async def _work(self, job: _Job, rules: Rules) -> None:
        process = await asyncio.create_subprocess_exec(
            *command("app.analysis.worker"),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=MOST_LINE,
        )
        try:
            await self._listen(job, process, rules)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def _listen(self, job: _Job, process: Process, rules: Rules) -> None:
        if process.stdin is None or process.stdout is None:
            raise TypeError("the worker has pipes")
        process.stdin.write(json.dumps(rules_to_data(rules)).encode())
        process.stdin.close()
        async for line in process.stdout:
            if line.startswith(b'{"report":'):
                job.report, job.progress = line[len(b'{"report":') : -2], 1.0
            elif line.startswith(b'{"progress":'):
                job.progress = float(json.loads(line)["progress"])
            else:
                job.error = TooLarge(needed=work(rules), limit=MOST_WORK)

    def _expire(self) -> None:
        """Lets go what is old, and the oldest of too many."""
        ended = [job for job in self._jobs.values() if job.ended_at is not None]
        old = self._now() - KEPT_MS
        for place, job in enumerate(sorted(ended, key=lambda job: -(job.ended_at or 0))):
            if place >= KEPT or (job.ended_at or 0) < old:
                del self._jobs[job.id]
