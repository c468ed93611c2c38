"""Who contributes to the dice, as the log tells it. Nothing here refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.seating import opening_seats
from engine.state import Game, Lobby, Playing, Reveal, Sealing, ToRoll


def entropy_committed(game: Lobby, event: ev.EntropyCommitted) -> Lobby:
    """The last word of a seat counts."""
    commits = {**dict(game.commits), event.seat: event.commit}
    return game._replace(commits=tuple(sorted(commits.items())))


def entropy_closed(game: Lobby, event: ev.EntropyClosed) -> Sealing:
    commits = (*game.setup.server_commits, event.server_commit)
    return Sealing(
        game.setup._replace(server_commits=commits),
        event.epoch,
        event.commits,
        event.at,
        event.reveal_by,
        failed=game.failed,
        resigned=game.resigned,
    )


def entropy_revealed(game: Sealing, event: ev.EntropyRevealed) -> Sealing:
    reveal = Reveal(event.seat, event.seed, event.next_commit)
    return game._replace(reveals=tuple(sorted((*game.reveals, reveal))))


def entropy_sealed(game: Sealing, event: ev.EntropySealed) -> Sealing:
    return game._replace(seal=event.seal, mixed=event.seats)


def entropy_failed(game: Sealing, event: ev.EntropyFailed) -> Lobby:
    """
    Back to where an attempt is closed: with what the seats that revealed have committed to.

    Where none has, the table is a lobby again, unless strangers play on without contributions.
    """
    goes_on = bool(game.reveals) or game.setup.host is None
    return Lobby(
        game.setup,
        event.epoch + 1,
        tuple((each.seat, each.next_commit) for each in game.reveals),
        tuple(sorted((*game.failed, *event.missing))),
        game.resigned if goes_on else (),
    )


def seat_resigned(game: Sealing, event: ev.SeatResigned) -> Sealing:
    return game._replace(resigned=tuple(sorted((*game.resigned, event.seat))))


def clock_extended(game: Sealing, event: ev.ClockExtended) -> Sealing:
    by = game.reveal_by
    return game._replace(reveal_by=None if by is None else by + event.by_ms, gap=event.gap)


def game_started(game: Sealing, event: ev.GameStarted) -> Playing:
    setup = game.setup
    return Playing(
        setup,
        tuple(
            state._replace(active=False) if seat in game.resigned else state
            for seat, state in enumerate(opening_seats(setup, dict(event.policies)))
        ),
        ToRoll(event.seat, event.at),
        None,
        None,
        (),
        0,
        setup.dice.rolls if setup.dice.kind == "scripted" else (),
        game.epoch,
        game.seal,
        event.at,
        gap=game.gap,
        touched_at=event.at,
        mixed=game.mixed,
    )


SEALING: dict[type[ev.Event], Callable[[Any, Any], Game]] = {
    ev.EntropyRevealed: entropy_revealed,
    ev.EntropySealed: entropy_sealed,
    ev.EntropyFailed: entropy_failed,
    ev.GameStarted: game_started,
}
