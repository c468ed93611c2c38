"""High stakes: the next seat may take over a banked turn, and only it, and only at once."""

from __future__ import annotations

from typing import Any

from engine import Rules, rules_from_data
from engine import commands as co
from engine import events as ev
from engine.state import Cheats, Offer
from tests.engine.spec import (
    Given,
    T,
    bank,
    banked,
    finished,
    given,
    pick,
    roll,
    rolled,
    rules,
    select,
    selected,
    started,
    take_over,
    wild_roll,
)
from tests.referee.rulebook import RuleSet, house, jester

STAKES = rules("farkle", high_stakes=True, opening=0)
EXAMPLE = (1, 5, 2, 3, 4, 4)
"""Banks 150 with the first two dice."""


def stakes(base: RuleSet, **changes: Any) -> Rules:
    return rules_from_data({**base, "take_over": True, "opening": 0, **changes})


def example(seats: str = "hh", game: Rules = STAKES, **settings: Any) -> Given:
    """Seat 0 has banked the example of the rules."""
    return given(started(game, seats, **settings)).after(roll(0, *EXAMPLE), bank(0))


def test_the_example_of_the_rules() -> None:
    found = given(started(STAKES)).after(roll(0, *EXAMPLE))
    offered = found.when(bank(0)).then(banked(0, [0, 1], [0, 1], 150, 150))
    assert offered.play.offer == Offer(1, 150, 0b11, EXAMPLE)
    over = offered.when(take_over(1, 2, 3, 4, 6)).then(
        ev.TurnTakenOver(T, 1, 150, (0, 1)),
        rolled(1, 2, 3, 4, 6, dice=[2, 3, 4, 5], number=1),
        ev.TurnBusted(T, 1, 150, 0, 0),
    )
    assert over.totals == [150, 0]


def test_the_held_dice_are_locked_dice_of_the_taker_and_passed_on_when_it_banks() -> None:
    taken = (
        example("hhh")
        .when(take_over(1, 1, 2, 3, 6))
        .then(
            ev.TurnTakenOver(T, 1, 150, (0, 1)),
            rolled(1, 1, 2, 3, 6, dice=[2, 3, 4, 5], number=1),
        )
    )
    assert (taken.turn.locked, taken.turn.faces) == (0b11, (1, 5, 1, 2, 3, 6))
    assert (taken.turn.score, taken.turn.carried, taken.turn.protected) == (150, 150, 0)
    passed = taken.when(bank(1)).then(banked(1, [2], [0, 1, 2], 250, 250))
    third = passed.when(take_over(2, 5, 5, 5)).then(
        ev.TurnTakenOver(T, 2, 250, (0, 1, 2)), rolled(2, 5, 5, 5, dice=[3, 4, 5], number=2)
    )
    all_held = third.when(bank(2)).then(banked(2, [3, 4, 5], [0, 1, 2, 3, 4, 5], 750, 750))
    assert all_held.play.offer == Offer(0, 750, 0, (1, 5, 1, 5, 5, 5))
    assert all_held.totals == [150, 250, 750]


def test_with_all_six_held_the_taker_rolls_six() -> None:
    found = given(started(STAKES)).after(roll(0, 1, 1, 1, 5, 5, 5))
    offered = found.when(bank(0)).then(
        banked(0, [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5], 2500, 2500)
    )
    taken = offered.when(take_over(1, 1, 2, 2, 3, 3, 4)).then(
        ev.TurnTakenOver(T, 1, 2500, ()), rolled(1, 1, 2, 2, 3, 3, 4, number=1)
    )
    assert (taken.turn.locked, taken.turn.score) == (0, 2500)
    taken.when(bank(1)).then(banked(1, [0], [0], 2600, 2600))


def test_held_dice_count_towards_hot_dice() -> None:
    taken = example().after(take_over(1, 1, 1, 5, 5))
    taken.when(roll(1, 1, 2, 3, 3, 4, 4, keep=pick(2, 3, 4, 5))).then(
        selected(1, [2, 3, 4, 5], 300),
        ev.HotDice(T, 1, 450),
        rolled(1, 1, 2, 3, 3, 4, 4, number=2),
    )


