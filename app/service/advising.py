"""
Advice for whoever is to move. That it was given stands in the log, so that everybody can see it.

What the analysis says is worked out before the order that logs it: an order decides quickly. Where
the game has moved meanwhile it is worked out anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from app.errors import VersionConflict
from app.ports import Answer, Decision, Head, Order, Player
from app.service.deciding import Seeds, decided
from app.service.desk import Desk
from app.service.members import acting_seat, readable, seated, seats_of
from app.service.timing import credits_of, moment, returns
from engine.bots.advice import Advice, advice_of
from engine.bots.knowledge import Knowledge, knowledge_of
from engine.commands import Advise
from engine.decide import transition
from engine.guards import playing
from engine.rules import Rules
from engine.units import Millis, Seat

Knows = Callable[[Rules], Awaitable[Knowledge]]
"""What there is to know of a rule set; without holding up the event loop."""

AGAIN = 4
"""Times that advice is worked out for a game that moves meanwhile."""


class Given(NamedTuple):
    advice: Advice
    seat: Seat
    version: int
    """Of the game, once it is logged."""
    now: Millis


async def in_a_thread(rules: Rules) -> Knowledge:
    """For a server without anything better."""
    return await asyncio.to_thread(knowledge_of, rules)


class Advising:
    """
    Args:
        knows: what there is to know of a rule set.
    """

    def __init__(self, desk: Desk, knows: Knows = in_a_thread) -> None:
        self._desk = desk
        self._knows = knows

    async def advise(self, player: Player, game_id: str) -> Given:
        """
        Raises: GameNotFound, NotSeated, NotStarted, GameOver, NotYourTurn, AdviceIsOff, TimeIsUp;
        AdviceNotReady, while the rules are worked out: that goes on; VersionConflict, where the
        game does not hold still.
        """
        version = 0
        for _ in range(AGAIN):
            at = self._desk.now()
            head, held = seated(await self._desk.store.head(game_id), player.id)
            seat, version = acting_seat(head.game, held), head.version
            transition(head.game, Advise(moment(head, at), seat))  # refused before any work
            play = playing(head.game)
            known = await self._knows(play.setup.rules)
            advice = await asyncio.to_thread(advice_of, play, known)
            try:
                done = await self._desk.run(self._order(player, head, seat, at))
            except _Moved:
                continue
            return Given(advice, seat, done.head.version, at)
        raise VersionConflict(current_version=version)

    def _order(self, player: Player, seen: Head, seat: Seat, at: Millis) -> Order:
        def decide(head: Head | None, seeds: Seeds) -> Decision:
            found = readable(head, player.id)
            if found.hash != seen.hash:
                raise _Moved(current_version=found.version)
            when = moment(found, at)
            before = returns(found, seats_of(found.game.setup, player.id), when)
            time = credits_of(found, self._desk.gaps(), when)
            commands = (*time, *before, Advise(when, seat))
            return decided(found, seeds, commands, lambda *_: Answer(200, b""))

        return Order(seen.game.setup.game_id, decide, author=player.id)


class _Moved(VersionConflict):
    """Somebody has moved since the advice was worked out."""
