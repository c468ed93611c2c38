"""Random rule sets: every option on its own and together, all of them valid."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.errors import MalformedRules
from engine.rules import Rules
from engine.rules_text import rules_from_data


def random_rules(seed: int) -> Rules:
    """The rule set of a seed."""
    chance = Random(seed)
    while True:
        try:
            return rules_from_data(_data(chance))
        except MalformedRules:
            continue


def _data(chance: Random) -> dict[str, Any]:
    dice = chance.choice((2, 3, 4, 5, 5, 6, 6, 6))
    step = chance.choice((5, 10, 50, 50, 100))

    def points(most: int = 30) -> int:
        return step * chance.randint(1, most)

    combinations = [
        {"id": f"single_{face}", "kind": "single", "face": face, "points": points(4)}
        for face in range(1, 7)
        if chance.random() < 0.4
    ]
    upgrade = chance.random() < 0.4
    for face in range(1, 7):
        worth = 0
        for count in range(chance.choice((2, 3, 3, 3)), dice + 1):
            if chance.random() < 0.75:
                worth = worth + points(10) if upgrade else points()
                name = f"{count}_of_{face}"
                combinations.append(
                    {"id": name, "kind": "set", "face": face, "count": count, "points": worth}
                )
    first = chance.choice((1, 2))
    if chance.random() < 0.6 and dice >= 3:
        faces = list(range(first, first + min(dice, 5)))
        combinations.append(
            {"id": "straight", "kind": "straight", "faces": faces, "points": points()}
        )
    if chance.random() < 0.5 and dice >= 4:
        count = chance.choice((2, 3)) if dice == 6 else 2
        combinations.append(
            {
                "id": "pairs",
                "kind": "pairs",
                "count": count,
                "points": points(),
                "four_and_two": chance.random() < 0.5,
            }
        )
    if chance.random() < 0.5 and dice == 6:
        combinations.append({"id": "triplets", "kind": "triplets", "count": 2, "points": points()})
    if chance.random() < 0.5 and dice >= 5:
        pairs = {str(face): points(3) for face in range(1, 7) if chance.random() < 0.3}
        combinations.append(
            {"id": "full_house", "kind": "full_house", "bonus": points(9), "pairs": pairs}
        )
    chance.shuffle(combinations)
    for combination in combinations:
        combination["protected"] = chance.random() < 0.25
        combination["flat"] = chance.random() < 0.25
    wild = {
        "allotment": chance.randint(0, 3),
        "purse": chance.random() < 0.5,
        "earn": chance.random() < 0.7,
        "world": chance.choice((None, "moon_1")),
    }
    spicy = {
        "faces": [chance.randint(1, 6) for _ in range(dice)],
        "instant_win": chance.random() < 0.7,
    }
    target = step * chance.randint(20, 120)
    return {
        "format": 1,
        "name": "random",
        "dice": {"count": dice},
        "seats": {"min": 1, "max": 8},
        "target": target,
        "exact": chance.choice(("off", "bust", "refuse")),
        "opening": chance.choice((0, 0, step * chance.randint(1, 10))),
        "final_round": chance.choice(("none", "one_turn")),
        "winner": chance.choice(("highest", "last_to_reach")),
        "split": chance.choice(("best", "forced")),
        "set_upgrade": upgrade,
        "bank_takes": chance.choice(("all_scoring", "selected")),
        "bank_on_hot_dice": chance.random() < 0.6,
        "all_dice_bonus": chance.choice((0, points())),
        "take_over": chance.random() < 0.5,
        "spicy": spicy if chance.random() < 0.4 else None,
        "wild_rolls": wild if chance.random() < 0.4 else None,
        "combinations": combinations,
    }
