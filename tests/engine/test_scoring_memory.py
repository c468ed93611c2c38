"""What is kept of rule sets: bounded, whatever is asked, and never of any consequence."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from engine.patterns import patterns_of
from engine.rules_text import MOST_COMBINATIONS, rules_from_data
from engine.scoring import MOST_ROLLS, Scoring, roll_tables, scoring_of
from tests.engine.random_rules import random_rules
from tests.referee.rulebook import farkle

MOST_PATTERNS = 3_100
"""Of the largest rule set: a few hundred bytes each, looked through with every hand."""


def largest() -> dict[str, Any]:
    """The combinations with the most patterns, as many as a rule set may have."""
    made: list[dict[str, Any]] = [
        {"kind": "pairs", "count": 3, "four_and_two": True},
        {"kind": "pairs", "count": 3},
        {"kind": "triplets", "count": 2},
        {"kind": "pairs", "count": 2},
        *({"kind": "set", "face": face, "count": 3} for face in range(1, 7)),
        {"kind": "full_house", "bonus": 5},
    ]
    made += [
        {"kind": "straight", "faces": list(faces)}
        for size in (6, 5, 4, 3)
        for faces in combinations(range(1, 7), size)
    ]
    made += [{"kind": "set", "face": face, "count": 6} for face in range(1, 7)]
    made += [{"kind": "set", "face": face, "count": 5} for face in range(1, 7)]
    named = [{"id": f"c{n}", **one} for n, one in enumerate(made[:MOST_COMBINATIONS])]
    for one in named:
        if one["kind"] != "full_house":
            one["points"] = 50
    spicy = {"faces": [1, 2, 3, 4, 5, 6]}
    return {**farkle(), "spicy": spicy, "wild_rolls": {"allotment": 1}, "combinations": named}


def test_the_largest_rule_set_has_few_patterns() -> None:
    data = largest()
    assert len(data["combinations"]) == MOST_COMBINATIONS
    assert len(patterns_of(rules_from_data(data))) <= MOST_PATTERNS


def test_a_table_keeps_no_more_hands_than_it_may() -> None:
    """And what it forgot it finds again as it was."""
    for seed in range(12):
        rules = random_rules(seed)
        forgetful = Scoring(rules, 50)
        found = forgetful.complete()
        assert forgetful.hands <= 50
        assert found == Scoring(rules, 10**6).complete()


def test_rolls_are_kept_for_all_tables_together() -> None:
    """Each of them kept two thousand: three hundred rule sets took gigabytes."""
    asked = 0
    for seed in range(40):
        table = scoring_of(random_rules(seed))
        spare = (1,) * (table.rules.dice - 2)
        for first in range(1, 7):
            for second in range(1, 7):
                for third in range(1, 4):
                    faces = (first, second, third, *spare)[: table.rules.dice]
                    table.roll_table(faces, table.rules.all_dice, False, ())
                    asked += 1
    assert asked > MOST_ROLLS
    assert roll_tables.cache_info().currsize <= MOST_ROLLS


def test_the_selections_of_a_roll_are_worked_out_once() -> None:
    """For all games whose rules score alike, however often they are asked for."""
    table = scoring_of(rules_from_data(farkle()))
    alike = scoring_of(rules_from_data({**farkle(), "target": 5_000}))
    asked = ((1, 5, 3, 3, 3, 6), table.rules.all_dice, False, ())
    assert alike.roll_table(*asked) is table.roll_table(*asked)
