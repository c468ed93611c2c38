"""Whole databases: what is done to their rows is found, and what servers do to them is no alarm."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from app.store import tables
from app.store.database import open_database
from app.store.queries import SqlEventStore
from app.store.schema import migrate
from app.verifying.report import Report
from app.verifying.stored import NOT_OVER, judged_all
from tests.conftest import FreshDatabase
from tests.servers.postgres import APP
from tests.store.orders import StoppedClock
from tests.test_cli import hotdice
from tests.verify.games import any_game
from tests.verify.recording import Recording
from tests.verify.storing import keep, orders_of
from tests.verify.tampering import EDITS, Edit, Tampering, cut_off_the_end

OF_GAMES = (
    *(tables.games, tables.setups, tables.events, tables.seeds),
    *(tables.snapshots, tables.seats, tables.archived),
)


def address(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


async def judged(url: str) -> list[Report]:
    return [report async for report in judged_all(url)]


async def database_of(path: Path, recordings: list[Recording], cut: int = 0) -> None:
    """A new database of these games; the last `cut` commands of the first are left out."""
    await migrate(address(path))
    database = open_database(address(path))
    try:
        store = SqlEventStore(database, StoppedClock())
        if cut:
            first = recordings[0]
            first.steps = first.steps[:-cut]
        for recording in recordings:
            await keep(store, recording)
    finally:
        await database.dispose()


LONG = any_game(24)
"""So long that a state is kept on its way."""


def small(first: int, count: int) -> list[Recording]:
    found: list[Recording] = []
    while len(found) < count:
        game = any_game(first, most=60)
        if 25 < len(game.events) <= 90:
            found.append(game)
        first += 1
    return found


async def test_every_game_is_judged_and_running_ones_are_not_over(tmp_path: Path) -> None:
    await database_of(tmp_path / "h.db", [*small(30, 4), LONG], cut=3)
    reports = await judged(address(tmp_path / "h.db"))
    told = Counter((report.verdict, report.reason) for report in reports)
    assert told == {("valid", None): 4, ("incomplete", NOT_OVER): 1}


@pytest.mark.parametrize(
    "edit",
    [
        "hash = zeroblob(32)",
        "version = version + 1",
        "play = (SELECT play FROM games)",
        "setup = replace(setup, 'unlisted', 'private')",
    ],
)
async def test_a_state_kept_of_an_earlier_version_is_folded_again(
    tmp_path: Path, edit: str
) -> None:
    await database_of(tmp_path / "h.db", [LONG])
    with closing(sqlite3.connect(tmp_path / "h.db")) as base, base:
        assert base.execute(f"UPDATE snapshots SET {edit}").rowcount == 1
    [report] = await judged(address(tmp_path / "h.db"))
    assert report.verdict == "invalid"
    assert str(report.reason).startswith("the state kept of version ")


# Tampering ---------------------------------------------------------------------------------------


async def found(
    template: Path, path: Path, edit: Edit, seed: int, owner_url: str | None = None
) -> None:
    """That the edit is, at its game and no other; on Postgres too, where an owner is given."""
    shutil.copy(template, path)
    at = Tampering(path, Random(seed))
    with closing(at.base) as base, base:
        edit(at)
    if owner_url is not None:
        await copied(address(path), owner_url)
    reports = await judged(owner_url or address(path))
    wrong = {report.game_id for report in reports if report.verdict == "invalid"}
    assert wrong == {at.game}, (edit.__name__, seed, reports)


async def tampered(
    tmp_path: Path, each: int, first: int = 500, owner_url: str | None = None
) -> int:
    template = tmp_path / "template.db"
    await database_of(template, small(first, 3), cut=4)
    with closing(sqlite3.connect(template)) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for seed in range(each):
        for number, edit in enumerate(EDITS):
            await found(template, tmp_path / f"{seed}-{number}.db", edit, seed, owner_url)
            (tmp_path / f"{seed}-{number}.db").unlink()
    return each * len(EDITS)


async def copied(from_url: str, owner_url: str) -> None:
    """The rows of games, as they are, from one database to another."""
    source, target = open_database(from_url), open_database(owner_url)
    try:
        async with source.reading() as here, target.writing() as there:
            for table in OF_GAMES:
                await there.execute(table.delete())
                if rows := [row._asdict() for row in await here.execute(table.select())]:
                    await there.execute(table.insert(), rows)
    finally:
        await source.dispose()
        await target.dispose()


@pytest.fixture
async def owner_url(fresh_database: FreshDatabase) -> str:
    """Of a Postgres, as the role that may do anything to its rows."""
    url = fresh_database().owner_url
    await migrate(url)
    return url


async def test_whatever_is_done_to_rows_is_found(tmp_path: Path) -> None:
    await tampered(tmp_path, 1)


@pytest.mark.wide
async def test_whatever_is_done_to_rows_is_found_on_postgres(
    tmp_path: Path, owner_url: str
) -> None:
    await tampered(tmp_path, 1, owner_url=owner_url)


@pytest.mark.soak
async def test_a_hundred_edits_of_rows_are_found(tmp_path: Path) -> None:
    assert await tampered(tmp_path, 8, first=700) >= 100


@pytest.mark.soak
@pytest.mark.parametrize("store", ["sqlite", "postgres"])
async def test_a_thousand_edits_of_rows_are_found(
    tmp_path: Path, store: str, owner_url: str
) -> None:
    times = 1 + 1_000 // len(EDITS)
    edits = await tampered(tmp_path, times, 900, owner_url if store == "postgres" else None)
    assert edits >= 1000
    print(f"\n{edits} edits on {store}, all found")  # noqa: T201


# No false alarm ----------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgres"])
async def url(request: pytest.FixtureRequest, tmp_path: Path, fresh_database: FreshDatabase) -> str:
    if request.param == "sqlite":
        await migrate(address(tmp_path / "h.db"))
        return address(tmp_path / "h.db")
    database = fresh_database()
    await migrate(database.owner_url, APP)
    return database.app_url


@pytest.mark.wide
async def test_what_servers_append_meanwhile_is_no_alarm(url: str) -> None:
    database = open_database(url)
    try:
        store = SqlEventStore(database, StoppedClock())
        games = [orders_of(recording) for recording in small(300, 6)]

        async def play() -> None:
            while games:
                for game in list(games):
                    if (order := next(game, None)) is None:
                        games.remove(game)
                    else:
                        await store.append([order])

        playing, rounds, running = asyncio.create_task(play()), 0, 0
        while not playing.done():
            for report in await judged(url):
                assert report.verdict != "invalid", report
                running += report.reason == NOT_OVER
            rounds += 1
        await playing
        assert rounds > 1
        assert running > 0
        assert {report.verdict for report in await judged(url)} == {"valid"}
    finally:
        await database.dispose()


@pytest.mark.wide
async def test_the_command_names_what_is_wrong_by_its_exit_status(tmp_path: Path) -> None:
    await database_of(tmp_path / "hotdice.db", small(30, 2), cut=3)
    done = hotdice("verify", "--all", folder=tmp_path)
    assert (done.returncode, done.stdout) == (
        0,
        f"Games: 2; valid: 1, {NOT_OVER}: 1, invalid: 0\n",
    ), done.stderr
    at = Tampering(tmp_path / "hotdice.db", Random(1))
    with closing(at.base) as base, base:
        cut_off_the_end(at)
    done = hotdice("verify", "--all", folder=tmp_path)
    first, last = done.stdout.splitlines()
    assert done.returncode == 1
    assert first.startswith(f"{at.game}: invalid")
    assert last.endswith("invalid: 1")
    lines = hotdice("verify", "--all", "--json", folder=tmp_path).stdout.splitlines()
    verdicts = {line["game_id"]: line["verdict"] for line in map(json.loads, lines)}
    assert len(verdicts) == 2
    assert verdicts[at.game] == "invalid"
    nowhere = "postgresql://nobody@127.0.0.1:1/x"
    assert hotdice("verify", "--all", "--database-url", nowhere, folder=tmp_path).returncode == 2
    assert hotdice("verify", "--all", "x.ndjson", folder=tmp_path).returncode == 2
