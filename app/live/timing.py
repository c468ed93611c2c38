"""How long things may take; what clients are promised stands in `docs/streams.md`."""

from __future__ import annotations

from dataclasses import dataclass

OWED_S = 3.0
"""A stop waits so long for a command of a stream, to answer it before the stream ends."""
LINGER_S = 3.0
"""A peer may take so long to read the close frame; then the connection is cut."""


@dataclass(frozen=True, slots=True)
class Timing:
    """In seconds. Tests shorten some."""

    poll: float = 0.7
    """Between two looks at the followed games: with the read after it, a lost hint is repaired
    within a second."""
    clocks: float = 0.2
    """Between two looks for what has fallen due."""
    tick: float = 1.0
    """Between two looks at the open streams: slow ones, silent ones, ended tokens."""
    heartbeat: float = 20.0
    silent: float = 44.0
    """Promised are 45; a tick comes on top."""
    stall: float = 5.0
    """Without a byte taken by a peer for whom something waits."""
    unacknowledged: float = 20.0
    """An answer without end that a peer's kernel has acknowledged nothing of for so long is over;
    with a heartbeat before it, less than the 45 that a silent WebSocket has."""
    auth: float = 5.0
    """For the first message, where a token is needed."""
    presence: float = 2.0
    """Between two signs of life of a process."""
    presence_forgotten: float = 10.0
    """A process silent for so long has nobody connected."""
