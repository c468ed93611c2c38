"""Wild Rolls of the players' own: told to the game, spent after its own; and the worlds of wins."""

from __future__ import annotations

import pytest

from engine import Finished, Rules, rules_from_data
from engine import commands as co
from engine import events as ev
from engine.evolve import evolve
from engine.state import Cheats, Place, Playing, Reason, SeededDice, Setup
from engine.worlds import Reached, worlds_reached
from tests.engine.spec import (
    T,
    given,
    opened,
    pick,
    roll,
    rolled,
    rules,
    selected,
    started,
    table,
    wild_roll,
)
from tests.referee.rulebook import jester

JESTER = rules("jester")
NONE_OF_ITS_OWN = rules_from_data({**jester(), "wild_rolls": {"allotment": 0, "purse": True}})


def test_the_game_is_told_where_it_knows_otherwise() -> None:
    found = given(started(JESTER, "hhhb"))
    found = found.when(co.CountPurses(T, (2, 0, None, None))).then(ev.PurseCounted(T, 0, 2))
    assert [seat.purse for seat in found.play.seats] == [2, 0, 0, 0]
    found.when(co.CountPurses(T, (2, 0, None, None))).then()
    found.when(co.CountPurses(T, (0, 1, None, None))).then(
        ev.PurseCounted(T, 0, 0), ev.PurseCounted(T, 1, 1)
    )


def test_who_has_resigned_is_not_counted_any_more() -> None:
    found = given(started(JESTER, "hhh")).after(co.Resign(T, 1))
    found.when(co.CountPurses(T, (0, 5, 0))).then()


@pytest.mark.parametrize("without", [rules("jester", purse=False), rules("farkle")])
def test_nothing_is_told_where_purses_are_left_out(without: Rules) -> None:
    given(started(without)).when(co.CountPurses(T, (2, 2))).then()


def test_purses_are_counted_while_the_game_runs() -> None:
    given(opened(table(JESTER))).when(co.CountPurses(T, (1, 1))).refused("not_started")


def test_a_purse_is_spent_down_to_nothing() -> None:
    found = given(started(NONE_OF_ITS_OWN)).after(co.CountPurses(T, (1, 0)))
    spent = found.when(wild_roll(0, 2, 2, 2, 5)).then(
        ev.PurseSpent(T, 0, 0), rolled(0, 2, 2, 2, 5, wild=True)
    )
    assert [seat.from_purse for seat in spent.play.seats] == [1, 0]
    every = pick(0, 1, 2, 3, 4, wild=2)
    spent.when(wild_roll(0, 1, keep=every)).refused("no_wild_rolls")
    found.when(roll(0, 1, 2, 3, 3, 4)).then(rolled(0, 1, 2, 3, 3, 4))


def test_what_the_same_roll_earns_is_spent_before_the_purse() -> None:
    """Five equal faces with the Jester: earned as its face is fixed."""
    earning = rules_from_data({**jester(), "wild_rolls": {"allotment": 1, "purse": True}})
    found = given(started(earning)).after(co.CountPurses(T, (1, 0)), wild_roll(0, 2, 2, 2, 2))
    every = (0, 1, 2, 3, 4)
    again = found.when(wild_roll(0, 1, 3, 4, 6, keep=pick(*every, wild=2))).then(
        selected(0, every, 2700, wild=2),
        ev.WildRollEarned(T, 0, 1),
        ev.HotDice(T, 0, 2700),
        rolled(0, 1, 3, 4, 6, number=1, wild=True),
    )
    assert (again.play.seats[0].wild_rolls, again.play.seats[0].purse) == (0, 1)


def test_seats_of_one_player_share_a_purse() -> None:
    game = started(NONE_OF_ITS_OWN, "hhh")
    one = Place("human", None, "p0")
    game = game._replace(setup=game.setup._replace(places=(one, one, Place("human", None, "p2"))))
    found = given(game).after(co.CountPurses(T, (2, 2, 2)), wild_roll(0, 2, 2, 2, 5))
    assert [seat.purse for seat in found.play.seats] == [1, 1, 2]
    assert [seat.from_purse for seat in found.play.seats] == [1, 0, 0]


# Worlds


def won(setup: Setup, reason: Reason = "target", winners: tuple[int, ...] = (0,)) -> Finished:
    game = started(setup.rules, "hh")
    over = evolve(game._replace(setup=setup), ev.GameFinished(T, reason, winners, ()))
    assert isinstance(over, Finished)
    return over


FAIR = table(JESTER)._replace(preset="jester")


@pytest.mark.parametrize("tier", ["pocket", "jackpot", "fortune", "tycoon"])
def test_a_win_reaches_the_world_of_its_tier(tier: str) -> None:
    setup = FAIR._replace(rules=rules("jester", tier=tier))
    assert worlds_reached(won(setup)) == (Reached(0, "p0", tier),)
    assert worlds_reached(won(setup, winners=(1, 0))) == (
        Reached(1, "p1", tier),
        Reached(0, "p0", tier),
    )


def test_a_table_without_purses_reaches_worlds_too() -> None:
    setup = FAIR._replace(rules=rules("jester", purse=False))
    assert worlds_reached(won(setup)) == (Reached(0, "p0", "pocket"),)


@pytest.mark.parametrize("reason", ["walkover", "ended_early", "game_clock", "resigned", "voided"])
def test_an_end_that_nobody_played_for_reaches_none(reason: Reason) -> None:
    assert worlds_reached(won(FAIR, reason)) == ()


@pytest.mark.parametrize(
    "setup",
    [
        FAIR._replace(preset=None),
        FAIR._replace(cheats=Cheats()),
        FAIR._replace(dice=SeededDice("x")),
        FAIR._replace(places=(Place("human", None, "p0"), Place("human", None, "p0"))),
        FAIR._replace(places=(Place("human", None, "p0"), Place("bot", "cautious"))),
        FAIR._replace(rules=NONE_OF_ITS_OWN),
        FAIR._replace(rules=rules("farkle"), preset="farkle"),
    ],
    ids=["custom", "cheats", "seeded", "one player", "a bot", "no world", "no wild rolls"],
)
def test_a_game_that_does_not_count_reaches_none(setup: Setup) -> None:
    assert worlds_reached(won(setup)) == ()


def test_a_bot_that_stands_in_reaches_none() -> None:
    game = won(FAIR)
    absent = game.seats[0]._replace(stand_in="cautious")
    assert worlds_reached(game._replace(seats=(absent, *game.seats[1:]))) == ()


def test_a_bot_that_wins_reaches_none() -> None:
    places = (Place("bot", "cautious"), *(Place("human", None, f"p{n}") for n in (1, 2)))
    assert worlds_reached(won(FAIR._replace(places=places))) == ()
    assert isinstance(started(JESTER), Playing)


def test_a_bot_that_stands_in_does_not_spend_what_is_the_players() -> None:
    found = given(started(NONE_OF_ITS_OWN)).after(co.CountPurses(T, (1, 0)))
    absent = found.play.seats[0]._replace(stand_in="cautious")
    game = found.play._replace(seats=(absent, found.play.seats[1]))
    given(game).when(wild_roll(0, 2, 2, 2, 5)).refused("no_wild_rolls")
