"""The engine's public names and its errors; whoever changes them changes this list on purpose."""

from __future__ import annotations

import inspect
import string

import pytest

import engine
from engine import errors
from engine.errors import (
    BrokenHistory,
    GameError,
    Malformed,
    MalformedRules,
    MalformedSettings,
    Refusal,
)

NAMES = [
    "BrokenHistory",
    "Command",
    "EVENT_NAMES",
    "Entropy",
    "Event",
    "Fair",
    "Fault",
    "Finished",
    "Game",
    "GameError",
    "Legal",
    "Lobby",
    "Malformed",
    "MalformedRules",
    "MalformedSettings",
    "Playing",
    "Preset",
    "Refusal",
    "Rules",
    "Seeded",
    "Setup",
    "Transition",
    "decide",
    "evolve",
    "legal",
    "preset_from_text",
    "replay",
    "rules_from_data",
    "rules_to_data",
    "transition",
]

CODES = {
    "already_seated",
    "already_started",
    "below_opening",
    "cheat_needs_human",
    "advice_is_off",
    "cheats_are_off",
    "dice_do_not_score",
    "dice_not_rolled",
    "game_over",
    "must_roll_hot_dice",
    "no_such_seat",
    "no_take_over",
    "no_wild_rolls",
    "not_all_dice",
    "not_finished",
    "not_started",
    "not_your_turn",
    "nothing_selected",
    "over_target",
    "roll_first",
    "script_mismatch",
    "seat_not_active",
    "seat_taken",
    "seats_empty",
    "table_full",
    "too_few_seats",
    "wild_face_needed",
    "wild_face_unexpected",
}
"""Clients switch on these: one may be added, none renamed or taken away."""

REFUSALS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, Refusal) and kind is not Refusal
]


def test_these_names_are_public() -> None:
    assert sorted(engine.__all__) == NAMES
    assert all(hasattr(engine, name) for name in NAMES)


def test_a_public_name_is_the_thing_not_the_module_of_the_same_name() -> None:
    assert callable(engine.decide)
    assert callable(engine.evolve)
    assert callable(engine.legal)


def test_every_error_is_a_game_error_of_one_kind() -> None:
    found = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    raised = {kind for kind in found if issubclass(kind, Exception)}
    malformed = {Malformed, MalformedRules, MalformedSettings}
    assert raised == {GameError, Refusal, *malformed, BrokenHistory, *REFUSALS}
    assert all(issubclass(kind, GameError) for kind in raised)
    assert not any(issubclass(kind, Malformed | BrokenHistory) for kind in REFUSALS)


def test_refusals_have_these_codes() -> None:
    codes = [kind.code for kind in REFUSALS]
    assert len(codes) == len(set(codes))
    assert set(codes) >= CODES


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda kind: kind.__name__)
def test_a_refusal_is_called_after_its_code_and_says_a_sentence(kind: type[Refusal]) -> None:
    assert "".join(part.title() for part in kind.code.split("_")) == kind.__name__
    fields = [field for _, field, _, _ in string.Formatter().parse(kind.says) if field]
    refusal = kind(**dict.fromkeys(fields, 7))
    assert str(refusal).endswith(".")
    assert "{" not in str(refusal)
    assert refusal.facts == dict.fromkeys(fields, 7)


@pytest.mark.parametrize("kind", [MalformedRules, MalformedSettings])
def test_what_is_malformed_names_every_fault(kind: type[Malformed]) -> None:
    faults = (errors.Fault("/a", "x", "one"), errors.Fault("", "y", "two"))
    assert str(kind(faults)) == "/a: one; : two"
    assert kind(faults).faults == faults
