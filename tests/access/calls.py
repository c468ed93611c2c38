"""What is sent with each call, and at which table, so that whoever may is told yes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.access.stage import NOWHERE, OPEN, SERIES, Json, Role, Stage, bearer

BodyOf = Callable[[Json], Any]
Ids = dict[str, str]


@dataclass(frozen=True)
class Sent:
    body: Any = None
    """Or what makes it of the table; None: none."""
    state: str = "running"
    """Of the table."""
    wears: bool = False
    """It changes who is who: each call that is told yes gets a table, or a player, of its own."""
    turn: int = 0
    """It changes what others find: it is asked after all with a lower one."""
    status: int = 200
    """Where nothing is refused."""

    def body_at(self, table: Json) -> Any:
        return self.body(table) if callable(self.body) else self.body


def code_of(table: Json) -> Json:
    return {"join_code": table["join_code"]}


FARKLE: Json = {"rules": {"preset": "farkle"}}
ROLL: Json = {**FARKLE, "roll": [1, 2, 3, 4, 5, 6]}
CREDIT: Json = {"reference": "a-payment", "amount": 1}

SENT: dict[str, Sent] = {
    "POST /v1/games": Sent(OPEN, status=201),
    "PUT /v1/games/{game_id}/entropy": Sent({"commit": "ab" * 32}, "lobby"),
    "PATCH /v1/games/{game_id}": Sent({"advice": False}, "lobby"),
    "POST /v1/games/{game_id}/join": Sent({}, "lobby", turn=1),
    "POST /v1/games/{game_id}/leave": Sent(state="lobby", wears=True),
    "POST /v1/games/{game_id}/start": Sent(state="lobby", turn=2),
    "PATCH /v1/games/{game_id}/seats/{seat}": Sent({"kind": "human"}, "lobby"),
    "POST /v1/games/{game_id}/select": Sent({"dice": [0]}),
    "POST /v1/games/{game_id}/skip-next": Sent({"seat": 2}),
    "POST /v1/games/{game_id}/resign": Sent(turn=1),
    "POST /v1/games/{game_id}/end": Sent(wears=True),
    "POST /v1/games/{game_id}/rematch": Sent(state="finished", status=201),
    "GET /v1/games/{game_id}/stream": Sent(status=426),
    "GET /v1/lobby/stream": Sent(status=426),
    "GET /v1/players/me/stream": Sent(status=426),
    "GET /docs": Sent(status=308),
    "GET /docs/{name}": Sent(status=404),
    "GET /docs/{name}/": Sent(status=404),
    "GET /docs/{folder}/{name}": Sent(status=404),
    "GET /docs/api/{name}": Sent(status=404),
    "GET /schemas/{name}": Sent(status=404),
    "GET /verify/{name}": Sent(status=404),
    "GET /v1/rules/analysis/{analysis_id}": Sent(status=404),
    "POST /v1/join": Sent(code_of, "lobby", wears=True),
    "POST /v1/matchmaking": Sent({"rules": {"preset": "house"}}, status=201),
    "POST /v1/series": Sent(SERIES, status=201),
    "POST /v1/series/{series_id}/join": Sent({"join_code": "AAAAAAAA"}, status=409),
    "DELETE /v1/series/{series_id}": Sent(wears=True),
    "POST /v1/series/{series_id}/leave": Sent(wears=True),
    "DELETE /v1/matchmaking/{match_id}": Sent(wears=True),
    "POST /v1/players": Sent({"name": "Eve"}, status=201),
    "PATCH /v1/players/me": Sent({"name": "Eve"}),
    "DELETE /v1/players/me": Sent(wears=True, status=204),
    "POST /v1/players/me/token": Sent(wears=True, status=201),
    "POST /v1/players/me/tokens": Sent({"scopes": ["read"]}, status=201),
    "DELETE /v1/players/me/tokens/{token_id}": Sent(wears=True, status=204),
    "POST /v1/tickets": Sent(status=201),
    "POST /v1/rules/validate": Sent({"rules": FARKLE["rules"]}),
    "POST /v1/rules/score": Sent(ROLL),
    "POST /v1/operator/players/{player_id}/wild-rolls": Sent(CREDIT),
    "POST /v1/operator/players/{player_id}/ban": Sent(wears=True),
    "POST /v1/operator/games/{game_id}/void": Sent(turn=3),
    "POST /v1/operator/games/{game_id}/close": Sent(turn=3),
    "POST /v1/operator/notices/ack": Sent({"ids": [f"{NOWHERE}.1"]}),
}
"""Calls that are not listed take no body, and change nothing that matters here."""

RULED_OUT = {
    "POST /v1/games/{game_id}/bank",
    "POST /v1/games/{game_id}/take-over",
    "POST /v1/games/{game_id}/wild-roll",
    "POST /v1/rules/analysis",
}
"""Calls that the rules refuse here, or what is switched off, whoever asks."""


def sent_with(call: str) -> Sent:
    return SENT.get(call, Sent())


async def alone(stage: Stage, call: str, role: Role, visibility: str) -> tuple[Role, Json, Ids]:
    """What a call that wears something off is sent by and to: all of it this call's own."""
    host = stage.cast["host"]
    if "{game_id}" in call:
        return role, await stage.table(visibility, sent_with(call).state), {}
    if call == "POST /v1/join":
        return role, await stage.do(stage.cast["spare"], "POST", "/v1/games", OPEN), {}
    if "/players/me/tokens/" in call:
        return role, {}, {"token_id": (await stage.scoped(host, "read"))["id"]}
    if "{match_id}" in call:
        asked = {"rules": {"preset": "farkle"}}
        return (
            role,
            {},
            {"match_id": (await stage.do(host, "POST", "/v1/matchmaking", asked))["id"]},
        )
    if "{series_id}" in call:
        return role, {}, {"series_id": (await stage.do(host, "POST", "/v1/series", SERIES))["id"]}
    player = await stage.guest()
    if call.startswith("POST /v1/operator"):
        return role, {}, {"player_id": player.id}
    return role._replace(headers=(bearer(player.token),), player=player), {}, {}
