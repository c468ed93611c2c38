"""Logs leave the database for files and come back: nothing is lost on the way, whatever dies."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from app.archiving.moving import Moved, archive, restore
from app.errors import GameArchived
from app.faultpoints import FaultPoint, watched
from app.ports import Answer, Decision, Head, Order
from app.service.deciding import decided
from app.store import tables
from app.store.queries import SqlEventStore
from app.store.schema import migrate
from app.verifying.stored import ARCHIVED, judged_all
from engine.commands import VoidGame
from tests.archiving.games import GAMES, Place, finished, opened, play, rows_of
from tests.conftest import FreshDatabase
from tests.servers.postgres import APP
from tests.store.orders import NOW, StoppedClock
from tests.verify.storing import keep


class Died(BaseException):
    """The process, at a place of that name."""


async def moved(place: Place, folder: Path, days: int = 0) -> tuple[Moved, list[str]]:
    told: list[str] = []
    clock = StoppedClock(NOW + 10**12)
    done = await archive(place.owner, folder, days, clock, lambda name, why: told.append(why))
    return done, told


async def test_logs_go_into_files_and_come_back_byte_for_byte(place: Place, tmp_path: Path) -> None:
    *over, running = await play(place)
    before = await rows_of(place)
    folder = tmp_path / "archive"
    folder.mkdir()
    assert await moved(place, folder) == (Moved(len(over), 0), [])
    after = await rows_of(place)
    assert {row[0] for row in after["events"]} == {running}, "the log of a running game stays"
    assert {row[0] for row in after["snapshots"]} <= {running}
    assert [row[0] for row in after["archived"]] == over
    for name in ("games", "results", "ladders", "seats", "seeds"):
        assert after[name] == before[name], "what a game led to stays"
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"{game_id}.ndjson.gz" for game_id in over]
    assert await moved(place, folder) == (Moved(0, 0), []), "twice is fine"
    done = await restore(place.owner, files, lambda *_: None)
    assert done == Moved(len(over), 0)
    assert await rows_of(place) == before
    assert await restore(place.owner, files, lambda *_: None) == done, "twice is fine"
    assert await rows_of(place) == before


@pytest.mark.wide
@pytest.mark.parametrize("point", ["before_commit", "after_commit"])
@pytest.mark.parametrize("number", [1, 2])
async def test_whoever_dies_in_the_middle_loses_nothing(
    place: Place, tmp_path: Path, point: FaultPoint, number: int
) -> None:
    """Each log is in the database or in a file that gives it back, and the next run ends it."""
    *over, _ = await play(place)
    before = await rows_of(place)
    passed = 0

    def die(passes: FaultPoint) -> None:
        nonlocal passed
        passed += passes == point
        if passes == point and passed == number:
            raise Died

    with watched(die), pytest.raises(Died):
        await moved(place, tmp_path)
    passed = 0
    here = {row[0] for row in (await rows_of(place))["events"]}
    for game_id in over:
        assert game_id in here or (tmp_path / f"{game_id}.ndjson.gz").exists()
    await moved(place, tmp_path)
    files = [tmp_path / f"{game_id}.ndjson.gz" for game_id in over]
    with watched(die), pytest.raises(Died):
        await restore(place.owner, files, lambda *_: None)
    assert await restore(place.owner, files, lambda *_: None) == Moved(len(over), 0)
    assert await rows_of(place) == before


async def test_nothing_is_added_to_a_log_that_is_not_here(place: Place, tmp_path: Path) -> None:
    first, *_ = await play(place)
    await moved(place, tmp_path)

    def void(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        assert head is not None
        return decided(head, seeds, [VoidGame(NOW)], lambda *_: Answer(200, b""))

    async with opened(place.player) as database:
        [outcome] = await SqlEventStore(database, StoppedClock()).append([Order(first, void)])
    assert isinstance(outcome, GameArchived)
    verdicts = {report.game_id: report.reason async for report in judged_all(place.owner)}
    assert verdicts[first] == ARCHIVED


async def test_a_log_that_is_not_right_stays(place: Place, tmp_path: Path) -> None:
    first, *_ = await play(place)
    async with opened(place.owner) as database, database.writing() as connection:
        if database.dialect == "sqlite":
            await connection.execute(text("DROP TRIGGER events_refuse_update"))
        await connection.execute(
            tables.events.update()
            .where(tables.events.c.game_id == first, tables.events.c.version == 2)
            .values(hash=bytes(32))
        )
    done, [reason] = await moved(place, tmp_path)
    assert done == Moved(GAMES - 1, 1)
    assert reason.startswith("invalid: the hash does not follow")


async def test_games_that_ended_lately_stay(place: Place, tmp_path: Path) -> None:
    await play(place)
    assert await moved(place, tmp_path, days=10**15) == (Moved(0, 0), [])


async def test_games_that_wait_to_be_counted_stay(place: Place, tmp_path: Path) -> None:
    counted = (game for game in finished(40) if game.game is not None and game.game.setup.counts)
    recording = next(counted)
    async with opened(place.player) as database:
        await keep(SqlEventStore(database, StoppedClock()), recording)
    assert await moved(place, tmp_path) == (Moved(0, 0), [])


async def test_a_file_that_is_damaged_or_anothers_restores_nothing(
    place: Place, tmp_path: Path
) -> None:
    first, *_ = await play(place)
    await moved(place, tmp_path)
    after = await rows_of(place)
    good = (tmp_path / f"{first}.ndjson.gz").read_bytes()
    lines = gzip.decompress(good).splitlines(keepends=True)
    bad = {
        "cut.gz": good[:-20],
        "short.gz": gzip.compress(b"".join(lines[:-1])),
        "text": b"no export\n",
    }
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
        done = await restore(place.owner, [tmp_path / name], lambda *_: None)
        assert done == Moved(0, 1), name
    assert await rows_of(place) == after


async def test_the_role_that_plays_archives_nothing(
    fresh_database: FreshDatabase, tmp_path: Path
) -> None:
    made = fresh_database()
    await migrate(made.owner_url, APP)
    await play(Place(made.owner_url, made.app_url))
    before = await rows_of(Place(made.owner_url, made.app_url))
    with pytest.raises((SQLAlchemyError, Exception)) as refused:
        await moved(Place(made.app_url, made.app_url), tmp_path)
    assert "permission denied" in str(refused.value.__cause__ or refused.value)
    assert await rows_of(Place(made.owner_url, made.app_url)) == before
    async with opened(made.owner_url) as database, database.reading() as connection:
        count = await connection.execute(select(func.count()).select_from(tables.archived))
        assert count.scalar_one() == 0