def test_dice_locked_in_earlier_rolls_are_held_too() -> None:
    found = given(started(STAKES)).after(roll(0, *EXAMPLE), roll(0, 2, 3, 1, 4, 4, keep=pick(1)))
    offered = found.when(bank(0)).then(banked(0, [3], [1, 3], 150, 150))
    offered.when(take_over(1, 1, 1, 1, 2)).then(
        ev.TurnTakenOver(T, 1, 150, (1, 3)), rolled(1, 1, 1, 1, 2, dice=[0, 2, 4, 5], number=2)
    )


def test_a_take_over_counts_towards_the_opening() -> None:
    game = rules("farkle", high_stakes=True)
    found = given(started(game)).after(roll(0, 5, 5, 5, 2, 3, 4), bank(0), take_over(1, 5, 2, 3))
    taken = found.when(bank(1)).then(banked(1, [3], [0, 1, 2, 3], 550, 550))
    assert taken.play.seats[1].on_board


def test_rolling_fresh_forfeits_the_offer_for_good() -> None:
    fresh = example().when(roll(1, 1, 2, 3, 4, 4, 6)).then(rolled(1, 1, 2, 3, 4, 4, 6, number=1))
    assert fresh.play.offer is None
    fresh.when(take_over(1, 1)).refused("no_take_over")


def test_there_is_no_offer_at_the_start_to_others_or_where_stakes_are_low() -> None:
    given(started(STAKES)).when(take_over(0, 1)).refused("no_take_over")
    example("hhh").when(take_over(2, 1)).refused("not_your_turn", seat_to_move=1)
    low = example(game=rules("farkle", opening=0))
    low.when(take_over(1, 1)).refused("no_take_over")


def test_there_is_no_offer_after_a_bust() -> None:
    found = given(started(STAKES)).after(roll(0, 2, 2, 3, 3, 4, 6))
    found.when(take_over(1, 1)).refused("no_take_over")
    again = example("hhh").after(take_over(1, 2, 3, 4, 6))
    again.when(take_over(2, 1)).refused("no_take_over")


def test_there_is_no_offer_after_an_overshoot() -> None:
    game = started(stakes(jester()), totals=[4950])
    found = given(game).after(roll(0, 1, 2, 3, 4, 4), bank(0, 0))
    assert found.totals == [4950, 0]
    assert found.play.offer is None


def test_the_offer_lapses_when_the_next_seat_is_skipped_and_passes_to_nobody() -> None:
    found = given(started(STAKES, "hhh", cheats=Cheats(skip_next=(1,)))).after(roll(0, *EXAMPLE))
    skipped = found.when(bank(0)).then(banked(0, [0, 1], [0, 1], 150, 150), ev.TurnSkipped(T, 1))
    assert (skipped.to_roll, skipped.play.offer) == (2, None)


def test_the_offer_lapses_when_the_next_seat_resigns() -> None:
    gone = example("hhh").when(co.Resign(T, 1)).then(ev.SeatResigned(T, 1, 0, 0, 0))
    assert (gone.to_roll, gone.play.offer) == (2, None)


def test_the_offer_stands_when_any_other_seat_resigns() -> None:
    for seat, total in ((0, 150), (2, 0)):
        gone = example("hhh").when(co.Resign(T, seat)).then(ev.SeatResigned(T, seat, 0, 0, total))
        assert gone.play.offer == Offer(1, 150, 0b11, EXAMPLE)


def test_the_offer_lapses_with_a_wild_roll() -> None:
    found = given(started(stakes(jester()))).after(roll(0, 1, 2, 3, 4, 4), bank(0, 0))
    found.after(wild_roll(1, 1, 2, 3, 6)).when(take_over(1, 1)).refused("no_take_over")


def test_a_seat_is_not_offered_its_own_turn() -> None:
    example("hc").when(take_over(0, 1)).refused("no_take_over")


def test_offers_pass_closed_and_resigned_seats_by() -> None:
    closed = example("hch")
    assert closed.play.offer == Offer(2, 150, 0b11, EXAMPLE)
    before = given(started(STAKES, "hhh")).after(co.Resign(T, 1), roll(0, *EXAMPLE), bank(0))
    assert before.play.offer == Offer(2, 150, 0b11, EXAMPLE)


def test_offers_stand_in_a_final_round() -> None:
    final = example(totals=[9850])
    assert final.play.final_round is not None
    final.after(take_over(1, 1, 2, 3, 6)).when(bank(1)).then(
        banked(1, [2], [0, 1, 2], 250, 250), finished("target", [0], (0, 10_000), (1, 250))
    )


