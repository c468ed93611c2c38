"""How games end: targets, final rounds, instant wins, early ends."""

from __future__ import annotations

import pytest

from engine import commands as co
from engine import events as ev
from engine import rules_from_data
from engine.state import Cheats
from tests.engine.spec import (
    T,
    bank,
    banked,
    finished,
    given,
    opened,
    pick,
    roll,
    rolled,
    rules,
    select,
    selected,
    started,
    table,
    take_over,
    wild_roll,
)
from tests.referee.rulebook import farkle, house

FARKLE, HOUSE, JESTER = rules("farkle"), rules("house"), rules("jester")
SUDDEN = rules("farkle", final_round=False)
HUNDRED = (1, 2, 3, 3, 4, 6)
"""A roll of farkle that banks 100."""
NOTHING = (2, 2, 3, 3, 4, 6)


def test_the_first_to_reach_the_target_gives_every_other_seat_one_more_turn() -> None:
    game = started(FARKLE, "hhhh", totals=[5000, 9900, 800, 600])
    opening = given(game).after(roll(0, *NOTHING), roll(1, *HUNDRED))
    final = opening.when(bank(1)).then(
        banked(1, [0], [0], 100, 10_000), ev.FinalRoundOpened(T, 1, (2, 3, 0))
    )
    one = final.when(roll(2, *NOTHING)).then(
        rolled(2, *NOTHING, number=2), ev.TurnBusted(T, 2, 0, 0, 800)
    )
    two = one.after(roll(3, *HUNDRED)).when(bank(3)).then(banked(3, [0], [0], 100, 700))
    two.when(roll(0, *NOTHING)).then(
        rolled(0, *NOTHING, number=4),
        ev.TurnBusted(T, 0, 0, 0, 5000),
        finished("target", [1], (1, 10_000), (0, 5000), (2, 800), (3, 700)),
    )


def test_the_highest_total_of_the_final_round_wins_and_ties_are_shared() -> None:
    for before, winners in ((9900, [0, 1]), (9950, [1]), (9850, [0])):
        game = started(FARKLE, totals=[9900, before])
        last = given(game).after(roll(0, *HUNDRED), bank(0), roll(1, *HUNDRED))
        rows = [(0, 10_000), (1, before + 100)]
        rows.sort(key=lambda row: (-row[1], row[0]))
        last.when(bank(1)).then(
            banked(1, [0], [0], 100, before + 100), finished("target", winners, *rows)
        )


def test_without_a_final_round_the_first_to_reach_the_target_wins_at_once() -> None:
    found = given(started(SUDDEN, totals=[9900, 9950])).after(roll(0, *HUNDRED))
    found.when(bank(0)).then(
        banked(0, [0], [0], 100, 10_000), finished("target", [0], (0, 10_000), (1, 9950))
    )


def test_a_seat_alone_has_no_final_round() -> None:
    alone = given(started(FARKLE, "hcc", totals=[9900])).after(roll(0, *HUNDRED))
    alone.when(bank(0)).then(banked(0, [0], [0], 100, 10_000), finished("target", [0], (0, 10_000)))


def test_of_several_that_reached_it_the_last_to_do_so_wins_where_a_rule_set_says_so() -> None:
    """House: neither the highest nor the first."""
    game = started(HOUSE, "hhh", totals=[9900, 9900, 9950])
    found = given(game).after(
        *(roll(0, 1, 1, 2, 3, 4), bank(0, 0, 1)), *(roll(1, 1, 2, 3, 3, 4), bank(1, 0))
    )
    found.after(roll(2, 5, 2, 3, 3, 4)).when(bank(2, 0)).then(
        selected(2, [0], 50),
        banked(2, [0], [0], 50, 10_000),
        finished("target", [2], (0, 10_100), (1, 10_000), (2, 10_000)),
    )
    found.when(roll(2, 2, 3, 3, 4, 6)).then(
        rolled(2, 2, 3, 3, 4, 6, number=2),
        ev.TurnBusted(T, 2, 0, 0, 9950),
        finished("target", [1], (0, 10_100), (1, 10_000), (2, 9950)),
    )


