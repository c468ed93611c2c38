"""Commands over the stream of a game: as those over HTTP, and beside them."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack

import asyncpg
import pytest

from tests.live.history import verified
from tests.live.player import SOLO, Json, Player, all_events
from tests.live_streams.bare import bare
from tests.live_streams.commander import ACKS, commanding, play_out
from tests.live_streams.corpus.build import text
from tests.live_streams.corpus.handshakes import LINES, request
from tests.live_streams.server import Serving, serving_on, until
from tests.live_streams.watching import LOBBY, MINE, watching

PRESETS: dict[str, Json] = {
    "farkle": {"target": 2000, "opening": 300},
    "house": {"target": 1500},
    "jester": {"tier": "pocket"},
}
SCRIPTED: Json = SOLO | {
    "dice": {"kind": "scripted", "rolls": [[1, 1, 1, 5, 2, 3], [1, 5, 2], [2, 2, 3, 4, 6, 6]]}
}


@pytest.fixture
async def game(ana: Player) -> Json:
    """A running game of Ana's at both seats, whose first roll scores."""
    return await ana.table(SCRIPTED)


def stamped(told: Json) -> Json:
    """An acknowledgement without what differs from one to the next."""
    return {name: value for name, value in told.items() if name not in ("id", "now")}


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_whole_game_over_one_websocket_each(
    server: Serving, ana: Player, preset: str
) -> None:
    bo = await Player.make(server.port, "Bo")
    rules = {"preset": preset, "options": PRESETS[preset]}
    seats = [{"kind": "human"}, {"kind": "human"}]
    game = await ana.table({"rules": rules, "seats": seats}, bo, start=False)
    async with AsyncExitStack() as stack:
        both = [
            await stack.enter_async_context(commanding(player, game["id"])) for player in (ana, bo)
        ]
        for commander in both:
            await commander.next("state")
        over = await play_out(both, seed=len(preset))
        log = await all_events(ana, game["id"])
        for commander in both:
            commander.prove()
            assert commander.events == log[commander.frames[0]["version"] :]
    assert over["result"]["winners"]
    export = (await ana.ask("GET", f"/v1/games/{game['id']}/export")).body
    assert len(verified(export, game["id"])) == over["version"] == len(log)


async def test_an_answer_is_that_of_the_same_call_over_http(ana: Player, game: Json) -> None:
    twin = await ana.table(SCRIPTED)
    http = await ana.do("POST", f"/v1/games/{twin['id']}/roll")
    refused = await ana.ask("POST", f"/v1/games/{twin['id']}/roll")
    async with commanding(ana, game["id"]) as own:
        told = await own.ask("roll", answer="full")
        assert told["status"] == 200
        assert told["version"] == told["answer"]["game"]["version"] == http["game"]["version"]
        assert told["answer"].keys() == http.keys()
        assert told["answer"]["game"]["turn"]["dice"] == http["game"]["turn"]["dice"]
        told = await own.ask("roll", id="again")
    problem = refused.json()
    assert stamped(told) == {"type": "refused", "status": 409, "problem": problem}
    assert problem["code"] == "nothing_selected"


async def test_by_default_the_answer_is_what_the_command_did(ana: Player, game: Json) -> None:
    async with commanding(ana, game["id"]) as own:
        assert (await own.do("roll")).keys() == {"version", "events"}
        done = await own.do("select", dice=[0, 1, 2])
        assert [event["type"] for event in done["events"]] == ["dice_selected"]
        await own.game()
        assert [f for f in own.frames if f["type"] == "played"][-1]["events"] == done["events"]


async def test_the_same_key_acts_once_whichever_way_it_is_sent(ana: Player, game: Json) -> None:
    path = f"/v1/games/{game['id']}"
    async with commanding(ana, game["id"]) as own:
        first = await own.ask("roll", idempotency_key="k1")
        assert stamped(await own.ask("roll", idempotency_key="k1")) == stamped(first)
        again = await ana.ask("POST", f"{path}/roll", key="k1")
        assert (again.status, again.json()) == (200, first["answer"])
        chosen = {"select": {"dice": [2, 0, 1]}}
        rolled = await ana.do("POST", f"{path}/roll", chosen, key="k2")
        told = await own.ask("roll", idempotency_key="k2", select={"dice": [2, 0, 1]})
        assert (told["status"], told["answer"]) == (200, rolled)
        assert told["version"] == rolled["game"]["version"]
        for other in (
            {"command": "roll", "idempotency_key": "k2"},
            {"command": "bank", "idempotency_key": "k1"},
            {"command": "roll", "idempotency_key": "k2", "select": {"dice": [0, 1, 2]}},
        ):
            assert await own.code_of(**other) == "idempotency_key_reused"
    assert len(await all_events(ana, game["id"])) == rolled["game"]["version"]


