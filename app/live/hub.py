"""
The games that are followed here: a channel for each, for as long as somebody follows it.

Hints make a channel read. The poll compares the versions of all followed games with the log's, so
that a lost hint costs less than a second.
"""

from __future__ import annotations

from app.errors import GameNotFound, TooManyStreams, VersionNotFound
from app.live import frames
from app.live.catching_up import catch_up
from app.live.channel import Channel, Follower
from app.live.connections import Connection, Limits
from app.live.frames import View
from app.live.presence import Presence
from app.live.source import Source
from app.ports import Done
from app.service.members import is_member
from engine.units import Seat


class Hub:
    def __init__(self, source: Source, presence: Presence, limits: Limits | None) -> None:
        self.channels: dict[str, Channel] = {}
        self._source = source
        self._presence = presence
        self._limits = limits

    def hear(self, game_id: str, version: int) -> None:
        """A hint; it may be wrong in every way."""
        if (channel := self.channels.get(game_id)) is not None:
            channel.want(version)

    def stored(self, done: Done) -> None:
        """This process has; its followers need not wait until it is read."""
        channel = self.channels.get(done.head.game.setup.game_id)
        if channel is not None:
            channel.stored(done.events, done.head.game)

    # The life of a follower: enter, admit, follow, leave; in this order.

    def enter(self, connection: Connection, game_id: str, view: View) -> Follower:
        """A follower to be. Call `leave` in the end, whatever happens in between."""
        channel = self.channels.get(game_id)
        if channel is None:
            channel = self.channels[game_id] = Channel(game_id, self._source, self._seats_changed)
        follower = Follower(channel, connection, view)
        channel.users.add(follower)
        return follower

    async def admit(self, follower: Follower, after: int | None) -> None:
        """
        Lets it in, as its connection's player or as nobody.

        Raises: GameNotFound, also for a private table that is not the player's; VersionNotFound,
            when `after` is past the head; TooManyStreams; StoreUnavailable, Overloaded.
        """
        channel = follower.channel
        await channel.refreshed()
        if not self._presence.is_known(channel.game_id):
            async with self._source.behind:
                await self._presence.read([channel.game_id])
        if not channel.may_follow(follower):
            raise GameNotFound
        if after is not None and after > channel.version:
            raise VersionNotFound(current_version=channel.version)
        most = None if self._limits is None else self._limits.spectators
        member = is_member(channel.head.game.setup, follower.connection.player_id)
        if most is not None and not member and channel.spectators() >= most:
            raise TooManyStreams(limit=most, retry_after_s=1)
        channel.admit(follower)
        self._show(channel)

    async def follow(self, follower: Follower, after: int | None) -> None:
        """
        Sends the first frame and all it has missed; returns once it is live, or has ended.

        Raises: StoreUnavailable, Overloaded, BrokenHistory.
        """
        channel, outbox = follower.channel, follower.connection.outbox
        if outbox.ended is not None:
            return
        follower.connection.has_begun = True
        if after is None:
            outbox.send(channel.state())
            channel.go_live(follower)
        else:
            outbox.send(frames.resumed(after, channel.version, self._source.now()))
            await catch_up(follower, after, self._source)

    def identified(self, follower: Follower) -> None:
        """A follower that was let in as nobody has said who it is."""
        follower.channel.identified(follower)

    def leave(self, follower: Follower) -> None:
        """It has gone. Twice is fine."""
        channel = follower.channel
        channel.leave(follower)
        if not channel.users and self.channels.get(channel.game_id) is channel:
            del self.channels[channel.game_id]
            self._presence.forget(channel.game_id)

    # Presence.

    def _seats_changed(
        self, channel: Channel, before: frozenset[Seat], now: frozenset[Seat]
    ) -> None:
        self._presence.here(channel.game_id, before, now)
        self._show(channel)

    def _show(self, channel: Channel) -> None:
        """Tells the followers who is connected, where that has changed."""
        seats = tuple(sorted(channel.seats | self._presence.elsewhere(channel.game_id)))
        if seats != channel.shown:
            channel.shown = seats
            channel.tell(frames.presence(seats, self._source.now()))

    # The background.

    async def poll(self) -> None:
        """One look at all followed games."""
        if not self.channels:
            return
        versions = await self._source.store.versions(list(self.channels))
        for game_id, version in versions.items():
            self.hear(game_id, version)
        await self._presence.read(list(self.channels))
        for channel in self.channels.values():
            self._show(channel)
        for game_id in versions.keys() - self.channels.keys():
            self._presence.forget(game_id)
