"""A rotated token: the old one works until the new one is first used, and not a moment longer."""

from __future__ import annotations

import httpx

from tests.api.live import Guest, Live


async def test_the_first_use_of_a_new_token_ends_the_old_one_at_once(
    live: Live, ana: Guest
) -> None:
    async def status(token: str) -> int:
        async with live.client(token) as client:
            answer: httpx.Response = await client.get("/v1/players/me")
            return answer.status_code

    made = await ana.post("/v1/players/me/token")
    new = made.json()["token"]
    assert await status(ana.token) == 200, "a lost answer must not lose the account"
    assert await status(new) == 200
    assert await status(ana.token) == 401
    async with live.client(ana.token) as client:
        assert (await client.patch("/v1/players/me", json={"name": "Eve"})).status_code == 401
