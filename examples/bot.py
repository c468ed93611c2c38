"""
A bot that waits to be told of its turns, and plays any number of games at once.

    bot.py SERVER TOKEN_FILE [CODE …] [--games N]

CODE is a table's join code, or ID:CODE of a series. It stays until N games are over, or for ever.
TOKEN_FILE is made, with a new bot account, where there is none. Needs httpx and websockets.
"""

import argparse
import asyncio
import json
import random
import uuid
from pathlib import Path
from typing import Any

import httpx
from websockets import ConnectionClosed
from websockets.asyncio.client import connect

Json = dict[str, Any]

FINAL = {1008, 4401, 4403, 4404}  # coming back would change nothing
ENOUGH = 300  # points of a turn from which it stops


def decide(game: Json) -> tuple[str, Json]:
    """The next command and its body, by what the game shows; good for any rule set."""
    turn, legal, score = game["turn"], game["legal"], game["seats"][game["turn"]["seat"]]["score"]
    if turn["phase"] == "to_select" and not any(die["selected"] for die in turn["dice"]):
        best = max(legal["selections"], key=lambda each: int(each["points"]))
        return "select", {name: best[name] for name in ("dice", "wild_face") if name in best}
    bank = legal["bank"] if "bank" in legal["commands"] else None
    if bank and bank["total"] > score and (bank["score"] >= ENOUGH or game["final_round"]):
        return "bank", {}
    return "roll", {}


class Bot:
    def __init__(self, server: str, token: str, games: int | None) -> None:
        self.headers = {"Authorization": f"Bearer {token}"}
        self.stream = server.replace("http", "ws", 1) + "/v1/players/me/stream"
        self.api = httpx.AsyncClient(base_url=f"{server}/v1", headers=self.headers, timeout=60)
        self.games = games
        self.me = ""
        self.due: set[str] = set()  # games in which it is to move
        self.playing: set[str] = set()  # games that have a task
        self.over: set[str] = set()

    async def run(self) -> None:
        """Follow one's own games; after any break the list that comes first is whole again."""
        self.me = (await self.ask("GET", "/players/me"))["id"]
        async with asyncio.TaskGroup() as tasks:
            async for socket in connect(self.stream, additional_headers=self.headers):
                try:
                    async for text in socket:
                        self.hear(json.loads(text), tasks)
                        if self.games is not None and len(self.over) >= self.games:
                            return
                except ConnectionClosed as closed:
                    if closed.rcvd is not None and closed.rcvd.code in FINAL:
                        raise
                await asyncio.sleep(random.uniform(0.2, 1))  # noqa: S311 — not all bots at once

    def hear(self, message: Json, tasks: asyncio.TaskGroup) -> None:
        """A list of games, or the newest state of one."""
        for game in message["games"] if message["type"] == "games" else [message]:
            game_id = str(game.get("game_id", ""))  # heartbeats are about none
            if message["type"] == "ended" and game_id not in self.over:
                self.over.add(game_id)
                print("over", game_id, flush=True)
            if game.get("to_move") is not None and game["to_move"] in game["seats"]:
                self.due.add(game_id)
                if game_id not in self.playing:
                    self.playing.add(game_id)
                    tasks.create_task(self.play(game_id))

    async def play(self, game_id: str) -> None:
        """One game, as long as it is told that it is its turn there."""
        while game_id in self.due:
            self.due.discard(game_id)
            game = await self.ask("GET", f"/games/{game_id}")
            while self.is_to_move(game):
                command, body = decide(game)
                answer = await self.ask("POST", f"/games/{game_id}/{command}", body)
                if "game" not in answer:  # refused: the game has moved on
                    await asyncio.sleep(0.1)
                game = answer.get("game") or await self.ask("GET", f"/games/{game_id}")
        self.playing.discard(game_id)

    def is_to_move(self, game: Json) -> bool:
        """False, too, where the game is not for us any more: the answer is a refusal then."""
        legal = game.get("legal")
        return bool(legal and game["seats"][legal["seat"]]["player_id"] == self.me)

    async def ask(self, method: str, path: str, body: Json | None = None) -> Json:
        """The answer or refusal, however often it takes; one key, so that a command acts once."""
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        while True:
            try:
                answer = await self.api.request(method, path, json=body, headers=headers)
            except httpx.TransportError:
                await asyncio.sleep(random.uniform(0.2, 1))  # noqa: S311
                continue
            if answer.status_code not in (429, 503):
                if answer.status_code not in (403, 404, 409):  # what the state of a game leads to
                    answer.raise_for_status()
                return dict(answer.json())
            await asyncio.sleep(float(answer.headers.get("Retry-After", 1)))


def token_in(file: Path, server: str) -> str:
    """The token that is kept there; a new account's where there is none."""
    if not file.exists():
        made = httpx.post(f"{server}/v1/players", json={"name": "Example", "bot": True})
        made.raise_for_status()
        file.touch(mode=0o600)
        file.write_text(made.json()["token"])
    return file.read_text().strip()


async def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("server")
    asked.add_argument("token_file", type=Path)
    asked.add_argument("codes", nargs="*")
    asked.add_argument("--games", type=int)
    args = asked.parse_args()
    bot = Bot(args.server.rstrip("/"), token_in(args.token_file, args.server), args.games)
    for code in args.codes:
        series, _, word = code.rpartition(":")
        path = f"/series/{series}/join" if series else "/join"
        joined = await bot.ask("POST", path, {"join_code": word})
        if "code" in joined and joined["code"] not in ("already_seated", "already_takes_part"):
            raise SystemExit(f"{code}: {joined['detail']}")
    print("waiting", flush=True)
    await bot.run()


if __name__ == "__main__":
    asyncio.run(main())
