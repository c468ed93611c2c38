"""
`GET /v1/players/me/stream` and `GET /v1/lobby/stream`: one's own games, and the public tables,
watched over a WebSocket.
"""

from __future__ import annotations

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from app.api.handshake import asked_for
from app.api.refusals import UpgradeRequired
from app.api.routing import api_router
from app.api.sockets import Socket, serve
from app.live.live import Live
from app.live.lobby import LobbyWatch
from app.live.players import PlayersWatch
from app.live.watch import Watcher

router = api_router("players")


class PlayerStream:
    """A socket that watches its player's games."""

    route = "/v1/players/me/stream"
    commands: str | None = None

    def __init__(self, players: PlayersWatch) -> None:
        self._players = players
        self._watching: tuple[Watcher, str] | None = None

    async def open(self, socket: Socket) -> None:
        """Raises: Unauthenticated, TooManyStreams, StoreUnavailable, …"""
        if not await socket.identify(asked_for(socket.query).ticket):
            await socket.wait_for_token()
        player_id = socket.connection.player_id
        if player_id is not None:
            self._watching = self._players.enter(socket.connection, player_id), player_id
            await self._players.next()

    def identified(self, socket: Socket) -> None:
        """It was, before it was opened."""

    def close(self) -> None:
        if self._watching is not None:
            self._players.leave(*self._watching)


class LobbyStream:
    """A socket that watches the lobby; whose it is does not matter."""

    route = "/v1/lobby/stream"
    commands: str | None = None

    def __init__(self, lobby: LobbyWatch) -> None:
        self._lobby = lobby
        self._watcher: Watcher | None = None

    async def open(self, socket: Socket) -> None:
        """Raises: Unauthenticated (for a bad token), TooManyStreams, StoreUnavailable, …"""
        await socket.identify(asked_for(socket.query).ticket)
        self._watcher = self._lobby.enter(socket.connection)
        await self._lobby.next()

    def identified(self, socket: Socket) -> None:
        """It sees no more than anybody."""

    def close(self) -> None:
        if self._watcher is not None:
            self._lobby.leave(self._watcher)


async def watch_my_games(websocket: WebSocket) -> None:
    """One's own games, as `docs/streams.md` describes the messages."""
    live: Live = websocket.app.state.parts.live
    await serve(websocket, PlayerStream(live.players))


async def watch_lobby(websocket: WebSocket) -> None:
    """The public tables, as `docs/streams.md` describes the messages."""
    live: Live = websocket.app.state.parts.live
    await serve(websocket, LobbyStream(live.lobby))


router.routes.append(WebSocketRoute(PlayerStream.route, watch_my_games))
router.routes.append(WebSocketRoute(LobbyStream.route, watch_lobby))


@router.get(PlayerStream.route, include_in_schema=False)
@router.get(LobbyStream.route, include_in_schema=False)
async def watch_over_http() -> None:
    raise UpgradeRequired
