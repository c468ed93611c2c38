"""One's own games: where one sits, whose turn it is, what ended; whichever process wrote it."""

from __future__ import annotations

import asyncio

import pytest

from tests.live.player import SOLO, Json, Player
from tests.live_streams.two import Two
from tests.live_streams.watching import (
    FARKLE,
    LONG,
    end_turn,
    move,
    two_players,
    watching,
    watching_mine,
)

pytestmark = pytest.mark.wide


async def seated(two: Two, **settings: object) -> tuple[Player, Player, str, Json]:
    """Two players at a table that has not started."""
    ana, bo = await two_players(two.writes)
    game = await ana.do("POST", "/v1/games", FARKLE | settings)
    path = f"/v1/games/{game['id']}"
    game = await bo.do("POST", f"{path}/join", {"join_code": game["join_code"]})
    return ana, bo, path, game


async def test_a_table_from_the_first_seat_to_the_rematch(two: Two) -> None:
    ana, bo = await two_players(two.writes)
    async with (
        watching_mine(two.watched, ana) as of_ana,
        watching_mine(two.watched, bo) as of_bo,
    ):
        game = await ana.do("POST", "/v1/games", FARKLE | {"visibility": "private"})
        path, game_id = f"/v1/games/{game['id']}", game["id"]
        told = await of_ana.told("seated")
        assert told == {
            "type": "seated",
            "game_id": game_id,
            "version": game["version"],
            "status": "lobby",
            "to_move": None,
            "seats": [0],
            "now": told["now"],
        }
        await bo.do("POST", "/v1/join", {"join_code": game["join_code"]})
        assert (await of_bo.told("seated"))["seats"] == [1]
        assert (await of_ana.told("moved"))["version"] == game["version"] + 1
        await ana.do("POST", f"{path}/start")
        for of in (of_ana, of_bo):
            started = await of.told("started")
            assert (started["status"], started["to_move"]) == ("playing", 0)
        told = await of_ana.told("your_turn")
        assert {**told, "type": "started"} == of_ana.frames[-2]
        game = await end_turn(ana, game_id)
        told = await of_bo.next("your_turn")
        assert (told["to_move"], told["version"]) == (1, game["version"])
        await ana.do("POST", f"{path}/end")
        for of in (of_ana, of_bo):
            assert (await of.next("ended"))["status"] == "finished"
        rematch = await bo.do("POST", f"{path}/rematch")
        for of, seat in ((of_ana, 0), (of_bo, 1)):
            told = await of.told("seated")
            assert (told["game_id"], told["seats"]) == (rematch["id"], [seat])


async def test_a_kick_and_a_leave(two: Two) -> None:
    ana, bo, path, game = await seated(two)
    async with (
        watching_mine(two.watched, ana) as of_ana,
        watching_mine(two.watched, bo) as of_bo,
    ):
        await ana.do("PATCH", f"{path}/seats/1", {"kind": "human"})
        told = await of_bo.told("unseated")
        assert (told["game_id"], told["seats"], told["status"]) == (game["id"], [], "lobby")
        await of_ana.told("moved")
        await bo.do("POST", f"{path}/join", {"join_code": game["join_code"]})
        await of_bo.told("seated")
        await of_ana.told("moved")
        await bo.do("POST", f"{path}/leave")
        await of_bo.told("unseated")
        await of_ana.told("moved")
        await ana.do("POST", f"{path}/end")
        await of_ana.told("ended")
        await of_bo.quiet()


async def test_nobody_is_told_of_tables_of_others(two: Two) -> None:
    ana, bo = await two_players(two.writes)
    async with watching_mine(two.watched, bo) as of_bo:
        for visibility in ("private", "unlisted", "public"):
            await ana.table(SOLO | {"visibility": visibility})
        await of_bo.quiet()


