"""
Settings of a table as JSON values and back: what events and stored set-ups have in common.

Keyed by the names used in JSON. `GameCreated.places` and `Setup.places` are `seats` there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from sys import intern
from typing import Any

from engine.rules import Rules
from engine.rules_text import rules_from_data, rules_to_data
from engine.state import (
    Bots,
    Character,
    Cheats,
    Clocks,
    DiceSource,
    FairDice,
    Place,
    ScriptedDice,
    SeatKind,
    SeededDice,
)

canonical = json.JSONEncoder(
    ensure_ascii=False,
    sort_keys=True,
    separators=(",", ":"),
    allow_nan=False,
    check_circular=False,
).encode
"""Sorted keys, no spaces, non-ASCII as it is: the spelling that is hashed."""


@lru_cache(maxsize=256)
def _rules_to_json(rules: Rules) -> dict[str, object]:
    return rules_to_data(rules)


@lru_cache(maxsize=256)
def _rules_of_text(text: str) -> Rules:
    return rules_from_data(json.loads(text))


def _rules(data: object) -> Rules:
    """One object for all tables with these rules, so that compiled scoring is found at once."""
    return _rules_of_text(canonical(data))


def _seats_to_json(places: tuple[Place, ...]) -> list[dict[str, object]]:
    return [place._asdict() for place in places]


def _seats(data: Any) -> tuple[Place, ...]:
    return tuple(_place(**place) for place in data)


def _place(
    kind: SeatKind, character: Character | None = None, player_id: str | None = None
) -> Place:
    """A player who sits at many tables has one id for all of them."""
    one_text: SeatKind = intern(kind)  # type: ignore[assignment]
    return Place(one_text, character, player_id and intern(player_id))


_FAIR = FairDice()


def _dice_to_json(dice: DiceSource) -> dict[str, object]:
    return dice._asdict()


def _dice(data: Any) -> DiceSource:
    if data["kind"] == "scripted":
        return ScriptedDice(tuple(map(tuple, data["rolls"])))
    if data["kind"] == "seeded":
        return SeededDice(data["seed"])
    if data["kind"] == "fair":
        return _FAIR
    raise ValueError(f"dice of kind {data['kind']!r}")


def _clocks_to_json(clocks: Clocks | None) -> dict[str, object] | None:
    return None if clocks is None else clocks._asdict()


def _clocks(data: Any) -> Clocks | None:
    return None if data is None else Clocks(**data)


def _bots_to_json(bots: Bots) -> dict[str, object]:
    return bots._asdict()


_same_bots = lru_cache(maxsize=256, typed=True)(Bots)
"""One object for all tables that say the same of bots; 0 is not `false` there."""


def _bots(data: Any) -> Bots:
    return _same_bots(**data)


def _cheats_to_json(cheats: Cheats | None) -> dict[str, object] | None:
    if cheats is None:
        return None
    return {
        **cheats._asdict(),
        "light": {str(seat): light for seat, light in cheats.light},
        "head_start": {str(seat): points for seat, points in cheats.head_start},
    }


def _cheats(data: Any) -> Cheats | None:
    if data is None:
        return None
    return Cheats(
        loaded=tuple(data["loaded"]),
        light=_pairs(data["light"]),
        head_start=_pairs(data["head_start"]),
        skip_next=tuple(data["skip_next"]),
        always_score=tuple(data["always_score"]),
    )


def _pairs(data: Mapping[str, Any]) -> tuple[tuple[int, Any], ...]:
    # Sorted as numbers: as text, 10 would come before 9.
    return tuple(sorted((int(seat), value) for seat, value in data.items()))


ENCODERS: Mapping[str, Callable[[Any], Any]] = {
    "rules": _rules_to_json,
    "seats": _seats_to_json,
    "dice": _dice_to_json,
    "clocks": _clocks_to_json,
    "bots": _bots_to_json,
    "cheats": _cheats_to_json,
}
DECODERS: Mapping[str, Callable[[Any], Any]] = {
    "rules": _rules,
    "seats": _seats,
    "dice": _dice,
    "clocks": _clocks,
    "bots": _bots,
    "cheats": _cheats,
}
