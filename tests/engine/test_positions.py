"""The strategist finds the right move in golden positions, and the analysis says why."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.bots import NoLuck, strategist
from engine.bots.knowledge import knowledge_of
from engine.bots.options import options_of
from tests.golden.positions import Position, positions

ALL = list(positions())


@pytest.mark.parametrize("position", ALL, ids=[f"{p.topic}: {p.name}" for p in ALL])
def test_the_strategist_finds_the_right_move(position: Position) -> None:
    move = strategist(position.play, NoLuck())
    assert (move.name, move.select and move.select.dice) == (position.command, position.dice), (
        position.why
    )


@pytest.mark.parametrize("position", ALL, ids=[f"{p.topic}: {p.name}" for p in ALL])
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
