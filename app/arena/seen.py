"""
A game as the API shows it to anybody: what a strategy that speaks JSON decides by.

It goes through JSON and back, so that it is what a client reads from an answer: lists and not
tuples, and nothing that is shared with the game.
"""

from __future__ import annotations

from typing import Any

from pydantic_core import from_json

from app.api import render
from app.ports import Head
from engine.state import Playing

MOVES = ("version", "now", "seats", "turn", "take_over", "final_round", "legal")
"""Members that change from one decision to the next."""


class Seen:
    """
    One game, as one seat sees it. The rules and the table are read once; whoever writes into them
    finds them changed next time.

    Args:
        names: of who sits there, by seat.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._whole: dict[str, Any] | None = None

    def at(self, play: Playing) -> dict[str, Any]:
        """
        What `GET /v1/games/{id}` answers; `version` counts the rolls, for the arena keeps no log.
        """
        head = Head(play, play.rolls, b"", self._names, None, 0)
        if self._whole is None:
            whole: dict[str, Any] = from_json(render.game(head, (), 0, None))
            self._whole = whole
        else:
            self._whole = {
                **self._whole,
                "version": head.version,
                **from_json(b"{%b}" % render.moving(head, None)),
            }
        return dict(self._whole)


def moving(play: Playing, names: tuple[str, ...]) -> dict[str, Any]:
    """What of it changes from one decision to the next, to be told of a failure."""
    view = Seen(names).at(play)
    return {name: view[name] for name in MOVES if name in view}
