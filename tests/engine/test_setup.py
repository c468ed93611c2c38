"""A table's settings are checked whole: every fault by its pointer, what is left normalised."""

from __future__ import annotations

from typing import Any

import pytest

from engine import MalformedSettings, Setup, rules_from_data
from engine.setup import checked
from engine.state import (
    Bots,
    Cheats,
    Clocks,
    FairDice,
    Place,
    ScriptedDice,
    SeededDice,
)
from tests.engine.spec import rules, table
from tests.referee.cheats import snapped_head_start
from tests.referee.rulebook import farkle, house, jester

FARKLE, HOUSE, JESTER = rules("farkle"), rules("house"), rules("jester")


def faults(setup: Setup) -> list[tuple[str, str]]:
    with pytest.raises(MalformedSettings) as wrong:
        checked(setup)
    return [(fault.pointer, fault.code) for fault in wrong.value.faults]


def cheated(**cheats: Any) -> Setup:
    """A house table of two humans, a bot, a closed seat."""
    return table(HOUSE, "hhbc", cheats=Cheats(**cheats))


@pytest.mark.parametrize(
    ("name", "seats"),
    [("farkle", "h"), ("farkle", "h" * 8), ("house", "hb"), ("house", "hhcccccc"), ("jester", "b")],
)
def test_tables_of_the_sizes_a_rule_set_allows(name: str, seats: str) -> None:
    setup = table(rules(name), seats)
    assert checked(setup) == setup


@pytest.mark.parametrize(
    ("name", "seats"),
    [("farkle", ""), ("farkle", "h" * 9), ("farkle", "cc"), ("house", "h"), ("house", "cc")],
)
def test_too_few_or_too_many_seats(name: str, seats: str) -> None:
    assert faults(table(rules(name), seats)) == [("/seats", "wrong_length")]


def test_only_open_seats_count_towards_the_most() -> None:
    two = rules_from_data({**farkle(), "seats": {"min": 1, "max": 2}})
    checked(table(two, "hcch"))
    assert faults(table(two, "hhh")) == [("/seats", "wrong_length")]


def test_a_bot_has_a_character_and_nobody_else() -> None:
    places = (Place("human", "gambler"), Place("bot"), Place("closed", "cautious"), Place("human"))
    assert faults(table(FARKLE, places=places)) == [
        ("/seats/0/character", "not_applicable"),
        ("/seats/1/character", "not_applicable"),
        ("/seats/2/character", "not_applicable"),
    ]


@pytest.mark.parametrize(
    ("rolls", "expected"),
    [
        (((1, 2, 3, 4, 5, 6), (1,)), []),
        ((), []),
        (((),), [("/dice/rolls/0", "wrong_length")]),
        (((1,), (1,) * 7), [("/dice/rolls/1", "wrong_length")]),
        (
            ((1, 7), (0,), (1, 2)),
            [("/dice/rolls/0", "out_of_range"), ("/dice/rolls/1", "out_of_range")],
        ),
        (((1,),) * 1001, [("/dice/rolls", "wrong_length")]),
    ],
)
def test_scripted_dice(rolls: tuple[tuple[int, ...], ...], expected: list[tuple[str, str]]) -> None:
    setup = table(FARKLE, dice=ScriptedDice(rolls))
    if expected:
        assert faults(setup) == expected
    else:
        assert checked(setup) == setup


@pytest.mark.parametrize("seed", ["a", "demo 1", "~" * 64])
def test_a_seed_is_a_short_ascii_text(seed: str) -> None:
    assert checked(table(FARKLE, dice=SeededDice(seed))).dice == SeededDice(seed)


@pytest.mark.parametrize("seed", ["", "~" * 65, "Zoë", "\ud800", "a\n", "\x7f"])
def test_any_other_seed_is_malformed(seed: str) -> None:
    assert faults(table(FARKLE, dice=SeededDice(seed))) == [("/dice/seed", "bad_seed")]


@pytest.mark.parametrize("seconds", [5, 60, 604_800, None])
def test_clocks_within_their_limits(seconds: int | None) -> None:
    checked(table(FARKLE, clocks=Clocks(seconds, seconds)))


@pytest.mark.parametrize("seconds", [0, 4, -1, 604_801])
def test_clocks_beyond_their_limits(seconds: int) -> None:
    assert faults(table(FARKLE, clocks=Clocks(seconds, seconds))) == [
        ("/clocks/turn_s", "out_of_range"),
        ("/clocks/game_s", "out_of_range"),
    ]


def test_bots_have_a_pace() -> None:
    checked(table(FARKLE, bots=Bots(60_000)))
    for pace in (-1, 60_001):
        assert faults(table(FARKLE, bots=Bots(pace))) == [("/bots/pace_ms", "out_of_range")]


