"""
When a clock runs out, and whose. Nothing here changes anything.

A deadline counts from the event that began the turn, the game or the reveals, and moves only by
credited downtime. Source: docs/rules.md, "Clocks".
"""

from __future__ import annotations

from engine.state import Playing, Sealing
from engine.units import Millis, Seat

GRACE_MS = 500
"""Commands still count for so long after a deadline: they may have been under way. Clocks are
fired from then on, so that no moment belongs to both."""


def turn_deadline(play: Playing) -> Millis | None:
    """Of the running turn; None where there is no turn clock, or a bot plays the turn."""
    clocks = play.setup.clocks
    if clocks is None or clocks.turn_s is None or not is_players(play, play.turn.seat):
        return None
    return play.turn.began_at + 1000 * clocks.turn_s + play.turn_credits


def game_deadline(play: Playing) -> Millis | None:
    """None without a game clock."""
    clocks = play.setup.clocks
    if clocks is None or clocks.game_s is None:
        return None
    return play.started_at + 1000 * clocks.game_s + play.credits


def has_deadline(game: Sealing | Playing) -> bool:
    """Whether a clock runs that downtime moves on."""
    if isinstance(game, Sealing):
        return game.reveal_by is not None
    return turn_deadline(game) is not None or game_deadline(game) is not None


def running_since(game: Sealing | Playing) -> Millis:
    """Earlier downtime is no concern of the game's clocks."""
    return game.closed_at if isinstance(game, Sealing) else game.started_at


def is_players(play: Playing, seat: Seat) -> bool:
    """Whether a player moves this seat, and not a bot."""
    return play.setup.places[seat].kind == "human" and play.seats[seat].stand_in is None


def has_run_out(deadline: Millis | None, at: Millis) -> bool:
    """Whether a clock is at zero, the grace for commands under way included."""
    return deadline is not None and at > deadline + GRACE_MS
