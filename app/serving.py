"""A server process: parts, application, uvicorn."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import sys
from types import FrameType

import uvicorn
from uvicorn.loops.auto import auto_loop_factory

from app.errors import AppError
from app.live.http import HotdiceHttp
from app.live.socket import HotdiceSocket
from app.log import log, set_up_logging
from app.main import create_app
from app.parts import Parts
from app.settings import Settings
from app.store.database import UnfitDatabase
from app.store.schema import SchemaOutdated
from app.wiring import build_parts

GRACE_S = 7
"""For running requests at a stop; the whole exit then takes less than 10 s."""
KEEP_ALIVE_S = 5
WEBSOCKET_BYTES = 16_384
WEBSOCKET_QUEUE = 8
PING_S = 20.0
COLLECT_AFTER = (20_000, 20, 20)
"""Python's own 700, 10, 10 look for garbage several times in the middle of each transaction, among
objects that are all in use: 4 % of a server's time. A command leaves none that only a collection
would find."""


class CouldNotStart(Exception):
    """One sentence says why."""


class Server(uvicorn.Server):
    """uvicorn, which tells the parts of a stop before it waits for requests to end."""

    def __init__(self, config: uvicorn.Config, parts: Parts) -> None:
        super().__init__(config)
        self._parts = parts
        self._loop: asyncio.AbstractEventLoop | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._parts.stop)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started:
            announce(self._parts.settings, self._port())
            gc.collect()
            gc.freeze()  # what lives now lives on: no collection needs to look at it again
            gc.set_threshold(*COLLECT_AFTER)

    def _port(self) -> int:
        for server in self.servers:
            for listener in server.sockets:
                return int(listener.getsockname()[1])
        return self.config.port


def serve(settings: Settings) -> None:
    """Serve until told to stop. Raises: CouldNotStart."""
    set_up_logging(settings.log_level)
    logging.getLogger("uvicorn.error").addFilter(_of_interest)
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        runner.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    try:
        parts = await build_parts(settings)
    except (UnfitDatabase, SchemaOutdated, AppError) as error:
        raise CouldNotStart(str(error)) from None
    server = Server(config(settings, parts), parts)
    try:
        await server.serve()
    except SystemExit:  # uvicorn's, when it cannot listen
        where = f"{settings.host}:{settings.port}"
        raise CouldNotStart(f"Cannot listen on {where}; HOTDICE_PORT names another.") from None
    finally:
        await parts.close()


def _of_interest(record: logging.LogRecord) -> bool:
    """Not uvicorn's advice to install what is left out on purpose, twice with each upgrade."""
    text = str(record.msg)
    return not text.startswith(("Unsupported upgrade request", "No supported WebSocket library"))


def config(settings: Settings, parts: Parts) -> uvicorn.Config:
    """uvicorn's settings; every one that differs from its default has a reason."""
    return uvicorn.Config(
        create_app(parts),
        host=settings.host,
        port=settings.port,
        log_config=None,  # ours is set up already
        access_log=False,  # the edge writes one, without tokens
        server_header=False,
        date_header=True,
        proxy_headers=False,  # the edge counts trusted hops itself
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
        http=HotdiceHttp,
        ws=HotdiceSocket,
        ws_max_size=WEBSOCKET_BYTES,
        ws_max_queue=WEBSOCKET_QUEUE,
        ws_per_message_deflate=False,  # costs three times the frame itself
        ws_ping_interval=PING_S,
        ws_ping_timeout=None,  # whatever is heard of a peer counts: app.live.connections
    )


def announce(settings: Settings, port: int) -> None:
    """Where the server is, for people at a terminal and for logs."""
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104
    base = settings.public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    log.info("serving", address=base, database="sqlite" if settings.on_sqlite else "postgres")
    if not (settings.rate_limits or settings.is_at_home):
        log.warning("rate_limits_off", host=settings.host)  # right for a test rig, and only there
    lines = [f"Hotdice is at {base}/v1"]
    if settings.docs:
        lines.append(f"its documentation at {base}/docs/")
    lines += [
        "Make a guest:",
        f"  curl {base}/v1/players -H 'Content-Type: application/json' -d '{{\"name\": \"Ana\"}}'",
    ]
    sys.stderr.write("\n".join(lines) + "\n")
    sys.stderr.flush()
