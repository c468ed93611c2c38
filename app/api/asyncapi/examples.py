"""One of each message, where it is short: shown in the AsyncAPI document."""

from __future__ import annotations

from typing import Any

_NOW = "2026-11-30T12:00:00.000Z"
_GAME = "0197b1de-0000-7000-8000-00000000000a"
_SITTING = {
    "game_id": _GAME,
    "version": 9,
    "status": "playing",
    "to_move": 1,
    "seats": [1],
    "now": _NOW,
}

EXAMPLES: dict[str, dict[str, Any]] = {
    "resumed": {"type": "resumed", "version": 40, "current_version": 43, "now": _NOW},
    "presence": {"type": "presence", "seats": [0, 1], "now": _NOW},
    "heartbeat": {"type": "heartbeat", "now": _NOW},
    "pong": {"type": "pong", "now": _NOW},
    "error": {
        "type": "error",
        "code": "restarting",
        "detail": "The server restarts. Come back and resume.",
    },
    "games": {
        "type": "games",
        "games": [{k: v for k, v in _SITTING.items() if k != "now"}],
        "now": _NOW,
    },
    **{
        name: {"type": kind, **_SITTING}
        for name, kind in (
            *(("seated", "seated"), ("started", "started"), ("yourTurn", "your_turn")),
            ("moved", "moved"),
        )
    },
    "ended": {"type": "ended", **_SITTING, "status": "finished", "to_move": None},
    "unseated": {"type": "unseated", **_SITTING, "status": "lobby", "to_move": None, "seats": []},
    "tableStarted": {"type": "started", "game_id": _GAME, "now": _NOW},
    "closed": {"type": "closed", "game_id": _GAME, "now": _NOW},
    "ping": {"type": "ping"},
    "auth": {"type": "auth", "token": "JtAQuxzj3HFhFa7X0gouKdRfTDOkczwIFjQ4X5Q0J30"},
    "rollCommand": {"id": 1, "command": "roll", "select": {"dice": [0, 1]}, "if_match": 41},
    "selectCommand": {"id": 2, "command": "select", "dice": [2]},
    "bankCommand": {"id": 3, "command": "bank", "idempotency_key": "bank-3", "answer": "full"},
    "takeOverCommand": {"id": 4, "command": "take-over"},
    "wildRollCommand": {"id": 5, "command": "wild-roll"},
    "resignCommand": {"id": "r-6", "command": "resign", "seat": 1},
    "endCommand": {"id": 7, "command": "end"},
    "skipNextCommand": {"id": 8, "command": "skip-next", "seat": 1},
    "startCommand": {"id": 9, "command": "start"},
}