def test_a_taken_over_roll_of_all_dice_may_win_on_the_spot() -> None:
    spicy = rules("farkle", spicy=True, high_stakes=True, opening=0)
    found = given(started(spicy)).after(roll(0, 2, 2, 2, 1, 1, 1), bank(0))
    found.when(take_over(1, 1, 2, 3, 4, 5, 6)).then(
        ev.TurnTakenOver(T, 1, 5000, ()),
        rolled(1, 1, 2, 3, 4, 5, 6, number=1),
        finished("instant_win", [1], (0, 5000), (1, 0)),
    )


def test_carried_points_are_never_protected_and_a_bust_loses_them() -> None:
    found = given(started(stakes(house()))).after(roll(0, 1, 1, 1, 2, 3), bank(0, 0, 1, 2))
    taken = found.after(take_over(1, 1, 2), select(1, 3))
    assert (taken.turn.score, taken.turn.protected) == (1100, 0)
    taken.when(roll(1, 2)).then(rolled(1, 2, dice=[4], number=2), ev.TurnBusted(T, 1, 1100, 0, 0))


def test_sets_do_not_carry_over() -> None:
    found = given(started(stakes(jester()))).after(roll(0, 2, 2, 2, 3, 4), bank(0, 0, 1, 2))
    found.when(take_over(1, 2, 3)).then(
        ev.TurnTakenOver(T, 1, 200, (0, 1, 2)),
        rolled(1, 2, 3, dice=[3, 4], number=1),
        ev.TurnBusted(T, 1, 200, 0, 0),
    )


def test_a_take_over_past_a_refusing_target_is_refused() -> None:
    game = started(stakes(house(exact=True)), totals=[0, 9950])
    found = given(game).after(roll(0, 1, 2, 3, 3, 4), bank(0, 0))
    found.when(take_over(1, 1)).refused("over_target", target=10_000, offered=10_050)
    found.when(roll(1, 5, 2, 3, 3, 4)).then(rolled(1, 5, 2, 3, 3, 4, number=1))


def test_what_is_carried_counts_against_a_refusing_target() -> None:
    """A take-over to exactly the target leaves no die that may be selected: it busts."""
    game = started(stakes(house(exact=True)), totals=[0, 9850])
    found = given(game).after(roll(0, 1, 2, 3, 3, 4), bank(0, 0))
    taken = found.after(take_over(1, 1, 5, 3, 4))
    taken.when(select(1, 1)).refused("over_target", target=10_000, offered=10_050)
    taken.when(bank(1, 2)).then(
        selected(1, [2], 50),
        banked(1, [2], [0, 2], 150, 10_000),
        ev.FinalRoundOpened(T, 1, (0,)),
    )
    exact = started(stakes(house(exact=True)), totals=[0, 9900])
    full = given(exact).after(roll(0, 1, 2, 3, 3, 4), bank(0, 0))
    full.when(take_over(1, 1, 5, 3, 4)).then(
        ev.TurnTakenOver(T, 1, 100, (0,)),
        rolled(1, 1, 5, 3, 4, dice=[1, 2, 3, 4], number=1),
        ev.TurnBusted(T, 1, 100, 0, 9900),
    )


def test_dice_keep_their_positions_and_so_their_spicy_faces() -> None:
    """Dice 0 and 1 are held: 200 for the spicy 1 and 50. Die 4 is spicy on 5, die 2 is not."""
    game = rules("farkle", spicy=True, high_stakes=True, opening=0)
    found = given(started(game)).after(roll(0, *EXAMPLE), bank(0))
    assert found.totals == [250, 0]
    for faces, die, points in (((5, 2, 3, 4), 2, 50), ((2, 3, 5, 4), 4, 100)):
        taken = found.after(take_over(1, *faces))
        taken.when(bank(1)).then(banked(1, [die], [0, 1, die], 250 + points, 250 + points))


def test_the_jester_is_held_with_the_face_it_was_given() -> None:
    found = given(started(stakes(jester()))).after(wild_roll(0, 2, 3, 3, 6))
    offered = found.when(bank(0, 4, wild=5)).then(
        selected(0, [4], 50, wild=5), banked(0, [4], [4], 50, 50, wild=5)
    )
    assert offered.play.offer == Offer(1, 50, 0b10000, (2, 3, 3, 6, 5))
    taken = offered.after(take_over(1, 1, 2, 3, 4))
    assert taken.turn.faces == (1, 2, 3, 4, 5)
