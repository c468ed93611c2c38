"""
What fan-out is held against: uvicorn alone, that sends the same bytes to everybody.

    python -m benchmarks.broadcast PORT FRAMES

`POST /x` is answered, and the next frame of the file FRAMES (a frame a line) then sent to all who
are connected to `/x`: no framework, no rules, no log, no queues; serialised once, binary,
so that nothing is encoded; without compression. A peer that does not read blocks everybody.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.loops.auto import auto_loop_factory

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Broadcast:
    """The application."""

    def __init__(self, frames: list[bytes]) -> None:
        self._frames = cycle([{"type": "websocket.send", "bytes": frame} for frame in frames])
        self._listeners: defaultdict[str, list[Send]] = defaultdict(list)
        self._tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._listen(self._listeners[scope["path"]], receive, send)
        elif scope["type"] == "http":
            await self._publish(self._listeners[scope["path"]], send)

    async def _listen(self, listeners: list[Send], receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": '{"type":"state"}'})
        listeners.append(send)
        while (await receive())["type"] != "websocket.disconnect":
            pass
        listeners.remove(send)

    async def _publish(self, listeners: list[Send], send: Send) -> None:
        headers = [(b"content-type", b"text/plain"), (b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})
        task = asyncio.create_task(_send_to_all(listeners, next(self._frames)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _send_to_all(listeners: list[Send], message: Message) -> None:
    for send in list(listeners):
        await send(message)


async def serve(port: int, frames: list[bytes]) -> None:
    config = uvicorn.Config(
        Broadcast(frames),
        host="127.0.0.1",
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )
    gc.collect()
    gc.freeze()
    await uvicorn.Server(config).serve()


def main() -> None:
    port, frames = sys.argv[1:]
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        runner.run(serve(int(port), Path(frames).read_bytes().splitlines()))


if __name__ == "__main__":
    main()