def test_a_protected_credit_that_reaches_the_target_opens_the_final_round() -> None:
    found = given(started(HOUSE, totals=[9000, 600])).after(roll(0, 1, 1, 1, 2, 3))
    final = found.when(roll(0, 2, 3, keep=pick(0, 1, 2))).then(
        selected(0, [0, 1, 2], 1000, 1000),
        rolled(0, 2, 3, dice=[3, 4], number=1),
        ev.TurnBusted(T, 0, 0, 1000, 10_000),
        ev.FinalRoundOpened(T, 0, (1,)),
    )
    assert final.play.reached == (0,)


def test_a_protected_credit_in_the_final_round_reaches_the_target_too() -> None:
    game = started(HOUSE, totals=[9900, 9000])
    found = given(game).after(roll(0, 1, 2, 3, 3, 4), bank(0, 0), roll(1, 1, 1, 1, 2, 3))
    found.when(roll(1, 2, 3, keep=pick(0, 1, 2))).then(
        selected(1, [0, 1, 2], 1000, 1000),
        rolled(1, 2, 3, dice=[3, 4], number=2),
        ev.TurnBusted(T, 1, 0, 1000, 10_000),
        finished("target", [1], (0, 10_000), (1, 10_000)),
    )


def test_exactly_the_target_opens_a_final_round_in_exact_house() -> None:
    exact = rules("house", exact=True)
    found = given(started(exact, totals=[9900, 9950])).after(roll(0, 1, 2, 3, 3, 4))
    final = found.when(bank(0, 0)).then(
        selected(0, [0], 100),
        banked(0, [0], [0], 100, 10_000),
        ev.FinalRoundOpened(T, 0, (1,)),
    )
    final.after(roll(1, 5, 2, 3, 3, 4)).when(bank(1, 0)).then(
        selected(1, [0], 50),
        banked(1, [0], [0], 50, 10_000),
        finished("target", [1], (0, 10_000), (1, 10_000)),
    )


def test_a_roll_of_all_dice_all_spicy_wins_on_the_spot_and_credits_nothing() -> None:
    spicy = rules("farkle", spicy=True)
    given(started(spicy, totals=[0, 20_000])).when(roll(0, 1, 2, 3, 4, 5, 6)).then(
        rolled(0, 1, 2, 3, 4, 5, 6), finished("instant_win", [0], (1, 20_000), (0, 0))
    )
    own = rules("farkle", spicy=True, spicy_faces=[2, 2, 3, 3, 4, 6])
    given(started(own)).when(roll(0, *NOTHING)).then(
        rolled(0, *NOTHING), finished("instant_win", [0], (0, 0), (1, 0))
    )


def test_all_spicy_needs_all_dice_in_one_roll_and_the_rule() -> None:
    spicy = rules("farkle", spicy=True)
    found = given(started(spicy)).after(roll(0, 1, 3, 2, 2, 4, 4))
    found.when(roll(0, 2, 3, 4, 5, 6, keep=pick(0))).then(
        selected(0, [0], 200), rolled(0, 2, 3, 4, 5, 6, dice=[1, 2, 3, 4, 5], number=1)
    )
    plain = {"faces": [1, 2, 3, 4, 5, 6], "instant_win": False}
    given(started(rules_from_data({**farkle(), "spicy": plain}))).when(
        roll(0, 1, 2, 3, 4, 5, 6)
    ).then(rolled(0, 1, 2, 3, 4, 5, 6))
    given(started(FARKLE)).when(roll(0, 1, 2, 3, 4, 5, 6)).then(rolled(0, 1, 2, 3, 4, 5, 6))


