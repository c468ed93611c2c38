"""
A tournament: everybody against everybody, in one series that the server plays through.

    tournament.py SERVER GAMES PARTICIPANT… [--preset farkle] [--seed S] [--logs FILE]

A participant is a character (cautious, gambler, strategist), or `player`: a place for whoever comes
with the code that is printed, such as `bot.py SERVER TOKEN_FILE ID:CODE`. GAMES is how many each
pair plays. Prints the table when all is over; --logs keeps every game's log. Needs httpx.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import httpx

Json = dict[str, Any]


def ask(api: httpx.Client, method: str, path: str, body: Json | None = None) -> Json:
    """The answer; later, where the server asks for patience or is away for a moment."""
    while True:
        try:
            answer = api.request(method, path, json=body)
        except httpx.TransportError:
            time.sleep(1)
            continue
        if answer.status_code not in (429, 503):
            answer.raise_for_status()
            return dict(answer.json())
        time.sleep(float(answer.headers.get("Retry-After", 1)))


def table(series: Json) -> str:
    """The participants, the best first: a shared win is half a one."""
    lines = [f"{'':16} {'games':>6} {'won':>6} {'shared':>7} {'lost':>6} {'mean score':>11}"]
    results = sorted(
        zip(series["participants"], series["results"], strict=True),
        key=lambda pair: -(2 * pair[1]["wins"] + pair[1]["shared"]),
    )
    for who, result in results:
        name = who["name"] or who["character"]
        mean = result["points"] / max(1, result["games"])
        counts = f"{result['games']:6} {result['wins']:6} {result['shared']:7} {result['losses']:6}"
        lines.append(f"{name:16} {counts} {mean:11.0f}")
    return "\n".join(lines)


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("server")
    asked.add_argument("games", type=int)
    asked.add_argument("participants", nargs="+")
    asked.add_argument("--preset", default="farkle")
    asked.add_argument("--seed", default="tournament")
    asked.add_argument("--logs", type=Path)
    args = asked.parse_args()
    sides = [
        {"kind": "player"} if who == "player" else {"kind": "bot", "character": who}
        for who in args.participants
    ]
    with httpx.Client(base_url=f"{args.server.rstrip('/')}/v1", timeout=60) as api:
        me = ask(api, "POST", "/players", {"name": "Tournament"})
        api.headers["Authorization"] = f"Bearer {me['token']}"
        # One key for the one series: if no answer comes, the repeated call makes no second one.
        api.headers["Idempotency-Key"] = f"tournament-{me['id']}"
        series = ask(
            api,
            "POST",
            "/series",
            {
                "rules": {"preset": args.preset},
                "participants": sides,
                "games": args.games,
                "at_once": 4,
                "dice": {"kind": "seeded", "seed": args.seed},
            },
        )
        path = f"/series/{series['id']}"
        if series.get("join_code"):
            print(f"places are free: {series['id']}:{series['join_code']}", flush=True)
        while series["status"] not in ("finished", "cancelled"):
            time.sleep(0.5)
            series = ask(api, "GET", path)
        print(table(series))
        if args.logs:
            with api.stream("GET", f"{path}/export") as logs, args.logs.open("wb") as file:
                for part in logs.iter_bytes():
                    file.write(part)


if __name__ == "__main__":
    main()
