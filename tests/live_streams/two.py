"""Two server processes over one database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tests.live.server import Live, healthy


class Two(NamedTuple):
    """Ports of two servers over one database: one is written to, one is watched."""

    writes: int
    watched: int


@contextmanager
def two_processes(database_url: str, **settings: str) -> Iterator[Two]:
    """Server processes that know nothing of each other's hints."""
    deaf = {"HOTDICE_ANNOUNCER": "local", **settings}
    servers = [Live(database_url, settings=deaf) for _ in range(2)]
    try:
        for server in servers:
            server.start()
        yield Two(servers[0].port, servers[1].port)
        for server in servers:
            healthy(server)
    finally:
        for server in servers:
            server.terminate()
