"""
Gets ready what bots need to know of a rule set, before they play by it: away from the event loop,
one rule set at a time. Games of other rule sets do not wait.

Where it fails it is tried again after a pause, in a process again: a table whose bots cannot think
yet waits for it, and nobody else does.
"""

from __future__ import annotations

import asyncio
import json
import pickle
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Awaitable, Callable

from app.apart import command
from app.errors import AdviceNotReady, Overloaded
from app.log import log
from engine.bots.knowledge import LIBRARY, Knowledge, knowledge_of
from engine.rules import Rules
from engine.rules_text import rules_to_data
from engine.state import Game, Playing

WorkOut = Callable[[Rules], Awaitable[Knowledge]]

MOST_S = 600.0
"""Then the process is ended. On a quiet machine what the estimates let begin takes ten seconds."""
AGAIN_S = 5.0
"""Before it is tried again; twice as long after each further failure."""
LONGEST_S = 300.0
SOON_S = 2.0
"""Who waits for an answer waits no longer: the work goes on, and is done when they ask again."""
ASK_AGAIN_S = 3
"""When to ask again: most rule sets take no longer."""
MOST_BEFORE = 4
"""Rule sets that are being got ready: who waits for an answer joins no longer queue, nor makes it
longer for the bots of others."""
MOST_FAILED = 256
"""Rule sets of which that is remembered."""


class NoProcess(Exception):
    """None could be begun."""


def needed_for(game: Game) -> Rules | None:
    """The rule set that the bots of a running game must know well; None: they need no tables."""
    if not isinstance(game, Playing):
        return None
    seated = any(
        place.kind == "bot" and place.character == "strategist" for place in game.setup.places
    )
    if seated or any(seat.stand_in == "strategist" for seat in game.seats):
        return game.setup.rules
    return None


class Preparing:
    """
    Args:
        work_out: how; by default in a process of its own.
        most_s: how long that may take.
        again_s: the first pause after a failure.
        soon_s: how long `soon` waits.
    """

    def __init__(
        self,
        work_out: WorkOut | None = None,
        *,
        most_s: float = MOST_S,
        again_s: float = AGAIN_S,
        soon_s: float = SOON_S,
    ) -> None:
        self._work_out = work_out or in_another_process
        self._most_s = most_s
        self._again_s = again_s
        self._soon_s = soon_s
        self._failed: dict[Rules, tuple[int, float]] = {}
        """How often in a row, and until when it is not tried again."""
        self._one_at_a_time = asyncio.Lock()
        self._tasks: dict[Rules, asyncio.Task[Knowledge]] = {}

    def is_ready(self, rules: Rules) -> bool:
        return LIBRARY.find(rules) is not None

    async def known(self, rules: Rules) -> Knowledge:
        """
        What there is to know of a rule set; several that ask at once wait for the same work.

        Raises: Overloaded, where it failed; until `wait_s` has passed at once.
        """
        found = LIBRARY.find(rules)
        if found is not None:
            return found
        if self.wait_s(rules) > 0:
            raise Overloaded
        task = self._tasks.get(rules)
        if task is None:
            task = self._tasks[rules] = asyncio.create_task(self._prepare(rules))
            task.add_done_callback(lambda done: self._ended(rules, done))
        return await asyncio.shield(task)

    async def soon(self, rules: Rules) -> Knowledge:
        """
        As `known`, for somebody who waits for an answer.

        Raises: AdviceNotReady, where it takes longer; Overloaded, where it failed or has to wait
        behind others.
        """
        is_new = LIBRARY.find(rules) is None and rules not in self._tasks
        if is_new and len(self._tasks) >= MOST_BEFORE:
            raise Overloaded
        try:
            async with asyncio.timeout(self._soon_s):
                return await self.known(rules)
        except TimeoutError:
            raise AdviceNotReady(retry_after_s=ASK_AGAIN_S) from None

    def _ended(self, rules: Rules, task: asyncio.Task[Knowledge]) -> None:
        self._tasks.pop(rules, None)
        if not task.cancelled():
            task.exception()  # it is logged; there may be nobody who waits any more

    def wait_s(self, rules: Rules) -> float:
        """Seconds before a rule set is tried again that failed; 0: nothing is in the way."""
        _, until = self._failed.get(rules, (0, 0.0))
        return max(0.0, until - asyncio.get_running_loop().time())

    async def _prepare(self, rules: Rules) -> Knowledge:
        async with self._one_at_a_time:
            try:
                async with asyncio.timeout(self._most_s):
                    known = await self._work_out(rules)
            except NoProcess:
                # Where there can be none: slower for this once, and held up with the process.
                log.warning("preparing_here", rules=rules.name)
                known = await asyncio.to_thread(knowledge_of, rules)
            except Exception:
                self._fails(rules)
                log.exception("preparing_failed", rules=rules.name)
                raise Overloaded from None
            self._failed.pop(rules, None)
            LIBRARY.keep(known)
            return known

    def _fails(self, rules: Rules) -> None:
        times, _ = self._failed.pop(rules, (0, 0.0))
        pause = min(LONGEST_S, self._again_s * 2.0**times)
        self._failed[rules] = times + 1, asyncio.get_running_loop().time() + pause
        while len(self._failed) > MOST_FAILED:
            del self._failed[next(iter(self._failed))]

    async def close(self) -> None:
        """Stops what is under way. Twice is fine."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def in_another_process(rules: Rules) -> Knowledge:
    """Works it out in a process of its own. Raises where that failed; NoProcess."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command("app.bots.worker"), stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        )
    except OSError as error:
        raise NoProcess from error
    try:
        data, _ = await process.communicate(json.dumps(rules_to_data(rules)).encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    known = await asyncio.to_thread(pickle.loads, data)
    if not isinstance(known, Knowledge):
        raise TypeError("not what was asked for")
    return known
