"""Custom rule sets of tests, as `custom` of a table takes them: only single dice score."""

from __future__ import annotations

from typing import Any


def plain_rules(
    name: str,
    *,
    dice: int,
    seats: tuple[int, int],
    target: int,
    singles: dict[str, tuple[int, int]],
    **more: object,
) -> dict[str, Any]:
    """
    Args:
        seats: fewest and most.
        singles: by id, a face and its points.
        more: further members.
    """
    return {
        "format": 1,
        "name": name,
        "dice": {"count": dice},
        "seats": {"min": seats[0], "max": seats[1]},
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
        **more,
        "combinations": [
            {"id": which, "kind": "single", "face": face, "points": points}
            for which, (face, points) in singles.items()
        ],
    }


def purse_rules(target: int = 100_000, most_seats: int = 8, **wild_rolls: object) -> dict[str, Any]:
    """
    Five dice that always score, and no Wild Rolls but those of purses.

    Args:
        target: the usual one is out of reach, so that a game goes on as long as a test needs it.
        wild_rolls: fields of `wild_rolls` beside `allotment`; a purse may be spent unless said.
    """
    return plain_rules(
        "purses",
        dice=5,
        seats=(1, most_seats),
        target=target,
        singles={f"s{face}": (face, 50) for face in range(1, 7)},
        wild_rolls={"allotment": 0, "purse": True, **wild_rolls},
    )
