"""What seats contribute to the dice: commitments in the lobby, reveals while sealing."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable
from typing import NamedTuple

from app.log import noting
from app.ports import Answer, Decision, Head
from app.service.calls import Call
from app.service.deciding import Seeds, answering, decided
from app.service.desk import Desk
from app.service.members import seated
from app.service.timing import credits_of, moment
from engine import events as ev
from engine.commands import Command, CommitEntropy, RevealEntropy
from engine.events import Event
from engine.state import Game, Lobby, Sealing
from engine.units import Millis, Seat


class Contributions:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def commit(self, call: Call, game_id: str, commit: str) -> Answer:
        """
        In the lobby; replaces what the player's seat has committed to before.

        Raises: AlreadyStarted, ContributesNoMore.
        """
        return await self._contribute(
            call, game_id, lambda at, seat: CommitEntropy(at, seat, commit)
        )

    async def reveal(self, call: Call, game_id: str, seed: str, next_commit: str) -> Answer:
        """
        While sealing; the last reveal begins the game.

        Raises: NotSealing, NothingToReveal, AlreadyRevealed, RevealDoesNotMatch, TimeIsUp.
        """
        return await self._contribute(
            call, game_id, lambda at, seat: RevealEntropy(at, seat, seed, next_commit)
        )

    async def _contribute(
        self, call: Call, game_id: str, command: Callable[[Millis, Seat], Command]
    ) -> Answer:
        at, note = self._desk.now(), noting()

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            found, held = seated(head, call.player.id)
            when, seat = moment(found, at), contributing_seat(found.game, held)
            note(seat=seat)
            time = credits_of(found, self._desk.gaps(), when)
            asked = (*time, command(when, seat))
            return decided(found, seeds, asked, answering(call, at), player=call.player)

        return await self._desk.change(call, game_id, decide)


def contributing_seat(game: Game, held: tuple[Seat, ...]) -> Seat:
    """
    The seat for which a player contributes: one where it has committed, else its first.

    Who holds several contributes for one of them: it is one person's chance either way.
    """
    if isinstance(game, Sealing):
        waits = [seat for seat in held if seat in game.missing]
        committed = waits or [seat for seat in held if seat in dict(game.commits)]
    else:
        commits = dict(game.commits) if isinstance(game, Lobby) else {}
        committed = [seat for seat in held if seat in commits]
    return (committed or list(held))[0]


class Attempt(NamedTuple):
    """A sealing attempt, as the log tells it."""

    commits: tuple[tuple[Seat, str], ...] = ()
    reveals: tuple[tuple[Seat, str], ...] = ()
    """Seat, and what it contributes as hex; by seat."""
    missing: tuple[Seat, ...] | None = None
    """None: the attempt has not failed."""


async def attempts(events: AsyncIterable[Event]) -> dict[int, Attempt]:
    """By number, those that were closed. Reads no further than the start of the game."""
    found: dict[int, Attempt] = {}
    async for event in events:
        if isinstance(event, ev.EntropyClosed):
            found[event.epoch] = Attempt(event.commits)
        elif isinstance(event, ev.EntropyRevealed):
            known = found[event.epoch]
            reveals = tuple(sorted((*known.reveals, (event.seat, event.seed))))
            found[event.epoch] = known._replace(reveals=reveals)
        elif isinstance(event, ev.EntropyFailed):
            found[event.epoch] = found[event.epoch]._replace(missing=event.missing)
        elif isinstance(event, ev.GameStarted | ev.GameFinished):
            break
    return found
