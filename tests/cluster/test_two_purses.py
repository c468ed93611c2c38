"""One purse, two processes: what both spend at once is spent once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from tests.conftest import FreshDatabase
from tests.plain_rules import purse_rules
from tests.servers.hotdice import HotdiceServer
from tests.spec.answers import alooked

TOKEN = "an-operator-of-two-processes-with-one-purse"
GAMES, HELD = 12, 5
RULES = purse_rules(most_seats=2)


@pytest.fixture
def servers(fresh_database: FreshDatabase, cluster_template: str) -> Iterator[list[HotdiceServer]]:
    url = fresh_database(cluster_template).app_url
    settings = {"HOTDICE_OPERATOR_TOKEN": TOKEN}
    with ExitStack() as stack:
        yield [stack.enter_context(HotdiceServer(url, settings=settings)) for _ in range(2)]


async def test_a_purse_spent_by_two_processes_at_once(servers: list[HotdiceServer]) -> None:
    async with (
        httpx.AsyncClient(base_url=servers[0].url, event_hooks={"response": [alooked]}) as one,
        httpx.AsyncClient(base_url=servers[1].url, event_hooks={"response": [alooked]}) as other,
    ):
        made = (await one.post("/v1/players", json={"name": "Ana"})).json()
        for client in (one, other):
            client.headers["Authorization"] = f"Bearer {made['token']}"
        bought = {"reference": "both-told", "amount": HELD}
        operator = {"Authorization": f"Bearer {TOKEN}"}
        path = f"/v1/operator/players/{made['id']}/wild-rolls"
        credited = await asyncio.gather(
            *(c.post(path, json=bought, headers=operator) for c in (one, other) for _ in range(3))
        )
        assert {(a.status_code, a.content) for a in credited} == {(200, credited[0].content)}
        games = []
        for _ in range(GAMES):
            table = {"rules": {"custom": RULES}, "seats": [{"kind": "human"}]}
            game = (await one.post("/v1/games", json=table)).raise_for_status().json()["id"]
            (await one.post(f"/v1/games/{game}/start")).raise_for_status()
            games.append(game)
        answers = await asyncio.gather(
            *(
                (one, other)[n % 2].post(f"/v1/games/{game}/wild-roll")
                for n, game in enumerate(games)
            )
        )
        spent = [answer for answer in answers if answer.status_code == 200]
        refused = [answer.json()["code"] for answer in answers if answer.status_code != 200]
        assert refused == ["no_wild_rolls"] * (GAMES - HELD)
        left = sorted(a.json()["game"]["seats"][0]["purse"] for a in spent)
        assert left == list(range(HELD))
        assert (await other.get("/v1/players/me")).json()["purse"] == 0