async def test_a_command_on_another_version_is_refused(ana: Player, game: Json) -> None:
    async with commanding(ana, game["id"]) as own:
        told = await own.ask("roll", if_match=game["version"] - 1)
        assert (told["status"], told["problem"]["code"]) == (412, "version_conflict")
        assert told["problem"]["current_version"] == game["version"]
        await own.do("roll", if_match=game["version"])


async def test_commands_in_flight_are_answered_in_their_order(ana: Player, game: Json) -> None:
    """Far more than are taken at once: the socket is read as they are answered."""
    async with commanding(ana, game["id"]) as own:
        wanted = []
        for number in range(60):
            wanted.append(await own.say("roll", id=f"r{number}", if_match=game["version"]))
            wanted.append(await own.say("bank", x=1))
        told = [await own.next(*ACKS) for _ in wanted]
        assert [ack["id"] for ack in told] == wanted
        assert [ack["status"] for ack in told] == [200, 422] + [412, 422] * 59
        await own.send({"type": "ping"})
        await own.next("pong")


async def test_the_two_ways_race_and_one_wins(server: Serving, ana: Player) -> None:
    for number in range(4):
        game = await ana.table(SCRIPTED)
        async with AsyncExitStack() as stack:
            sockets = [
                await stack.enter_async_context(commanding(ana, game["id"])) for _ in range(4)
            ]
            for own in sockets:
                await own.next("presence")
            path, tag = f"/v1/games/{game['id']}/roll", f'"{game["version"]}"'
            told, answers = await asyncio.gather(
                asyncio.gather(*(own.ask("roll", if_match=game["version"]) for own in sockets)),
                asyncio.gather(*(ana.ask("POST", path, if_match=tag) for _ in range(4))),
            )
            statuses = [t["status"] for t in told] + [a.status for a in answers]
            assert sorted(statuses) == [200] + [412] * 7, number
            for own in sockets:
                await own.until(game["version"] + 1)
                own.prove()


async def test_one_key_sent_both_ways_at_once_acts_once(ana: Player, game: Json) -> None:
    async with commanding(ana, game["id"]) as own, commanding(ana, game["id"]) as other:
        told, also, answer = await asyncio.gather(
            own.ask("roll", idempotency_key="k"),
            other.ask("roll", idempotency_key="k"),
            ana.ask("POST", f"/v1/games/{game['id']}/roll", key="k", prefer="return=minimal"),
        )
        assert stamped(told) == stamped(also)
        assert told["answer"] == answer.json()
    assert len(await all_events(ana, game["id"])) == told["version"]


async def test_a_command_whose_answer_is_lost_is_retried_by_its_key(
    ana: Player, game: Json
) -> None:
    async with commanding(ana, game["id"]) as own:
        seen = (await own.next("state"))["version"]
        await own.say("roll", idempotency_key="k")
        own.connection.transport.abort()
    async with commanding(ana, game["id"], f"?after={seen}") as own:
        told = await own.ask("roll", idempotency_key="k")
        assert told["status"] == 200
        await own.until(told["version"])
        own.prove()
    assert (
        await all_events(ana, game["id"]) == (await _log_to(ana, game)) + told["answer"]["events"]
    )


async def _log_to(ana: Player, game: Json) -> list[Json]:
    return (await all_events(ana, game["id"]))[: game["version"]]


async def test_who_may_not_is_told_so_and_follows_on(server: Serving, ana: Player) -> None:
    game = await ana.table(SOLO | {"visibility": "public"})
    bo = await Player.make(server.port, "Bo")
    scoped = (await ana.do("POST", "/v1/players/me/tokens", {"name": "r", "scopes": ["read"]}))[
        "token"
    ]
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        nobody = await enter(commanding(ana, game["id"], token=None))
        guest = await enter(commanding(bo, game["id"]))
        reader = await enter(commanding(ana, game["id"], token=scoped))
        player = await enter(commanding(ana, game["id"]))
        assert await nobody.code_of("roll") == "unauthenticated"
        assert await guest.code_of("roll") == "not_seated"
        assert await guest.code_of("end") == "not_host"
        told = await reader.ask("roll")
        assert (told["status"], told["problem"]["code"]) == (403, "scope_missing")
        assert told["problem"]["needed"] == "play"
        assert (await reader.ask("end"))["problem"]["needed"] == "create"
        done = await player.do("roll")
        for each in (nobody, guest, reader, player):
            await each.until(done["version"])


