"""A series -> what its viewers see. Nothing here changes or refuses."""

from __future__ import annotations

from dataclasses import asdict
from typing import cast

from pydantic_core import to_json

from app.api.schemas.series import SeriesGameStatus, SeriesGameView, SeriesView, TallyView
from app.api.schemas.words import Reason
from app.api.views import rule_set, settings_view
from app.clock import rfc3339
from app.series.model import Series, SeriesGame
from app.series.plan import Pairing
from app.series.results import Tally
from app.service.series import Standing
from engine.state import SeededDice
from engine.units import Millis


def series(of: Series, standing: Standing, now: Millis, viewer: str | None) -> bytes:
    """The series as `viewer` (a player id) sees it."""
    settings, table = settings_view(of.setup), standing.table
    view: SeriesView = {
        "id": of.id,
        "now": rfc3339(now),
        "created_at": rfc3339(of.created_at),
        "status": "cancelled" if of.status == "stopping" else of.status,
        "owner": of.owner,
        "rules": rule_set(of.setup.rules),
        "preset": of.setup.preset,
        "seats": of.seats,
        "games": of.games,
        "at_once": of.at_once,
        "dice": settings["dice"],
        "clocks": settings["clocks"],
        "pace_ms": of.setup.bots.pace_ms,
        "advice": of.setup.advice,
        "participants": [
            {
                "participant": number,
                "kind": "bot" if side.character else "player",
                "player_id": side.player_id,
                "name": side.name,
                "character": side.character,
            }
            for number, side in enumerate(of.participants)
        ],
        "progress": {
            "planned": of.planned,
            "playing": standing.playing,
            "counted": table.counted,
            "uncounted": table.uncounted,
        },
        "results": [_tally(number, tally) for number, tally in enumerate(table.participants)],
        "groups": [
            [_tally(number, tally) for number, tally in zip(group, tallies, strict=True)]
            for group, tallies in sorted(table.groups.items())
        ],
    }
    if of.join_code is not None and of.is_member(viewer):
        view["join_code"] = of.join_code
    return to_json(view)


def _tally(participant: int, tally: Tally) -> TallyView:
    return cast(TallyView, {"participant": participant, **asdict(tally)})


def series_game(of: Series, game: SeriesGame, pairing: Pairing) -> SeriesGameView:
    """A game as a row of the list."""
    result = game.result
    dice = of.table(game.game_id, pairing).dice
    running: SeriesGameStatus = "playing" if game.is_open else "planned"
    return {
        "number": game.number,
        "status": "finished" if result else running,
        "game_id": game.game_id if game.is_open else None,
        "participants": list(pairing.participants),
        "seed": dice.seed if isinstance(dice, SeededDice) else None,
        "reason": cast(Reason, result.reason) if result else None,
        "winners": list(result.winners) if result else None,
        "scores": list(result.scores) if result else None,
    }
