"""What writes a game notifies nobody: NOTIFY takes one lock of the whole server at its commit."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

import pytest

from app.store.schema import migrate
from tests.live.player import Player
from tests.live_streams.follower import following
from tests.live_streams.server import serving_on, until
from tests.live_streams.test_following import LONG, play
from tests.servers.postgres import APP, PostgresServer

SAID = re.compile(r"^(?P<who>[a-z ]*)\|(?P<session>\d+)\|LOG: .*?(?P<what>pg_notify|INSERT INTO)")


@pytest.fixture
def talkative() -> Iterator[PostgresServer]:
    """A Postgres that logs every statement, with who sent it."""
    settings = {
        "log_statement": "all",
        "log_line_prefix": "%a|%p|",
        "log_duration": "off",
        "log_parameter_max_length": "0",  # among them are the server's secrets
    }
    server = PostgresServer.launch(fsync=False, settings=settings)
    yield server
    server.stop("immediate")


async def test_only_a_connection_of_its_own_notifies(talkative: PostgresServer) -> None:
    talkative.create_database("quiet")
    await migrate(talkative.owner_url("quiet"), APP)
    url = talkative.app_url("quiet")
    async with serving_on(url) as one, serving_on(url) as other:
        players = [await Player.make(one.port) for _ in range(4)]
        games = [await ana.table(LONG) for ana in players]
        async with following(other.port, games[0]["id"]) as follower:
            await follower.next("state")
            await until(lambda: one.parts.announcing().connected)
            games = await asyncio.gather(*map(play, players, games, [15] * 4))
            await follower.until(games[0]["version"])
        condition = one.parts.announcing()
        assert condition.sent > 0
        assert condition.dropped == 0
    assert talkative.folder is not None
    log = (talkative.folder / "output.log").read_text()
    found = [m for m in map(SAID.match, log.splitlines()) if m]
    notify = {m["session"] for m in found if m["what"] == "pg_notify"}
    write = {m["session"] for m in found if m["what"] == "INSERT INTO"}
    assert notify
    assert write
    assert not notify & write
    assert {m["who"] for m in found if m["session"] in notify} == {"hotdice announces"}
    assert sum(m["what"] == "pg_notify" for m in found) < 4 * 15 + 12, "at most one for a hint"