async def test_who_says_who_it_is_may_command_at_once(server: Serving, ana: Player) -> None:
    """Before the answer to the handshake's first frame, and where nothing comes without a token."""
    for visibility in ("unlisted", "private"):
        game = await ana.table(SCRIPTED | {"visibility": visibility})
        async with commanding(ana, game["id"], token=None) as own:
            await own.send({"type": "auth", "token": ana.token})
            await own.do("roll")
            assert own.frames[0]["type"] == "state"
    game = await ana.table(SCRIPTED | {"visibility": "private"})
    ticket = (await ana.do("POST", "/v1/tickets"))["ticket"]
    async with commanding(ana, game["id"], f"?ticket={ticket}&after=0", token=None) as own:
        assert (await own.do("resign", seat=1))["events"][0]["type"] == "seat_resigned"
        assert own.version >= game["version"], "what was missed comes before the answer"


async def test_a_token_that_has_ended_commands_no_more(ana: Player, game: Json) -> None:
    made = await ana.do("POST", "/v1/players/me/tokens", {"name": "b", "scopes": ["read", "play"]})
    async with commanding(ana, game["id"], token=made["token"]) as own:
        await own.do("roll")
        await ana.ask("DELETE", f"/v1/players/me/tokens/{made['id']}")
        assert await own.code_of("bank") == "unauthenticated"
        assert await own.closed() == 4401


async def test_commands_count_as_calls_do(sqlite_url: str) -> None:
    """And not as idle talk: far more than sixty in ten seconds are answered."""
    async with serving_on(sqlite_url, rate_limits=True, limit_commands=80) as serving:
        ana = await Player.make(serving.port)
        game = await ana.table(SCRIPTED)
        before = 2 - 1  # started; made by another limit
        async with commanding(ana, game["id"]) as own:
            await own.next("presence")
            told = [await own.ask("select", dice=[0]) for _ in range(80 - before)]
            assert {t["problem"]["code"] for t in told} == {"roll_first"}
            limited = await own.ask("roll")
            assert (limited["status"], limited["problem"]["code"]) == (429, "rate_limited")
            assert limited["problem"]["limit"] == 80
            assert (await ana.ask("POST", f"/v1/games/{game['id']}/roll")).status == 429
            for _ in range(58):
                assert await own.code_of("roll") == "rate_limited"
            await own.say("roll")
            await own.say("roll")
            assert await own.closed() == 1008


async def test_no_command_is_part_of_a_flood(sqlite_server: Serving) -> None:
    ana = await Player.make(sqlite_server.port)
    game = await ana.table(SOLO)
    async with commanding(ana, game["id"]) as own:
        for number in range(1_100):
            await own.say("select", id=number, dice=[0])
            if number >= 8:
                await own.next(*ACKS)
        assert own.frames[-1]["problem"]["code"] == "roll_first"


async def test_other_streams_take_no_commands(sqlite_server: Serving) -> None:
    ana = await Player.make(sqlite_server.port)
    for path in (LOBBY, MINE):
        async with watching(sqlite_server.port, path, player=ana) as watcher:
            await watcher.send({"id": 1, "command": "roll"})
            assert await watcher.closed() == 1008
            assert watcher.frames[-1]["code"] == "unknown_message"


async def test_a_running_command_is_answered_before_a_stop(postgres_url: str) -> None:
    """The next one is not begun: its client is told to come back."""
    async with serving_on(postgres_url) as serving:
        ana = await Player.make(serving.port)
        game = await ana.table(SCRIPTED)
        async with commanding(ana, game["id"]) as own, commanding(ana, game["id"]) as idle:
            for each in (own, idle):
                await each.next("presence")
            holds = await asyncpg.connect(postgres_url.replace("+asyncpg", ""))
            async with holds.transaction():
                await holds.execute("SELECT 1 FROM games WHERE id = $1 FOR UPDATE", game["id"])
                await own.say("roll", id="running")
                await own.say("select", id="waiting", dice=[0])
                await until(lambda: not serving.parts.games.desk.is_idle)
                serving.stop()
                assert await idle.closed() == 1012
            await holds.close()
            assert await own.closed() == 1012
            told = [f for f in own.frames if f["type"] in ACKS]
            assert [(t["id"], t["status"]) for t in told] == [("running", 200)]
            assert own.frames[-1]["code"] == "restarting"


async def test_who_commands_and_reads_nothing_is_sent_away(sqlite_url: str) -> None:
    async with serving_on(sqlite_url) as serving:
        ana = await Player.make(serving.port)
        game = await ana.table(SCRIPTED)
        await ana.do("POST", f"/v1/games/{game['id']}/roll")
        path = f"/v1/games/{game['id']}/stream".encode()
        token = f"Authorization: Bearer {ana.token}".encode()
        async with bare(serving.port) as line:
            await line.shake(request(*LINES, token, path=path))
            for number in range(900):
                asked = {"id": number, "command": "select", "dice": [number % 2], "answer": "full"}
                line.say(text(json.dumps(asked)))
            await until(lambda: not len(serving.parts.live.connections))
        after = (await ana.do("GET", f"/v1/games/{game['id']}"))["version"]
        assert game["version"] + 1 < after < game["version"] + 900
