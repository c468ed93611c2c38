"""The canary sings: what leaks on purpose is found, in every spelling and at every way out."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

import httpx
import pytest
from starlette.responses import Response

from tests.api.live import running
from tests.canary.canary import CANARY, ENOUGH, Canary
from tests.canary.heard import Heard, Seed
from tests.canary.watched import Watched
from tests.conftest import pytest_runtest_teardown

TOKEN = "0123456789abcdefghij-_ABCDEFGHIJKLMNOPQRSTUVW"[:43]
SEED = bytes(range(200, 232))


@pytest.fixture
def canary() -> Canary:
    """One that knows a token and a seed, and is nobody else's."""
    canary = Canary()
    canary.know(TOKEN)
    canary._know(SEED, "a seed")
    return canary


@pytest.mark.parametrize(
    "leak",
    [
        TOKEN.encode(),
        TOKEN[:ENOUGH].encode(),
        TOKEN.encode().hex().encode(),
        base64.b64encode(TOKEN.encode()),
        base64.urlsafe_b64decode(TOKEN + "="),
        SEED,
        SEED.hex().encode(),
        SEED.hex().upper().encode(),
        base64.b64encode(SEED),
        base64.urlsafe_b64encode(SEED),
    ],
)
def test_a_secret_is_found_however_it_is_spelled(canary: Canary, leak: bytes) -> None:
    for before in range(10):
        canary.look(b'{"a": "' + b"x" * before + leak + b'"} \xff', "a test")
        assert canary.hits
        assert canary.hits[0].endswith("in a test")
        canary.hits.clear()
    fine = Canary()
    fine.look(b'{"a": "x' + leak + b'"} \xff', "a test")
    assert not fine.hits


async def test_an_answer_that_leaks_is_found(canary: Canary) -> None:
    for leaks in (
        Response("x" + SEED.hex()),
        Response("", headers={"X-Oops": TOKEN}),
        Response(gzip.compress(TOKEN.encode()), headers={"Content-Encoding": "gzip"}),
    ):
        transport = httpx.ASGITransport(Watched(leaks, canary))
        async with httpx.AsyncClient(transport=transport, base_url="http://a") as client:
            await client.get("/somewhere")
        assert any("GET /somewhere" in hit for hit in canary.hits)
        canary.hits.clear()


async def test_a_token_is_shown_once(canary: Canary) -> None:
    body = b'{"token":"%b"}' % TOKEN[::-1].encode()
    canary.answered(body, "the first answer")
    assert not canary.hits
    canary.answered(body, "the second")
    assert "a token in the second" in canary.hits


def test_what_was_found_fails_the_test_that_was_running() -> None:
    CANARY.hits.append("a secret in a sandbox")
    ends = pytest_runtest_teardown()
    next(ends)
    with pytest.raises(pytest.fail.Exception, match="a secret in a sandbox"):
        next(ends)
    assert not CANARY.hits


def test_a_seed_that_was_heard_too_soon_is_found(canary: Canary) -> None:
    for spelled in (SEED.hex().encode(), SEED.hex().upper().encode(), base64.b64encode(SEED)):
        soon, late = Heard(canary), Heard(canary)
        soon.note(b'{"seed": "%b"}' % spelled)
        late.note(b'{"type":"fairness_revealed","all":["%b"]}' % spelled)
        late.look_for([Seed(SEED, True), Seed(SEED[::-1], False)], "a server")
        assert not canary.hits
        late.look_for([Seed(SEED, False)], "a server whose game goes on")
        soon.look_for([Seed(SEED, True)], "a server")
        assert len(canary.hits) == 2
        canary.hits.clear()


async def test_the_servers_of_the_tests_are_watched(tmp_path: Path) -> None:
    async with running(f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}") as live:
        known, looks = CANARY.known, CANARY.looks
        ana = await live.guest("Ana")
        game = await ana.post("/v1/games", {"rules": {"preset": "farkle"}})
        assert game.status_code == 201
        assert CANARY.known >= known + 3, "a token, twice, and a seed"
        assert CANARY.looks >= looks + 4
        CANARY.look(f"token={ana.token}".encode(), "a sandbox")
        assert "a token in a sandbox" in CANARY.hits
        CANARY.hits.clear()
