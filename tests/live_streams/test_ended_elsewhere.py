"""A stream ends by what happens at another process, and tells no more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import pytest

from tests.live.player import SOLO, Json, Player
from tests.live_streams.follower import following
from tests.live_streams.test_sse import Events, listening
from tests.live_streams.two import Two
from tests.live_streams.watching import watching_mine

pytestmark = pytest.mark.wide

PRIVATE: Json = SOLO | {"visibility": "private", "pass_and_play": False}
PUBLIC: Json = SOLO | {"visibility": "public", "pass_and_play": False}


class Table(NamedTuple):
    host: Player
    guest: Player
    path: str


async def kicked(table: Table) -> None:
    await table.host.do("PATCH", f"{table.path}/seats/1", {"kind": "closed"})


async def left(table: Table) -> None:
    await table.guest.do("POST", f"{table.path}/leave")


async def renewed(table: Table) -> None:
    made = await table.guest.do("POST", "/v1/players/me/token")
    await Player(table.guest.id, made["token"], table.guest.port).do("GET", "/v1/players/me")


async def forgotten(table: Table) -> None:
    assert (await table.guest.ask("DELETE", "/v1/players/me")).ok


async def hidden(table: Table) -> None:
    await table.host.do("PATCH", table.path, {"visibility": "private"})


class End(NamedTuple):
    happens: Callable[[Table], Awaitable[None]]
    code: int
    error: str
    settings: Json
    is_guest: bool = True
    """Whose stream ends: the guest's, or a spectator's."""
    is_told: bool = False
    """The table is open to all: the stream may tell of it before it ends."""


ENDS = {
    "kicked": End(kicked, 4403, "not_a_member", PRIVATE),
    "left": End(left, 4403, "not_a_member", PRIVATE),
    "token renewed": End(renewed, 4401, "unauthenticated", PUBLIC),
    "player forgotten": End(forgotten, 4401, "unauthenticated", PUBLIC, is_told=True),
    "table hidden": End(hidden, 4403, "not_a_member", PUBLIC, is_guest=False),
}


async def to_the_end(events: Events) -> list[Json]:
    found = []
    try:
        while True:
            found.append((await events.next()).data)
    except StopAsyncIteration:
        return found


@pytest.mark.parametrize("what", ENDS)
async def test_it_ends_at_the_other_process_too(two: Two, what: str) -> None:
    end = ENDS[what]
    host, guest = await Player.make(two.writes), await Player.make(two.writes, "Bo")
    game = await host.table(end.settings, guest, start=False)
    table = Table(host, guest, f"/v1/games/{game['id']}")
    token = guest.token if end.is_guest else None
    async with (
        following(two.watched, game["id"], token=token) as socket,
        listening(two.watched, game["id"], token=token) as events,
        following(two.watched, game["id"], token=host.token) as other,
    ):
        for stream in (socket, events, other):
            await stream.next("presence")
        await end.happens(table)
        code, told = await asyncio.gather(socket.closed(), to_the_end(events))
        assert code == end.code
        assert [frame["code"] for frame in told if frame["type"] == "error"] == [end.error]
        await host.do("PATCH", table.path, {"visibility": "unlisted"})
        await other.next("played")
    for frames in (socket.frames, told):
        kinds = [frame["type"] for frame in frames]
        assert kinds[-1] == "error"
        assert end.is_told or "played" not in kinds


@pytest.mark.parametrize("what", ["kicked", "left"])
async def test_ones_own_list_forgets_a_table_at_the_other_process(two: Two, what: str) -> None:
    host, guest = await Player.make(two.writes), await Player.make(two.writes, "Bo")
    game = await host.table(PRIVATE, guest, start=False)
    async with watching_mine(two.watched, guest) as mine:
        await ENDS[what].happens(Table(host, guest, f"/v1/games/{game['id']}"))
        assert (await mine.told("unseated"))["game_id"] == game["id"]
        await host.do("PATCH", f"/v1/games/{game['id']}", {"visibility": "unlisted"})
        await mine.quiet()
