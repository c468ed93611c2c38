"""
Gets ready what bots need to know of a rule set, before they play by it: away from the event loop,
one rule set at a time. Games of other rule sets do not wait.
"""

from __future__ import annotations

import asyncio
import json
import pickle
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Awaitable, Callable

from app.apart import command
from app.log import log
from engine.bots.knowledge import LIBRARY, Knowledge, knowledge_of
from engine.rules import Rules
from engine.rules_text import rules_to_data
from engine.state import Game, Playing

WorkOut = Callable[[Rules], Awaitable[Knowledge]]

MOST_S = 120.0
"""A rule set whose knowledge takes longer is worked out where it is needed."""


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
    """

    def __init__(self, work_out: WorkOut | None = None) -> None:
        self._work_out = work_out or in_another_process
        self._one_at_a_time = asyncio.Lock()
        self._tasks: dict[Rules, asyncio.Task[Knowledge]] = {}

    def is_ready(self, rules: Rules) -> bool:
        return LIBRARY.find(rules) is not None

    async def known(self, rules: Rules) -> Knowledge:
        """What there is to know of a rule set; several that ask at once wait for the same work."""
        found = LIBRARY.find(rules)
        if found is not None:
            return found
        task = self._tasks.get(rules)
        if task is None:
            task = self._tasks[rules] = asyncio.create_task(self._prepare(rules))
            task.add_done_callback(lambda _: self._tasks.pop(rules, None))
        return await asyncio.shield(task)

    async def _prepare(self, rules: Rules) -> Knowledge:
        async with self._one_at_a_time:
            try:
                async with asyncio.timeout(MOST_S):
                    known = await self._work_out(rules)
            except Exception:
                # Nobody waits for ever: slower for this once, and held up with the process.
                log.exception("preparing_failed", rules=rules.name)
                known = await asyncio.to_thread(knowledge_of, rules)
            LIBRARY.keep(known)
            return known

    async def close(self) -> None:
        """Stops what is under way. Twice is fine."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def in_another_process(rules: Rules) -> Knowledge:
    """Works it out in a process of its own. Raises where that failed."""
    process = await asyncio.create_subprocess_exec(
        *command("app.bots.worker"), stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
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
