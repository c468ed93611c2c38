"""Bodies -> what the service is asked for, in the engine's types."""

from __future__ import annotations

from app.api.schemas.match import FindMatch
from app.api.schemas.requests import (
    BotSeat,
    ChangeGame,
    CreateGame,
    SeatChoice,
    SelectDice,
)
from app.api.schemas.rules import PresetRules, RulesChoice
from app.api.schemas.series import CreateSeries, Side
from app.api.schemas.settings import (
    BotsChoice,
    CheatsChoice,
    ClocksChoice,
    DiceChoice,
    ScriptedDice,
    SeededDice,
)
from app.series.model import Participant
from app.service.calls import (
    UNCHANGED,
    ChangesAsked,
    MatchAsked,
    RulesAsked,
    SeriesAsked,
    TableAsked,
)
from engine import state
from engine.commands import Selection


def table(body: CreateGame) -> TableAsked:
    return TableAsked(
        rules=rules(body.rules),
        places=None if body.seats is None else tuple(place(seat) for seat in body.seats),
        visibility=body.visibility,
        dice=dice(body.dice),
        clocks=clocks(body.clocks),
        pass_and_play=body.pass_and_play,
        bots=bots(body.bots),
        advice=body.advice,
        cheats=cheats(body.cheats),
    )


def changes(body: ChangeGame) -> ChangesAsked:
    """Only what was sent; null is sent too, and means the default."""
    sent = body.model_fields_set
    return ChangesAsked(
        rules=rules(body.rules) if "rules" in sent else UNCHANGED,
        visibility=body.visibility if "visibility" in sent else UNCHANGED,
        dice=dice(body.dice) if "dice" in sent else UNCHANGED,
        clocks=clocks(body.clocks) if "clocks" in sent else UNCHANGED,
        bots=bots(body.bots) if "bots" in sent else UNCHANGED,
        advice=bool(body.advice) if "advice" in sent else UNCHANGED,
        cheats=cheats(body.cheats) if "cheats" in sent else UNCHANGED,
    )


def match(body: FindMatch) -> MatchAsked:
    return MatchAsked(
        rules(body.rules), body.seats, clocks(body.clocks), body.bots_after_s, body.advice
    )


def series(body: CreateSeries, at_once: int) -> SeriesAsked:
    return SeriesAsked(
        rules=rules(body.rules),
        participants=tuple(_side(side) for side in body.participants),
        seats=body.seats,
        games=body.games,
        at_once=at_once,
        dice=dice(body.dice),
        clocks=clocks(body.clocks),
        pace_ms=body.pace_ms,
        advice=body.advice,
    )


def _side(asked: Side) -> Participant | None:
    if asked.kind == "me":
        return None
    return Participant(asked.character if asked.kind == "bot" else None)


def rules(asked: RulesChoice) -> RulesAsked:
    if isinstance(asked, PresetRules):
        return RulesAsked(preset=asked.preset, options=asked.options)
    return RulesAsked(custom=asked.custom)


def place(seat: SeatChoice) -> state.Place:
    return state.Place(seat.kind, seat.character if isinstance(seat, BotSeat) else None)


def dice(asked: DiceChoice | None) -> state.DiceSource:
    if isinstance(asked, ScriptedDice):
        return state.ScriptedDice(tuple(tuple(roll) for roll in asked.rolls))
    if isinstance(asked, SeededDice):
        return state.SeededDice(asked.seed)
    return state.FairDice()


def clocks(asked: ClocksChoice | None) -> state.Clocks | None:
    """No clock at all is the same as none set."""
    if asked is None or (asked.turn_s is None and asked.game_s is None):
        return None
    return state.Clocks(asked.turn_s, asked.game_s)


def bots(asked: BotsChoice | None) -> state.Bots:
    return state.Bots() if asked is None else state.Bots(asked.pace_ms, asked.take_absent_seats)


def cheats(asked: CheatsChoice | None) -> state.Cheats | None:
    if asked is None:
        return None
    return state.Cheats(
        loaded=tuple(asked.loaded),
        light=tuple((int(seat), light) for seat, light in asked.light.items()),
        head_start=tuple((int(seat), points) for seat, points in asked.head_start.items()),
        skip_next=tuple(asked.skip_next),
        always_score=tuple(asked.always_score),
    )


def selection(asked: SelectDice | None) -> Selection | None:
    return None if asked is None else Selection(tuple(asked.dice), asked.wild_face)
