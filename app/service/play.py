"""The commands of a game that runs: each acts for the seat to move, when the caller holds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from app.log import note
from app.ports import Answer, Decision, Head
from app.service.calls import Call
from app.service.deciding import Seeds, answering, decided, entropy_of
from app.service.desk import Desk
from app.service.members import (
    acting_seat,
    hosted,
    readable,
    resigning_seat,
    seated,
    seats_of,
)
from app.service.timing import credits_of, moment, returns
from engine.commands import (
    Bank,
    Command,
    End,
    Entropy,
    Resign,
    Roll,
    Select,
    Selection,
    SkipNext,
    TakeOver,
    WildRoll,
)
from engine.sealing import active as still_in
from engine.state import Playing, Sealing
from engine.units import Millis, Seat

TurnCommand = Callable[[Millis, Seat, Entropy], Command]

Commands = Callable[[Head, Seeds, Millis], Iterable[Command]]


class Play:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def roll(self, call: Call, game_id: str, select: Selection | None) -> Answer:
        return await self._turn(
            call, game_id, lambda at, seat, entropy: Roll(at, seat, entropy, select)
        )

    async def select(self, call: Call, game_id: str, select: Selection) -> Answer:
        return await self._turn(call, game_id, lambda at, seat, _: Select(at, seat, select))

    async def bank(self, call: Call, game_id: str, select: Selection | None) -> Answer:
        return await self._turn(call, game_id, lambda at, seat, _: Bank(at, seat, select))

    async def take_over(self, call: Call, game_id: str) -> Answer:
        return await self._turn(call, game_id, TakeOver)

    async def wild_roll(self, call: Call, game_id: str, select: Selection | None) -> Answer:
        return await self._turn(
            call, game_id, lambda at, seat, entropy: WildRoll(at, seat, entropy, select)
        )

    async def _turn(self, call: Call, game_id: str, command: TurnCommand) -> Answer:
        at = self._desk.now()

        def commands(found: Head, seeds: Seeds, when: Millis) -> Iterable[Command]:
            _, held = seated(found, call.player.id)
            seat = acting_seat(found.game, held)
            note(seat=seat)
            return (command(when, seat, entropy_of(found.game, seeds)),)

        return await self._player_back(call, game_id, at, commands)

    async def resign(self, call: Call, game_id: str, seat: Seat | None) -> Answer:
        """Raises: SeatNeeded and NotYourSeat, beside what every command may."""
        at = self._desk.now()

        def commands(found: Head, seeds: Seeds, when: Millis) -> Iterable[Command]:
            _, held = seated(found, call.player.id)
            yield Resign(when, resigning_seat(found.game, held, seat))

        return await self._player_back(call, game_id, at, commands)

    async def end(self, call: Call, game_id: str) -> Answer:
        """The host ends the game, or closes the lobby."""
        return await self._as_host(call, game_id, End)

    async def skip_next(self, call: Call, game_id: str, seat: Seat) -> Answer:
        """The host cheats: that seat's next turn passes."""
        return await self._as_host(call, game_id, lambda at: SkipNext(at, seat))

    async def _as_host(
        self, call: Call, game_id: str, command: Callable[[Millis], Command]
    ) -> Answer:
        at = self._desk.now()

        def commands(found: Head, seeds: Seeds, when: Millis) -> Iterable[Command]:
            hosted(found, call.player.id)
            yield command(when)

        return await self._player_back(call, game_id, at, commands)

    async def _player_back(
        self, call: Call, game_id: str, at: Millis, commands: Commands
    ) -> Answer:
        """
        The player is back, if a bot stood in: by the command, so not where it is refused.

        Raises: what the command is refused with.
        """

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            found = readable(head, call.player.id)
            when = moment(found, at)
            asked = list(commands(found, seeds, when))
            before = returns(found, seats_of(found.game.setup, call.player.id), when)
            time = credits_of(found, self._desk.gaps(), when)
            return decided(found, seeds, (*time, *before, *asked), answering(call, at))

        return await self._desk.change(call, game_id, decide)


def resignations(head: Head, player_id: str, at: Millis) -> Iterable[Command]:
    """One for each seat the player still plays, until the game is over."""
    game = head.game
    if isinstance(game, Sealing):
        active = [seat in still_in(game) for seat in range(len(game.setup.places))]
    elif isinstance(game, Playing):
        active = [seat.active for seat in game.seats]
    else:
        return
    for seat in seats_of(game.setup, player_id):
        if active[seat] and any(active):
            active[seat] = False
            yield Resign(at, seat)
            if sum(active) < 2:
                return
