"""
Whole databases: what somebody did to their rows is found, and what servers do to them is no alarm.

Whoever can write to the files can make hashes anew too; some of these edits do.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app.store.chain import ORIGIN, link
from app.store.database import open_database
from app.store.parts import canonical
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

Rows = list[tuple[int, bytes, bytes, int]]


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


def small(first: int, count: int) -> list[Recording]:
    found: list[Recording] = []
    while len(found) < count:
        game = any_game(first, most=60)
        if 25 < len(game.events) <= 90:
            found.append(game)
        first += 1
    return found


async def test_every_game_is_judged_and_running_ones_are_not_over(tmp_path: Path) -> None:
    await database_of(tmp_path / "h.db", small(30, 4), cut=3)
    reports = await judged(address(tmp_path / "h.db"))
    told = Counter((report.verdict, report.reason) for report in reports)
    assert told == {("valid", None): 3, ("incomplete", NOT_OVER): 1}


# Tampering ---------------------------------------------------------------------------------------


class Tampering:
    """One game's rows, in a file without the triggers that stand guard."""

    def __init__(self, path: Path, chance: Random) -> None:
        self.chance = chance
        self.base = sqlite3.connect(path)
        triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (trigger,) in self.base.execute(triggers).fetchall():
            self.base.execute(f"DROP TRIGGER {trigger}")
        ids = [row[0] for row in self.base.execute("SELECT id FROM games ORDER BY id")]
        self.game = chance.choice(ids)
        self.other = chance.choice([each for each in ids if each != self.game])
        self.rows = self.rows_of(self.game)

    def rows_of(self, game: str) -> Rows:
        query = "SELECT version, data, hash, command FROM events WHERE game_id = ? ORDER BY version"
        return self.base.execute(query, (game,)).fetchall()

    def put(self, rows: Rows, *, chained: bool = False) -> None:
        """These rows and no others; with a chain made anew."""
        if chained:
            last, linked = ORIGIN, list[tuple[int, bytes, bytes, int]]()
            for version, data, _, command in rows:
                last = link(self.game, version, last, data)
                linked.append((version, data, last, command))
            rows = linked
        self.base.execute("DELETE FROM events WHERE game_id = ?", (self.game,))
        self.base.executemany(
            "INSERT INTO events (game_id, version, data, hash, command) VALUES (?, ?, ?, ?, ?)",
            [(self.game, *row) for row in rows],
        )

    def any(self) -> int:
        """An index."""
        return self.chance.randrange(len(self.rows))

    def changed(self, data: bytes) -> bytes:
        """Another event of the same kind, as canonical as the first."""
        told: dict[str, Any] = json.loads(data)
        told["at"] += self.chance.choice((-1, 1, 1000))
        return canonical(told).encode()

    def of_game(self, column: str, value: object) -> None:
        self.base.execute(f"UPDATE games SET {column} = ? WHERE id = ?", (value, self.game))


def edit_a_byte(at: Tampering) -> None:
    rows, index = at.rows, at.any()
    version, data, hashed, command = rows[index]
    place = at.chance.randrange(len(data))
    other = bytes((data[place] ^ at.chance.randrange(1, 256),))
    rows[index] = (version, data[:place] + other + data[place + 1 :], hashed, command)
    at.put(rows)


def edit_an_event(at: Tampering) -> None:
    index = at.any()
    version, data, hashed, command = at.rows[index]
    at.rows[index] = (version, at.changed(data), hashed, command)
    at.put(at.rows, chained=at.chance.random() < 0.5)


def edit_a_hash(at: Tampering) -> None:
    index = at.any()
    version, data, _, command = at.rows[index]
    at.rows[index] = (version, data, at.chance.randbytes(32), command)
    at.put(at.rows)


def delete_an_event(at: Tampering) -> None:
    del at.rows[at.any()]
    at.put(at.rows)


def delete_an_event_and_close_the_gap(at: Tampering) -> None:
    del at.rows[at.any()]
    rows = [(version, *row[1:3], version) for version, row in enumerate(at.rows, 1)]
    at.put(rows, chained=True)


