"""Server-sent events: the same frames over plain HTTP, and where they go on after a break."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
import pytest

from app.live.timing import Timing
from tests.asyncapi.checked import FRAMES
from tests.live.player import SOLO, Json, Player, all_events
from tests.live_streams.follower import Follower, following
from tests.live_streams.raw import EVENTS, RawFollower
from tests.live_streams.server import Serving, serving_on
from tests.live_streams.test_following import LONG, play

ACCEPT = {"Accept": "text/event-stream"}


class Sent(NamedTuple):
    id: int | None
    event: str
    data: Json


class Events:
    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.comments = 0
        self._lines = response.aiter_lines()

    async def next(self, *kinds: str) -> Sent:
        """The next event (of these kinds). Raises: StopAsyncIteration."""
        fields: dict[str, str] = {}
        async with asyncio.timeout(10):
            while True:
                line = await anext(self._lines)
                if line.startswith(":"):
                    self.comments += 1
                elif line:
                    name, _, value = line.partition(": ")
                    assert name not in fields
                    fields[name] = value
                elif fields:
                    number = fields.get("id")
                    sent = Sent(
                        None if number is None else int(number),
                        fields["event"],
                        json.loads(fields["data"]),
                    )
                    assert sent.event == sent.data["type"]
                    FRAMES.check(sent.data, "/v1/games/any/events")
                    if not kinds or sent.event in kinds:
                        return sent
                    fields = {}


@asynccontextmanager
async def listening(
    port: int, game_id: str, query: str = "", *, token: str | None = None, **headers: str
) -> AsyncIterator[Events]:
    sent = ACCEPT | ({"Authorization": f"Bearer {token}"} if token else {})
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    url = f"http://127.0.0.1:{port}/v1/games/{game_id}/events{query}"
    async with (
        httpx.AsyncClient(timeout=10, trust_env=False) as client,
        client.stream("GET", url, headers=sent) as response,
    ):
        yield Events(response)


async def test_the_same_frames_as_over_a_websocket(server: Serving, ana: Player) -> None:
    game = await ana.table(SOLO)
    async with (
        listening(server.port, game["id"], Accept_Encoding="gzip") as events,
        following(server.port, game["id"]) as follower,
    ):
        answer = events.response
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        assert "content-encoding" not in answer.headers
        state = await events.next()
        assert (state.event, state.id) == ("state", game["version"])
        assert (await events.next()).event == "presence"
        await follower.next("presence")
        game = await play(ana, game, 15)
        await follower.until(game["version"])
        played = [f for f in follower.frames if f["type"] == "played"]
        for frame in played:
            sent = await events.next()
            assert sent == (frame["version"], "played", frame)


async def test_resuming_by_the_last_id_or_by_the_address(server: Serving, ana: Player) -> None:
    game = await play(ana, await ana.table(SOLO), 10)
    log = await all_events(ana, game["id"])
    asked: list[tuple[str, dict[str, str], int]] = [
        ("?after=0", {}, 0),
        ("?after=3", {}, 3),
        ("?after=3", {"Last_Event_ID": "7"}, 7),  # the browser's own reconnect
        ("", {"Last_Event_ID": "0"}, 0),
        (f"?after={game['version']}", {}, game["version"]),
    ]
    for query, headers, after in asked:
        async with listening(server.port, game["id"], query, **headers) as events:
            first = await events.next()
            assert (first.event, first.id) == ("resumed", after)
            found: list[Json] = []
            while len(found) < len(log) - after:
                sent = await events.next("played")
                found += sent.data["events"]
                assert sent.id == found[-1]["version"]
                assert "game" in sent.data
            assert found == log[after:]
    async with listening(server.port, game["id"], "?after=1&view=events") as events:
        assert "game" not in (await events.next("played")).data


async def test_refusals_are_problems(sqlite_server: Serving) -> None:
    server = sqlite_server
    ana, eve = await Player.make(server.port), await Player.make(server.port, "Eve")
    game = await ana.table(SOLO | {"visibility": "private"})
    refused: list[tuple[dict[str, Any], int, str]] = [
        ({"token": "nonsense"}, 401, "unauthenticated"),
        ({}, 404, "game_not_found"),
        ({"token": eve.token}, 404, "game_not_found"),
        ({"token": ana.token, "query": "?after=99"}, 404, "version_not_found"),
        ({"token": ana.token, "query": "?after=x"}, 422, "invalid_request"),
        ({"token": ana.token, "query": "?view=x"}, 422, "invalid_request"),
        ({"token": ana.token, "Last_Event_ID": "x"}, 422, "invalid_request"),
    ]
    for how, status, code in refused:
        async with listening(server.port, game["id"], **how) as events:
            problem = json.loads(await events.response.aread())
        assert (problem["status"], problem["code"]) == (status, code), how
    assert server.hub.channels == {}
    for accept in ("application/json", "*/*", "application/json, text/event-stream"):
        answer = await ana.ask("GET", f"/v1/games/{game['id']}/events", accept=accept)
        assert answer.json()["items"][0]["version"] == 1
    async with httpx.AsyncClient(trust_env=False) as client:
        headers = ACCEPT | {"Authorization": f"Bearer {ana.token}"}
        url = f"http://127.0.0.1:{server.port}/v1/games/{game['id']}/events"
        head = await client.head(url, headers=headers)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"].startswith("text/event-stream")


async def test_a_listener_is_present_and_counted(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, rate_limits=True, sockets_player=1) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        async with (
            following(server.port, game["id"]) as spectator,
            listening(server.port, game["id"], token=ana.token) as events,
        ):
            assert (await events.next("presence")).data["seats"] == [0, 1]
            while (await spectator.next("presence"))["seats"] != [0, 1]:
                pass
            async with listening(server.port, game["id"], token=ana.token) as second:
                assert second.response.status_code == 429
                assert second.response.headers["retry-after"] == "1"
            assert (await ana.ask("DELETE", "/v1/players/me")).ok
            assert (await events.next("error")).data["code"] == "unauthenticated"
            with pytest.raises(StopAsyncIteration):
                await events.next()
            while (await spectator.next("presence"))["seats"]:
                pass


async def test_heartbeats_are_comments_and_a_restart_is_told(sqlite_url: str) -> None:
    async with serving_on(sqlite_url, timing=Timing(tick=0.05, heartbeat=0.1)) as server:
        ana = await Player.make(server.port)
        game = await ana.table(SOLO)
        async with listening(server.port, game["id"]) as events:
            await events.next("presence")
            await asyncio.sleep(0.4)
            await ana.do("POST", f"/v1/games/{game['id']}/roll")
            await events.next("played")
            assert events.comments >= 2
            server.stop()
            assert (await events.next("error")).data["code"] == "restarting"
            with pytest.raises(StopAsyncIteration):
                await events.next()


async def test_a_listener_that_does_not_read_is_cut_off_and_shown_offline(sqlite_url: str) -> None:
    """Its kernel acknowledges until it is full; after that nothing is taken."""
    async with serving_on(sqlite_url, timing=Timing(stall=0.5, tick=0.1)) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        async with following(server.port, game["id"]) as spectator:
            frozen = await RawFollower.open(
                server.port, game["id"], token=ana.token, handshake=EVENTS
            )
            await shows(spectator, [0, 1])
            offline = asyncio.create_task(shows(spectator, []))
            while not offline.done():
                game = await play(ana, game, 5, seed=game["version"])
                await asyncio.wait([offline], timeout=0.05)
            await offline
            assert len(server.parts.live.connections) == 1
        frozen.socket.close()


async def test_a_listener_whose_cable_is_cut_is_found_by_a_heartbeat(sqlite_url: str) -> None:
    """Nobody plays: only what is sent to it, and not acknowledged, tells."""
    timing = Timing(tick=0.05, heartbeat=0.2, unacknowledged=0.5)
    async with serving_on(sqlite_url, timing=timing) as server:
        ana = await Player.make(server.port)
        game = await ana.table(LONG)
        async with following(server.port, game["id"]) as spectator:
            far = await RawFollower.open(server.port, game["id"], token=ana.token, handshake=EVENTS)
            await shows(spectator, [0, 1])
            far.unplug()
            await shows(spectator, [])
            assert len(server.parts.live.connections) == 1
        far.socket.close()


async def shows(spectator: Follower, seats: list[int]) -> None:
    """Returns when these seats are connected."""
    while (await spectator.next("presence"))["seats"] != seats:
        pass
