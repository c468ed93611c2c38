"""Who says what over which stream, seen from the server; and how a client says who it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from app.api.asyncapi.channels import EVENTS
from app.api.asyncapi.schemas import Json, Model, name_of
from app.api.schemas import streams
from app.api.schemas.commands import COMMANDS

_WAYS = ("bearer", "protocol", "ticket")


def operations() -> Json:
    everywhere, taken = streams.EVERYWHERE, streams.TAKEN
    answers = (streams.AnsweredMessage, streams.RefusedMessage)
    return {
        "tellGame": _operation("send", "game", (*streams.GAME, *everywhere), "Frames of a game."),
        "takeCommands": {
            **_operation("receive", "game", COMMANDS, "Commands of a player."),
            "reply": {"channel": {"$ref": "#/channels/game"}, "messages": _refs("game", answers)},
        },
        "takeGameMessages": _operation("receive", "game", taken, "Pings, and who it is."),
        "tellPlayer": _operation(
            "send", "player", (*streams.PLAYER, *everywhere), "News of one's own games."
        ),
        "takePlayerMessages": _operation("receive", "player", taken, "Pings, and who it is."),
        "tellLobby": _operation(
            "send", "lobby", (*streams.LOBBY, *everywhere), "News of the lobby."
        ),
        "takeLobbyMessages": _operation("receive", "lobby", taken, "Pings."),
        "tellGameEvents": _operation(
            "send", "gameEvents", EVENTS, "Frames of a game, as server-sent events.", ("bearer",)
        ),
    }


def _operation(
    action: str, channel: str, models: Iterable[Model], says: str, ways: Iterable[str] = _WAYS
) -> Json:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "summary": says,
        "messages": _refs(channel, models),
        "security": [{"$ref": f"#/components/securitySchemes/{way}"} for way in ways],
    }


def _refs(channel: str, models: Iterable[Model]) -> list[Json]:
    return [{"$ref": f"#/channels/{channel}/messages/{name_of(m)}"} for m in models]


def security(openapi: Mapping[str, Any]) -> Json:
    """The ways to bring a token; a fourth is the first message, `auth`."""
    return {
        "bearer": openapi["components"]["securitySchemes"]["bearer"],
        "protocol": {
            "type": "httpApiKey",
            "name": "Sec-WebSocket-Protocol",
            "in": "header",
            "description": "`bearer.<token>` beside `hotdice.v1`, for who can set no other header.",
        },
        "ticket": {
            "type": "httpApiKey",
            "name": "ticket",
            "in": "query",
            "description": "A ticket of `POST /v1/tickets`: opens one stream within 30 s.",
        },
    }
