"""WebSockets to addresses without a stream: refused like any other, so that clients see why."""

from __future__ import annotations

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from app.api.refusals import RouteNotFound
from app.api.sockets import Socket, serve


class _Nothing:
    """What is followed where no stream is."""

    route = "-"
    commands: str | None = None

    async def open(self, socket: Socket) -> None:
        """Raises: RouteNotFound."""
        raise RouteNotFound

    def identified(self, socket: Socket) -> None:
        """Nobody is."""

    def close(self) -> None:
        """Nothing was opened."""


async def nowhere(websocket: WebSocket) -> None:
    """4404."""
    await serve(websocket, _Nothing())


route = WebSocketRoute("/{path:path}", nowhere)
"""Every address; to be asked last."""
