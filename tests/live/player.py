"""A player on real sockets: calls with a token, and moves chosen by chance from what is legal."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.live.wire import Reply, ask_once, request

Json = dict[str, Any]
SOLO: Json = {
    "rules": {"preset": "farkle", "options": {"target": 2000, "opening": 0}},
    "pass_and_play": True,
}


class Move(NamedTuple):
    method: str
    path: str
    body: Json | None = None


@dataclass(frozen=True)
class Player:
    id: str
    token: str
    port: int

    @classmethod
    async def make(cls, port: int, name: str = "Ana") -> Player:
        answer = await ask_once(port, request("POST", "/v1/players", {"name": name}))
        assert answer.status == 201, answer
        made = answer.json()
        return cls(made["id"], made["token"], port)

    def raw(
        self, method: str, path: str, body: object = None, *, key: str | None = None, **headers: str
    ) -> bytes:
        """The bytes of a call. Headers: `if_match='"3"'`."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if key is not None:
            sent["Idempotency-Key"] = key
        return request(method, path, body, token=self.token, headers=sent)

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        port: int | None = None,
        key: str | None = None,
        **headers: str,
    ) -> Reply:
        raw = self.raw(method, path, body, key=key, **headers)
        return await ask_once(port or self.port, raw)

    async def do(self, method: str, path: str, body: object = None, **how: Any) -> Json:
        """A call that is accepted; its body."""
        answer = await self.ask(method, path, body, **how)
        assert answer.ok, answer
        data: Json = answer.json()
        return data

    async def table(self, asked: Json = SOLO, *guests: Player, start: bool = True) -> Json:
        """A new game, started."""
        game = await self.do("POST", "/v1/games", asked)
        path = f"/v1/games/{game['id']}"
        for guest in guests:
            game = await guest.do("POST", f"{path}/join", {"join_code": game["join_code"]})
        if start:
            game = (await self.do("POST", f"{path}/start"))["game"]
        return game


def next_move(game: Json, chance: random.Random) -> Move:
    """A command for the seat to move. The rules may refuse to bank."""
    path = f"/v1/games/{game['id']}"
    if game["status"] == "lobby":
        return Move("POST", f"{path}/start")
    legal = game["legal"]
    if game["turn"]["phase"] == "to_roll":
        takes = "take-over" in legal["commands"] and chance.random() < 0.5
        return Move("POST", f"{path}/{'take-over' if takes else 'roll'}")
    choice = chance.choice(legal["selections"])
    selection = {k: v for k, v in choice.items() if k in ("dice", "wild_face")}
    verb = chance.choice(("roll", "roll", "select", "bank", "bank"))
    return Move("POST", f"{path}/{verb}", selection if verb == "select" else {"select": selection})


async def all_events(player: Player, game_id: str) -> list[Json]:
    """The whole log, read as a follower reads it."""
    found: list[Json] = []
    while True:
        path = f"/v1/games/{game_id}/events?limit=200&after={len(found)}"
        page = await player.do("GET", path)
        found += page["items"]
        if page["next"] is None:
            return found


async def gathered(*calls: Any) -> list[Any]:
    """All at once; the first failure is raised."""
    return list(await asyncio.gather(*calls))
