"""What the sections share: the pace of the run, servers started once for all, what was found."""

from __future__ import annotations

import shutil
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from app.settings import Settings
from app.store.schema import migrate
from benchmarks.pairs import Interval
from benchmarks.servers import Store, Target
from tests.servers.hotdice import HotdiceServer
from tests.servers.postgres import APP, PostgresServer
from tests.servers.rig import process_rig

PLENTY = "1000000000"
LIMITS = {
    f"HOTDICE_{name}".upper(): PLENTY
    for name in Settings.model_fields
    if name.startswith("limit_")
    or name in ("sockets_player", "sockets_address", "sockets_spectators", "sockets_waiting")
}
"""Limits are counted, and never met."""

SWITCHES = "logs to a file, metrics on, limits on (never met), docs on, no gzip asked for"
"""Of Hotdice in every row: as `make run` ships it, but for the height of the limits."""


EMPTY = "empty"
"""Name of the database that new ones on Postgres are copied from."""


@dataclass(frozen=True)
class Pace:
    """How long things are measured."""

    quick: bool
    full: bool
    rounds: int
    """Of each row; an odd number, so that the median is a measurement."""
    seconds: float
    """Of one round of one row."""
    cycles: int
    """Of two rows in short turns, where ratios of a few percent matter."""
    patience: float
    """Times the time that a section is meant to take until it is given up."""

    @classmethod
    def of(cls, quick: bool, full: bool) -> Pace:
        if quick:
            return cls(True, False, 1, 0.12, 3, 8)
        if full:
            return cls(False, True, 5, 1.8, 150, 20)
        return cls(False, False, 3, 0.5, 60, 12)


@dataclass
class Bench:
    """A run."""

    pace: Pace
    stack: ExitStack
    """What ends with the run."""
    brief: ExitStack = field(default_factory=ExitStack)
    """What ends with the section that is running: servers at rest cost something too."""
    found: dict[str, float | Interval] = field(default_factory=dict)
    """What the aims are about, by the names that `aims` asks for."""
    _empty_file: Path | None = None
    """A migrated SQLite database, to be copied."""
    _has_template: bool = False
    """The same on Postgres, as the database `EMPTY`."""
    _postgres: PostgresServer | None = None
    _hotdice: dict[Store, Target] = field(default_factory=dict)

    def say(self, text: str) -> None:
        """Progress; the figures alone go to standard output."""
        sys.stderr.write(f"… {text}\n")
        sys.stderr.flush()

    def postgres(self) -> PostgresServer:
        """A Postgres that keeps what it acknowledges."""
        if self._postgres is None:
            self._postgres = PostgresServer.launch()
            self.stack.callback(self._postgres.stop)
        return self._postgres

    def settle(self, target: Target) -> None:
        """
        Before ratios of a few percent: what Postgres does in its own time is done now, or once the
        section is over.
        """
        if target.postgres is not None:
            self._without_vacuum()
            target.postgres.sql("CHECKPOINT")

    def _without_vacuum(self) -> None:
        """Until the section ends: its processes come and go, and cost as much as some blocks."""
        for statement in ("ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()"):
            self.postgres().sql(statement)
        for statement in ("SELECT pg_reload_conf()", "ALTER SYSTEM RESET autovacuum"):
            self.brief.callback(self.postgres().sql, statement)

    async def hotdice(self, store: Store) -> Target:
        """A Hotdice server on that store, with a database that only this run has written to."""
        if store not in self._hotdice:
            self.say(f"starting Hotdice on {store}")
            server = await self.prepared(store, "hotdice")
            self.stack.enter_context(server)
            self._hotdice[store] = self.target(server, store)
        return self._hotdice[store]

    async def prepared(self, store: Store, name: str) -> HotdiceServer:
        """
        A Hotdice server that can be started, on a new database.

        Args:
            name: of the database, on Postgres.
        """
        if store == "postgres":
            url = await self.new_database(name)
            return HotdiceServer(url, settings=LIMITS, rate_limits=True)
        server = HotdiceServer(settings=LIMITS, rate_limits=True)
        if self._empty_file is None:
            self._empty_file = process_rig().new_folder("empty") / "empty.db"
            await migrate(f"sqlite+aiosqlite:///{self._empty_file}")
        shutil.copy(self._empty_file, server.folder / "hotdice.db")
        return server

    async def new_database(self, name: str) -> str:
        """On Postgres, migrated; the address for the role that plays."""
        postgres = self.postgres()
        if not self._has_template:
            postgres.create_database(EMPTY)
            await migrate(postgres.owner_url(EMPTY), APP)
            self._has_template = True
        postgres.create_database(name, template=EMPTY)
        return postgres.app_url(name)

    def target(self, server: HotdiceServer, store: Store) -> Target:
        """One that is running, as it is measured."""
        behind = self.postgres() if store == "postgres" else None
        return Target(server.port, server.process.pid, store, behind, server.database_url)
