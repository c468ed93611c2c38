"""A server in-process: real parts, a real database, no socket."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from starlette.routing import BaseRoute

from app.analysis.desk import QUICK_S
from app.ids import new_id
from app.main import Hotdice, create_app
from app.ports import Clock, RandomBytes
from app.settings import Settings
from app.wiring import build_parts
from tests.canary.canary import CANARY
from tests.canary.watched import Watched

BASE = "http://hotdice.test"
OPERATOR = "an operator's token, made up for these tests".replace(" ", "-")
CANARY.know(OPERATOR, "an operator's token")


@dataclass(frozen=True)
class Live:
    """A running application."""

    app: Hotdice
    settings: Settings

    def client(self, token: str | None = None, **options: Any) -> httpx.AsyncClient:
        """A client; with a token it is that player's."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        options["headers"] = {**headers, **options.get("headers", {})}
        transport = httpx.ASGITransport(
            Watched(self.app), client=options.pop("peer", ("192.0.2.1", 4711))
        )
        return httpx.AsyncClient(transport=transport, base_url=BASE, **options)

    async def operate(self, method: str, path: str, **options: Any) -> httpx.Response:
        """A call of an operator's: `operate("POST", "games/…/void")`."""
        async with self.client(OPERATOR) as client:
            return await client.request(method, f"/v1/operator/{path}", **options)

    async def guest(self, name: str = "Ana", **how: Any) -> Guest:
        async with self.client() as client:
            answer = await client.post("/v1/players", json={"name": name, **how})
        answer.raise_for_status()
        made = answer.json()
        return Guest(made["id"], made["name"], made["token"], self)


@dataclass(frozen=True)
class Guest:
    """A player and its own connection."""

    id: str
    name: str
    token: str
    live: Live

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        async with self.live.client(self.token) as client:
            return await client.request(method, path, **options)

    async def get(self, path: str, **options: Any) -> httpx.Response:
        return await self.request("GET", path, **options)

    async def post(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        """Without `json`: without a body."""
        if json is not None:
            options["json"] = json
        return await self.request("POST", path, **options)


@asynccontextmanager
async def running(
    database_url: str,
    *,
    runs_tables: bool = True,
    clock: Clock | None = None,
    entropy: RandomBytes = CANARY.draw,
    ids: Callable[[], str] = new_id,
    quick_s: float = QUICK_S,
    more: Sequence[BaseRoute] = (),
    **settings: Any,
) -> AsyncIterator[Live]:
    """
    The application on this database, started and at the end stopped.

    Args:
        runs_tables: False: nothing happens at a table by itself.
        clock: instead of the machine's.
        entropy: unless said the machine's, whose secrets are looked for in all traffic.
        ids: of games.
        quick_s: whoever asks for an analysis waits so long for the answer itself.
        more: routes beside the product's.
        settings: fields of `Settings`; rate limits are off unless switched on.
    """
    chosen = Settings(database_url=database_url, **{"rate_limits": False, **settings})
    parts = await build_parts(
        chosen, runs_tables=runs_tables, clock=clock, entropy=entropy, ids=ids, quick_s=quick_s
    )
    parts.games.desk.moved.append(CANARY.moved)
    app = create_app(parts, more)
    async with app.router.lifespan_context(app):
        yield Live(app, chosen)
