"""The referee hands turns over under high stakes as the rules say."""

from tests.referee.checks import keep, last_turn, outcome, refused, totals, turn_of
from tests.referee.game import Game
from tests.referee.rulebook import RuleSet, farkle, house, jester
from tests.referee.view import view

STAKES = farkle(high_stakes=True, opening=0)


def table(seats: int = 2, rules: RuleSet = STAKES) -> Game:
    return Game(rules, [True] * seats)


def banked(game: Game, seat: int, faces: list[int]) -> None:
    game.roll(seat, faces)
    game.bank(seat)


def test_the_example_of_the_rules() -> None:
    game = table()
    banked(game, 0, [1, 5, 2, 3, 4, 4])
    assert view(game)["take_over"] == {"seat": 1, "score": 150, "dice": 4}
    legal = game.legal()
    assert legal is not None
    assert legal.commands == ("roll", "take-over")
    game.take_over(1, [2, 3, 4, 6])
    assert last_turn(game) == ("busted", 1, 0)
    assert totals(game) == [150, 0]
    with refused(game, "no_take_over"):
        game.take_over(0, [1, 1, 1, 1])


def test_the_taker_has_the_held_dice_locked_and_passes_the_whole_score_on() -> None:
    game = table(3)
    banked(game, 0, [1, 5, 2, 3, 4, 4])
    game.take_over(1, [1, 2, 3, 6])
    assert turn_of(game).locked == {0: 1, 1: 5}
    assert turn_of(game).roll == {2: 1, 3: 2, 4: 3, 5: 6}
    game.bank(1)
    assert totals(game) == [150, 250, 0]
    assert view(game)["take_over"] == {"seat": 2, "score": 250, "dice": 3}
    game.take_over(2, [5, 5, 5])
    assert len(game.dice_to_roll()) == 3
    game.select(2, [3, 4, 5])
    assert len(game.dice_to_roll()) == 6
    game.bank(2)
    assert totals(game) == [150, 250, 750]
    assert view(game)["take_over"] == {"seat": 0, "score": 750, "dice": 6}
    game.take_over(0, [2, 2, 3, 4, 6, 6])
    assert totals(game) == [150, 250, 750]


def test_rolling_fresh_forfeits_the_offer_for_good() -> None:
    game = table()
    banked(game, 0, [1, 5, 2, 3, 4, 4])
    game.roll(1, [1, 2, 3, 4, 4, 6])
    assert view(game)["take_over"] is None
    with refused(game, "no_take_over"):
        game.take_over(1, [1, 1, 1, 1])


def test_a_take_over_counts_towards_the_opening_but_is_never_protected() -> None:
    rules = {**house(), "take_over": True}
    game = table(rules=rules)
    keep(game, 0, [1, 1, 1, 2, 3], [0, 1, 2])
    game.bank(0)
    game.take_over(1, [1, 2])
    game.select(1, [3])
    assert (turn_of(game).score, turn_of(game).protected) == (1100, 0)
    game.roll(1, [2])
    assert totals(game) == [1000, 0]
    taken = table(rules=farkle(high_stakes=True))
    banked(taken, 0, [5, 5, 5, 2, 3, 4])
    taken.take_over(1, [5, 2, 3])
    taken.bank(1)
    assert totals(taken) == [500, 550]
    assert taken.seats[1].on_board


def test_no_offer_at_the_start_after_a_bust_a_skip_or_to_oneself() -> None:
    start = table()
    with refused(start, "no_take_over"):
        start.take_over(0, [1, 1, 1, 1])
    start.roll(0, [2, 2, 3, 3, 4, 6])
    with refused(start, "no_take_over"):
        start.take_over(1, [1, 1, 1, 1])
    skipped = table(3)
    skipped.skip_next(1)
    banked(skipped, 0, [1, 5, 2, 3, 4, 4])
    assert turn_of(skipped).seat == 2
    assert skipped.offer is None
    solo = table(1)
    banked(solo, 0, [1, 5, 2, 3, 4, 4])
    assert solo.offer is None


def test_no_offer_after_an_overshoot() -> None:
    game = Game({**jester(), "take_over": True}, [True, True], head_start={0: 4950})
    keep(game, 0, [1, 2, 3, 4, 4], [0])
    game.seats[0].on_board = True
    game.bank(0)
    assert last_turn(game) == ("overshot", 0, 0)
    assert game.offer is None


def test_the_offer_lapses_when_the_next_seat_resigns_or_times_out() -> None:
    for resigns in (True, False):
        game = table(3)
        banked(game, 0, [1, 5, 2, 3, 4, 4])
        if resigns:
            game.resign(1)
        else:
            game.time_out()
        assert turn_of(game).seat == 2
        assert game.offer is None


def test_the_offer_stands_when_another_seat_resigns() -> None:
    game = table(3)
    banked(game, 0, [1, 5, 2, 3, 4, 4])
    game.resign(0)
    assert view(game)["take_over"] == {"seat": 1, "score": 150, "dice": 4}


def test_a_timed_out_turn_that_banks_makes_an_offer() -> None:
    game = table()
    game.roll(0, [1, 5, 2, 3, 4, 4])
    game.time_out()
    assert totals(game) == [150, 0]
    assert view(game)["take_over"] == {"seat": 1, "score": 150, "dice": 4}


def test_offers_stand_in_a_final_round() -> None:
    game = Game(STAKES, [True, True], head_start={0: 9900})
    banked(game, 0, [1, 2, 3, 4, 4, 6])
    assert game.final_round is not None
    game.take_over(1, [1, 2, 2, 3, 3])
    game.bank(1)
    assert outcome(game) == ("target", [0])


def test_a_take_over_past_a_refusing_target_is_refused() -> None:
    rules = {**house(exact=True, target=1000, opening=0), "take_over": True}
    game = Game(rules, [True, True], head_start={1: 950})
    keep(game, 0, [1, 2, 3, 3, 4], [0])
    game.bank(0)
    with refused(game, "over_target"):
        game.take_over(1, [1, 1, 1, 1])
    legal = game.legal()
    assert legal is not None
    assert legal.commands == ("roll",)


def test_sets_do_not_carry_over() -> None:
    rules = {**jester(), "take_over": True, "opening": 0}
    game = Game(rules, [True, True])
    keep(game, 0, [2, 2, 2, 3, 4], [0, 1, 2])
    game.bank(0)
    game.take_over(1, [2, 3])
    assert last_turn(game) == ("busted", 1, 0)


def test_a_taken_over_roll_of_all_dice_may_win_on_the_spot() -> None:
    game = Game(farkle(spicy=True, high_stakes=True, opening=0), [True, True])
    banked(game, 0, [1, 1, 1, 5, 5, 5])
    game.take_over(1, [1, 2, 3, 4, 5, 6])
    assert outcome(game) == ("instant_win", [1])
    assert totals(game) == [10_000, 0]


def test_a_wild_roll_lets_the_offer_lapse() -> None:
    game = Game({**jester(), "take_over": True, "opening": 0}, [True, True])
    keep(game, 0, [1, 2, 3, 4, 4], [0])
    game.bank(0)
    game.wild_roll(1, [1, 2, 3, 6])
    assert game.offer is None
