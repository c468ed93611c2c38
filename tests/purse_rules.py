"""A custom rule set for purses: dice that always score, and no Wild Rolls but those of purses."""

from __future__ import annotations

from typing import Any


def purse_rules(target: int = 100_000, most_seats: int = 8, **wild_rolls: object) -> dict[str, Any]:
    """
    Five dice whose every face scores 50, as `custom` of a table takes it.

    Args:
        target: the usual one is out of reach, so that a game goes on as long as a test needs it.
        wild_rolls: fields of `wild_rolls` beside `allotment`; a purse may be spent unless said.
    """
    return {
        "format": 1,
        "name": "purses",
        "dice": {"count": 5},
        "seats": {"min": 1, "max": most_seats},
        "target": target,
        "exact": "off",
        "opening": 0,
        "final_round": "none",
        "winner": "highest",
        "split": "best",
        "set_upgrade": False,
        "bank_takes": "all_scoring",
        "bank_on_hot_dice": True,
        "all_dice_bonus": 0,
        "take_over": False,
        "wild_rolls": {"allotment": 0, "purse": True, **wild_rolls},
        "combinations": [
            {"id": f"s{n}", "kind": "single", "face": n, "points": 50} for n in range(1, 7)
        ],
    }
