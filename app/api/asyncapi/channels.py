"""The streams as channels: addresses, what a handshake may say, messages, close codes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.api.asyncapi import texts
from app.api.asyncapi.schemas import Json, Model, name_of
from app.api.fields import MOST_VERSION
from app.api.handshake import SUBPROTOCOL
from app.api.schemas import streams
from app.api.schemas.commands import COMMANDS
from app.api.streams import GameStream
from app.api.watches import LobbyStream, PlayerStream
from app.live.endings import CLOSES, WORDS_OF

EVENTS: tuple[Model, ...] = (*streams.GAME[:4], streams.ErrorMessage)
"""What an answer of events holds: no acknowledgements, and heartbeats as comments."""
_GAMES_ALONE = frozenset({"game_not_found", "version_not_found", "not_a_member"})
_NOWHERE = frozenset({"route_not_found"})
_GAME_ID = {"game_id": {"description": "UUIDv7 of the game."}}
_RESUME: Json = {
    "after": {
        "type": "integer",
        "minimum": 0,
        "maximum": MOST_VERSION,
        "description": "Resume: the version of the last frame seen. 0: from the beginning.",
    },
    "view": {
        "type": "string",
        "enum": ["full", "events"],
        "default": "full",
        "description": "events: `played` without the game.",
    },
}


def channels() -> Json:
    return {
        "game": {
            "address": GameStream.route,
            "title": "A game",
            "description": texts.GAME,
            "servers": _at("websocket"),
            "parameters": _GAME_ID,
            "messages": _of(*streams.GAME, *streams.EVERYWHERE, *streams.TAKEN, *COMMANDS),
            "bindings": {"ws": _handshake(_RESUME)},
            "x-close-codes": closes(CLOSES, without=_NOWHERE),
        },
        "player": _list(PlayerStream.route, "One's own games", texts.PLAYER, streams.PLAYER),
        "lobby": _list(LobbyStream.route, "The lobby", texts.LOBBY, streams.LOBBY),
        "gameEvents": {
            "address": "/v1/games/{game_id}/events",
            "title": "A game, as server-sent events",
            "description": texts.EVENTS,
            "servers": _at("http"),
            "parameters": _GAME_ID,
            "messages": _of(*EVENTS),
        },
    }


def _list(address: str, title: str, says: str, told: tuple[Model, ...]) -> Json:
    return {
        "address": address,
        "title": title,
        "description": says,
        "servers": _at("websocket"),
        "messages": _of(*told, *streams.EVERYWHERE, *streams.TAKEN),
        "bindings": {"ws": _handshake({})},
        "x-close-codes": closes(CLOSES, without=_NOWHERE | _GAMES_ALONE),
    }


def _at(server: str) -> list[Json]:
    return [{"$ref": f"#/servers/{server}"}]


def _of(*models: Model) -> Json:
    return {name_of(m): {"$ref": f"#/components/messages/{name_of(m)}"} for m in models}


def _handshake(query: Json) -> Json:
    ticket = {"type": "string", "description": "A ticket of `POST /v1/tickets`."}
    return {
        "method": "GET",
        "query": {"type": "object", "properties": {**query, "ticket": ticket}},
        "headers": {
            "type": "object",
            "properties": {
                "Authorization": {"type": "string", "pattern": "^Bearer .+$"},
                "Sec-WebSocket-Protocol": {
                    "type": "string",
                    "description": f"`{SUBPROTOCOL}`, which comes back where it was offered, and "
                    "`bearer.<token>` for who can set no other header.",
                },
                "Origin": {
                    "type": "string",
                    "description": "A browser's: must be allowed, or the server's own.",
                },
            },
        },
        "bindingVersion": "0.1.0",
    }


def closes(codes: Iterable[int], without: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """
    Close codes, and what to do.

    Args:
        without: words that are not said there.
    """
    found: list[Json] = []
    for code in codes:
        close = CLOSES[code]
        words = [word for word in WORDS_OF.get(code, ()) if word not in without]
        if words or not close.is_told:
            told = {"words": words} if words else {}
            found.append({"code": code, **told, "meaning": close.meaning, "remedy": close.remedy})
    return found
