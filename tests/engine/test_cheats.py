"""Cheats are exact functions of the fair faces, written into the log beside them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from engine import Rules, rules_from_data, rules_to_data
from engine.cheats import Situation, faces_needed, shown
from engine.scoring import scoring_of
from engine.state import Cheats, Light
from tests.engine.random_rules import random_rules
from tests.engine.spec import (
    rules,
)
from tests.referee import cheats as referee
from tests.referee.play import Throw
from tests.referee.rulebook import house

FARKLE, HOUSE, JESTER = rules("farkle"), rules("house"), rules("jester")
LUCKY, COLD = Cheats(light=((0, "lucky"),)), Cheats(light=((0, "cold"),))
MAGNET, LOADED = Cheats(light=((0, "magnet"),)), Cheats(loaded=(0,))
ALWAYS = Cheats(always_score=(0,))


def at(
    rules: Rules,
    dice: Sequence[int],
    *,
    wild: bool = False,
    sets: tuple[tuple[int, int], ...] = (),
    limit: int | None = None,
) -> Situation:
    return Situation(scoring_of(rules), tuple(dice), wild, sets, limit)


def shows(
    cheats: Cheats, fair: str, rules: Rules = HOUSE, count: int | None = None, seat: int = 0
) -> str:
    """The faces shown for these fair faces on the first dice of a table."""
    situation = at(rules, range(count or len(fair)))
    faces = shown(cheats, seat, tuple(map(int, fair)), situation)
    return "".join(map(str, faces))


@pytest.mark.parametrize(
    ("fair", "faces"),
    [
        ("623451", "666661"),
        ("41235", "44445"),
        ("4123", "4443"),
        ("412", "444"),
        ("42", "12"),
        ("4", "1"),
        ("1", "1"),
    ],
)
def test_loaded_dice_show_the_first_face_or_the_best_single(fair: str, faces: str) -> None:
    assert shows(LOADED, fair, FARKLE) == faces


def test_the_best_single_is_what_the_rule_set_pays_most_for_the_lowest_of_equals() -> None:
    fives = rules("house", values={"single_1": 5})
    assert shows(LOADED, "42", fives) == "52"
    equal = rules("house", values={"single_1": 50})
    assert shows(LOADED, "42", equal) == "12"


def test_loaded_dice_without_scoring_singles_are_as_they_fell() -> None:
    sets = [c for c in house()["combinations"] if c["kind"] == "set"]
    assert shows(LOADED, "42", rules_from_data({**house(), "combinations": sets})) == "42"


@pytest.mark.parametrize(
    ("fair", "lucky", "cold"),
    [
        ("2346611234", "11234", "23466"),
        ("1123423466", "11234", "23466"),
        ("1234412346", "12344", "12344"),
        ("2346623664", "23466", "23466"),
        ("15", "1", "5"),
        ("51", "1", "5"),
    ],
)
def test_lucky_keeps_the_half_that_pays_more_cold_the_other(
    fair: str, lucky: str, cold: str
) -> None:
    """Of equal halves the first."""
    count = len(fair) // 2
    assert shows(LUCKY, fair, count=count) == lucky
    assert shows(COLD, fair, count=count) == cold


def test_lucky_and_cold_take_twice_the_faces_the_others_do_not() -> None:
    assert [faces_needed(c, 0, 5) for c in (LUCKY, COLD)] == [10, 10]
    assert [faces_needed(c, 0, 5) for c in (MAGNET, LOADED, ALWAYS, Cheats())] == [5] * 4
    assert faces_needed(LUCKY, 1, 5) == 5
    assert faces_needed(LUCKY._replace(loaded=(0,)), 0, 5) == 5


def test_halves_are_judged_by_the_sets_that_are_locked() -> None:
    """A lone 2 upgrades three 2s by 1000; a lone 1 is 100."""
    situation = at(JESTER, [3], sets=((2, 3),))
    assert shown(LUCKY, 0, (1, 2), situation) == (2,)
    assert shown(COLD, 0, (2, 1), situation) == (1,)
    assert shown(LUCKY, 0, (1, 2), at(JESTER, [3])) == (1,)


def test_halves_are_judged_by_the_spicy_faces_of_their_positions() -> None:
    spicy = rules("farkle", spicy=True)
    assert shown(LUCKY, 0, (1, 5), at(spicy, [4])) == (1,), "100 each, the first"
    assert shown(LUCKY, 0, (5, 1), at(spicy, [0])) == (1,), "a spicy 1 is 200"
    assert shown(COLD, 0, (1, 5), at(spicy, [0])) == (5,)


def test_halves_are_judged_with_the_exact_limit_ignored() -> None:
    exact = rules("house", exact=True)
    assert shown(LUCKY, 0, (5, 1), at(exact, [0], limit=50)) == (1,)


@pytest.mark.parametrize(
    ("fair", "faces"),
    [
        ("22345", "22245"),
        ("32345", "33345"),
        ("34564", "44564"),
        ("23456", "63456"),
        ("65432", "66432"),
        ("33344", "33334"),
        ("44433", "44443"),
        ("2", "2"),
        ("55555", "55555"),
        ("2233", "3233"),
        ("3322", "3332"),
    ],
)
def test_magnet_turns_the_lowest_die_to_the_commonest_face(fair: str, faces: str) -> None:
    """Of equally common faces the highest."""
    assert shows(MAGNET, fair) == faces


def test_always_score_touches_a_bust_only() -> None:
    assert shows(ALWAYS, "23466") == "13466"
    assert shows(ALWAYS, "23465") == "23465"
    assert shows(ALWAYS, "22234") == "22234"


def test_always_score_comes_last() -> None:
    assert shows(MAGNET._replace(always_score=(0,)), "2346") == "1346"
    assert shows(COLD._replace(always_score=(0,)), "1234623466", count=5) == "13466"
    assert shows(LOADED._replace(always_score=(0,)), "234") == "222"


def test_always_score_shows_its_single_whether_or_not_exact_play_takes_it() -> None:
    exact = rules("house", exact=True)
    assert shown(ALWAYS, 0, (2, 3), at(exact, [0, 1], limit=0)) == (1, 3)
    assert shown(ALWAYS, 0, (5, 3), at(exact, [0, 1], limit=45)) == (1, 3)
    assert shown(ALWAYS, 0, (5, 3), at(exact, [0, 1], limit=50)) == (5, 3)


def test_loaded_dice_override_the_light_touches() -> None:
    both = LOADED._replace(light=((0, "lucky"),))
    assert shows(both, "21111") == "22221"


def test_a_wild_roll_is_cheated_on_its_ordinary_dice_alone() -> None:
    wild = at(JESTER, range(4), wild=True)
    assert shown(LUCKY, 0, (2, 3, 4, 6, 1, 2, 3, 4), wild) == (1, 2, 3, 4)
    assert shown(ALWAYS, 0, (2, 3, 4, 6), wild) == (2, 3, 4, 6), "the Jester may be a 1"
    assert shown(LOADED, 0, (6, 1, 2, 3), wild) == (6, 6, 6, 3)


@pytest.mark.parametrize("cheats", [LOADED, MAGNET])
def test_a_wild_roll_of_one_die_has_nothing_to_cheat_on(cheats: Cheats) -> None:
    one = {**house(), "dice": {"count": 1}, "combinations": house()["combinations"][:1]}
    assert shown(cheats, 0, (), at(rules_from_data(one), (), wild=True)) == ()


def test_a_seat_without_cheats_rolls_fair_dice() -> None:
    for cheats in (LUCKY, COLD, MAGNET, LOADED, ALWAYS):
        assert shows(cheats, "23466", seat=1) == "23466"


@pytest.mark.parametrize("seed", range(240))
def test_the_referee_cheats_alike(seed: int) -> None:
    chance = Random(seed)
    rules = random_rules(seed % 40)
    data = rules_to_data(rules)
    wild = rules.wild_rolls is not None and rules.dice > 1 and chance.random() < 0.3
    size = rules.dice if wild else chance.randint(1, rules.dice)
    dice = sorted(chance.sample(range(rules.dice), size))[: -1 if wild else None]
    light: Light | None = chance.choice((None, "lucky", "cold", "magnet"))
    mine = referee.Cheats(chance.random() < 0.3, light, chance.random() < 0.5)
    theirs = Cheats(
        loaded=(0,) if mine.loaded else (),
        light=((0, light),) if light else (),
        always_score=(0,) if mine.always_score else (),
    )
    total = chance.choice((0, rules.target - chance.randint(1, 20) * 5))
    throw = Throw(tuple(dice), {}, max(total, 0), 0, rules.dice - 1 if wild else None)
    needed = referee.faces_needed(throw, mine)
    assert faces_needed(theirs, 0, len(dice)) == needed
    limit = rules.target - throw.total if rules.exact == "refuse" else None
    for _ in range(5):
        fair = tuple(chance.randint(1, 6) for _ in range(needed))
        found = shown(theirs, 0, fair, at(rules, dice, wild=wild, limit=limit))
        assert found == referee.shown(data, throw, fair, mine)
