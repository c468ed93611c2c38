"""The servers of the peers, and the process that plays on them."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from asyncio.subprocess import PIPE, Process
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from benchmarks.client import Unexpected
from benchmarks.servers import Target
from tests.servers.process import ServerProcess, free_port
from tests.servers.rig import process_rig

ANSWERS_IN_S = 60.0
ENVIRONMENT = {"NODE_ENV": "production"}


@dataclass(frozen=True)
class Peer:
    """One way to run one of them."""

    name: str
    kind: str
    """Of its scripts: `KIND_server.js`, `KIND_match.js`."""
    arguments: tuple[str, ...]
    """Of its server, after the port."""
    in_force: str
    needs_folder: bool = False


PEERS = {
    "boardgame memory": Peer(
        "boardgame.io, in memory",
        "boardgame",
        ("memory",),
        "keeps nothing; its own log of moves in memory",
    ),
    "boardgame files": Peer(
        "boardgame.io, files",
        "boardgame",
        ("files",),
        "FlatFile: written without fsync, after the answer",
        needs_folder=True,
    ),
    "colyseus default": Peer(
        "Colyseus, as it comes",
        "colyseus",
        ("default",),
        "keeps nothing; patches every 50 ms",
    ),
    "colyseus at once": Peer(
        "Colyseus, patches at once",
        "colyseus",
        ("at-once",),
        "keeps nothing; a patch after each move",
    ),
}


def serve(stack: ExitStack, scripts: Path, peer: Peer) -> Target:
    """Its server, ended with `stack`."""
    port, folder = free_port(), process_rig().new_folder(peer.kind)
    command = ["node", str(scripts / f"{peer.kind}_server.js"), str(port), *peer.arguments]
    if peer.needs_folder:
        command.append(str(folder / "games"))
    process = ServerProcess(folder, command, env={**os.environ, **ENVIRONMENT}, cwd=scripts)
    stack.callback(process.stop)
    process.wait_until(lambda: _listens(port), timeout_s=30)
    return Target(port, process.pid)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Load:
    """The process that plays, with matches that are open. A context manager."""

    def __init__(self, scripts: Path, peer: Peer, port: int) -> None:
        self._command = ["node", str(scripts / "load.js"), peer.kind, str(port)]
        self._folder = scripts
        self._process: Process | None = None

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=PIPE,
            stdout=PIPE,
            cwd=self._folder,
            env={**os.environ, **ENVIRONMENT},
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is None or self._process.stdin is None:
            return
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 5)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def open(self, matches: int) -> None:
        """New ones, those of before are closed. Raises: Unexpected."""
        await self._said({"open": matches})

    async def play(self, moves: int) -> dict[str, float]:
        """So many moves in all: what the last line of load.js says. Raises: Unexpected."""
        return await self._said({"moves": moves})

    async def _said(self, line: dict[str, int]) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(line).encode() + b"\n")
        await self._process.stdin.drain()
        answer = await asyncio.wait_for(self._process.stdout.readline(), ANSWERS_IN_S)
        if not answer:
            raise Unexpected(f"{self._command[1:3]} ended")
        data: dict[str, Any] = json.loads(answer)
        return data
