"""A table in tests: who sits where, who moves, and every answer held against its model."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import httpx
from pydantic import TypeAdapter

from app.api.schemas.event import EventPage, EventView
from app.api.schemas.game import GamePage, GameView, Minimal, Played
from tests.api.live import Guest

GAME: TypeAdapter[Any] = TypeAdapter(GameView)
PLAYED: TypeAdapter[Any] = TypeAdapter(Played)
MINIMAL: TypeAdapter[Any] = TypeAdapter(Minimal)
EVENT: TypeAdapter[Any] = TypeAdapter(EventView)
EVENTS: TypeAdapter[Any] = TypeAdapter(EventPage)
GAMES: TypeAdapter[Any] = TypeAdapter(GamePage)

LAYING = {"join", "leave"}
"""Calls below a game that answer with the game alone."""

Json = dict[str, Any]


def modelled(model: TypeAdapter[Any], answer: httpx.Response, status: int = 200) -> Json:
    """The body of an answer that is exactly what its model says."""
    assert answer.status_code == status, answer.text
    data: Json = json.loads(answer.content)
    read = model.validate_json(answer.content, strict=True)
    assert model.dump_python(read, mode="json") == data
    return data


def refused(answer: httpx.Response, status: int, code: str) -> Json:
    """The problem a call was refused with."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: Json = answer.json()
    assert problem["code"] == code, problem
    return problem


def types(events: list[Json]) -> list[str]:
    return [event["type"] for event in events]


@dataclass
class Table:
    """Plays for whoever is to move, unless told who."""

    game: Json
    players: list[Guest]
    events: list[Json] = field(default_factory=list)
    """What the last command caused."""

    @property
    def id(self) -> str:
        found: str = self.game["id"]
        return found

    @property
    def path(self) -> str:
        return f"/v1/games/{self.id}"

    @property
    def host(self) -> Guest:
        return self.players[0]

    @property
    def turn(self) -> Json:
        found: Json = self.game["turn"]
        return found

    @property
    def scores(self) -> list[int]:
        return [seat["score"] for seat in self.game["seats"]]

    def mover(self) -> Guest:
        """Who holds the seat to move; the host, where nobody moves."""
        if self.game["turn"] is None:
            return self.host
        mover = self.game["seats"][self.game["turn"]["seat"]]["player_id"]
        return next(player for player in self.players if player.id == mover)

    async def ask(
        self, command: str, body: Any = None, *, by: Guest | None = None, **headers: str
    ) -> httpx.Response:
        """The bare answer to a command. Headers: `if_match="3"`, `idempotency_key="a"`."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return await (by or self.mover()).post(f"{self.path}/{command}", body, headers=sent)

    async def do(
        self, command: str, body: Any = None, *, by: Guest | None = None, **headers: str
    ) -> list[Json]:
        """A command that is accepted; the events it causes."""
        answer = await self.ask(command, body, by=by, **headers)
        if command in LAYING:
            self.game = modelled(GAME, answer)
        else:
            done = modelled(PLAYED, answer)
            self.game, self.events = done["game"], done["events"]
        assert answer.headers["etag"] == f'"{self.game["version"]}"'
        return self.events

    async def refused(
        self, code: str, command: str, body: Any = None, *, status: int = 409, **how: Any
    ) -> Json:
        """A command that is refused, and changes nothing."""
        before = (await self.host.get(self.path)).json()
        problem = refused(await self.ask(command, body, **how), status, code)
        after = (await self.host.get(self.path)).json()
        assert {**after, "now": None} == {**before, "now": None}
        return problem

    async def roll(self, **how: Any) -> list[Json]:
        return await self.do("roll", **how)

    async def select(self, *dice: int, wild_face: int | None = None) -> list[Json]:
        body: Json = {"dice": list(dice)}
        if wild_face is not None:
            body["wild_face"] = wild_face
        return await self.do("select", body)

    async def bank(self, **how: Any) -> list[Json]:
        return await self.do("bank", **how)

    async def log(self) -> list[Json]:
        """Every event so far."""
        page = modelled(EVENTS, await self.host.get(f"{self.path}/events", params={"limit": 200}))
        assert page["next"] is None
        items: list[Json] = page["items"]
        return items


async def create(host: Guest, preset: str = "farkle", **body: Any) -> Table:
    """A table in the lobby. `rolls`: its script; `options`: of the preset."""
    asked: Json = {"rules": {"preset": preset, "options": body.pop("options", {})}}
    if "rolls" in body:
        asked["dice"] = {"kind": "scripted", "rolls": body.pop("rolls")}
    asked |= body
    if preset == "house":
        asked.setdefault("seats", [{"kind": "human"}, {"kind": "human"}])
    answer = await host.post("/v1/games", asked)
    game = modelled(GAME, answer, 201)
    assert answer.headers["location"] == f"/v1/games/{game['id']}"
    return Table(game, [host])


async def join(table: Table, *guests: Guest, code: str | None = None) -> None:
    """Everybody sits down."""
    for guest in guests:
        await table.do("join", {"join_code": code or table.game["join_code"]}, by=guest)
        table.players.append(guest)


async def started(host: Guest, *guests: Guest, preset: str = "farkle", **body: Any) -> Table:
    """A running game. A host alone plays all human seats."""
    if not guests and "seats" not in body:
        body.setdefault("pass_and_play", True)
    table = await create(host, preset, **body)
    await join(table, *guests)
    await table.do("start", by=host)
    return table
