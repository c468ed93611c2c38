"""`GET /v1/games/{game_id}/stream`: a game, followed over a WebSocket."""

from __future__ import annotations

import re

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from app.api.fields import UUID_PATTERN
from app.api.handshake import asked_for
from app.api.refusals import UpgradeRequired
from app.api.routing import api_router
from app.api.sockets import Socket, serve
from app.errors import GameNotFound
from app.live.channel import Follower
from app.live.hub import Hub

router = api_router("games")

_ID = re.compile(UUID_PATTERN)


class GameStream:
    """A socket that follows one game."""

    route = "/v1/games/{game_id}/stream"

    def __init__(self, hub: Hub, game_id: str) -> None:
        self._hub = hub
        self._game_id = game_id
        self.commands: str | None = game_id
        self._follower: Follower | None = None

    async def open(self, socket: Socket) -> None:
        """Raises: GameNotFound, VersionNotFound, Unauthenticated, TooManyStreams, …"""
        asked = asked_for(socket.query)
        is_known = await socket.identify(asked.ticket)
        if not _ID.fullmatch(self._game_id):
            raise GameNotFound
        hub = self._hub
        follower = self._follower = hub.enter(socket.connection, self._game_id, asked.view)
        try:
            await hub.admit(follower, asked.after)
        except GameNotFound:
            # A game that is not there looks like one that is private: both wait for a token.
            if is_known:
                raise
            await socket.wait_for_token()
            await hub.admit(follower, asked.after)
        await hub.follow(follower, asked.after)

    def identified(self, socket: Socket) -> None:
        if self._follower is not None:
            self._hub.identified(self._follower)

    def close(self) -> None:
        if self._follower is not None:
            self._hub.leave(self._follower)


async def follow_game(websocket: WebSocket) -> None:
    """Frames of one game, as `docs/streams.md` describes them."""
    hub: Hub = websocket.app.state.parts.live.hub
    await serve(websocket, GameStream(hub, websocket.path_params["game_id"]))


router.routes.append(WebSocketRoute(GameStream.route, follow_game))


@router.get(GameStream.route, include_in_schema=False)
async def follow_game_over_http() -> None:
    raise UpgradeRequired