async def test_the_list_is_complete_after_a_reconnect(two: Two) -> None:
    ana, bo, path, game = await seated(two)
    waits = await bo.do("POST", "/v1/games", FARKLE)
    over = await bo.table(SOLO)
    async with watching(two.watched, "/v1/players/me/stream", player=bo) as of_bo:
        listed = await of_bo.told("games")
        assert [item["game_id"] for item in listed["games"]] == [
            game["id"],
            waits["id"],
            over["id"],
        ]
        assert listed["games"][2] == {
            "game_id": over["id"],
            "version": over["version"],
            "status": "playing",
            "to_move": 0,
            "seats": [0, 1],
        }
    await bo.do("POST", f"/v1/games/{over['id']}/end")
    await ana.do("POST", f"{path}/start")
    game = await end_turn(ana, game["id"])
    async with watching(two.watched, "/v1/players/me/stream", player=bo) as of_bo:
        first, second = (await of_bo.told("games"))["games"]
        assert (first["game_id"], first["version"], first["to_move"], first["seats"]) == (
            game["id"],
            game["version"],
            1,
            [1],
        )
        assert second["game_id"] == waits["id"]
        await of_bo.quiet()  # the list has told of the turn
        await move(bo, game["id"])
        assert (await of_bo.told("moved", "ended"))["game_id"] == game["id"]


async def test_each_turn_is_told_once_also_at_a_table_of_ones_own(two: Two) -> None:
    ana = await Player.make(two.writes)
    game = await ana.do("POST", "/v1/games", LONG | {"pass_and_play": True})
    async with watching_mine(two.watched, ana) as of_ana:
        game = (await ana.do("POST", f"/v1/games/{game['id']}/start"))["game"]
        for seat in (0, 1, 0, 1, 0):
            told = await of_ana.next("your_turn")
            assert (told["to_move"], told["version"]) == (seat, game["version"])
            assert game["turn"]["seat"] == seat
            game = await end_turn(ana, game["id"])
        assert game["status"] == "playing"


async def test_a_turn_is_told_though_turns_went_by_between_two_looks(two: Two) -> None:
    """Ana to move, Bo to move, Ana to move: seen at both ends only, it is another turn of hers."""
    ana, bo, path, game = await seated(two, **LONG)
    await ana.do("POST", f"{path}/start")
    async with watching_mine(two.watched, ana) as of_ana:
        for _ in range(5):
            await end_turn(ana, game["id"])
            game = await end_turn(bo, game["id"])
            told = await of_ana.next("your_turn")
            while told["version"] < game["version"]:  # a look in between
                told = await of_ana.next("your_turn")
            assert (told["version"], told["to_move"]) == (game["version"], 0)


async def test_all_of_a_players_sockets_are_told_the_same(two: Two) -> None:
    ana, bo, path, game = await seated(two)
    async with (
        watching_mine(two.watched, bo) as first,
        watching_mine(two.watched, bo) as second,
        watching_mine(two.writes, bo) as third,
    ):
        await ana.do("POST", f"{path}/start")
        await ana.do("POST", f"{path}/end")
        for of in (first, second, third):
            assert (await of.next("ended"))["game_id"] == game["id"]
        assert first.raw[1:] == second.raw[1:]


@pytest.mark.parametrize("games", [5])
async def test_a_bot_that_waits_on_its_stream_alone_plays_to_the_end(two: Two, games: int) -> None:
    ana, bo = await two_players(two.writes)
    over: set[str] = set()

    async def bot(player: Player, port: int) -> None:
        """Moves when it is told that it is its turn; asks nothing on its own."""
        async with watching(port, "/v1/players/me/stream", player=player) as stream:
            while len(over) < games:
                told = await stream.next()
                if told["type"] == "ended":
                    over.add(told["game_id"])
                for item in told["games"] if told["type"] == "games" else [told]:
                    if told["type"] in ("games", "your_turn") and item["to_move"] in item["seats"]:
                        await end_turn(player, item["game_id"])

    bots = [asyncio.create_task(bot(ana, two.watched)), asyncio.create_task(bot(bo, two.writes))]
    tables = [await ana.table(FARKLE, bo) for _ in range(games)]
    async with asyncio.timeout(90):
        await asyncio.gather(*bots)
    assert over == {table["id"] for table in tables}
    for table in tables:
        game = await ana.do("GET", f"/v1/games/{table['id']}")
        assert game["result"]["reason"] == "target"
