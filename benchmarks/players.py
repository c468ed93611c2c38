"""
What a connection asks Hotdice for: whole games, one after another, by what the answers offer.

The policy is the same everywhere, so that rows differ only by what they say: roll; of what scores
take what is worth most; bank from 300 points, else roll on. One player holds both seats
(pass-and-play), one connection is one player.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from benchmarks.client import Unexpected, call, request_bytes
from engine.rules import Rules
from engine.scoring import scoring_of

BANK_FROM = 300
TARGET = 10_000
OPTIONS = {"target": TARGET, "opening": 0}
"""Farkle; without an opening, so that a player who sees events alone knows when it may bank."""


def table(target: int = TARGET) -> dict[str, Any]:
    """The body that opens a table."""
    options = {**OPTIONS, "target": target}
    return {"rules": {"preset": "farkle", "options": options}, "pass_and_play": True}


_TABLE = json.dumps(table()).encode()


def guests(port: int, how_many: int) -> list[str]:
    """Tokens of new players."""
    made = [call(port, "POST", "/v1/players", {"name": f"B{n}"}) for n in range(how_many)]
    return [player["token"] for player in made]


def seated(port: int, tokens: Sequence[str], target: int = TARGET) -> dict[str, Any]:
    """A game of these players that has just started, as its host sees it."""
    host, *others = tokens
    body = {**table(target), "pass_and_play": False, "seats": [{"kind": "human"}] * len(tokens)}
    game = call(port, "POST", "/v1/games", body, host)
    path = f"/v1/games/{game['id']}"
    for token in others:
        call(port, "POST", f"{path}/join", {"join_code": game["join_code"]}, token)
    started: dict[str, Any] = call(port, "POST", f"{path}/start", token=host)["game"]
    return started


class Player:
    """
    Plays by the game in each answer.

    Args:
        keys: sends an Idempotency-Key with every command.
    """

    prefer = ""

    def __init__(self, token: str, *, keys: bool = False) -> None:
        self._headers = f"authorization: Bearer {token}\r\n"
        self._numbers: Iterator[int] | None = count() if keys else None
        self._path = ""
        self._verb = "create"
        self._body = b""
        self.commands = 0
        """Asked for, in all."""

    def request(self) -> bytes:
        self.commands += 1
        headers = self._headers
        if self._numbers is not None:
            headers += f"idempotency-key: k-{next(self._numbers)}\r\n"
        if self._verb == "create":
            return request_bytes("POST", "/v1/games", _TABLE, headers)
        path = f"{self._path}/{self._verb}"
        return request_bytes("POST", path, self._body, headers + self.prefer)

    def answered(self, status: int, head: bytes, body: bytes) -> None:
        if self._verb == "create":
            if status != 201:
                raise Unexpected(f"create: {status} {body[:500]!r}")
            self._path = f"/v1/games/{json.loads(body)['id']}"
            self._next("start")
        elif status == 200:
            self._read(json.loads(body))
        else:
            raise Unexpected(f"{self._verb}: {status} {body[:500]!r}")

    def _next(self, verb: str, body: bytes = b"") -> None:
        self._verb, self._body = verb, body

    def _read(self, answer: dict[str, Any]) -> None:
        self._decide(answer["game"])

    def _decide(self, game: dict[str, Any]) -> None:
        if game["status"] == "finished":
            self._next("create")
            return
        legal = game["legal"]
        if game["turn"]["phase"] == "to_roll":
            self._next("roll")
        elif legal["selections"] and self._verb != "select":
            best = max(legal["selections"], key=lambda s: (s["points"], len(s["dice"])))
            self._next("select", b'{"dice":%b}' % json.dumps(best["dice"]).encode())
        elif legal["bank"] is not None and legal["bank"]["score"] >= BANK_FROM:
            self._next("bank")
        else:
            self._next("roll")


class TersePlayer(Player):
    """Prefers minimal answers and plays by the events in them, with the rules at hand."""

    prefer = "prefer: return=minimal\r\n"

    def __init__(self, token: str, rules: Rules, *, keys: bool = False) -> None:
        super().__init__(token, keys=keys)
        self._scoring = scoring_of(rules)
        self._score = 0

    def _read(self, answer: dict[str, Any]) -> None:
        if "game" in answer:
            raise Unexpected("a whole answer, where the least was preferred")
        events = {event["type"]: event for event in answer["events"]}
        rolled = events.get("dice_rolled")
        if "game_finished" in events:
            self._next("create")
        elif rolled is None:
            done = self._verb != "select" or self._score < BANK_FROM
            self._next("roll" if done else "bank")
        elif "turn_busted" in events:
            self._next("roll")
        else:
            faces, mask = [0] * self._scoring.rules.dice, 0
            for position, face in zip(rolled["positions"], rolled["dice"], strict=True):
                faces[position] = face
                mask |= 1 << position
            best = self._scoring.roll_table(tuple(faces), mask, False, ()).best()
            if best is None:
                raise Unexpected("nothing scores, and yet no bust")
            self._score += best.points
            self._next("select", b'{"dice":%b}' % json.dumps(best.dice).encode())
        if self._verb in ("create", "bank") or "turn_busted" in events:
            self._score = 0


class Reader:
    """Reads one running game again and again."""

    def __init__(self, port: int, token: str) -> None:
        game = call(port, "POST", "/v1/games", table(), token)
        path = f"/v1/games/{game['id']}"
        call(port, "POST", f"{path}/start", token=token)
        call(port, "POST", f"{path}/roll", token=token)
        self._request = request_bytes("GET", path, headers=f"authorization: Bearer {token}\r\n")

    def request(self) -> bytes:
        return self._request

    def answered(self, status: int, head: bytes, body: bytes) -> None:
        if status != 200:
            raise Unexpected(f"{status} {body[:500]!r}")


class Regular(Player):
    """
    Plays on at a table that is there already, at the next one when it is sent on.

    Args:
        game_ids: all of which stand alike.
    """

    def __init__(self, port: int, token: str, game_ids: Sequence[str]) -> None:
        super().__init__(token)
        self._waiting = list(game_ids)
        # Read, so that no process meets the game for the first time when it is measured.
        self._view = call(port, "GET", f"/v1/games/{game_ids[0]}", token=token)
        self.move_on()

    def move_on(self) -> None:
        """To the next table; at the last one it stays."""
        if self._waiting:
            self._path = f"/v1/games/{self._waiting.pop(0)}"
            self._verb = ""
            self._decide(self._view)

    def _decide(self, game: dict[str, Any]) -> None:
        super()._decide(game)
        self.begins_turn = game["turn"]["phase"] == "to_roll"


class Brief(Player):
    """
    Opens games and resigns each: all of them have as many commands.

    Args:
        length: of a game, in commands, with the first and the last one.
        first: of the first game, so that not all end at once.
    """

    def __init__(self, token: str, length: int, first: int) -> None:
        super().__init__(token)
        self._length = length
        self._left = first

    def request(self) -> bytes:
        self._left -= 1
        return super().request()

    def _next(self, verb: str, body: bytes = b"") -> None:
        if self._left == 1:
            verb, body = "resign", b'{"seat":0}'
        elif self._left == 0:
            self._left, verb, body = self._length, "create", b""
        super()._next(verb, body)
