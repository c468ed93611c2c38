"""The rule sets of the three shipped games, written out by hand from the rules of each game."""

from collections.abc import Mapping, Sequence
from typing import Any

RuleSet = dict[str, Any]
Combination = dict[str, Any]

FACES = (1, 2, 3, 4, 5, 6)
COUNT_NAMES = {2: "pair", 3: "three", 4: "four", 5: "five", 6: "six"}
TIERS = {
    "pocket": (5_000, 3),
    "jackpot": (10_000, 5),
    "fortune": (15_000, 7),
    "tycoon": (20_000, 10),
}
"""Tier → (target, Wild Rolls)."""


def single(face: int, points: int) -> Combination:
    return {"id": f"single_{face}", "kind": "single", "face": face, "points": points}


def a_set(count: int, face: int, points: int) -> Combination:
    name = f"{COUNT_NAMES[count]}_{face}"
    return {"id": name, "kind": "set", "face": face, "count": count, "points": points}


def straight(name: str, faces: Sequence[int], points: int) -> Combination:
    return {"id": name, "kind": "straight", "faces": list(faces), "points": points}


def farkle(
    *,
    target: int | None = None,
    opening: int = 500,
    final_round: bool = True,
    spicy: bool = False,
    spicy_faces: Sequence[int] | None = None,
    high_stakes: bool = False,
    four_and_two_is_three_pairs: bool = False,
) -> RuleSet:
    """Six dice; `target` is 10 000, or 25 000 when spicy, unless given."""
    threes = {1: 300, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
    combinations = [single(1, 100), single(5, 50)]
    combinations += [a_set(3, face, threes[face]) for face in FACES]
    combinations += [a_set(4, face, 1000) for face in FACES]
    combinations += [a_set(5, face, 2000) for face in FACES]
    combinations += [a_set(6, face, 3000) for face in FACES]
    combinations += [
        straight("straight", FACES, 1500),
        {
            "id": "three_pairs",
            "kind": "pairs",
            "count": 3,
            "points": 1500,
            "four_and_two": four_and_two_is_three_pairs,
        },
        {"id": "two_triplets", "kind": "triplets", "count": 2, "points": 2500},
    ]
    faces = list(FACES if spicy_faces is None else spicy_faces)
    return {
        "format": 1,
        "name": "farkle",
        "dice": {"count": 6},
        "seats": {"min": 1, "max": 8},
        "target": (25_000 if spicy else 10_000) if target is None else target,
        "exact": "off",
        "opening": opening,
        "final_round": "one_turn" if final_round else "none",
        "winner": "highest",
        "split": "best",
        "set_upgrade": False,
        "bank_takes": "all_scoring",
        "bank_on_hot_dice": True,
        "all_dice_bonus": 0,
        "take_over": high_stakes,
        "spicy": {"faces": faces, "instant_win": True} if spicy else None,
        "wild_rolls": None,
        "combinations": combinations,
    }


def house(
    *,
    target: int = 10_000,
    opening: int = 500,
    exact: bool = False,
    bank_on_hot_dice: bool = True,
    values: Mapping[str, Any] | None = None,
) -> RuleSet:
    """Five dice; `values` holds any of single_1, single_5, three, four, five, low_straight,
    high_straight, the sets as face (text) → points; the others keep their defaults."""
    given = values or {}
    threes = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
    fours = {1: 2000, 2: 400, 3: 600, 4: 800, 5: 1000, 6: 1200}
    fives = {1: 4000, 2: 800, 3: 1200, 4: 1600, 5: 2000, 6: 2400}
    combinations = [single(1, given.get("single_1", 100)), single(5, given.get("single_5", 50))]
    for count, name, defaults in ((3, "three", threes), (4, "four", fours), (5, "five", fives)):
        for face in FACES:
            points = given.get(name, {}).get(str(face), defaults[face])
            combination = a_set(count, face, points)
            if face == 1:
                combination["protected"] = True
            combinations.append(combination)
    for name, faces in (("low_straight", (1, 2, 3, 4, 5)), ("high_straight", (2, 3, 4, 5, 6))):
        combinations.append({**straight(name, faces, given.get(name, 1000)), "protected": True})
    return {
        "format": 1,
        "name": "house",
        "dice": {"count": 5},
        "seats": {"min": 2, "max": 8},
        "target": target,
        "exact": "refuse" if exact else "off",
        "opening": opening,
        "final_round": "one_turn",
        "winner": "last_to_reach",
        "split": "forced",
        "set_upgrade": False,
        "bank_takes": "selected",
        "bank_on_hot_dice": bank_on_hot_dice,
        "all_dice_bonus": 0,
        "take_over": False,
        "spicy": None,
        "wild_rolls": None,
        "combinations": combinations,
    }


def jester(*, tier: str = "pocket", purse: bool = True) -> RuleSet:
    """Five dice, exact target, Wild Rolls; the tier sets target and allotment."""
    target, allotment = TIERS[tier]
    threes = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
    fours = {1: 2000, 2: 1200, 3: 1300, 4: 1400, 5: 1500, 6: 1600}
    fives = {1: 3000, 2: 2200, 3: 2300, 4: 2400, 5: 2500, 6: 2600}
    combinations = [single(1, 100), single(5, 50)]
    combinations += [a_set(3, face, threes[face]) for face in FACES]
    combinations += [a_set(4, face, fours[face]) for face in FACES]
    combinations += [a_set(5, face, fives[face]) for face in FACES]
    combinations += [
        {**straight("low_straight", (1, 2, 3, 4, 5), 500), "flat": True},
        {**straight("high_straight", (2, 3, 4, 5, 6), 500), "flat": True},
        {
            "id": "full_house",
            "kind": "full_house",
            "bonus": 500,
            "pairs": {"1": 200, "5": 100},
            "flat": True,
        },
    ]
    return {
        "format": 1,
        "name": "jester",
        "dice": {"count": 5},
        "seats": {"min": 1, "max": 8},
        "target": target,
        "exact": "bust",
        "opening": 500,
        "final_round": "none",
        "winner": "highest",
        "split": "best",
        "set_upgrade": True,
        "bank_takes": "selected",
        "bank_on_hot_dice": True,
        "all_dice_bonus": 500,
        "take_over": False,
        "spicy": None,
        "wild_rolls": {"allotment": allotment, "purse": purse, "earn": True, "world": tier},
        "combinations": combinations,
    }
