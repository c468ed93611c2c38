"""A series in tests: its games played out by a plain policy, at one server or at several."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from app.api.schemas.series import SeriesGamePage, SeriesView
from tests.api.live import Guest
from tests.api.table import Json, modelled

SERIES: TypeAdapter[Any] = TypeAdapter(SeriesView)
GAMES: TypeAdapter[Any] = TypeAdapter(SeriesGamePage)

SHORT: Json = {
    "rules": {"preset": "farkle", "options": {"target": 600, "opening": 0, "final_round": False}},
    "participants": [{"kind": "me"}, {"kind": "player"}],
    "games": 2,
}


@dataclass
class Played:
    """A series and who plays it."""

    id: str
    owner: Guest
    players: dict[str, Guest]

    @property
    def path(self) -> str:
        return f"/v1/series/{self.id}"

    async def view(self) -> Json:
        return modelled(SERIES, await self.owner.get(self.path))

    async def games(self, limit: int = 100) -> list[Json]:
        found: list[Json] = []
        cursor: str | None = None
        while True:
            asked = {"limit": limit} | ({"cursor": cursor} if cursor else {})
            page = modelled(GAMES, await self.owner.get(f"{self.path}/games", params=asked))
            found += page["items"]
            if (cursor := page["next"]) is None:
                return found

    async def until(self, *statuses: str) -> Json:
        """The series, once it has come so far."""
        async with asyncio.timeout(60):
            while (view := await self.view())["status"] not in statuses:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        return view

    async def running(self, count: int) -> list[Json]:
        """The games that run, once there are so many."""
        async with asyncio.timeout(60):
            while True:
                found = [g for g in await self.games() if g["status"] == "playing"]
                if len(found) == count:
                    return found
                await asyncio.sleep(0.02)

    async def play(self, game_id: str) -> Json:
        """Rolls, and banks the best of each roll, to the end."""
        game: Json = (await self.owner.get(f"/v1/games/{game_id}")).json()
        while game["status"] == "playing":
            mover = self.players[game["seats"][game["turn"]["seat"]]["player_id"]]
            body: Json = {}
            verb = "roll"
            if game["turn"]["phase"] == "to_select":
                best = max(game["legal"]["selections"], key=lambda s: (s["points"], s["dice"]))
                body, verb = {"select": {"dice": best["dice"]}}, "bank"
            answer = await mover.post(f"/v1/games/{game_id}/{verb}", body)
            if answer.status_code == 409:  # cancelled meanwhile
                assert answer.json()["code"] == "game_over"
                break
            game = answer.json()["game"]
        return game

    async def play_all(self) -> Json:
        """Every game, as they come."""
        played: set[str] = set()
        async with asyncio.timeout(100):
            while (view := await self.view())["status"] == "running":
                games = await self.games()
                found = {g["game_id"] for g in games if g["status"] == "playing"} - played
                assert len(found) <= view["at_once"]
                played |= found
                await asyncio.gather(*map(self.play, found))
                await asyncio.sleep(0.01)
        return view


async def create(owner: Guest, *others: Guest, **body: Any) -> Played:
    """A series that all of them have joined."""
    answer = await owner.post("/v1/series", {**SHORT, **body})
    made = modelled(SERIES, answer, 201)
    assert answer.headers["location"] == f"/v1/series/{made['id']}"
    series = Played(made["id"], owner, {who.id: who for who in (owner, *others)})
    for who in others:
        modelled(SERIES, await who.post(f"{series.path}/join", {"join_code": made["join_code"]}))
    return series
