"""The referee cheats exactly as the rules say."""

from collections.abc import Sequence

import pytest

from tests.referee.cheats import Cheats, faces_needed, shown, snapped_head_start
from tests.referee.checks import keep, turn_of
from tests.referee.game import Game
from tests.referee.play import Throw
from tests.referee.rulebook import RuleSet, farkle, house, jester


def throw(count: int, *, wild: int | None = None, **locked: int) -> Throw:
    sets = {int(name.removeprefix("set_")): dice for name, dice in locked.items()}
    return Throw(tuple(range(count)), sets, 0, 0, wild)


def light(name: str, fair: Sequence[int], rules: RuleSet | None = None) -> list[int]:
    cheats = Cheats(light=name)
    count = len(fair) if name == "magnet" else len(fair) // 2
    return list(shown(rules or house(), throw(count), fair, cheats))


@pytest.mark.parametrize(
    ("fair", "faces"),
    [
        ([6, 2, 3, 4, 5, 1], [6, 6, 6, 6, 6, 1]),
        ([4, 1, 2, 3, 5], [4, 4, 4, 4, 5]),
        ([4, 1, 2, 3], [4, 4, 4, 3]),
        ([4, 1, 2], [4, 4, 4]),
        ([4, 2], [1, 2]),
        ([4], [1]),
    ],
)
def test_loaded_dice(fair: list[int], faces: list[int]) -> None:
    cheats = Cheats(loaded=True)
    assert shown(farkle(), throw(len(fair)), fair, cheats) == tuple(faces)


def test_loaded_dice_override_a_light_touch_and_take_no_more_faces() -> None:
    cheats = Cheats(loaded=True, light="lucky")
    assert faces_needed(throw(5), cheats) == 5
    assert faces_needed(throw(5), Cheats(light="lucky")) == 10
    assert shown(house(), throw(5), [2, 1, 1, 1, 1], cheats) == (2, 2, 2, 2, 1)


def test_the_best_paying_single_face_is_the_rule_set_s() -> None:
    cheap = house(values={"single_1": 5, "single_5": 10})
    assert shown(cheap, throw(1), [2], Cheats(loaded=True)) == (5,)
    equal = house(values={"single_5": 100})
    assert shown(equal, throw(1), [2], Cheats(loaded=True)) == (1,)


def test_lucky_keeps_the_half_that_pays_more_and_cold_the_other() -> None:
    fair = [5, 2, 2, 3, 3, 1, 2, 2, 3, 3]
    assert light("lucky", fair) == fair[5:]
    assert light("cold", fair) == fair[:5]
    assert light("lucky", fair[5:] + fair[:5]) == fair[5:]
    assert light("cold", fair[5:] + fair[:5]) == fair[:5]
    tie = [5, 2, 2, 3, 3, 2, 2, 3, 3, 5]
    assert light("lucky", tie) == light("cold", tie) == tie[:5]


def test_lucky_is_judged_in_the_state_of_the_turn() -> None:
    cheats = Cheats(light="lucky")
    assert shown(jester(), throw(2, set_2=3), [1, 1, 2, 3], cheats) == (2, 3)
    assert shown(jester(), throw(2), [1, 1, 2, 3], cheats) == (1, 1)
    spicy = farkle(spicy=True)
    there = Throw((4, 5), {}, 0, 0)
    assert shown(spicy, there, [2, 5, 5, 2], cheats) == (5, 2)
    over = Throw((0,), {}, 9950, 0)
    assert shown(house(exact=True), over, [5, 1], cheats) == (1,)


def test_on_a_wild_roll_lucky_judges_the_ordinary_dice_alone() -> None:
    wild = throw(4, wild=4)
    fair = [2, 2, 3, 3, 5, 2, 3, 4]
    assert shown(jester(), wild, fair, Cheats(light="lucky")) == (5, 2, 3, 4)
    assert faces_needed(wild, Cheats(light="lucky")) == 8


def test_magnet_turns_the_lowest_odd_die_to_the_commonest_face() -> None:
    assert light("magnet", [2, 3, 2, 4, 6]) == [2, 2, 2, 4, 6]
    assert light("magnet", [2, 3, 3, 2, 6]) == [3, 3, 3, 2, 6]
    assert light("magnet", [6, 1, 2, 3, 4]) == [6, 6, 2, 3, 4]
    assert light("magnet", [4, 4, 4]) == [4, 4, 4]


def test_always_score_turns_a_bust_and_nothing_else() -> None:
    cheats = Cheats(always_score=True)
    assert shown(house(), throw(5), [2, 2, 3, 3, 4], cheats) == (1, 2, 3, 3, 4)
    assert shown(house(), throw(5), [2, 2, 3, 3, 5], cheats) == (2, 2, 3, 3, 5)
    assert shown(jester(), throw(1, set_2=3), [2], cheats) == (2,)
    assert shown(jester(), throw(4, wild=4), [2, 3, 4, 6], cheats) == (2, 3, 4, 6)


def test_always_score_comes_last_and_may_be_in_vain_in_exact_play() -> None:
    cold = Cheats(light="cold", always_score=True)
    assert shown(house(), throw(1), [1, 2], cold) == (1,)
    assert shown(house(), throw(2), [1, 2, 3, 4], cold) == (1, 4)
    over = Throw((0,), {}, 9950, 0)
    assert shown(house(exact=True), over, [1], Cheats(always_score=True)) == (1,)
    assert shown(house(exact=True), over, [5], Cheats(always_score=True)) == (5,)


def test_the_next_throw_is_judged_with_the_selection_locked() -> None:
    game = Game(jester(), [True, True])
    keep(game, 0, [1, 2, 2, 2, 3], [1, 2, 3])
    assert game.next_throw() == Throw((0, 4), {2: 3}, 0, 200)
    assert turn_of(game).sets == {}
    keep(game, 0, [2, 2], [0, 4])
    assert game.next_throw() == Throw((0, 1, 2, 3, 4), {}, 0, 2200)
    assert game.next_throw(wild=True) == Throw((0, 1, 2, 3), {}, 0, 2200, 4)


@pytest.mark.parametrize(
    ("wanted", "start"),
    [(500, 500), (502, 500), (503, 505), (2, 0), (-2, 0), (-3, None), (9997, 9995), (9998, None)],
)
def test_a_head_start_snaps_to_the_nearest_multiple_of_five(wanted: int, start: int) -> None:
    assert snapped_head_start(house(), wanted) == start


def test_in_exact_play_the_rest_must_be_a_sum_the_scores_can_reach() -> None:
    assert snapped_head_start(house(exact=True), 505) is None
    assert snapped_head_start(house(exact=True), 550) == 550
    assert snapped_head_start(jester(), 4950) == 4950
    assert snapped_head_start(jester(), 4945) is None


def test_a_head_start_leaves_the_seat_off_the_board() -> None:
    game = Game(house(), [True, True], head_start={0: 2000})
    assert game.seats[0].total == 2000
    assert not game.seats[0].on_board
