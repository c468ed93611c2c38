"""
Contributes to the dice of a game: draws a value, commits to it, reveals it once the game is sealed.

    python entropy.py https://host/v1/games/ID TOKEN

Run it after sitting down and before the start; it ends when the dice are sealed. Standard library
only. Why, and what the server does with it: docs/fairness.md.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sys
import urllib.request
from typing import Any


def lp(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def seat_commit(game_id: str, epoch: int, seat: int, seed: bytes) -> str:
    """What is published before the seed is."""
    place = epoch.to_bytes(4, "big") + seat.to_bytes(4, "big")
    tag = lp(b"pf1/seat-commit") + lp(game_id.encode("ascii")) + place
    return hashlib.sha256(tag + lp(seed)).hexdigest()


class Contribution:
    """What one seat contributes: a fresh value for each attempt, kept until the game is over."""

    def __init__(self, game_id: str, seat: int) -> None:
        self.game_id, self.seat = game_id, seat
        self.seeds: dict[int, bytes] = {}

    def commit(self, epoch: int) -> dict[str, str]:
        """The body for the lobby; `epoch` is the number of the next attempt."""
        return {"commit": self._commit_to(epoch)}

    def reveal(self, epoch: int) -> dict[str, str]:
        """The body while the game is sealed."""
        return {"seed": self.seeds[epoch].hex(), "next_commit": self._commit_to(epoch + 1)}

    def _commit_to(self, epoch: int) -> str:
        seed = self.seeds.setdefault(epoch, secrets.token_bytes(32))
        return seat_commit(self.game_id, epoch, self.seat, seed)


def call(method: str, url: str, token: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        return json.load(answer)


def main(game_url: str, token: str) -> None:
    me = call("GET", game_url.split("/games/", maxsplit=1)[0] + "/players/me", token)["id"]
    game = call("GET", game_url, token)
    seat = next(each["seat"] for each in game["seats"] if each["player_id"] == me)
    mine = Contribution(game["id"], seat)
    epoch = call("GET", f"{game_url}/fairness", token)["failed_attempts"]
    call("PUT", f"{game_url}/entropy", token, mine.commit(epoch))
    print(f"seat {seat} has committed", flush=True)
    while game["status"] in ("lobby", "sealing"):
        if game["status"] == "sealing" and seat in game["sealing"]["waiting"]:
            epoch = game["sealing"]["epoch"]
            call("PUT", f"{game_url}/entropy", token, mine.reveal(epoch))
            print(f"revealed for attempt {epoch}", flush=True)
        after = game["version"]
        call("GET", f"{game_url}/events?after={after}&wait=25", token)
        game = call("GET", game_url, token)
    told = call("GET", f"{game_url}/fairness", token)
    mixed = [each["seat"] for each in told["seats"] if each["mixed"]]
    print(f"mixed by seats {mixed}, {told['failed_attempts']} failed attempts")
    print(f"keep: version {told['version']}, seeds {[s.hex() for s in mine.seeds.values()]}")


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2])
