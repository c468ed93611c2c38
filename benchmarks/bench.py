"""What the sections share: the pace of the run, and servers that are started once for all."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field

from app.settings import Settings
from app.store.schema import migrate
from benchmarks.servers import Store, Target, resident_mib
from tests.servers.hotdice import HotdiceServer
from tests.servers.postgres import APP, PostgresServer

PLENTY = "1000000000"
LIMITS = {
    f"HOTDICE_{name}".upper(): PLENTY
    for name in Settings.model_fields
    if name.startswith("limit_")
    or name in ("sockets_player", "sockets_address", "sockets_spectators")
}
"""Limits are counted, and never met."""

SWITCHES = "logs to a file, metrics on, limits on (never met), docs on, no gzip asked for"
"""Of Hotdice in every row: as `make run` ships it, but for the height of the limits."""


@dataclass(frozen=True)
class Pace:
    """How long things are measured."""

    quick: bool
    rounds: int
    """Of each row; an odd number, so that the median is a measurement."""
    seconds: float
    """Of one round of one row."""
    pairs: int
    """Rounds of growth, where ratios of a few percent matter."""
    growth_commands: int
    """Commands of one round at one length."""

    @classmethod
    def of(cls, quick: bool) -> Pace:
        if quick:
            return cls(True, 1, 0.12, 5, 60)
        return cls(False, 3, 1.8, 7, 600)


@dataclass
class Bench:
    """A run. Everything it starts ends with `stack`."""

    pace: Pace
    stack: ExitStack
    ready_s: dict[Store, float] = field(default_factory=dict)
    """Start to ready, on a database that is there."""
    idle_mib: dict[Store, float] = field(default_factory=dict)
    """Memory of the process before its first command."""
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

    async def hotdice(self, store: Store) -> Target:
        """A Hotdice server on that store."""
        if store not in self._hotdice:
            self.say(f"starting Hotdice on {store}")
            url, behind = None, None
            if store == "postgres":
                behind = self.postgres()
                behind.create_database("hotdice")
                await migrate(behind.owner_url("hotdice"), APP)
                url = behind.app_url("hotdice")
            server = HotdiceServer(url, settings=LIMITS, rate_limits=True)
            if store == "sqlite":
                await migrate(server.database_url)
            began = time.perf_counter()
            self.stack.enter_context(server)
            self.ready_s[store] = time.perf_counter() - began
            pid = server.process.pid
            self.idle_mib[store] = resident_mib(pid)
            self._hotdice[store] = Target(server.port, pid, store, behind, server.database_url)
        return self._hotdice[store]
