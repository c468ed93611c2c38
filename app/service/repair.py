"""
What an operator may do to any game. Each names the state it wants: a game that is in it already
stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.errors import GameNotFound
from app.log import note
from app.ports import Answer, Decision, Done, Head, Order
from app.service.calls import Render
from app.service.deciding import Seeds, decided
from app.service.desk import Desk
from app.service.timing import closing
from engine.commands import Command, VoidGame
from engine.state import Finished
from engine.units import Millis


class OperatorCall(NamedTuple):
    """A changing call of an operator."""

    author: str
    render: Render
    key: str | None
    """Idempotency-Key."""
    fingerprint: bytes
    expected_version: int | None
    """If-Match."""


class Repair:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def void(self, call: OperatorCall, game_id: str) -> Answer:
        """
        Nobody wins, and the game counts for nothing; also after its end, and in its series, of
        which the append changes the result it had.
        """
        done = await self._run(call, game_id, lambda head, at: (VoidGame(at),))
        return done.answer

    async def close(self, call: OperatorCall, game_id: str) -> Answer:
        """The table ends as if its host had ended it."""

        def commands(head: Head, at: Millis) -> tuple[Command, ...]:
            return () if isinstance(head.game, Finished) else (closing(head, at),)

        return (await self._run(call, game_id, commands)).answer

    async def _run(
        self,
        call: OperatorCall,
        game_id: str,
        commands: Callable[[Head, Millis], tuple[Command, ...]],
    ) -> Done:
        note(game=game_id)
        at = self._desk.now()

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            if head is None:
                raise GameNotFound
            return decided(
                head,
                seeds,
                commands(head, at),
                lambda new, events: Answer(200, call.render(new, events, at, None), new.version),
            )

        order = Order(
            game_id,
            decide,
            author=call.author,
            key=call.key,
            fingerprint=call.fingerprint,
            expected_version=call.expected_version,
        )
        return await self._desk.run(order)
