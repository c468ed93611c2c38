"""The rule sets say what the rules of each game say, and play together where options meet."""

from tests.referee.checks import bank, last_turn, totals
from tests.referee.family import family
from tests.referee.game import Game, Preview
from tests.referee.rulebook import RuleSet, farkle, house, jester
from tests.referee.scoring import selections


def values(rules: RuleSet) -> dict[str, int]:
    return {c["id"]: c["points"] for c in rules["combinations"] if "points" in c}


def sets(rules: RuleSet, name: str) -> list[int]:
    return [values(rules)[f"{name}_{face}"] for face in (1, 2, 3, 4, 5, 6)]


def test_farkle() -> None:
    rules = farkle()
    assert (rules["target"], rules["opening"], rules["final_round"]) == (10_000, 500, "one_turn")
    assert farkle(spicy=True)["target"] == 25_000
    assert farkle(spicy=True, target=5000)["target"] == 5000
    assert farkle(spicy=True)["spicy"] == {"faces": [1, 2, 3, 4, 5, 6], "instant_win": True}
    assert sets(rules, "three") == [300, 200, 300, 400, 500, 600]
    assert [sets(rules, name)[0] for name in ("four", "five", "six")] == [1000, 2000, 3000]
    ids = [combination["id"] for combination in rules["combinations"]]
    assert len(ids) == len(set(ids)) == 29
    assert ids[:3] == ["single_1", "single_5", "three_1"]
    assert ids[-3:] == ["straight", "three_pairs", "two_triplets"]


def test_house() -> None:
    rules = house()
    assert (rules["target"], rules["opening"], rules["exact"]) == (10_000, 500, "off")
    assert sets(rules, "three") == [1000, 200, 300, 400, 500, 600]
    assert sets(rules, "four") == [2000, 400, 600, 800, 1000, 1200]
    assert sets(rules, "five") == [4000, 800, 1200, 1600, 2000, 2400]
    assert len(values(rules)) == 22
    own = values(house(values={"single_1": 5, "four": {"3": 10}, "high_straight": 15}))
    assert (own["single_1"], own["four_3"], own["high_straight"]) == (5, 10, 15)
    assert (own["single_5"], own["four_2"], own["low_straight"]) == (50, 400, 1000)


def test_jester() -> None:
    tiers = {"pocket": (5000, 3), "jackpot": (10_000, 5), "fortune": (15_000, 7)}
    for tier, (target, wild_rolls) in {**tiers, "tycoon": (20_000, 10)}.items():
        rules = jester(tier=tier)
        game = Game(rules, [True, False, True])
        assert (rules["target"], rules["opening"]) == (target, 500)
        assert [seat.wild_rolls for seat in game.seats] == [wild_rolls, 0, wild_rolls]
    assert jester() == jester(tier="pocket")
    assert sets(jester(), "three") == [1000, 200, 300, 400, 500, 600]
    assert sets(jester(), "four") == [2000, 1200, 1300, 1400, 1500, 1600]
    assert sets(jester(), "five") == [3000, 2200, 2300, 2400, 2500, 2600]


def test_a_first_roll_may_bust_at_once() -> None:
    game = Game(family()["kingdom"], [True, True])
    game.roll(0, [2, 2, 3, 3, 4, 4])
    assert last_turn(game) == ("busted", 0, 0)


def test_the_jester_completes_a_straight_at_either_end() -> None:
    found = selections(jester(), {0: 2, 1: 3, 2: 4, 3: 5, 4: None})
    whole = [(choice.wild_face, choice.points) for choice in found if len(choice.dice) == 5]
    assert whole == [(1, 500), (6, 500)]


def test_a_bank_of_all_scoring_dice_takes_the_best_that_a_refusing_target_allows() -> None:
    rules = {**farkle(opening=0), "exact": "refuse"}
    game = Game(rules, [True, True], head_start={0: 9900})
    game.roll(0, [2, 1, 1, 5, 3, 4])
    legal = game.legal()
    assert legal is not None
    assert legal.bank == Preview(100, 10_000)
    game.bank(0)
    assert totals(game) == [10_000, 0]


def test_an_overshoot_credits_protected_points_that_fit() -> None:
    rules = {**house(), "exact": "bust"}
    game = Game(rules, [True, True], head_start={0: 8950})
    game.roll(0, [1, 1, 1, 5, 5])
    game.select(0, [0, 1, 2, 3, 4])
    game.bank(0)
    assert last_turn(game) == ("overshot", 0, 1000)
    assert totals(game) == [9950, 0]
    assert game.seats[0].on_board


def test_a_game_of_one_die() -> None:
    rules = {**jester(), "dice": {"count": 1}, "opening": 0, "all_dice_bonus": 0}
    rules["combinations"] = rules["combinations"][:2]
    game = Game(rules, [True])
    game.wild_roll(0, [])
    game.select(0, [0], wild_face=1)
    game.roll(0, [5])
    game.select(0, [0])
    game.bank(0)
    bank(game, 0, [1], [0])
    assert totals(game) == [250]
