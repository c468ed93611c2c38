"""Tokens grow old, under a clock that the test puts forward."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest

from app.tokens import DAY_MS
from tests.api.live import Guest, Live, running
from tests.api.table import refused
from tests.store.orders import StoppedClock

HOUR_MS = 3_600_000
IDLE, MOST = 90, 365
"""Days, unless the settings say otherwise."""


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
async def aged(tmp_path: Path, clock: StoppedClock) -> AsyncIterator[Live]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}"
    async with running(url, runs_tables=False, clock=clock) as live:
        yield live


async def is_known(guest: Guest) -> bool:
    """Asked as if a second had passed since the last time."""
    guest.live.app.state.parts.doorkeeper.forget(guest.id)
    answer = await guest.get("/v1/players/me")
    if answer.status_code == 200:
        return True
    assert "a newer one" in refused(answer, 401, "token_expired")["detail"]
    return False


async def test_a_token_that_nobody_uses_expires(aged: Live, clock: StoppedClock) -> None:
    ana = await aged.guest()
    clock.at += IDLE * DAY_MS - 1
    assert await is_known(ana)
    clock.at += IDLE * DAY_MS - 1
    assert await is_known(ana), "it was used meanwhile"
    clock.at += IDLE * DAY_MS
    assert not await is_known(ana)
    clock.at += 1
    assert not await is_known(ana), "being refused is no use of it"


async def test_a_token_that_is_used_every_day_expires_in_a_year(
    aged: Live, clock: StoppedClock
) -> None:
    ana = await aged.guest()
    ends = (await ana.get("/v1/players/me")).json()["access"]["expires_at"]
    assert datetime.fromisoformat(ends).timestamp() * 1000 == clock.at + MOST * DAY_MS
    for _ in range(MOST - 1):
        clock.at += DAY_MS
        assert await is_known(ana)
    clock.at += DAY_MS
    assert not await is_known(ana)


async def test_a_rotated_token_is_a_young_one(aged: Live, clock: StoppedClock) -> None:
    ana = await aged.guest()
    for _ in range(MOST // 80):
        clock.at += 80 * DAY_MS
        assert await is_known(ana)
    made = (await ana.post("/v1/players/me/token")).json()["token"]
    anew = Guest(ana.id, ana.name, made, aged)
    for _ in range(MOST // 80):
        clock.at += 80 * DAY_MS
        assert await is_known(anew)


async def test_a_new_token_that_was_never_used_lets_the_old_one_live(
    aged: Live, clock: StoppedClock
) -> None:
    ana = await aged.guest()
    made = (await ana.post("/v1/players/me/token")).json()["token"]
    clock.at += (IDLE - 1) * DAY_MS
    assert await is_known(ana)
    clock.at += 2 * DAY_MS
    assert not await is_known(Guest(ana.id, ana.name, made, aged))
    assert await is_known(ana)


async def test_a_token_for_a_script_expires_as_agreed(aged: Live, clock: StoppedClock) -> None:
    ana = await aged.guest()
    asked = {"scopes": ["read"], "expires_in_s": 3_600}
    made = (await ana.post("/v1/players/me/tokens", asked)).json()
    script = Guest(ana.id, ana.name, made["token"], aged)
    clock.at += HOUR_MS - 1
    assert await is_known(script)
    clock.at += 1
    assert not await is_known(script)
    assert (await ana.get("/v1/players/me/tokens")).json()["items"] == []
    long = {"scopes": ["read"], "expires_in_s": 10 * 365 * 86_400}
    made = (await ana.post("/v1/players/me/tokens", long)).json()
    ends = datetime.fromisoformat(made["expires_at"]).timestamp() * 1000
    assert ends == clock.at + MOST * DAY_MS, "no longer than any token"


async def test_whoever_brings_an_expired_token_is_told_so_for_a_month(
    aged: Live, clock: StoppedClock
) -> None:
    ana, bo = await aged.guest(), await aged.guest("Bo")
    accounts = aged.app.state.parts.accounts
    clock.at += IDLE * DAY_MS
    assert not await is_known(ana)
    clock.at += 30 * DAY_MS - 1
    assert await accounts.expire_tokens(clock.at - 30 * DAY_MS) == 0
    assert not await is_known(ana)
    clock.at += 1
    assert await accounts.expire_tokens(clock.at - 30 * DAY_MS) == 2
    for guest in (ana, bo):
        refused(await guest.get("/v1/players/me"), 401, "unauthenticated")
    cy = await aged.guest("Cy")
    assert await accounts.expire_tokens(clock.at - 30 * DAY_MS) == 0
    assert await is_known(cy)


async def test_the_lives_of_tokens_are_settings(tmp_path: Path, clock: StoppedClock) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}"
    async with running(
        url, runs_tables=False, clock=clock, token_idle_days=2, token_max_days=3
    ) as live:
        ana, bo = await live.guest(), await live.guest("Bo")
        clock.at += 2 * DAY_MS - 1
        assert await is_known(ana)
        clock.at += 1
        assert not await is_known(bo)
        clock.at += DAY_MS
        assert not await is_known(ana)
