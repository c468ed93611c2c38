"""
Plays a seat in a series against a bot, and prints who won how often.

    play_series.py SERVER [CHARACTER] [GAMES] [SEED]

The decisions are those of `strategy.py`, beside this file.
"""

import sys
import time
from typing import Any

import httpx
from strategy import decide  # type: ignore[import-not-found]  # beside this file

SERVER, CHARACTER, GAMES, SEED = (*sys.argv[1:], *("", "cautious", "20", "1")[len(sys.argv) - 1 :])


def main() -> None:
    with httpx.Client(base_url=f"{SERVER}/v1", timeout=60) as api:
        me = ask(api, "POST", "/players", {"name": "Strategy"})
        api.headers["Authorization"] = f"Bearer {me['token']}"
        series = ask(
            api,
            "POST",
            "/series",
            {
                "rules": {"preset": "farkle"},
                "participants": [{"kind": "me"}, {"kind": "bot", "character": CHARACTER}],
                "games": int(GAMES),
                "at_once": 1,
                "dice": {"kind": "seeded", "seed": SEED},
            },
        )
        path = f"/series/{series['id']}"
        page: dict[str, Any] = {"next": 0}
        while page["next"] is not None:  # game after game, each once it is opened
            at = page["next"]
            page = ask(api, "GET", f"{path}/games?limit=1&cursor={at}")
            [game] = page["items"]
            if game["game_id"] is None:
                time.sleep(0.05)
                page["next"] = at
            else:
                play(api, f"/games/{game['game_id']}", me["id"])
        series = ask(api, "GET", path)
    print(f"{'':12} {'games':>6} {'won':>6} {'shared':>7} {'lost':>6} {'mean score':>11}")
    for who, result in zip(series["participants"], series["results"], strict=True):
        counts = (result[name] for name in ("games", "wins", "shared", "losses"))
        games, won, shared, lost = counts
        name, mean = who["name"] or who["character"], result["points"] / games
        print(f"{name:12} {games:6} {won:6} {shared:7} {lost:6} {mean:11.0f}")


def play(api: httpx.Client, path: str, me: str) -> None:
    """One game to its end: decides when it is our turn, waits for news when it is not."""
    game = ask(api, "GET", path)
    while game["status"] == "playing":
        if game["seats"][game["turn"]["seat"]]["player_id"] == me:
            answer = decide(game)
            command, body = (answer, {}) if isinstance(answer, str) else answer
            game = ask(api, "POST", f"{path}/{command}", body)["game"]
        else:
            ask(api, "GET", f"{path}/events?after={game['version']}&wait=20")
            game = ask(api, "GET", path)


def ask(api: httpx.Client, method: str, path: str, body: Any = None) -> Any:
    """The answer; later, where the server asks for patience."""
    while True:
        answer = api.request(method, path, json=body)
        if answer.status_code not in (429, 503):
            answer.raise_for_status()
            return answer.json()
        time.sleep(float(answer.headers.get("Retry-After", 1)))


if __name__ == "__main__":
    main()