def test_hot_dice_may_lead_to_an_instant_win() -> None:
    spicy = rules("farkle", spicy=True)
    found = given(started(spicy)).after(roll(0, 2, 2, 2, 1, 1, 1))
    found.when(roll(0, 1, 2, 3, 4, 5, 6, keep=pick(0, 1, 2, 3, 4, 5))).then(
        selected(0, [0, 1, 2, 3, 4, 5], 5000),
        ev.HotDice(T, 0, 5000),
        rolled(0, 1, 2, 3, 4, 5, 6, number=1),
        finished("instant_win", [0], (0, 0), (1, 0)),
    )


def test_a_skipped_last_turn_is_used_up() -> None:
    game = started(FARKLE, "hhh", totals=[9900, 9000, 9950], cheats=Cheats())
    found = given(game).after(co.SkipNext(T, 1), roll(0, *HUNDRED))
    final = found.when(bank(0)).then(
        banked(0, [0], [0], 100, 10_000),
        ev.FinalRoundOpened(T, 0, (1, 2)),
        ev.TurnSkipped(T, 1),
    )
    assert final.to_roll == 2
    last = given(started(FARKLE, totals=[9900, 0], cheats=Cheats())).after(
        co.SkipNext(T, 1), roll(0, *HUNDRED)
    )
    last.when(bank(0)).then(
        banked(0, [0], [0], 100, 10_000),
        ev.FinalRoundOpened(T, 0, (1,)),
        ev.TurnSkipped(T, 1),
        finished("target", [0], (0, 10_000), (1, 0)),
    )


@pytest.mark.parametrize(
    ("totals", "winners"),
    [((300, 900, 900), [1, 2]), ((300, 0, 0), [0]), ((0, 0, 0), [])],
)
def test_ended_early_the_highest_total_wins_if_any_has_grown(
    totals: tuple[int, ...], winners: list[int]
) -> None:
    rows = sorted(enumerate(totals), key=lambda row: (-row[1], row[0]))
    found = given(started(FARKLE, "hhh", totals=totals)).after(roll(0, *HUNDRED))
    found.when(co.End(T)).then(finished("ended_early", winners, *rows))


def test_a_head_start_is_no_growth() -> None:
    game = given(started(FARKLE, cheats=Cheats(head_start=((1, 500),))))
    assert game.totals == [0, 500]
    assert not game.play.seats[1].on_board
    game.when(co.End(T)).then(finished("ended_early", [], (1, 500), (0, 0)))


def test_ended_early_a_resigned_seat_does_not_win() -> None:
    found = given(started(FARKLE, "hhh", totals=[900, 300, 300])).after(co.Resign(T, 0))
    found.when(co.End(T)).then(finished("ended_early", [1, 2], (0, 900), (1, 300), (2, 300)))


def test_closed_seats_stand_nowhere() -> None:
    found = given(started(FARKLE, "chch", start_seat=1))
    found.when(co.End(T)).then(finished("ended_early", [], (1, 0), (3, 0)))


def test_after_the_end_everything_is_refused_but_a_rematch() -> None:
    over = given(started(SUDDEN, totals=[9900])).after(roll(0, *HUNDRED), bank(0))
    for command in (roll(0, 1), bank(0), select(0, 0), take_over(1, 1), wild_roll(0, 1)):
        over.when(command).refused("game_over")
    for other in (co.Resign(T, 0), co.End(T), co.SkipNext(T, 0), co.Join(T, "p9")):
        over.when(other).refused("game_over")
    named = over.when(co.AnnounceRematch(T, "g_2")).then(ev.RematchCreated(T, "g_2"))
    assert named.totals == [10_000, 0]


def test_a_table_can_be_closed_in_the_lobby() -> None:
    given(opened(table(FARKLE))).when(co.End(T)).then(finished("ended_early", [], (0, 0), (1, 0)))


def test_a_head_start_below_the_opening_leaves_the_seat_off_the_board() -> None:
    game = started(rules_from_data(house()), cheats=Cheats(head_start=((0, 5000),)))
    found = given(game).after(roll(0, 1, 2, 3, 3, 4))
    found.when(bank(0, 0)).refused("below_opening", needed=500, offered=100)