def cut_off_the_end(at: Tampering) -> None:
    at.put(at.rows[: at.any()])


def insert_at_the_end(at: Tampering) -> None:
    _, data, _, _ = at.rows[at.any()]
    version = len(at.rows) + 1
    at.put([*at.rows, (version, data, b"", version)], chained=True)


def insert_in_the_middle(at: Tampering) -> None:
    index = at.any()
    rows = [*at.rows[:index], at.rows[at.any()], *at.rows[index:]]
    at.put([(v, *row[1:3], v) for v, row in enumerate(rows, 1)], chained=True)


def swap_two(at: Tampering) -> None:
    rows = at.rows
    one, other = at.chance.sample(range(len(rows)), 2)
    first, second = rows[one], rows[other]
    rows[one], rows[other] = (first[0], *second[1:]), (second[0], *first[1:])
    at.put(rows, chained=at.chance.random() < 0.5)


def take_anothers_log(at: Tampering) -> None:
    at.put(at.rows_of(at.other), chained=True)


def number_anew(at: Tampering) -> None:
    at.put([(row[0] + 1, *row[1:]) for row in at.rows])


def change_the_state(at: Tampering) -> None:
    query = "SELECT version, hash, setup, play FROM games WHERE id = ?"
    version, hashed, setup, play = at.base.execute(query, (at.game,)).fetchone()
    column, value = at.chance.choice(
        (
            ("version", version + at.chance.choice((-1, 1))),
            ("hash", hashed[:-1] + bytes((hashed[-1] ^ 1,))),
            ("setup", setup.replace(b"[", b"[[", 1)),
            ("play", play[:-1]),
            ("play", None),
        )
    )
    at.of_game(column, value)


def delete_the_state(at: Tampering) -> None:
    at.base.execute("DELETE FROM games WHERE id = ?", (at.game,))


def delete_the_log(at: Tampering) -> None:
    at.put([])


def change_a_secret(at: Tampering) -> None:
    what = at.chance.choice(("DELETE FROM seeds", "UPDATE seeds SET seed = zeroblob(32)"))
    at.base.execute(f"{what} WHERE game_id = ?", (at.game,))


EDITS: tuple[Callable[[Tampering], None], ...] = (
    *(edit_a_byte, edit_an_event, edit_a_hash),
    *(delete_an_event, delete_an_event_and_close_the_gap, cut_off_the_end),
    *(insert_at_the_end, insert_in_the_middle, swap_two, take_anothers_log, number_anew),
    *(change_the_state, delete_the_state, delete_the_log, change_a_secret),
)


async def found(template: Path, path: Path, edit: Callable[[Tampering], None], seed: int) -> None:
    """That the edit is, at its game and no other."""
    shutil.copy(template, path)
    at = Tampering(path, Random(seed))
    with closing(at.base) as base, base:
        edit(at)
    reports = await judged(address(path))
    wrong = {report.game_id for report in reports if report.verdict == "invalid"}
    assert wrong == {at.game}, (edit.__name__, seed, reports)


async def tampered(tmp_path: Path, each: int, first: int = 500) -> int:
    template = tmp_path / "template.db"
    await database_of(template, small(first, 3), cut=4)
    with closing(sqlite3.connect(template)) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for seed in range(each):
        for number, edit in enumerate(EDITS):
            await found(template, tmp_path / f"{seed}-{number}.db", edit, seed)
            (tmp_path / f"{seed}-{number}.db").unlink()
    return each * len(EDITS)


async def test_whatever_is_done_to_rows_is_found(tmp_path: Path) -> None:
    await tampered(tmp_path, 1)


@pytest.mark.soak
async def test_a_hundred_edits_of_rows_are_found(tmp_path: Path) -> None:
    assert await tampered(tmp_path, 8, first=700) >= 100


@pytest.mark.soak
async def test_a_thousand_edits_of_rows_are_found(tmp_path: Path) -> None:
    edits = await tampered(tmp_path, 67, first=900)
    assert edits >= 1000
    print(f"\n{edits} edits, all found")  # noqa: T201


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
