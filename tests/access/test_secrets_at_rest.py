"""Whoever has the database has no token: no table holds one, however it is spelled."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from sqlalchemy import select

from app.store.database import open_database
from app.store.schema import migrate
from app.store.tables import metadata
from tests.access.stage import OPERATOR, ShiftedClock, Stage, bearer
from tests.conftest import FreshDatabase
from tests.live.wire import Line
from tests.live_streams.server import serving_on
from tests.servers.postgres import APP


def spellings(secret: str) -> list[bytes]:
    """Of a secret, as text and as the bytes it stands for."""
    raw = secret.encode()
    decoded = base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4))
    found = [raw, raw[4:24]]
    for form in (raw, decoded):
        found += [form.hex().encode(), form.hex().upper().encode(), base64.b64encode(form)[:-4]]
    return [*found, decoded]


async def everything_in(url: str) -> bytes:
    """Every value of every table: text as UTF-8, bytes as they are and in hexadecimal."""
    database, found = open_database(url), []
    async with database.reading() as connection:
        for table in metadata.sorted_tables:
            for row in await connection.execute(select(table)):
                for value in row:
                    if isinstance(value, bytes):
                        found += [value, value.hex().encode()]
                    elif value is not None:
                        found.append(str(value).encode())
    await database.dispose()
    return b"\n".join(found)


def bytes_below(folder: Path) -> bytes:
    """Of every file: on SQLite the database itself, its log included."""
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())


@pytest.fixture(params=["sqlite", "postgres"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}"
    fresh: FreshDatabase = request.getfixturevalue("fresh_database")
    made = fresh()
    await migrate(made.owner_url, APP)
    return made.app_url


async def test_no_table_holds_a_token_or_a_ticket(url: str, tmp_path: Path) -> None:
    async with serving_on(url, operator_token=(OPERATOR,)) as server:
        stage = Stage(server, ShiftedClock(), await Line.open(server.port))
        ana = await stage.guest()
        rotated = (await stage.do(ana, "POST", "/v1/players/me/token"))["token"]
        script = (await stage.scoped(ana, "read", "play"))["token"]
        ticket = (await stage.do(ana, "POST", "/v1/tickets"))["ticket"]
        path = f"/v1/operator/players/{ana.id}/unban"
        assert (await stage.send("POST", path, {"note": "x"}, (bearer(OPERATOR),))).ok
        held = await everything_in(url)
        files = bytes_below(tmp_path)
        await stage.line.close()
    assert ana.id.encode() in held, "the dump is one"
    for secret in (ana.token, rotated, script, ticket):
        assert not [s for s in spellings(secret) if s in held or s in files]
    assert OPERATOR.encode() not in held + files
