"""
Worlds: whom the end of a game takes to one. Whether it is the first time is not known here.

Source: docs/rules.md, "Purses and worlds".
"""

from __future__ import annotations

from typing import NamedTuple

from engine.state import Finished, Reason
from engine.units import Seat

BY_THE_RULES: frozenset[Reason] = frozenset({"target", "instant_win"})
"""Ends that somebody played for: no walkover, no early end, no clock, nothing voided."""


class Reached(NamedTuple):
    seat: Seat
    player_id: str
    world: str


def worlds_reached(game: Finished) -> tuple[Reached, ...]:
    """The winners who reach the world of their game, a player once; only presets have worlds,
    and a bot that stands in reaches none."""
    setup = game.setup
    wild = setup.rules.wild_rolls
    if wild is None or wild.world is None or setup.preset is None:
        return ()
    if not setup.counts or game.result.reason not in BY_THE_RULES:
        return ()
    found: dict[str, Reached] = {}
    for seat in game.result.winners:
        player = setup.places[seat].player_id
        if player is not None and game.seats[seat].stand_in is None:
            found.setdefault(player, Reached(seat, player, wild.world))
    return tuple(found.values())
