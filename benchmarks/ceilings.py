"""
What Hotdice is held against: FastAPI doing as little as it can, and as it is usually done.

    python -m benchmarks.ceilings bare PORT PADDING
    python -m benchmarks.ceilings naive PORT PADDING DATABASE_URL

bare: one route, a typed body, a typed answer. naive: the same, with one SQLAlchemy transaction and
one insert a request. Both run under uvicorn as it comes, without its log of requests, and with what
lives at the start frozen; without logs, limits or metrics.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, Field
from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, Table, event, insert
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from uvicorn.loops.auto import auto_loop_factory

EVENT = b'{"at":1796011584979,"dice":[6,1,5,4,4,3],"seat":0,"type":"dice_rolled"}' * 2
"""About as many bytes as a command of Hotdice adds to the log."""

events = Table(
    "events",
    MetaData(),
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)


class Asked(BaseModel):
    type: Annotated[str, Field(max_length=32)]


class Die(BaseModel):
    die: int
    state: Literal["free", "rolled", "locked"]
    face: int | None
    selected: bool
    spicy: bool


class Seat(BaseModel):
    seat: int
    kind: str
    name: str | None
    player_id: str | None
    score: int
    active: bool


class Choice(BaseModel):
    dice: list[int]
    points: int


class View(BaseModel):
    """About 1.2 KB of JSON, and the padding."""

    id: str
    version: int
    status: Literal["lobby", "playing", "finished"]
    seats: list[Seat]
    dice: list[Die]
    selections: list[Choice]
    commands: list[str]
    padding: str


def view(version: int, padding: str) -> View:
    """A new answer, as a route would make it."""
    player = "01a22aa1-ebbf-76da-8495-7010fe4efede"
    return View(
        id="01a22aa1-ecf3-75a2-9d7b-ddb5e057c8d5",
        version=version,
        status="playing",
        seats=[
            Seat(seat=n, kind="human", name="Ana", player_id=player, score=50 * n, active=True)
            for n in range(2)
        ],
        dice=[
            Die(die=n, state="rolled", face=n + 1, selected=n == 0, spicy=False) for n in range(6)
        ],
        selections=[Choice(dice=[0, n], points=100 + 50 * n) for n in range(5)],
        commands=["roll", "select", "bank"],
        padding=padding,
    )


def application(padding: str, stored: Callable[[], Awaitable[None]] | None) -> FastAPI:
    """
    Args:
        stored: what a command waits for before it is answered.
    """
    app = FastAPI(openapi_url=None)
    version = 0

    @app.get("/ready")
    async def ready() -> dict[str, bool]:
        return {"ready": True}

    @app.post("/commands")
    async def command(asked: Asked) -> View:
        nonlocal version
        version += 1
        if stored is not None:
            await stored()
        return view(version, padding)

    return app


def database(url: str) -> AsyncEngine:
    """
    The engine as it comes, but for a pool that suits it: on Postgres connections that stay open
    (beyond five they would come and go), on SQLite one, so that nobody waits for a lock.
    """
    if not url.startswith("sqlite"):
        return create_async_engine(url, pool_size=10, max_overflow=0)
    engine = create_async_engine(url, pool_size=1, max_overflow=0)

    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: DBAPIConnection, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.close()

    return engine


async def serve(kind: str, port: int, padding: int, url: str) -> None:
    stored = None
    if kind == "naive":
        engine = database(url)
        async with engine.begin() as connection:
            await connection.run_sync(events.metadata.create_all)

        async def insert_one() -> None:
            async with engine.begin() as connection:
                await connection.execute(insert(events).values(data=EVENT))

        stored = insert_one
    config = uvicorn.Config(
        application("x" * padding, stored),
        host="127.0.0.1",
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    gc.collect()
    gc.freeze()
    await uvicorn.Server(config).serve()


def main() -> None:
    kind, port, padding, *url = sys.argv[1:]
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        runner.run(serve(kind, int(port), int(padding), "".join(url)))


if __name__ == "__main__":
    main()
