"""The two buses as tests handle them: written to from outside, broken, mended."""

from __future__ import annotations

import os
import signal
import socket
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from app.live.bus import Link
from app.live.hints import CHANNEL
from app.live.postgres_link import PostgresLink
from app.live.redis_link import RedisLink
from tests.servers.postgres import PostgresServer
from tests.servers.redis import RedisServer


class Bus(Protocol):
    kind: str
    database_url: str

    def link(self) -> Link: ...

    def settings(self) -> dict[str, Any]:
        """What a server needs to use it, beside its database."""
        ...

    def publish(self, *payloads: str) -> None:
        """As anybody who can reach the bus might."""
        ...

    def cut(self) -> None:
        """Every connection to it is lost; it takes new ones."""
        ...


@dataclass
class RedisBus:
    database_url: str
    redis: RedisServer
    kind: str = "redis"
    _paused: int = 0

    def link(self) -> Link:
        return RedisLink(self.redis.url)

    def settings(self) -> dict[str, Any]:
        return {"redis_url": self.redis.url}

    def publish(self, *payloads: str) -> None:
        for payload in payloads:
            self._say("PUBLISH", CHANNEL, payload)

    def cut(self) -> None:
        for kind in ("pubsub", "normal"):
            self._say("CLIENT", "KILL", "TYPE", kind)

    def pause(self) -> None:
        """It keeps its connections, and answers nothing, until `resume`."""
        self._paused = int(self._say("INFO", "server").partition(b"process_id:")[2].split()[0])
        os.kill(self._paused, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self._paused, signal.SIGCONT)

    def _say(self, *words: str) -> bytes:
        address = urlsplit(self.redis.url)
        parts = [word.encode() for word in words]
        command = b"".join(
            [b"*%d\r\n" % len(parts), *(b"$%d\r\n%s\r\n" % (len(p), p) for p in parts)]
        )
        with socket.create_connection((address.hostname, address.port or 6379), 5) as line:
            line.sendall(command)
            return line.recv(4096)


@dataclass
class PostgresBus:
    database_url: str
    server: PostgresServer
    database: str
    kind: str = "postgres"

    def link(self) -> Link:
        return PostgresLink(self.database_url)

    def settings(self) -> dict[str, Any]:
        return {}

    def publish(self, *payloads: str) -> None:
        for at in range(0, len(payloads), 20):  # a command line is not endless
            quoted = ["'" + p.replace("'", "''") + "'" for p in payloads[at : at + 20]]
            said = f"unnest(ARRAY[{', '.join(quoted)}]) AS payload"
            self.server.sql(f"SELECT pg_notify('{CHANNEL}', payload) FROM {said}", self.database)

    def cut(self) -> None:
        self.server.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{self.database}'"
            " AND application_name IN ('hotdice listens', 'hotdice announces')"
        )
