"""Everything that is live in a process: streams, channels, presence, and what keeps them going."""

from __future__ import annotations

from collections.abc import Callable

from app.live.connections import Connections
from app.live.hub import Hub
from app.live.lobby import LobbyWatch
from app.live.loops import Loops
from app.live.players import PlayersWatch
from app.live.presence import Presence
from app.live.source import Source
from app.live.timing import Timing
from app.ports import Announcer


class Live:
    """
    Nothing runs before the first stream opens: a server that nobody follows does no work.

    Its background: hints and polls feed the hub and the watches; ticks end who is slow, silent or
    revoked; presence is written.
    """

    def __init__(
        self,
        source: Source,
        announcer: Announcer,
        connections: Connections,
        presence: Presence,
        timing: Timing,
    ) -> None:
        self.source = source
        self.connections = connections
        self.hub = Hub(source, presence, connections.limits)
        self.players = PlayersWatch(source)
        self.lobby = LobbyWatch(source)
        self.timing = timing
        self._announcer = announcer
        self._presence = presence
        self._loops: Loops | None = None
        self._deaf: list[Callable[[], None]] = []

    def start(self) -> None:
        """Called for every stream that opens; does something the first time."""
        if self._loops is not None or self.connections.stopping:
            return
        for hears in (self.hub, self.players, self.lobby):
            self._deaf.append(self._announcer.listen(hears.hear))
        self._loops = loops = Loops()
        timing = self.timing
        loops.start("poll", self.hub.poll, timing.poll)
        loops.start("players", self.players.poll, timing.poll)
        loops.start("lobby", self.lobby.poll, timing.poll)
        loops.start("streams", self.connections.tick, timing.tick)
        loops.start("tokens", self.connections.watch_tokens, timing.tick)
        loops.start("presence", self._presence.write, timing.presence, self._presence.wake)

    def failing(self) -> list[str]:
        """Background work that keeps failing."""
        return [] if self._loops is None else self._loops.failing()

    def stop(self) -> None:
        """Sends every follower away; new ones too. Twice is fine."""
        self.connections.stop()

    async def close(self) -> None:
        """Ends the background. Twice is fine."""
        self.stop()
        while self._deaf:
            self._deaf.pop()()
        for watch in (self.players, self.lobby):
            watch.close()
        if self._loops is not None:
            await self._loops.close()
            self._loops = None
            await self._presence.close()
