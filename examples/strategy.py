"""
A strategy for farkle: keep what is worth most with the dice it leaves, stop at enough points.

It goes by what the API shows of a game and says what to ask the API for next, so the same function
plays in the arena (`hotdice arena examples/strategy.py cautious`) and at a table of a server
(`examples/play_series.py`).
"""

from typing import Any

ENOUGH = {1: 300, 2: 250, 3: 400, 4: 1000, 5: 2900, 6: 10_000}
"""By dice left to roll: from so many points of a turn it stops."""
WORTH = {1: 0, 2: 0, 3: 60, 4: 150, 5: 250, 6: 400}
"""By dice left to roll: so many points are as good as having them."""


def decide(game: dict[str, Any]) -> str | tuple[str, dict[str, Any]]:
    """The next command: its name, and the body that goes with it."""
    turn, legal = game["turn"], game["legal"]
    if turn["phase"] == "to_roll":
        return "roll"

    def left(selection: dict[str, Any]) -> int:
        held = sum(die["state"] == "locked" for die in turn["dice"]) + len(selection["dice"])
        return int(len(turn["dice"]) - held) or len(turn["dice"])

    def worth(selection: dict[str, Any]) -> int:
        return int(selection["points"] + WORTH[left(selection)])

    best = max(legal["selections"], key=worth)
    keep = {name: best[name] for name in ("dice", "wild_face") if name in best}
    if "bank" in legal["commands"] and is_enough(game, left(best)):
        return "bank"
    return "roll", {"select": keep}


def is_enough(game: dict[str, Any], dice_left: int) -> bool:
    """Whether to stop, where the bank would be accepted."""
    bank, target = game["legal"]["bank"], game["rules"]["target"]
    if bank["total"] >= target:
        return True
    others = [seat["score"] for seat in game["seats"] if seat["seat"] != game["turn"]["seat"]]
    if game["final_round"] is not None:
        return bool(bank["total"] > max(others, default=0))
    return bool(bank["score"] >= ENOUGH[dice_left])
