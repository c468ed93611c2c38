"""Statistics made anew from a large log: what it takes does not grow with the log."""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from multiprocessing.queues import SimpleQueue

import pytest
from sqlalchemy import func, insert, select

from app.ids import new_id
from app.recounting import recounted
from app.store import tables
from app.store.codec import encode
from app.store.database import Database
from engine.events import Event, GameCreated, GameFinished, GameStarted
from tests.store.past import fair

GAMES, FEW = 50_000, 5_000
AT_ONCE = 500
MOVES = 4
"""Events of a game between its start and its end: a short one, for the sake of the rig."""
ROOM_KB = 24_000
"""What the large log may take more: noise, a tenth of what its games would be."""


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@pytest.mark.soak
async def test_a_rebuild_takes_as_much_memory_for_many_games_as_for_few(
    database: Database, url: str
) -> None:
    logs = [log for log in map(short, range(40)) if log is not None]
    await lay_straight(database, logs, FEW)
    few = await asyncio.to_thread(measured, url)
    await lay_straight(database, logs, GAMES - FEW)
    many = await asyncio.to_thread(measured, url)
    sys.stdout.write(f"{database.dialect}: {FEW} games {few}, {GAMES} games {many}\n")
    assert (few[0], many[0]) == (FEW, GAMES)
    assert many[1] < few[1] + ROOM_KB
    results, ladder = tables.results, tables.ladders.c
    async with database.reading() as connection:
        count = (await connection.execute(select(func.count()).select_from(results))).scalar_one()
        everything = select(func.sum(ladder.games)).where(ladder.ladder == "all")
        assert count == (await connection.execute(everything)).scalar_one() >= GAMES


def short(seed: int) -> tuple[Event, ...] | None:
    """The beginning of a game and its end; None where nobody plays against anybody."""
    game = fair(seed)
    if len({place.player_id for place in game.setup.places}) < 2:
        return None
    begun = next(n for n, event in enumerate(game.log) if isinstance(event, GameStarted))
    log = [e for e in game.log[: begun + 1 + MOVES] if not isinstance(e, GameFinished)]
    return (*log, GameFinished(log[-1].at + 1, "ended_early", (0,), ()))


async def lay_straight(database: Database, logs: Sequence[tuple[Event, ...]], games: int) -> None:
    """Rows of logs, and nothing else: that is all that a rebuild reads."""
    rest = [[encode(event) for event in log[1:]] for log in logs]
    for first in range(0, games, AT_ONCE):
        rows = []
        for number in range(first, min(first + AT_ONCE, games)):
            begun, game_id = logs[number % len(logs)][0], new_id()
            assert isinstance(begun, GameCreated)
            data = [encode(begun._replace(game_id=game_id)), *rest[number % len(logs)]]
            rows += [
                {"game_id": game_id, "version": n, "data": d, "hash": b"", "command": n}
                for n, d in enumerate(data, 1)
            ]
        async with database.writing() as connection:
            await connection.execute(insert(tables.events), rows)


def measured(url: str) -> tuple[int, int, float]:
    """Of a rebuild in a process of its own: games, kilobytes at the most, seconds."""
    spawn = multiprocessing.get_context("spawn")
    told: SimpleQueue[tuple[int, int, float]] = spawn.SimpleQueue()
    process = spawn.Process(target=_recounts, args=(url, told))
    process.start()
    process.join()
    assert process.exitcode == 0
    return told.get()


def _recounts(url: str, told: SimpleQueue[tuple[int, int, float]]) -> None:
    began = time.monotonic()
    games = asyncio.run(recounted(url))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told.put((games, most, round(time.monotonic() - began, 1)))
