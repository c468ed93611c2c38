"""The turn clock: what becomes of a turn that runs out. Source: docs/rules.md, "Clocks"."""

from __future__ import annotations

import pytest

from engine import commands as co
from engine import events as ev
from engine.deadlines import turn_deadline
from engine.decide import transition
from engine.errors import TimeIsUp
from engine.state import Offer, Playing
from tests.engine.clocked import DEADLINE, LATE, TIME_OUT, TURN_MS, clocked, lapsed, timed_out
from tests.engine.spec import (
    SEAL,
    Shows,
    T,
    bank,
    finished,
    given,
    roll,
    rules,
    select,
    table,
    take_over,
    wild_roll,
)


def banked(seat: int, dice: list[int], held: list[int], score: int, total: int) -> ev.TurnBanked:
    return ev.TurnBanked(LATE, seat, tuple(dice), None, tuple(held), score, total)


def test_a_turn_without_a_roll_passes_with_nothing() -> None:
    game = given(clocked(rules("farkle"), totals=(600, 0)))
    after = game.when(TIME_OUT).then(timed_out(0), lapsed(0, total=600))
    assert (after.to_roll, after.play.seats[0].missed) == (1, 1)


def test_a_seat_on_the_board_banks_what_it_has_locked_and_selected() -> None:
    game = given(clocked(rules("house"), on_board=(0,)))
    kept = game.after(roll(0, 1, 2, 3, 4, 6), select(0, 0), roll(0, 5, 5, 2, 3), select(0, 1))
    after = kept.when(TIME_OUT).then(timed_out(0), banked(0, [1], [0, 1], 150, 150))
    assert after.to_roll == 1


def test_it_banks_with_nothing_of_the_current_roll_selected() -> None:
    game = given(clocked(rules("house"), on_board=(0,)))
    kept = game.after(roll(0, 1, 2, 3, 4, 6), select(0, 0), roll(0, 5, 5, 2, 3))
    kept.when(TIME_OUT).then(timed_out(0), banked(0, [], [0], 100, 100))


def test_with_nothing_set_aside_at_all_the_turn_passes() -> None:
    game = given(clocked(rules("house"), on_board=(0,))).after(roll(0, 1, 2, 3, 4, 6))
    game.when(TIME_OUT).then(timed_out(0), lapsed(0))


def test_it_banks_on_hot_dice_where_the_house_rule_forbids_to_stop_there() -> None:
    game = given(clocked(rules("house", bank_on_hot_dice=False), on_board=(0,)))
    hot = game.after(roll(0, 1, 1, 1, 5, 5), select(0, 0, 1, 2, 3, 4))
    hot.when(bank(0)).refused("must_roll_hot_dice")
    hot.when(TIME_OUT).then(timed_out(0), banked(0, [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], 1100, 1100))


def test_a_seat_that_reaches_the_opening_now_banks() -> None:
    game = given(clocked(rules("house"))).after(roll(0, 5, 5, 5, 2, 3), select(0, 0, 1, 2))
    after = game.when(TIME_OUT).then(timed_out(0), banked(0, [0, 1, 2], [0, 1, 2], 500, 500))
    assert after.play.seats[0].on_board


def test_another_seat_loses_its_points_and_keeps_the_protected_ones() -> None:
    game = given(clocked(rules("house", opening=2000)))
    kept = game.after(roll(0, 1, 1, 1, 5, 3), select(0, 0, 1, 2, 3), roll(0, 4))
    assert kept.to_roll == 1  # busted: what a clock takes is what a bust takes
    still = game.after(roll(0, 1, 1, 1, 5, 3), select(0, 0, 1, 2, 3))
    after = still.when(TIME_OUT).then(timed_out(0), lapsed(0, 50, 1000, 1000))
    assert not after.play.seats[0].on_board
    assert after.play.seats[0].improved == 1


def test_where_bank_takes_all_scoring_dice_the_clock_does_too() -> None:
    game = given(clocked(rules("farkle"))).after(roll(0, 1, 1, 1, 1, 5, 2), select(0, 4))
    game.when(TIME_OUT).then(timed_out(0), banked(0, [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], 1050, 1050))
    poor = given(clocked(rules("farkle"))).after(roll(0, 1, 5, 2, 3, 4, 4))
    poor.when(TIME_OUT).then(timed_out(0), lapsed(0, 150))


def test_in_jester_a_bank_past_the_target_overshoots_as_ever() -> None:
    game = given(clocked(rules("jester"), totals=(4950, 0)))
    kept = game.after(roll(0, 1, 2, 3, 4, 6), select(0, 0))
    kept.when(TIME_OUT).then(timed_out(0), ev.TurnOvershot(LATE, 0, 100, 0, 4950))


