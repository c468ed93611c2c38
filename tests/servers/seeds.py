"""The seeds that a server has drawn, as its database has them once it has ended."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing

from sqlalchemy import make_url

from tests.canary.heard import Seed
from tests.servers.postgres_install import binaries

SEEDS = "SELECT {}, games.status FROM seeds JOIN games ON games.id = seeds.game_id"


def seeds_of(database_url: str) -> list[Seed]:
    """None where the database is away, or was never made: a test may have seen to that."""
    url = make_url(database_url)
    if url.get_backend_name() == "sqlite":
        try:
            with closing(sqlite3.connect(f"file:{url.database}?mode=ro", uri=True)) as base:
                rows = base.execute(SEEDS.format("hex(seed)")).fetchall()
        except sqlite3.Error:
            return []
    else:
        address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        command = [str(binaries() / "psql"), "-XAtq", "-F", " ", "-c"]
        asked = [*command, SEEDS.format("encode(seed, 'hex')"), address]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=30, check=False)
        rows = [tuple(line.split(" ")) for line in done.stdout.splitlines()]
    return [Seed(bytes.fromhex(seed), status == "finished") for seed, status in rows]
