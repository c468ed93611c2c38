"""A frame is serialised once in a process, however many follow, and however they do."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

from app.live.channel import RING
from app.live.frames import Renderer
from app.ports import EventStore, Head, Recorded, Summary
from engine.units import Millis
from tests.live.player import Json, Player, all_events
from tests.live_streams.follower import following
from tests.live_streams.server import serving_on
from tests.live_streams.test_following import LONG, play
from tests.live_streams.test_sse import listening

COMMANDS = 15
ENDLESS: Json = {
    "rules": {"preset": "farkle", "options": {"target": 1_000_000}},
    "pass_and_play": True,
}


class Counting:
    """A renderer, and how often it was asked for each version."""

    def __init__(self, inner: Renderer) -> None:
        self.games: Counter[int] = Counter()
        self.logs: Counter[int] = Counter()
        self._inner = inner

    def game(self, head: Head, now: Millis) -> bytes:
        self.games[head.version] += 1
        return self._inner.game(head, now)

    def events(self, records: Sequence[Recorded]) -> bytes:
        self.logs[records[-1].version] += 1
        return self._inner.events(records)

    def summary(self, row: Summary) -> bytes:
        return self._inner.summary(row)


async def test_once_for_each_view_however_many_follow(sqlite_url: str) -> None:
    """Over WebSockets, as server-sent events, and for one who comes back soon."""
    async with serving_on(sqlite_url) as server, AsyncExitStack() as stack:
        source = server.parts.live.source
        counting = source.render = Counting(source.render)
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        begun = game["version"]
        for query in ("", "?view=events"):
            for _ in range(7):
                socket = following(server.port, game["id"], query)
                await (await stack.enter_async_context(socket)).next("presence")
            for _ in range(3):
                events = listening(server.port, game["id"], query)
                await (await stack.enter_async_context(events)).next("presence")
        game = await play(ana, game, COMMANDS)
        async with following(server.port, game["id"], f"?after={begun}") as late:
            await late.until(game["version"])
        told = [frame["version"] for frame in late.frames if frame["type"] == "played"]
        assert len(told) == COMMANDS
        assert [counting.games[version] for version in told] == [1] * COMMANDS
        assert [counting.logs[version] for version in told] == [2] * COMMANDS


async def test_once_for_all_who_come_back_from_far(sqlite_url: str) -> None:
    """From the log: further back than what a channel keeps."""
    async with serving_on(sqlite_url) as server, AsyncExitStack() as stack:
        source = server.parts.live.source
        ana = await Player.make(server.port)
        game = await ana.table(ENDLESS)
        begun = game["version"]
        game = await play(ana, game, 3 * RING)
        counting = source.render = Counting(source.render)
        late = [
            await stack.enter_async_context(following(server.port, game["id"], f"?after={begun}"))
            for _ in range(7)
        ]
        for each in late:
            await each.until(game["version"])
        told = [frame["version"] for frame in late[0].frames if frame["type"] == "played"]
        assert len(told) == 3 * RING
        # Where each of them began, there might have been the rest of a command.
        assert counting.games[told[0]] == len(late)
        assert {counting.games[version] for version in told[1:]} == {1}
        frames = [[f for f in each.frames if f["type"] == "played"][1:] for each in late]
        assert all(seen == frames[0] for seen in frames)


class Reading:
    """A store, and how often the log of a game was read through it."""

    def __init__(self, inner: EventStore) -> None:
        self.reads = 0
        self._inner = inner

    async def commands(
        self, game_id: str, after: int, limit: int
    ) -> Sequence[tuple[Recorded, ...]]:
        self.reads += 1
        return await self._inner.commands(game_id, after, limit)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


async def test_what_was_stored_here_is_not_read_again(sqlite_url: str) -> None:
    """What another process has stored is, and what this one stored behind it."""
    async with serving_on(sqlite_url) as server, serving_on(sqlite_url) as other:
        source = server.parts.live.source
        store = source.store = Reading(source.store)  # type: ignore[assignment]
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        async with following(server.port, game["id"]) as follower:
            await follower.next("presence")
            begun = store.reads
            game = await play(ana, game, COMMANDS)
            await follower.until(game["version"])
            assert store.reads == begun
            elsewhere = dataclasses.replace(ana, port=other.port)
            game = await play(elsewhere, game, 3)
            game = await play(ana, game, 3)
            await follower.until(game["version"])
            assert store.reads > begun
            follower.prove()
            assert follower.frames[-1]["game"] | {"now": None} == game | {"now": None}
        log = await all_events(ana, game["id"])
        assert follower.events == log[follower.frames[0]["version"] :]


class Failing(Counting):
    """A renderer that cannot show this version."""

    breaks_at = 0

    def events(self, records: Sequence[Recorded]) -> bytes:
        if records[-1].version == self.breaks_at:
            raise ArithmeticError
        return super().events(records)


async def test_a_frame_that_cannot_be_made_ends_streams_and_no_command(sqlite_url: str) -> None:
    async with serving_on(sqlite_url) as server:
        source = server.parts.live.source
        failing = source.render = Failing(source.render)
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        async with following(server.port, game["id"]) as follower:
            await follower.next("presence")
            failing.breaks_at = game["version"] + 1
            game = await play(ana, game, COMMANDS)
            assert await follower.closed() == 1011
        assert len(await all_events(ana, game["id"])) == game["version"]
