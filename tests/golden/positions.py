"""
Reads the golden positions: what the seat to move should do, and why.

positions/*.jsonl   a comment on the first line, then one position a line:
    name, why      in words; the reasoning can be followed by hand
    preset, options
    totals         by seat; a seat with points is on the board, and those of `on_board`
    wild_rolls     left to every seat; default: the table's own
    opened_by      a seat whose bank opened the final round; seats after it have their last turn
    offer          points and dice held of a banked turn that seat 0 may take over
    rolls          what seat 0 has rolled so far in this turn: faces; before the second and later
                   ones the dice that were kept of the one before
    best           command, and the dice it selects
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from engine.commands import Roll, Selection
from engine.decide import transition
from engine.state import FinalRound, Offer, Playing, ToRoll
from tests.engine.spec import Shows, rules, started

HERE = Path(__file__).parent / "positions"


class Position(NamedTuple):
    topic: str
    name: str
    why: str
    play: Playing
    command: str
    dice: tuple[int, ...] | None
    """That the command selects; None: none."""


def positions() -> Iterator[Position]:
    """All of them."""
    for path in sorted(HERE.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                yield _position(path.stem, json.loads(line))


def _position(topic: str, case: dict[str, Any]) -> Position:
    command, *dice = case["best"]
    chosen = rules(case["preset"], **case.get("options", {}))
    totals = case["totals"]
    play = started(chosen, "h" * len(totals), totals=totals, on_board=case.get("on_board", ()))
    if "wild_rolls" in case:
        left = case["wild_rolls"]
        play = play._replace(seats=tuple(seat._replace(wild_rolls=left) for seat in play.seats))
    if "opened_by" in case:
        opener = case["opened_by"]
        waiting = tuple(seat for seat in range(len(totals)) if seat < opener)
        play = play._replace(final_round=FinalRound(opener, waiting), reached=(opener,))
    if "offer" in case:
        score, held = case["offer"]
        mask = sum(1 << die for die in held)
        offer = Offer(0, score, mask, (1,) * chosen.dice)
        play = play._replace(offer=offer, turn=ToRoll(0, play.turn.began_at))
    for number, (faces, *kept) in enumerate(case.get("rolls", ())):
        keep = Selection(tuple(kept[0])) if number else None
        after = transition(play, Roll(play.turn.began_at, 0, Shows(tuple(faces)), keep)).game
        assert isinstance(after, Playing)
        assert after.turn.seat == 0, f"{case['name']}: that roll busts"
        play = after
    return Position(
        topic, case["name"], case["why"], play, command, tuple(dice[0]) if dice else None
    )
