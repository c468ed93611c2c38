"""
Which tables of match-making belong together: those with the same key.

A table of match-making is one without a host. It waits while it is in the lobby and has a free
seat; both follow from its log, so its key can be written anew from there.
"""

from __future__ import annotations

import json
from hashlib import sha256

from engine.rules_text import rules_to_data
from engine.state import Game, Lobby, Setup


def is_waiting(game: Game) -> bool:
    """Whether match-making may seat somebody here."""
    setup = game.setup
    return isinstance(game, Lobby) and setup.host is None and bool(free_seats(setup))


def free_seats(setup: Setup) -> int:
    """Human seats on which nobody sits."""
    return sum(place.kind == "human" and place.player_id is None for place in setup.places)


def match_key(setup: Setup) -> str:
    """SHA-256, as hex, of all that players who wait for each other have agreed on."""
    agreed = {
        "rules": rules_to_data(setup.rules),
        "preset": setup.preset,
        "seats": [place.kind for place in setup.places],
        "clocks": setup.clocks and setup.clocks._asdict(),
        "bots": setup.bots._asdict(),
        "advice": setup.advice,
    }
    return sha256(json.dumps(agreed, sort_keys=True).encode()).hexdigest()
