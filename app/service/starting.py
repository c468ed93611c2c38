"""What closes a sealing attempt: a further secret of the server is committed to."""

from __future__ import annotations

from engine.commands import FailSealing, Start
from engine.dice import server_commit
from engine.state import Setup
from engine.units import Millis


def start(
    setup: Setup,
    at: Millis,
    secret: bytes,
    reveal_ms: Millis,
    server_committed_only: bool = False,
) -> Start:
    """
    The command of a host, or of a table that starts by itself.

    Args:
        secret: a new one, for the attempt after the next.
        reveal_ms: how long seats that contribute may take to reveal.
    """
    return Start(at, _commit(setup, secret), reveal_ms, server_committed_only)


def fail(setup: Setup, at: Millis, secret: bytes, reveal_ms: Millis) -> FailSealing:
    """The command of the clock; the same arguments, for the attempt that may follow."""
    return FailSealing(at, _commit(setup, secret), reveal_ms)


def _commit(setup: Setup, secret: bytes) -> str:
    return server_commit(setup.game_id, len(setup.server_commits), secret).hex()
