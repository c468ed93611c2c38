"""The strategist finds the right move in golden positions, and the analysis says why."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.bots import NoLuck, strategist
from engine.bots.knowledge import knowledge_of
from engine.bots.options import options_of
from tests.golden.positions import Position, positions

ALL = list(positions())
EACH = [
    pytest.param(
        position,
        id=f"{position.topic}: {position.name}",
        # What the strategist knows of spicy dice takes seconds to work out.
        marks=[pytest.mark.wide] if position.play.setup.rules.spicy else [],
    )
    for position in ALL
]


@pytest.mark.parametrize("position", EACH)
def test_the_strategist_finds_the_right_move(position: Position) -> None:
    move = strategist(position.play, NoLuck())
    assert (move.name, move.select and move.select.dice) == (position.command, position.dice), (
        position.why
    )


@pytest.mark.parametrize("position", EACH)
def test_no_option_of_a_position_is_worth_more(position: Position) -> None:
    options = options_of(position.play, knowledge_of(position.play.setup.rules))
    found = [
        o.worth
        for o in options
        if (o.move.name, o.move.select and o.move.select.dice) == (position.command, position.dice)
    ]
    assert max(found) == pytest.approx(max(option.worth for option in options))


def test_every_kind_of_decision_has_its_positions() -> None:
    topics = Counter(position.topic for position in ALL)
    assert set(topics) == {
        *("exact_targets", "protected_points", "take_overs", "wild_rolls"),
        *("leads", "chases", "hot_dice", "openings"),
    }
    assert min(topics.values()) >= 4


def test_every_preset_has_positions_of_what_may_happen_in_it() -> None:
    found = {(p.play.setup.rules.name, p.topic) for p in ALL}
    assert {name for name, topic in found if topic == "leads"} == {"farkle", "jester"}
    assert {name for name, topic in found if topic == "chases"} == {"farkle", "house"}
    assert {name for name, topic in found if topic == "exact_targets"} == {"house", "jester"}
    assert {name for name, topic in found if topic == "hot_dice"} == {"farkle", "house"}
