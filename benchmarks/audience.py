"""An audience: listeners in a process of their own, a publisher, and what a frame's way is like."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from typing import Any, NamedTuple

from websockets.asyncio.client import connect

from benchmarks.client import Script, Unexpected
from benchmarks.listeners import PLAYED, PRESENCE
from benchmarks.servers import ROOT, Target

LINE_LIMIT = 1 << 20


class Heard(NamedTuple):
    """One round of frames, as all listeners saw it."""

    frames: int
    deliveries: int
    per_second: float
    """Deliveries, from the first request to the last frame's arrival."""
    p50_ms: float
    """From the arrival of the answer to that of the frame."""
    p99_ms: float
    p99_asking_ms: float
    """From the request."""
    server_us: float
    """CPU of the server process per delivery, the request's own included."""
    client_us: float
    """CPU of the listeners' process per delivery."""


class Publisher:
    """One connection that asks for what makes a frame."""

    def __init__(self, port: int, script: Script) -> None:
        self._port = port
        self._script = script
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def publish(self) -> tuple[int, int]:
        """When it was asked and when it was answered, in ns. Raises: Unexpected."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        request = self._script.request()
        asked = time.perf_counter_ns()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        body = await reader.readexactly(size)
        answered = time.perf_counter_ns()
        self._script.answered(int(head[9:12]), head, body)
        return asked, answered

    def close(self) -> None:
        """The next request opens a connection anew."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


class Audience:
    """
    Listeners of one target, and who publishes there. A context manager.

    Args:
        path: of the stream.
    """

    def __init__(self, target: Target, path: str, count: int, script: Script) -> None:
        self.target = target
        self._path = path
        self.count = count
        self._publisher = Publisher(target.port, script)
        self._process: Process | None = None

    async def __aenter__(self) -> Audience:
        arguments = (str(self.target.port), self._path, str(self.count))
        self._process = await start("benchmarks.listeners", *arguments)
        await said(self._process)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._publisher.close()
        assert self._process is not None
        await end(self._process)

    async def round(self, seconds: float, per_second: float | None) -> Heard:
        """
        Publishes for so long.

        Args:
            per_second: how often; None for again and again, each when the one before is answered.

        Raises: Unexpected.
        """
        asked: list[int] = []
        answered: list[int] = []
        cpu = self.target.server_cpu()
        gc.collect()
        gc.disable()
        try:
            began = time.perf_counter()
            while (now := time.perf_counter()) - began < seconds or len(asked) < 3:
                if per_second is not None:
                    await asyncio.sleep(max(0.0, began + len(asked) / per_second - now))
                one = await self._publisher.publish()
                asked.append(one[0])
                answered.append(one[1])
        finally:
            gc.enable()
            self._publisher.close()
        assert self._process is not None
        heard = await said(self._process, {"asked": asked, "answered": answered})
        cpu = self.target.server_cpu() - cpu
        deliveries = heard["deliveries"]
        return Heard(
            frames=len(asked),
            deliveries=deliveries,
            per_second=deliveries / (heard["last"] - asked[0]) * 1e9,
            p50_ms=heard["after_answer"]["p50"],
            p99_ms=heard["after_answer"]["p99"],
            p99_asking_ms=heard["after_asking"]["p99"],
            server_us=cpu / deliveries * 1e6,
            client_us=heard["cpu_s"] / deliveries * 1e6,
        )


async def recorded(target: Target, path: str, script: Script, count: int) -> list[bytes]:
    """Frames of so many commands, as they were sent. Raises: Unexpected."""
    publisher = Publisher(target.port, script)
    frames: list[bytes] = []
    async with connect(
        f"ws://127.0.0.1:{target.port}{path}", compression=None, proxy=None
    ) as stream:
        # Until it follows: a command before that is in its first frame, and has none of its own.
        while not (await stream.recv(decode=False)).startswith(PRESENCE):
            pass
        for _ in range(count):
            await publisher.publish()
            while not (frame := await stream.recv(decode=False)).startswith(PLAYED):
                pass
            frames.append(frame)
    publisher.close()
    return frames


async def start(module: str, *arguments: str) -> Process:
    """A process that ends when its input does, and so with this one."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *arguments),
        stdin=PIPE,
        stdout=PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        limit=LINE_LIMIT,
    )


async def said(process: Process, line: dict[str, Any] | None = None) -> dict[str, Any]:
    """What it says next, or to this. Raises: Unexpected."""
    assert process.stdin is not None
    assert process.stdout is not None
    if line is not None:
        process.stdin.write(json.dumps(line).encode() + b"\n")
        await process.stdin.drain()
    answer = await asyncio.wait_for(process.stdout.readline(), 60)
    if not answer:
        raise Unexpected("the listeners ended")
    data: dict[str, Any] = json.loads(answer)
    return data


async def end(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    await process.wait()