def test_cheats_come_back_in_order_once_each() -> None:
    cheats = cheated(
        loaded=(2, 0, 2),
        light=((1, "cold"), (0, "magnet")),
        head_start=((2, 52), (0, 48)),
        skip_next=(1, 1),
        always_score=(2, 1),
    )
    assert checked(cheats).cheats == Cheats(
        loaded=(0, 2),
        light=((0, "magnet"), (1, "cold")),
        head_start=((0, 50), (2, 50)),
        skip_next=(1,),
        always_score=(1, 2),
    )


@pytest.mark.parametrize("name", ["loaded", "skip_next", "always_score"])
def test_cheats_are_for_open_seats_of_the_table(name: str) -> None:
    found = faults(cheated(**{name: (0, 3, 4, -1)}))
    assert found == [(f"/cheats/{name}/{index}", "no_such_seat") for index in (1, 2, 3)]


def test_of_cheats_by_seat_only_seats_of_the_table_are_named() -> None:
    assert faults(cheated(light=((9, "cold"),))) == [("/cheats/light", "no_such_seat")]
    assert faults(cheated(head_start=((3, 5),))) == [("/cheats/head_start", "no_such_seat")]


def test_light_touches_are_for_humans() -> None:
    assert faults(cheated(light=((1, "cold"), (2, "lucky")))) == [
        ("/cheats/light/2", "not_applicable")
    ]


def test_always_score_needs_a_scoring_single() -> None:
    sets = [c for c in house()["combinations"] if c["kind"] == "set"]
    bare = rules_from_data({**house(), "combinations": sets})
    setup = table(bare, cheats=Cheats(always_score=(0,)))
    assert faults(setup) == [("/cheats/always_score", "not_applicable")]
    checked(table(bare, cheats=Cheats(loaded=(0,))))


@pytest.mark.parametrize(
    ("wanted", "start"),
    [(0, 0), (2, 0), (3, 5), (7, 5), (8, 10), (1234, 1235), (9997, 9995), (-2, 0)],
)
def test_a_head_start_snaps_to_the_nearest_multiple_of_five(wanted: int, start: int) -> None:
    found = checked(cheated(head_start=((0, wanted),))).cheats
    assert found is not None
    assert found.head_start == ((0, start),)


@pytest.mark.parametrize("wanted", [-3, 9998, 10_000, 12_000])
def test_a_head_start_is_below_the_target_after_snapping(wanted: int) -> None:
    assert faults(cheated(head_start=((1, wanted),))) == [("/cheats/head_start/1", "out_of_range")]


def test_what_is_left_to_an_exact_target_can_be_reached() -> None:
    """House scores in steps of 50; to 10 000 from 25 no sum leads."""
    exact = rules("house", exact=True)
    for points, expected in ((25, "out_of_reach"), (10_000, "out_of_range")):
        setup = table(exact, cheats=Cheats(head_start=((0, points),)))
        assert faults(setup) == [("/cheats/head_start/0", expected)]
    checked(table(exact, cheats=Cheats(head_start=((0, 9950),))))
    fives = rules("house", exact=True, values={"single_5": 5})
    checked(table(fives, cheats=Cheats(head_start=((0, 25),))))


@pytest.mark.parametrize("data", [farkle(), house(exact=True), jester()])
def test_head_starts_are_the_referee_s(data: dict[str, Any]) -> None:
    loose = {**data, "target": data["target"] + 250}
    for points in [*range(-7, 120), *range(loose["target"] - 120, loose["target"] + 8)]:
        setup = table(rules_from_data(loose), cheats=Cheats(head_start=((1, points),)))
        expected = snapped_head_start(loose, points)
        if expected is None:
            assert faults(setup)[0][0] == "/cheats/head_start/1"
        else:
            assert checked(setup).cheats == Cheats(head_start=((1, expected),))


def test_everything_wrong_with_a_table_is_named() -> None:
    setup = table(
        HOUSE,
        "h",
        dice=ScriptedDice(((0,),)),
        clocks=Clocks(1, None),
        bots=Bots(-5),
        cheats=Cheats(loaded=(5,), head_start=((0, 10_000),)),
    )
    assert faults(setup) == [
        ("/seats", "wrong_length"),
        ("/dice/rolls/0", "out_of_range"),
        ("/clocks/turn_s", "out_of_range"),
        ("/bots/pace_ms", "out_of_range"),
        ("/cheats/loaded/0", "no_such_seat"),
        ("/cheats/head_start/0", "out_of_range"),
    ]


def test_statistics_count_fair_games_of_two_different_people() -> None:
    """No script, no seed, no cheats."""
    assert table(FARKLE, "hh").counts
    assert table(FARKLE, "hbh").counts
    for setup in (
        table(FARKLE, "h"),
        table(FARKLE, "hb"),
        table(FARKLE, "he"),
        table(FARKLE, "hh", dice=SeededDice("x")),
        table(FARKLE, "hh", dice=ScriptedDice(())),
        table(FARKLE, "hh", cheats=Cheats()),
        table(FARKLE, places=(Place("human", None, "p"), Place("human", None, "p"))),
    ):
        assert not setup.counts
    assert table(FARKLE, dice=FairDice()).counts
