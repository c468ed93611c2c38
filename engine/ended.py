"""The end of a game, and what may follow it. Nothing here refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.seating import opening_seats
from engine.state import Finished, Game, Playing, Result, Unstarted


def game_finished(game: Unstarted | Playing, event: ev.GameFinished) -> Finished:
    result = Result(event.reason, event.winners, event.standings)
    if isinstance(game, Unstarted):
        seats = opening_seats(game.setup)
        return Finished(game.setup, seats, result, 0, game.epoch, "", event.at, event.at)
    return Finished(
        game.setup,
        game.seats,
        result,
        game.rolls,
        game.epoch,
        game.seal,
        game.started_at,
        event.at,
        mixed=game.mixed,
    )


def result_voided(game: Finished, event: ev.ResultVoided) -> Finished:
    return game._replace(result=game.result._replace(reason="voided", winners=()))


def fairness_revealed(game: Finished, event: ev.FairnessRevealed) -> Finished:
    return game._replace(seeds=event.seeds)


def rematch_created(game: Finished, event: ev.RematchCreated) -> Finished:
    return game._replace(rematch=event.game_id)


ENDED: dict[type[ev.Event], Callable[[Any, Any], Game]] = {
    ev.ResultVoided: result_voided,
    ev.FairnessRevealed: fairness_revealed,
    ev.RematchCreated: rematch_created,
}