def test_a_selected_jester_keeps_its_face_and_earns_what_it_would() -> None:
    game = given(clocked(rules("jester"), totals=(600, 0)))
    wild = game.after(wild_roll(0, 2, 2, 2, 2), select(0, 0, 1, 2, 3, 4, wild=2))
    dice = (0, 1, 2, 3, 4)
    wild.when(TIME_OUT).then(
        timed_out(0),
        ev.WildRollEarned(LATE, 0, 3),
        ev.TurnBanked(LATE, 0, dice, 2, dice, 2700, 3300),
    )


def test_a_bank_on_the_clock_is_offered_to_the_next_seat() -> None:
    game = given(clocked(rules("farkle", high_stakes=True), "hhh", on_board=(0,)))
    after = game.after(roll(0, 1, 5, 2, 3, 4, 4), TIME_OUT)
    assert after.play.offer == Offer(1, 150, 0b11, (1, 5, 2, 3, 4, 4))
    late = TIME_OUT._replace(at=LATE + TURN_MS + 501)
    lapses = after.when(late).then(
        ev.TurnTimedOut(late.at, 1, LATE + TURN_MS), ev.TurnLapsed(late.at, 1, 0, 0, 0)
    )
    assert lapses.play.offer is None
    lapses.when(co.TakeOver(late.at, 2, Shows((1, 1, 1, 1)))).refused("no_take_over")


def test_points_taken_over_are_lost_with_the_turn() -> None:
    game = given(clocked(rules("farkle", high_stakes=True), on_board=(0,)))
    taken = game.after(roll(0, 1, 5, 2, 3, 4, 4), bank(0), take_over(1, 1, 2, 3, 4))
    taken.when(TIME_OUT).then(timed_out(1), lapsed(1, 250))


def test_a_last_turn_is_used_up_and_the_game_may_end_by_it() -> None:
    game = given(clocked(rules("farkle"), totals=(9900, 600)))
    last = game.after(roll(0, 1, 2, 3, 3, 4, 6), bank(0))
    last.when(TIME_OUT).then(
        timed_out(1),
        lapsed(1, total=600),
        finished("target", [0], (0, 10_000), (1, 600))._replace(at=LATE),
    )


def test_a_bank_on_the_clock_may_open_the_final_round() -> None:
    game = given(clocked(rules("house"), totals=(9900, 600)))
    game.after(roll(0, 1, 2, 3, 4, 6), select(0, 0)).when(TIME_OUT).then(
        timed_out(0),
        banked(0, [0], [0], 100, 10_000),
        ev.FinalRoundOpened(LATE, 0, (1,)),
    )


def test_commands_count_until_the_grace_is_over_and_clocks_fire_from_there_on() -> None:
    game = clocked(rules("farkle"))
    assert turn_deadline(game) == DEADLINE
    for at in (DEADLINE, LATE - 1):
        given(game).after(co.Roll(at, 0, Shows((1, 1, 1, 2, 3, 4))))
        given(game).when(co.TimeOut(at)).then()
    for command in (
        co.Roll(LATE, 0, Shows((1,))),
        co.WildRoll(LATE, 0, Shows((1,))),
        co.Bank(LATE, 0),
        co.Select(LATE, 0, co.Selection((0,))),
        co.TakeOver(LATE, 0, Shows((1,))),
    ):
        with pytest.raises(TimeIsUp):
            transition(game, command)
    given(game).when(co.Bank(LATE, 1)).refused("not_your_turn", seat_to_move=0)


def test_a_clock_that_was_fired_already_fires_no_second_time() -> None:
    after = given(clocked(rules("farkle"))).after(TIME_OUT)
    after.when(TIME_OUT).then()


def test_the_clock_covers_the_turn_and_not_each_decision() -> None:
    game = clocked(rules("farkle"))
    begun = given(game).after(co.Roll(T + 50_000, 0, Shows((1, 1, 1, 2, 3, 4))))
    assert turn_deadline(begun.play) == DEADLINE


def test_the_turns_of_bots_have_no_deadline() -> None:
    setup = table(rules("farkle"), "bh", clocks=clocked(rules("farkle")).setup.clocks)
    game = transition(transition(None, co.Create(T, setup)).game, co.Start(T, SEAL)).game
    assert isinstance(game, Playing)
    assert turn_deadline(game) is None
    given(game).when(TIME_OUT).then()


def test_a_command_ends_the_row_of_missed_turns() -> None:
    game = given(clocked(rules("farkle"), missed=1))
    assert game.after(TIME_OUT).play.seats[0].missed == 2
    rolled = game.after(roll(0, 1, 2, 3, 3, 4, 6))
    assert rolled.play.seats[0].missed == 0
    assert rolled.after(TIME_OUT).play.seats[0].missed == 1
