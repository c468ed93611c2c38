"""The commands of a game that runs: each acts for the seat to move, when the caller holds it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from app.log import noting
from app.ports import Answer, Decision, Head
from app.service.calls import Call
from app.service.deciding import Seeds, answering, decided, entropy_of
from app.service.desk import Desk
from app.service.members import (
    acting_seat,
    hosted,
    readable,
    resigning_seat,
    seats_of,
    sitting,
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

Commands = Callable[[Head, tuple[Seat, ...], Seeds, Millis], Iterable[Command]]
"""(head, seats of who asks, seeds, moment) -> commands."""


class Play:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def roll(self, call: Call, game_id: str, select: Selection | None) -> Awaitable[Answer]:
        return self._turn(call, game_id, lambda at, seat, entropy: Roll(at, seat, entropy, select))

    def select(self, call: Call, game_id: str, select: Selection) -> Awaitable[Answer]:
        return self._turn(call, game_id, lambda at, seat, _: Select(at, seat, select))

    def bank(self, call: Call, game_id: str, select: Selection | None) -> Awaitable[Answer]:
        return self._turn(call, game_id, lambda at, seat, _: Bank(at, seat, select))

    def take_over(self, call: Call, game_id: str) -> Awaitable[Answer]:
        return self._turn(call, game_id, TakeOver)

    def wild_roll(self, call: Call, game_id: str, select: Selection | None) -> Awaitable[Answer]:
        return self._turn(
            call, game_id, lambda at, seat, entropy: WildRoll(at, seat, entropy, select)
        )

    def _turn(self, call: Call, game_id: str, command: TurnCommand) -> Awaitable[Answer]:
        note = noting()

        def commands(
            found: Head, held: tuple[Seat, ...], seeds: Seeds, when: Millis
        ) -> Iterable[Command]:
            seat = acting_seat(found.game, sitting(held))
            note(seat=seat)
            return (command(when, seat, entropy_of(found.game, seeds)),)

        return self._player_back(call, game_id, commands)

    def resign(self, call: Call, game_id: str, seat: Seat | None) -> Awaitable[Answer]:
        """Raises: SeatNeeded and NotYourSeat, beside what every command may."""

        def commands(
            found: Head, held: tuple[Seat, ...], seeds: Seeds, when: Millis
        ) -> Iterable[Command]:
            yield Resign(when, resigning_seat(found.game, sitting(held), seat))

        return self._player_back(call, game_id, commands)

    def end(self, call: Call, game_id: str) -> Awaitable[Answer]:
        """The host ends the game, or closes the lobby."""
        return self._as_host(call, game_id, End)

    def skip_next(self, call: Call, game_id: str, seat: Seat) -> Awaitable[Answer]:
        """The host cheats: that seat's next turn passes."""
        return self._as_host(call, game_id, lambda at: SkipNext(at, seat))

    def _as_host(
        self, call: Call, game_id: str, command: Callable[[Millis], Command]
    ) -> Awaitable[Answer]:
        def commands(
            found: Head, held: tuple[Seat, ...], seeds: Seeds, when: Millis
        ) -> Iterable[Command]:
            hosted(found, call.player.id)
            yield command(when)

        return self._player_back(call, game_id, commands)

    def _player_back(self, call: Call, game_id: str, commands: Commands) -> Awaitable[Answer]:
        """
        The player is back, if a bot stood in: by the command, so not where it is refused.

        Raises: what the command is refused with.
        """
        at, player_id = self._desk.now(), call.player.id

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            found = readable(head, player_id)
            held, when = seats_of(found.game.setup, player_id), moment(found, at)
            asked = list(commands(found, held, seeds, when))
            before, gaps = returns(found, held, when), self._desk.gaps()
            time = credits_of(found, gaps, when) if gaps else ()
            return decided(found, seeds, (*time, *before, *asked), answering(call, at))

        return self._desk.change(call, game_id, decide)


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
