"""What starts a game: the dice are sealed, and a further secret is committed to."""

from __future__ import annotations

from engine.commands import Start
from engine.dice import NO_SEAL, seal, server_commit
from engine.state import Setup
from engine.units import Millis


def start(setup: Setup, at: Millis, third: bytes) -> Start:
    """
    The command, for a table without contributions to its dice.

    Args:
        third: a new secret, for the attempt after the next.
    """
    game_id = setup.game_id
    first = bytes.fromhex(setup.server_commits[0])
    return Start(at, seal(game_id, 0, NO_SEAL, first).hex(), server_commit(game_id, 2, third).hex())
