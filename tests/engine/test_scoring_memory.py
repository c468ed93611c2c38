"""What is kept of rule sets: bounded, whatever is asked, and never of any consequence."""

from __future__ import annotations

from itertools import combinations, product
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


def test_rolls_share_their_selections() -> None:
    """What keeps four thousand rolls small: they are made of a few hundred selections."""
    table = Scoring(rules_from_data(farkle()))
    first, second = (
        table.new_roll_table(faces, 0b111111, False, ()).choices
        for faces in ((1, 5, 2, 2, 2, 3), (1, 4, 2, 2, 2, 3))
    )
    the_one = [next(c for c in found if c.dice == (0,)) for found in (first, second)]
    assert the_one[0].points == 100
    assert the_one[0] is the_one[1]


def test_a_table_keeps_no_more_selections_than_it_may() -> None:
    """And what it forgot it makes again as it was."""
    for seed in range(2):
        rules = random_rules(seed)
        forgetful, thrifty = Scoring(rules, most_choices=7), Scoring(rules)
        for faces in product((1, 3, 5, 6), repeat=rules.dice):
            for wild in (False, True) if rules.wild_rolls and rules.dice > 1 else (False,):
                shown = (*faces[:-1], 0) if wild else faces
                asked = (shown, rules.all_dice, wild, ())
                found = forgetful.new_roll_table(*asked)
                assert sum(map(len, forgetful._choices.values())) <= 7
                assert found == thrifty.new_roll_table(*asked)


def test_the_selections_of_a_roll_are_worked_out_once() -> None:
    """For all games whose rules score alike, however often they are asked for."""
    table = scoring_of(rules_from_data(farkle()))
    alike = scoring_of(rules_from_data({**farkle(), "target": 5_000}))
    asked = ((1, 5, 3, 3, 3, 6), table.rules.all_dice, False, ())
    assert alike.roll_table(*asked) is table.roll_table(*asked)
