"""Limits at their edge: so many are served, one more is not. docs/limits.md has all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.api.auth import bearer_hash
from app.api.handshake import asked_for, version
from app.api.strict import idempotency_key, if_match, read_json
from app.errors import AppError
from tests.api.conftest import Launch
from tests.api.live import Guest
from tests.api.table import refused

SOLO = {"rules": {"preset": "farkle"}, "seats": [{"kind": "human"}]}
SERIES = {"rules": {"preset": "farkle"}, "participants": [{"kind": "me"}, {"kind": "player"}]}


async def test_a_body_of_so_many_bytes(launch: Launch) -> None:
    async with launch(body_limit=1_024) as live, live.client() as client:
        fits, too_large = [
            await client.post(
                "/v1/players",
                content=b'{"name": "Ana"}'.ljust(size),
                headers={"Content-Type": "application/json"},
            )
            for size in (1_024, 1_025)
        ]
        assert fits.status_code == 201
        assert refused(too_large, 413, "body_too_large")["limit"] == 1_024


async def test_what_is_asked_of_a_list_or_a_wait(launch: Launch) -> None:
    async with launch(page_size=2, page_max=3, wait_max=1) as live:
        ana = await live.guest()
        made = [(await ana.post("/v1/games", SOLO)).json() for _ in range(4)]
        events = f"/v1/games/{made[0]['id']}/events"

        async def items(path: str, **params: int) -> int:
            answer = await ana.get(path, params=params)
            assert answer.status_code == 200, answer.text
            return len(answer.json()["items"])

        assert await items("/v1/players/me/games") == 2
        assert await items("/v1/players/me/games", limit=3) == 3
        refused(await ana.get("/v1/players/me/games", params={"limit": 4}), 422, "invalid_request")
        assert (await ana.get(events, params={"wait": 1})).status_code == 200
        refused(await ana.get(events, params={"wait": 2}), 422, "invalid_request")


async def test_a_series_of_so_many_games(launch: Launch) -> None:
    async with launch(series_games=10, series_at_once=3) as live:
        ana = await live.guest()
        made = await ana.post("/v1/series", {**SERIES, "games": 10, "at_once": 3})
        assert made.status_code == 201, made.text


async def _guest(ana: Guest) -> Any:
    async with ana.live.client() as client:
        return await client.post("/v1/players", json={"name": "Bo"})


async def _game(ana: Guest) -> Any:
    return await ana.post("/v1/games", SOLO)


async def _command(ana: Guest) -> Any:
    return await ana.request("PATCH", "/v1/players/me", json={"name": "Ana"})


async def _read(ana: Guest) -> Any:
    return await ana.get("/v1/players/me")


@pytest.mark.parametrize(
    ("setting", "call", "before"),
    [
        ("limit_guests", _guest, 1),  # Ana herself
        ("limit_games", _game, 0),
        ("limit_commands", _command, 0),
        ("limit_reads", _read, 0),
    ],
)
@pytest.mark.parametrize("limit", [4, 7])
async def test_so_many_calls_in_a_minute(
    launch: Launch, setting: str, call: Any, before: int, limit: int
) -> None:
    async with launch(rate_limits=True, **{setting: limit}) as live:
        ana = await live.guest()
        first = 1 if setting != "limit_guests" else 0  # counted before it is known whose it is
        answers = [await call(ana) for _ in range(limit - before + first + 1)]
        assert [a.status_code < 400 for a in answers] == [True] * (len(answers) - 1) + [False]
        assert refused(answers[-1], 429, "rate_limited")["limit"] == limit
        assert [a.headers["ratelimit-remaining"] for a in answers[-2:]] == ["0", "0"]


async def test_off_lifts_them_all(launch: Launch) -> None:
    tight = dict.fromkeys(("guests", "games", "commands", "reads"), 1)
    async with launch(rate_limits=False, **{f"limit_{k}": v for k, v in tight.items()}) as live:
        ana = await live.guest()
        for call in (_guest, _game, _command, _read):
            assert [(await call(ana)).status_code < 400 for _ in range(3)] == [True] * 3


def said(name: bytes, value: bytes) -> dict[str, Any]:
    """A request with this header."""
    return {"type": "http", "headers": [(name, value)]}


EDGES: dict[str, tuple[Callable[[int], object], int]] = {
    "levels of a body": (lambda n: read_json(b"[" * n + b"]" * n), 12),
    "characters of a key": (lambda n: idempotency_key(said(b"idempotency-key", b"k" * n)), 255),
    "a version": (lambda n: if_match(said(b"if-match", b'"%d"' % n)), 2**31 - 1),
    "a version of a stream": (lambda n: version(str(n), "after"), 2**31 - 1),
    "characters of a token": (
        lambda n: bearer_hash(said(b"authorization", b"Bearer " + b"t" * n)),
        256,
    ),
    "characters of a stream's query": (lambda n: asked_for(b"x=" + b"y" * (n - 2)), 1_024),
}


@pytest.mark.parametrize("what", EDGES)
def test_what_a_head_or_a_body_may_have(what: str) -> None:
    read, most = EDGES[what]
    read(most)
    with pytest.raises(AppError):
        read(most + 1)
