"""What events lead to once a game is over. Nothing here refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.state import Finished, Game


def result_voided(game: Finished, event: ev.ResultVoided) -> Finished:
    return game._replace(result=game.result._replace(reason="voided", winners=()))


def fairness_revealed(game: Finished, event: ev.FairnessRevealed) -> Finished:
    return game._replace(seeds=event.seeds)


def rematch_created(game: Finished, event: ev.RematchCreated) -> Finished:
    return game._replace(rematch=event.game_id)


AFTERWARDS: dict[type[ev.Event], Callable[[Any, Any], Game]] = {
    ev.ResultVoided: result_voided,
    ev.FairnessRevealed: fairness_revealed,
    ev.RematchCreated: rematch_created,
}
