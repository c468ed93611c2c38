"""State first, then each event once and in order; from any version on; for everybody the same."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack

from tests.live.player import SOLO, Json, Player, all_events, next_move
from tests.live_streams.follower import Follower, following
from tests.live_streams.server import Serving

LONG: Json = {"rules": {"preset": "farkle"}, "pass_and_play": True}


async def play(player: Player, game: Json, commands: int, seed: int = 7) -> Json:
    """So many accepted commands of a running game; the game after them."""
    chance = random.Random(seed)
    while commands and game["status"] != "finished":
        move = next_move(game, chance)
        answer = await player.ask(move.method, move.path, move.body)
        if answer.ok:
            game = answer.json()["game"]
            commands -= 1
    return game


async def test_state_first_then_each_event_once(server: Serving, ana: Player) -> None:
    game = await ana.table(SOLO, start=False)
    async with following(server.port, game["id"], token=ana.token) as follower:
        state = await follower.next()
        assert (state["type"], state["version"]) == ("state", game["version"])
        assert state["game"]["id"] == game["id"]
        assert (await follower.next())["type"] == "presence"
        await ana.do("POST", f"/v1/games/{game['id']}/start")
        game = await play(ana, await ana.do("GET", f"/v1/games/{game['id']}"), 25)
        await follower.until(game["version"])
    log = await all_events(ana, game["id"])
    assert follower.events == log[state["version"] :]
    follower.prove()
    last = follower.frames[-1]
    assert last["game"] | {"now": None} == game | {"now": None}


async def test_a_frame_holds_no_join_code(server: Serving, ana: Player) -> None:
    game = await ana.table(SOLO | {"pass_and_play": False}, start=False)
    assert game["join_code"]
    bo = await Player.make(server.port, "Bo")
    async with following(server.port, game["id"], token=ana.token) as follower:
        await bo.do("POST", f"/v1/games/{game['id']}/join", {"join_code": game["join_code"]})
        await follower.until(game["version"] + 1)
    assert not any(game["join_code"].encode() in raw for raw in follower.raw)
    assert [s["name"] for s in follower.frames[-1]["game"]["seats"]] == ["Ana", "Bo"]


async def test_resuming_at_every_version(server: Serving, ana: Player) -> None:
    """Also in the middle of a command; and on a channel whose ring knows nothing of it."""
    game = await play(ana, await ana.table(SOLO), 12)
    log = await all_events(ana, game["id"])
    for view in ("", "&view=events"):
        for after in range(game["version"] + 1):
            query = f"?after={after}{view}"
            async with following(server.port, game["id"], query) as follower:
                first = await follower.next()
                assert (first["type"], first["version"]) == ("resumed", after)
                assert first["current_version"] == game["version"]
                await follower.until(game["version"])
                await follower.next("presence")
            assert follower.events == log[after:]
            follower.prove()
            assert all(("game" in f) is (not view) for f in follower.frames if "events" in f)


async def test_a_replayed_frame_is_the_one_sent_live(server: Serving, ana: Player) -> None:
    game = await ana.table(SOLO, start=False)
    async with following(server.port, game["id"]) as live:
        await ana.do("POST", f"/v1/games/{game['id']}/start")
        game = await play(ana, await ana.do("GET", f"/v1/games/{game['id']}"), 20)
        await live.until(game["version"])
        query = f"?after={live.frames[0]['version']}"
        async with following(server.port, game["id"], query) as from_ring:
            await from_ring.until(game["version"])
    async with following(server.port, game["id"], query) as from_log:
        await from_log.until(game["version"])

    def played(follower: Follower) -> list[Json]:
        return [f for f in follower.frames if f["type"] == "played"]

    assert played(from_ring) == played(live)  # to the byte, `now` too
    without = [{**f, "now": 0, "game": {**f["game"], "now": 0}} for f in played(live)]
    assert without == [{**f, "now": 0, "game": {**f["game"], "now": 0}} for f in played(from_log)]


async def test_all_followers_get_the_same_bytes(server: Serving, ana: Player) -> None:
    game = await ana.table(SOLO)
    async with AsyncExitStack() as stack:
        followers = [
            await stack.enter_async_context(
                following(server.port, game["id"], token=ana.token if seat else None)
            )
            for seat in (True, *(False,) * 19)
        ]
        for follower in followers:
            await follower.next("state")
        game = await play(ana, game, 15)
        await asyncio.gather(*(f.until(game["version"]) for f in followers))
    frames = [[raw for raw in f.raw if b'"type":"played"' in raw[:20]] for f in followers]
    assert len(frames[0]) > 5
    assert all(other == frames[0] for other in frames)


async def test_resuming_while_the_game_goes_on(server: Serving, ana: Player) -> None:
    game = await play(ana, await ana.table(LONG), 40)

    async def follow(number: int) -> Follower:
        await asyncio.sleep(number * 0.01)
        async with following(server.port, game["id"], f"?after={number * 3}") as follower:
            await follower.until(end_version)
        return follower

    running = asyncio.create_task(play(ana, game, 40, seed=8))
    end_version = game["version"] + 20
    followers = await asyncio.gather(*(follow(number) for number in range(10)))
    await running
    log = await all_events(ana, game["id"])
    for number, follower in enumerate(followers):
        follower.prove()
        assert follower.events == log[number * 3 : follower.version]


async def test_a_finished_game_can_be_replayed_and_tells_of_its_rematch(
    server: Serving, ana: Player
) -> None:
    game = await play(ana, await ana.table(SOLO), 1_000)
    assert game["status"] == "finished"
    async with following(server.port, game["id"], "?after=0") as follower:
        await follower.until(game["version"])
    assert follower.events == await all_events(ana, game["id"])
    assert follower.frames[-1]["game"]["result"] == game["result"]
    async with following(server.port, game["id"], f"?after={game['version']}") as follower:
        await follower.next("presence")
        rematch = await ana.do("POST", f"/v1/games/{game['id']}/rematch")
        [event] = (await follower.next("played"))["events"]
    assert (event["type"], event["game_id"]) == ("rematch_created", rematch["id"])
