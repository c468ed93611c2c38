"""
Plays bots' seats: whoever wrote the last event of a game goes on with it.

Moves are computed in one thread, beside the event loop, and appended with the version they were
made for: a game that has moved meanwhile is not moved by an old plan. What is lost with a process
is found by its clock row (`app.clocks`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from app.bots.allowance import Allowance
from app.bots.plan import Planned, is_bots_turn, plan
from app.bots.preparing import Preparing, needed_for
from app.errors import Overloaded, VersionConflict
from app.log import log
from app.ports import Answer, Decision, Done, Head, Order
from app.service.deciding import Seeds
from app.service.desk import Desk
from app.service.timing import credits_of, moment
from engine.rules import Rules
from engine.units import Millis

AT_ONCE = 16
"""Games in one transaction at most."""
DECISIONS = 6
"""Of a game in one transaction at most, where nobody needs to see each."""
SEEDS_KEPT = 1_024
"""Games whose secrets stay in memory."""


class BotPlayer:
    """
    Args:
        allowance: of this process.
        preparing: what bots must know before they move.
    """

    def __init__(
        self, desk: Desk, allowance: Allowance, preparing: Preparing | None = None
    ) -> None:
        self.awake = asyncio.Event()
        """Set when a bot has something to do."""
        self.decisions = 0
        """Made by this process and stored."""
        self._desk = desk
        self._allowance = allowance
        self._preparing = preparing or Preparing()
        self._unprepared: dict[str, Head] = {}
        """Games that wait until their bots know the rules well enough."""
        self._waits: dict[str, asyncio.Task[None]] = {}
        self._ready: dict[str, Head] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._playing: dict[str, Head | None] = {}
        """Games under way, each with the head that somebody else led it to meanwhile."""
        self._secrets: dict[str, Seeds] = {}
        self._thread = ThreadPoolExecutor(1, "hotdice-bots")

    def wake(self, head: Head) -> None:
        """A game has moved, or waits for its bot; in the loop. Never blocks, never raises."""
        game_id = head.game.setup.game_id
        if (timer := self._timers.pop(game_id, None)) is not None:
            timer.cancel()
        self._ready.pop(game_id, None)
        self._unprepared.pop(game_id, None)
        if game_id in self._playing:
            self._playing[game_id] = head
            return
        if not is_bots_turn(head.game):
            return
        pace_ms = head.game.setup.bots.pace_ms
        # Never longer than its pace: the event may bear the time of another clock.
        wait_ms = min(pace_ms, head.updated_at + pace_ms - self._desk.now())
        if wait_ms <= 0:
            self._is_ready(game_id, head)
        else:
            loop = asyncio.get_running_loop()
            self._timers[game_id] = loop.call_later(wait_ms / 1000, self._is_ready, game_id, head)

    def _is_ready(self, game_id: str, head: Head) -> None:
        self._timers.pop(game_id, None)
        rules = needed_for(head.game)
        if rules is None or self._preparing.is_ready(rules):
            self._ready[game_id] = head
            self.awake.set()
        else:
            self._unprepared[game_id] = head
            if game_id not in self._waits:
                self._waits[game_id] = asyncio.create_task(self._prepare(game_id, rules))

    async def _prepare(self, game_id: str, rules: Rules) -> None:
        """Waits until the rules are known, or no bot is to move there any more."""
        try:
            while game_id in self._unprepared:
                try:
                    await self._preparing.known(rules)
                except Overloaded:
                    await asyncio.sleep(self._preparing.wait_s(rules))
                    continue
                self._ready[game_id] = self._unprepared.pop(game_id)
                self.awake.set()
        finally:
            del self._waits[game_id]

    async def round(self) -> None:
        """Some games that wait, each a step further. Raises: StoreUnavailable."""
        loop = asyncio.get_running_loop()
        if (wait_s := self._allowance.wait_s(loop.time())) > 0:
            await asyncio.sleep(wait_s)
        taken = self._take()
        if not taken:
            return
        began, decisions = loop.time(), 0
        heads = [head for head, _ in taken]
        ids = [head.game.setup.game_id for head in heads]
        self._playing.update(dict.fromkeys(ids))
        try:
            seeds = [await self._seeds_of(head) for head in heads]
            at = self._desk.now()
            plans = await loop.run_in_executor(self._thread, _plans, taken, seeds, at)
            made = [(h, p) for h, p in zip(heads, plans, strict=True) if p is not None]
            decisions = sum(planned.decisions for _, planned in made)
            made = [each for each in made if each[1].events]
            outcomes = await self._desk.run_all([self._order(*each) for each in made])
            for (head, planned), outcome in zip(made, outcomes, strict=True):
                if isinstance(outcome, Done):
                    self.decisions += planned.decisions
                elif not isinstance(outcome, VersionConflict):
                    game_id = head.game.setup.game_id
                    log.warning("bot_failed", game=game_id, why=repr(outcome))
        finally:
            self._allowance.spent(decisions, began, loop.time())
            for newest in [self._playing.pop(game_id) for game_id in ids]:
                if newest is not None:
                    self.wake(newest)
        if self._ready:
            self.awake.set()

    def _take(self) -> list[tuple[Head, int]]:
        """Those that have waited longest, each with how many decisions it may take."""
        taken: list[tuple[Head, int]] = []
        left = self._allowance.at_once
        while self._ready and left and len(taken) < AT_ONCE:
            head = self._ready.pop(next(iter(self._ready)))
            most = 1 if head.game.setup.bots.pace_ms else min(DECISIONS, left)
            taken.append((head, most))
            left -= most
        return taken

    async def _seeds_of(self, head: Head) -> Seeds:
        setup = head.game.setup
        known = self._secrets.get(setup.game_id)
        if known is None or len(known) != len(setup.server_commits):
            known = await self._desk.store.seeds(setup.game_id)
            self._secrets[setup.game_id] = known
            while len(self._secrets) > SEEDS_KEPT:
                del self._secrets[next(iter(self._secrets))]
        return known

    def _order(self, head: Head, planned: Planned) -> Order:
        def decide(found: Head | None, seeds: Seeds) -> Decision:
            if found is None or found.hash != head.hash:
                raise VersionConflict(current_version=found.version if found else 0)
            at = moment(found, self._desk.now())
            if found.game.setup.clocks is None:
                return Decision(planned.events, planned.game, _silent)
            # The turn that begins with this has a deadline: the shared clock has to say when.
            credits = list(credits_of(found, self._desk.gaps(), at))
            again = plan(found, seeds, at, planned.decisions, credits)
            return Decision(again.events, again.game, _silent)

        return Order(head.game.setup.game_id, decide, expected_version=head.version)

    def close(self) -> None:
        """No further move is made. Twice is fine."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._ready.clear()
        self._unprepared.clear()
        for wait in self._waits.values():
            wait.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)


def _plans(
    taken: Sequence[tuple[Head, int]], seeds: Sequence[Seeds], at: Millis
) -> list[Planned | None]:
    """None for a game that cannot be moved: it shall not hold up the others."""
    return [_planned(*each, secrets, at) for each, secrets in zip(taken, seeds, strict=True)]


def _planned(head: Head, most: int, seeds: Seeds, at: Millis) -> Planned | None:
    try:
        return plan(head, seeds, at, most)
    except Exception:
        log.exception("bot_failed", game=head.game.setup.game_id)
        return None


def _silent(*_: object) -> Answer:
    return Answer(200, b"")
