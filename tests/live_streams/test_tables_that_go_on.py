"""What everybody is told of rematches, skips, matches and series."""

from __future__ import annotations

from contextlib import AsyncExitStack

from tests.live.player import Json, Player, all_events
from tests.live_streams.follower import following
from tests.live_streams.server import Serving
from tests.live_streams.watching import watching_mine

FARKLE: Json = {"rules": {"preset": "farkle", "options": {"target": 2000, "opening": 0}}}


async def test_a_rematch_is_announced_where_the_old_game_was_followed(
    server: Serving, ana: Player
) -> None:
    bo = await Player.make(server.port, "Bo")
    game = await ana.table(FARKLE, bo)
    path = f"/v1/games/{game['id']}"
    async with AsyncExitStack() as stack:
        followers = [
            await stack.enter_async_context(following(server.port, game["id"], token=token))
            for token in (ana.token, bo.token, None)
        ]
        await bo.do("POST", f"{path}/resign")
        made = await bo.do("POST", f"{path}/rematch")
        over = await ana.do("GET", path)
        for follower in followers:
            await follower.until(over["version"])
            last = follower.frames[-1]
            assert [event["type"] for event in last["events"]] == ["rematch_created"]
            assert last["events"][0]["game_id"] == last["game"]["rematch"] == made["id"]
            follower.prove()
    assert (made["host"], made["settings"]["start_seat"]) == (bo.id, 1)
    assert [seat["player_id"] for seat in made["seats"]] == [ana.id, bo.id]
    assert made["rules"] == game["rules"]


async def test_a_skip_is_seen_by_all(server: Serving, ana: Player) -> None:
    bo = await Player.make(server.port, "Bo")
    game = await ana.table({**FARKLE, "cheats": {}, "dice": _rolls([1, 1, 2, 3, 4, 6])}, bo)
    path = f"/v1/games/{game['id']}"
    async with AsyncExitStack() as stack:
        followers = [
            await stack.enter_async_context(following(server.port, game["id"], token=token))
            for token in (ana.token, bo.token, None)
        ]
        for follower in followers:
            await follower.next("state")  # each has begun before anything happens
        refused = await bo.ask("POST", f"{path}/skip-next", {"seat": 0})
        assert (refused.status, refused.code) == (403, "not_host")
        ordered = await ana.do("POST", f"{path}/skip-next", {"seat": 1})
        assert ordered["game"]["turn"]["seat"] == 0
        await ana.do("POST", f"{path}/roll")
        banked = await ana.do("POST", f"{path}/bank")
        kinds = [event["type"] for event in banked["events"]]
        assert kinds == ["turn_banked", "turn_skipped"]
        assert banked["game"]["turn"]["seat"] == 0, "Bo's turn has passed"
        for follower in followers:
            told = await follower.until(banked["game"]["version"])
            assert [e["seat"] for e in told if e["type"] == "skip_ordered"] == [1]
            assert [e["seat"] for e in told if e["type"] == "turn_skipped"] == [1]
            follower.prove()
    log = await all_events(ana, game["id"])
    assert [e["seat"] for e in log if e["type"] == "skip_ordered"] == [1]


async def test_without_cheats_nobody_skips(server: Serving, ana: Player) -> None:
    bo = await Player.make(server.port, "Bo")
    game = await ana.table(FARKLE, bo)
    refused = await ana.ask("POST", f"/v1/games/{game['id']}/skip-next", {"seat": 1})
    assert (refused.status, refused.code) == (409, "cheats_are_off")


async def test_who_waits_is_told_of_the_match(server: Serving, ana: Player) -> None:
    bo = await Player.make(server.port, "Bo")
    body: Json = {"rules": {"preset": "farkle", "options": {"target": 31_000}}}
    async with watching_mine(server.port, ana) as mine:
        waits = await ana.do("POST", "/v1/matchmaking", body)
        seated = await mine.told("seated")
        assert (seated["game_id"], seated["status"]) == (waits["game_id"], "lobby")
        await bo.do("POST", "/v1/matchmaking", body)
        for kind in ("started", "your_turn"):
            told = await mine.told(kind)
            assert (told["game_id"], told["to_move"]) == (waits["game_id"], 0)
        anew = await ana.do("POST", "/v1/matchmaking", body)
        assert (await mine.told("seated"))["game_id"] == anew["game_id"]
        await ana.do("DELETE", f"/v1/matchmaking/{anew['id']}")
        assert (await mine.told("unseated"))["game_id"] == anew["game_id"]


async def test_who_takes_part_is_told_of_every_game(server: Serving, ana: Player) -> None:
    bo = await Player.make(server.port, "Bo")
    body: Json = {**FARKLE, "participants": [{"kind": "me"}, {"kind": "player"}]}
    made = await ana.do("POST", "/v1/series", {**body, "games": 2, "at_once": 1})
    path = f"/v1/series/{made['id']}"
    async with watching_mine(server.port, ana) as mine:
        await bo.do("POST", f"{path}/join", {"join_code": made["join_code"]})
        for number, seat in ((0, 0), (1, 1)):
            told = await mine.told("seated")
            assert told["seats"] == [seat]
            assert (await mine.told("started"))["game_id"] == told["game_id"]
            if seat == 0:
                await mine.told("your_turn")
            games = (await ana.do("GET", f"{path}/games"))["items"]
            assert games[number]["game_id"] == told["game_id"]
            await bo.do("POST", f"/v1/games/{told['game_id']}/resign")
            assert (await mine.told("ended"))["game_id"] == told["game_id"]
    view = await ana.do("GET", path)
    assert [tally["wins"] for tally in view["results"]] == [2, 0]


def _rolls(*rolls: list[int]) -> Json:
    return {"kind": "scripted", "rolls": [list(roll) for roll in rolls]}
