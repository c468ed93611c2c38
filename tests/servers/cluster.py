"""
A cluster on one machine: server processes over one Postgres, with a Redis for their hints or not.

`python -m tests.servers.cluster [redis|postgres] [folder]` starts one, says where its processes
are, starts each again that ends (somebody tries what happens then), and ends all on Ctrl-C or
SIGTERM. Its games stay in the folder; `make run-cluster` calls this.
"""

from __future__ import annotations

import fcntl
import secrets
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from tests.servers.hotdice import ROOT, HotdiceServer
from tests.servers.postgres import APP, Address, PostgresServer
from tests.servers.postgres_install import initialise, server_user
from tests.servers.process import ServerDidNotStart, free_port
from tests.servers.redis import RedisServer
from tests.servers.rig import Rig, process_rig

S = TypeVar("S", bound=HotdiceServer)

DATABASE = "hotdice"
NAMES = ("one", "two")
LOOK_S = 0.2


def together(servers: Sequence[HotdiceServer]) -> None:
    """Starts all of them; returns when each is ready."""
    with ThreadPoolExecutor(len(servers)) as threads:
        list(threads.map(HotdiceServer.start, servers))


@contextmanager
def processes(
    kind: type[S],
    database_url: str,
    redis_url: str | None = None,
    *,
    folders: Sequence[Path | None] = (None, None),
    settings: Mapping[str, str] | None = None,
    rate_limits: bool = False,
) -> Iterator[list[S]]:
    """
    Running server processes over one database, one for each folder; ended when this is left.

    Args:
        redis_url: where their hints go; without it over the database.
    """
    chosen = {**({"HOTDICE_REDIS_URL": redis_url} if redis_url else {}), **(settings or {})}
    servers = [
        kind(database_url, settings=chosen, rate_limits=rate_limits, folder=folder)
        for folder in folders
    ]
    with ExitStack() as stack:
        for server in servers:
            stack.callback(_ended, server)
        together(servers)
        yield servers


def _ended(server: HotdiceServer) -> None:
    with suppress(ServerDidNotStart):  # it has no process: another one failed first
        server.terminate()


class Kept:
    """
    A folder that outlives its servers.

    The rig's reaper finds them by links in its own folder, should this process be killed.
    """

    def __init__(self, folder: Path, rig: Rig) -> None:
        self.folder = folder.resolve()
        self._rig = rig

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Raises: ServerDidNotStart, when a cluster runs there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o711)  # Postgres may run as another user
        if server_user()[0] is not None:
            for parent in self.folder.parents:
                if not parent.stat().st_mode & 0o001:
                    raise ServerDidNotStart(
                        f"Postgres does not run as root, and nobody else may enter {parent}: "
                        "name another folder, CLUSTER=/var/tmp/hotdice."
                    )
        with (self.folder / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ServerDidNotStart(f"A cluster runs in {self.folder} already.") from None
            yield

    def part(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        folder.chmod(0o711)
        (self._rig.folder / name).symlink_to(folder)
        return folder

    def postgres(self) -> PostgresServer:
        """Started, with both roles and the database; made where there is none yet."""
        folder = self.part("postgres")
        note = folder / "superuser"  # written last: without it what is there was never finished
        if not note.exists():
            shutil.rmtree(folder / "data", ignore_errors=True)
            password = secrets.token_urlsafe(12)
            initialise(folder, "postgres", password)
            note.touch(mode=0o600)
            note.write_text(password)
        address = Address("127.0.0.1", free_port(), "postgres", note.read_text())
        server = PostgresServer(address, folder=folder)
        server.start()
        server.create_roles()
        if not server.sql(f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'"):
            server.create_database(DATABASE)
        return server


@contextmanager
def cluster(bus: str, folder: Path) -> Iterator[list[HotdiceServer]]:
    """
    Everything a cluster needs, and its running processes; Postgres alone where that is the bus.

    Raises: ServerDidNotStart.
    """
    rig = process_rig()
    kept = Kept(folder, rig)
    with ExitStack() as stack:
        stack.enter_context(kept.locked())
        postgres = kept.postgres()
        stack.callback(postgres.stop)
        app_url, owner_url = postgres.app_url(DATABASE), postgres.owner_url(DATABASE)
        as_owner = {"HOTDICE_DATABASE_OWNER_URL": owner_url, "HOTDICE_DATABASE_ROLE": APP}
        HotdiceServer(app_url, settings=as_owner, rig=rig).cli("migrate")
        redis = RedisServer.launch(rig) if bus == "redis" else None
        if redis is not None:
            stack.callback(redis.stop)
        yield stack.enter_context(
            processes(
                HotdiceServer,
                app_url,
                None if redis is None else redis.url,
                folders=[kept.part(name) for name in NAMES],
                rate_limits=True,
            )
        )


def main(bus: str = "redis", folder: str = str(ROOT / "cluster")) -> int:
    """Runs a cluster until told to stop; the exit status."""
    if bus not in ("redis", "postgres"):
        return _say(f"BUS is redis or postgres, not {bus}.", 2)
    told = threading.Event()
    # A flag, not an exception: one in the middle of a start would lose sight of a process.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: told.set())
    over = "Postgres and Redis" if bus == "redis" else "Postgres alone"
    _say(f"Starting two processes over {over}…")
    try:
        with cluster(bus, Path(folder)) as servers:
            _say(
                "Hotdice is at\n"
                + "".join(
                    f"  {server.url}/v1  (process {server.process.pid},"
                    f" log: {server.folder}/output.log)\n"
                    for server in servers
                )
                + f"Its games stay in {Path(folder).resolve()}. Ctrl-C ends it."
            )
            while not told.wait(LOOK_S):
                for server in servers:
                    if not server.process.is_running:
                        _start_again(server)
            _say("Stopping…")
    except (ServerDidNotStart, RuntimeError) as error:
        return _say(str(error), 1)
    return 0


def _start_again(server: HotdiceServer) -> None:
    """At its port, as whatever watches processes would. Raises: ServerDidNotStart."""
    status = server.process.exit_status or 0
    how = signal.Signals(-status).name if status < 0 else f"status {status}"
    _say(f"{server.url} has ended ({how}) and is started again…")
    server.start()
    _say(f"{server.url} is back.")


def _say(text: str, status: int = 0) -> int:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
