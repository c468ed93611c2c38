"""The lobby: public tables from opened to started or closed; whichever process wrote it."""

from __future__ import annotations

import pytest

from tests.live.player import Json, Player
from tests.live_streams.two import Two
from tests.live_streams.watching import (
    FARKLE,
    LOBBY,
    Watching,
    two_players,
    watching,
    watching_lobby,
)

pytestmark = pytest.mark.wide

PUBLIC: Json = FARKLE | {"visibility": "public"}


async def about(watcher: Watching, game_id: str) -> Json:
    """The next message about this table: others may open tables too."""
    while True:
        told = await watcher.next("opened", "changed", "filled", "started", "closed")
        if game_id in (told.get("game_id"), told.get("table", {}).get("id")):
            return told


async def test_a_table_from_opened_to_started(two: Two) -> None:
    ana, bo = await two_players(two.writes)
    cy = await Player.make(two.writes, "Cy")
    seats = [{"kind": "human"}] * 3
    async with watching_lobby(two.watched) as lobby:
        game = await ana.do("POST", "/v1/games", PUBLIC | {"seats": seats})
        path = f"/v1/games/{game['id']}"
        opened = await about(lobby, game["id"])
        assert opened["type"] == "opened"
        row = (await ana.do("GET", "/v1/games?status=lobby&limit=1"))["items"][0]
        assert opened["table"] == row
        assert "join_code" not in opened["table"]
        await bo.do("POST", f"{path}/join")
        changed = await about(lobby, game["id"])
        assert (changed["type"], changed["table"]["version"]) == ("changed", game["version"] + 1)
        assert [seat["name"] for seat in changed["table"]["seats"]] == ["Ana", "Bo", None]
        await cy.do("POST", f"{path}/join")
        assert (await about(lobby, game["id"]))["type"] == "filled"
        await bo.do("POST", f"{path}/leave")
        assert (await about(lobby, game["id"]))["type"] == "changed"
        await bo.do("POST", f"{path}/join")
        assert (await about(lobby, game["id"]))["type"] == "filled"
        await ana.do("POST", f"{path}/start")
        started = await about(lobby, game["id"])
        assert started == {"type": "started", "game_id": game["id"], "now": started["now"]}


async def test_a_table_that_closes_and_one_that_hides(two: Two) -> None:
    ana = await Player.make(two.writes)
    async with watching_lobby(two.watched) as lobby:
        closes = await ana.do("POST", "/v1/games", PUBLIC)
        hides = await ana.do("POST", "/v1/games", PUBLIC)
        assert (await about(lobby, closes["id"]))["type"] == "opened"
        await ana.do("POST", f"/v1/games/{closes['id']}/end")
        assert (await about(lobby, closes["id"]))["type"] == "closed"
        await ana.do("PATCH", f"/v1/games/{hides['id']}", {"visibility": "private"})
        assert (await about(lobby, hides["id"]))["type"] == "closed"
        await ana.do("PATCH", f"/v1/games/{hides['id']}", {"visibility": "public"})
        assert (await about(lobby, hides["id"]))["type"] == "opened"
        await ana.do("POST", f"/v1/games/{hides['id']}/end")
        assert (await about(lobby, hides["id"]))["type"] == "closed"


async def test_a_rematch_opens_full(two: Two) -> None:
    ana, bo = await two_players(two.writes)
    game = await ana.table(PUBLIC, bo)
    await ana.do("POST", f"/v1/games/{game['id']}/end")
    async with watching_lobby(two.watched) as lobby:
        rematch = await bo.do("POST", f"/v1/games/{game['id']}/rematch")
        assert (await about(lobby, rematch["id"]))["type"] == "opened"
        assert (await about(lobby, rematch["id"]))["type"] == "filled"


async def test_only_tables_that_anybody_may_join_are_told(two: Two) -> None:
    ana = await Player.make(two.writes)
    scripted = {"dice": {"kind": "scripted", "rolls": [[1, 1, 1, 1, 1, 1]]}}
    async with watching_lobby(two.watched) as lobby:
        hidden = [
            await ana.do("POST", "/v1/games", FARKLE | settings)
            for settings in ({"visibility": "private"}, {}, scripted | {"visibility": "public"})
        ]
        last = await ana.do("POST", "/v1/games", PUBLIC)
        await about(lobby, last["id"])
    told = {frame["table"]["id"] for frame in lobby.frames if "table" in frame}
    assert not told & {game["id"] for game in hidden}


async def test_the_list_is_complete_after_a_reconnect(two: Two) -> None:
    ana = await Player.make(two.writes)
    first = await ana.do("POST", "/v1/games", PUBLIC)
    gone = await ana.do("POST", "/v1/games", PUBLIC)
    async with watching(two.watched, LOBBY) as lobby:
        listed = (await lobby.told("tables"))["tables"]
        assert [table["id"] for table in listed][:2] == [gone["id"], first["id"]]
    await ana.do("POST", f"/v1/games/{gone['id']}/end")
    last = await ana.do("POST", "/v1/games", PUBLIC)
    async with watching(two.watched, LOBBY, player=ana) as lobby:
        listed = (await lobby.told("tables"))["tables"]
        assert [table["id"] for table in listed][:2] == [last["id"], first["id"]]
    assert listed == (await ana.do("GET", "/v1/games?status=lobby&limit=200"))["items"]
