"""What is called to have an example of every operation: a story of guests, tables and a series."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any

from engine.bots.knowledge import knowledge_of
from tests.api.contributing import seat_commit
from tests.engine.spec import rules as engine_rules
from tests.plain_rules import plain_rules
from tests.spec.recording import Json, Recorder

SCRIPT = [[1, 1, 1, 5, 2, 3], [5, 5, 2], [2, 2, 3, 4, 6, 6], [4, 4, 4, 4, 1, 2]]
ONE_DIE: Json = plain_rules(
    "one-die",
    dice=1,
    seats=(2, 4),
    target=500,
    singles={"one": (1, 100), "five": (5, 50)},
)

Call = Callable[..., Awaitable[Any]]


async def play(recorder: Recorder) -> None:
    """Every chapter; each is about some operations, in the order of the document."""
    call = recorder.call
    await call("show_server", None, "What the server is and offers")
    await call("health_live", None, "It is alive")
    await call("health_ready", None, "It can serve")
    await call("metrics", None, "The first of the counters; cut short here")
    ana = await call("create_player", None, "A guest", {"name": "Ana"})
    bo = await call("create_player", None, "A program that plays", {"name": "Bo", "bot": True})
    cy = await call("create_player", None, None, {"name": "Cy"})
    await accounts(call, ana["token"], cy["token"])
    await rules(call)
    await tables(call, ana["token"], bo["token"], cy["token"])
    await commands(call, ana["token"], cy["token"])
    await contributions(call, ana["token"], cy["token"])
    await matches(call, ana["token"])
    await series(call, ana["token"], cy["token"])
    await statistics(call, ana, cy)
    await briefly(call, ana["token"], cy["token"])
    await operators(call, ana, bo, cy)
    await call("forget_me", bo["token"], "Good-bye", {})


async def accounts(call: Call, ana: str, cy: str) -> None:
    await call("show_me", ana, "Oneself")
    await call("change_me", ana, "To be told of turns", {"notices": True})
    script = {"name": "laptop", "scopes": ["read", "play"], "expires_in_s": 86400}
    token = await call("create_token", ana, "For a script", script)
    await call("list_tokens", ana, "One's tokens")
    await call("revoke_token", ana, "It opens nothing any more", {}, token_id=token["id"])
    await call("rotate_token", cy, "Instead of the old one", {})
    await call("create_ticket", ana, "For a WebSocket in a browser", {})


async def rules(call: Call) -> None:
    await call("list_rules", None, "All presets; the schema is cut short here")
    await call("show_rules", None, "One preset", preset="jester")
    options = {"target": 5000, "values": {"single_1": 150, "three": {"1": 900}}}
    chosen = {"preset": "house", "options": options}
    await call("validate_rules", None, "A preset with options", {"rules": chosen})
    await call("validate_rules", None, "A rule set of one's own", {"rules": {"custom": ONE_DIE}})
    roll = {"rules": {"preset": "farkle"}, "roll": [1, 5, 2, 3, 4, 4]}
    await call("score_roll", None, "Six dice", roll)
    asked = {"rules": {"custom": ONE_DIE}}
    found = await call("analyse_rules", None, "Not done yet", asked, expect=202)
    while found["status"] != "done":
        await asyncio.sleep(0.05)
        found = await call("show_analysis", seconds=0, analysis_id=found["id"])
    await call("analyse_rules", None, "Of a game with one die", asked)
    await call("show_analysis", None, "Done", analysis_id=found["id"])


async def tables(call: Call, ana: str, bo: str, cy: str) -> None:
    seats: list[Json] = [{"kind": "human"}, {"kind": "human"}, {"kind": "bot"}]
    table = await call(
        *("create_game", ana, "A table with a bot"),
        {"rules": {"preset": "house"}, "seats": seats, "visibility": "public"},
    )
    where = {"game_id": table["id"]}
    lobby = {"status": "lobby", "preset": "house", "limit": 10}
    await call("list_games", None, "Public tables in the lobby", query=lobby)
    await call("change_game", ana, "Clocks", {"clocks": {"turn_s": 60, "game_s": 1800}}, **where)
    bold = {"kind": "bot", "character": "gambler"}
    await call("change_seat", ana, "A bolder bot", bold, seat=2, **where)
    joined = await call("join_game", bo, "A seat at a public table", {"seat": 1}, **where)
    await call("show_game", ana, "In the lobby", **where)
    known = {"If-None-Match": f'"{joined["version"]}"'}
    await call("show_game", ana, "Nothing new", headers=known, **where)
    await call("leave_game", bo, "Out again", {}, **where)
    custom = await call(
        "create_game", ana, "A rule set of one's own", {"rules": {"custom": ONE_DIE}}
    )
    await call("join_by_code", cy, "By the code alone", {"join_code": custom["join_code"]})
    await call("end", ana, "The host closes the table", {}, game_id=custom["id"])


async def commands(call: Call, ana: str, cy: str) -> None:
    rules_ = {"preset": "farkle", "options": {"target": 1000, "opening": 300, "high_stakes": True}}
    dice = {"kind": "scripted", "rolls": SCRIPT}
    asked = {"rules": rules_, "dice": dice, "cheats": {"head_start": {"1": 100}}}
    table = await call("create_game", ana, "Dice given in advance", asked)
    where = {"game_id": table["id"]}
    await call("join_game", cy, "With the code", {"join_code": table["join_code"]}, **where)
    await call("start_game", ana, "The host starts", {}, **where)
    await call("roll", ana, "The first roll of a turn", {}, **where)
    await call("select", ana, "Three ones", {"dice": [0, 1, 2]}, **where)
    ruled = engine_rules("farkle", target=1000, opening=300, high_stakes=True)
    knowledge_of(ruled)  # before it is asked for, so that the answer does not depend on the machine
    await call("advise", ana, "What is best here", **where)
    await call("skip_next", ana, "The host cheats", {"seat": 1}, **where)
    minimal = {"Prefer": "return=minimal", "Idempotency-Key": "roll-2"}
    await call("roll", ana, "The events alone", {}, headers=minimal, **where)
    await call("bank", ana, "With a selection", {"select": {"dice": [3, 4]}}, **where)
    await call("take_over", ana, None, {}, expect=409, **where)
    found = await call("show_game", None, "Between turns", **where)
    version = found["version"]
    await call("show_state", None, "After the third event", version=3, **where)
    newest = {"after": version - 2, "limit": 10, "wait": 1, "view": "full"}
    await call("list_events", None, "The newest", query=newest, **where)
    await call("show_fairness", None, "Before the end", **where)
    await call("resign", cy, "One's only seat", {}, **where)
    await call("export_game", None, "A finished game", **where)
    await call("rematch", ana, "Once more", {}, **where)
    await call("rematch", cy, "Somebody has asked already", {}, expect=200, **where)
    await wild_roll(call, ana)
    await stolen(call, ana)


async def wild_roll(call: Call, ana: str) -> None:
    asked = {"rules": {"preset": "jester"}, "pass_and_play": True}
    table = await call("create_game", ana, "Pass and play", asked)
    where = {"game_id": table["id"]}
    await call("start_game", ana, None, {}, **where)
    await call("wild_roll", ana, "Before the first roll", {}, **where)


async def stolen(call: Call, ana: str) -> None:
    options = {"opening": 0, "high_stakes": True}
    asked = {
        "rules": {"preset": "farkle", "options": options},
        "dice": {"kind": "scripted", "rolls": [[1, 1, 2, 3, 4, 6], [5, 2, 3, 6]]},
        "pass_and_play": True,
    }
    table = await call("create_game", ana, None, asked)
    where = {"game_id": table["id"]}
    await call("start_game", ana, None, {}, **where)
    await call("roll", ana, None, {}, **where)
    await call("bank", ana, "All that scores", {}, **where)
    await call("take_over", ana, "Another's turn goes on", {}, **where)
    await call("resign", ana, "One of several seats", {"seat": 0}, **where)


async def contributions(call: Call, ana: str, cy: str) -> None:
    table = await call("create_game", ana, None, {"rules": {"preset": "farkle"}})
    where = {"game_id": table["id"]}
    await call("join_game", cy, None, {"join_code": table["join_code"]}, **where)
    seeds = [sha256(f"a seed of Ana's, {epoch}".encode()).digest() for epoch in (0, 1)]
    first, next_ = (seat_commit(table["id"], e, 0, seed) for e, seed in enumerate(seeds))
    await call("contribute", ana, "Commit, in the lobby", {"commit": first}, **where)
    await call("start_game", ana, "Contributions are asked for", {}, **where)
    reveal = {"seed": seeds[0].hex(), "next_commit": next_}
    await call("contribute", ana, "Reveal, while sealing", reveal, **where)


class Taps:
    """Calls on the version that was seen, each with a key, for the events alone."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._number = 0
        self.version: int | None = None

    async def __call__(self, operation: str, by: str, body: Json | None = None, **how: Any) -> Json:
        self._number += 1
        headers = {"Prefer": "return=minimal", "Idempotency-Key": f"tap-{self._number}"}
        if self.version is not None:
            headers["If-Match"] = f'"{self.version}"'
        said = "The events alone"
        found: Json = await self._call(operation, by, said, body, headers=headers, **how)
        self.version = found["version"]
        return found

    async def elsewhere(self, operation: str, by: str, body: Json | None = None, **how: Any) -> Any:
        """At a table that has not been seen, or at none."""
        self.version = None
        return await self(operation, by, body, **how)


async def briefly(call: Call, ana: str, cy: str) -> None:
    tap = Taps(call)
    asked: Json = {
        "rules": {"preset": "farkle", "options": {"opening": 0, "high_stakes": True}},
        "seats": [{"kind": "human"}, {"kind": "human"}, {"kind": "bot"}],
        "dice": {"kind": "scripted", "rolls": [SCRIPT[0], [5, 2]]},
        "cheats": {},
    }
    opened = await tap("create_game", ana, asked)
    where = {"game_id": opened["events"][0]["game_id"]}
    code = (await call("show_game", ana, **where))["join_code"]
    await tap("change_game", ana, {"advice": False}, **where)
    await tap("change_seat", ana, {"kind": "closed"}, seat=2, **where)
    await tap("join_game", cy, {"join_code": code}, **where)
    await tap("leave_game", cy, {}, **where)
    await tap.elsewhere("join_by_code", cy, {"join_code": code})
    await tap("start_game", ana, {}, **where)
    await tap("roll", ana, {}, **where)
    await tap("select", ana, {"dice": [0, 1, 2]}, **where)
    await tap("bank", ana, {}, **where)
    await tap("take_over", cy, {}, **where)
    await tap("skip_next", ana, {"seat": 0}, **where)
    await tap("resign", cy, {}, **where)
    await tap("rematch", ana, {}, expect=201, **where)
    await tap.elsewhere("rematch", cy, {}, expect=200, **where)
    await tap.elsewhere("void_game", "operator", {}, **where)
    found = await call(
        "create_game", ana, None, {"rules": {"preset": "jester"}, "pass_and_play": True}
    )
    where = {"game_id": found["id"]}
    await tap.elsewhere("start_game", ana, {}, **where)
    await tap("wild_roll", ana, {}, **where)
    await tap("end", ana, {}, **where)
    found = await call("create_game", ana, None, {"rules": {"preset": "farkle"}})
    where = {"game_id": found["id"]}
    commit = seat_commit(found["id"], 0, 0, sha256(b"another seed of Ana's").digest())
    await tap.elsewhere("contribute", ana, {"commit": commit}, **where)
    await tap("close_table", "operator", {}, **where)
    rules = {"rules": {"preset": "jester", "options": {"tier": "fortune"}}, "seats": 2}
    await tap.elsewhere("find_match", ana, rules, expect=201)
    await tap.elsewhere("find_match", ana, rules, expect=200)
    match = await call("find_match", ana, None, rules)
    await tap.elsewhere("cancel_match", ana, match_id=match["id"])


async def matches(call: Call, ana: str) -> None:
    asked = {"rules": {"preset": "jester", "options": {"tier": "jackpot"}}, "seats": 2}
    match = await call("find_match", ana, "Nobody waits yet", asked)
    await call("find_match", ana, "One waits already", asked)
    await call("show_match", ana, "Still waiting", match_id=match["id"])
    await call("cancel_match", ana, "Another time", match_id=match["id"])


async def series(call: Call, ana: str, cy: str) -> None:
    asked = {
        "rules": {"preset": "farkle", "options": {"target": 2000}},
        # One stays away: once nobody is missing, games open whenever the server comes to it.
        "participants": [{"kind": "me"}, {"kind": "player"}, {"kind": "player"}],
        "games": 2,
        "dice": {"kind": "seeded", "seed": "spring cup"},
    }
    made = await call("create_series", ana, "Two games of each pair, for whoever comes", asked)
    where = {"series_id": made["id"]}
    await call("show_series", None, "Somebody is missing", **where)
    page = await call("list_series_games", None, "All to come", query={"limit": 4}, **where)
    rest = {"limit": 4, "cursor": page["next"]}
    await call("list_series_games", None, "The next page", query=rest, **where)
    await call("export_series", None, "No game yet", **where)
    await call("join_series", cy, "A place in it", {"join_code": made["join_code"]}, **where)
    await call("leave_series", cy, "Gone again", {}, **where)
    other = await call("create_series", ana, None, asked)
    await call("cancel_series", ana, "Never mind", series_id=other["id"])


async def statistics(call: Call, ana: Json, cy: Json) -> None:
    options = {"target": 300, "opening": 0, "final_round": False}
    table = await call(
        "create_game", ana["token"], None, {"rules": {"preset": "farkle", "options": options}}
    )
    where = {"game_id": table["id"]}
    await call("join_game", cy["token"], None, {"join_code": table["join_code"]}, **where)
    game = (await call("start_game", ana["token"], None, {}, **where))["game"]
    while game["status"] == "playing":
        mover = (ana, cy)[game["legal"]["seat"]]["token"]
        ends = game["legal"]["bank"] is not None
        command = "bank" if ends and "bank" in game["legal"]["commands"] else "roll"
        game = (await call(command, mover, None, {}, **where))["game"]
    who = {"player_id": ana["id"]}
    counted = 0
    while not counted:
        await asyncio.sleep(0.05)
        counted = (await call("show_player", seconds=0, **who))["games"]
    await call("show_game", None, "Over", **where)
    await call("show_fairness", None, "Revealed", **where)
    await call("show_player", None, "A profile", **who)
    await call("past_games", None, "One game so far", query={"limit": 10}, **who)
    board = {"preset": "farkle", "limit": 1}
    page = await call("show_leaderboard", None, "Of a preset", query=board)
    rest = {**board, "cursor": page["next"]}
    await call("show_leaderboard", None, "The next page", query=rest)
    chosen = {"rules": {"preset": "farkle", "options": options}}
    key = (await call("validate_rules", None, None, chosen))["rules_key"]
    await call("show_leaderboard", None, "Of one rule set", query={"rules_key": key})
    await call(
        "my_games", ana["token"], "The last that is over", query={"status": "finished", "limit": 1}
    )


async def operators(call: Call, ana: Json, bo: Json, cy: Json) -> None:
    operator = "operator"
    table = await call(
        *("create_game", cy["token"], None),
        {"rules": {"preset": "farkle", "options": {"opening": 0}}},
    )
    where = {"game_id": table["id"]}
    await call("join_game", ana["token"], None, {"join_code": table["join_code"]}, **where)
    await call("start_game", cy["token"], None, {}, **where)
    game = (await call("roll", cy["token"], None, {}, **where))["game"]
    while game["turn"]["seat"] == 0:
        bank = "bank" in game["legal"]["commands"]
        game = (await call("bank" if bank else "roll", cy["token"], None, {}, **where))["game"]
    told = await call("list_notices", operator, "Somebody's turn has come", query={"limit": 1})
    ids = [notice["id"] for notice in told["items"]]
    await call("acknowledge_notices", operator, "It was sent on", {"ids": ids})
    why = {"note": "asked for by both players"}
    await call("void_game", operator, "A game counts for nothing", why, **where)
    table = await call("create_game", ana["token"], None, {"rules": {"preset": "farkle"}})
    await call("close_table", operator, "A table in the lobby", {}, game_id=table["id"])
    bought = {"reference": "payment-1", "pack": "small"}
    await call("credit_wild_rolls", operator, "A pack", bought, player_id=ana["id"])
    gift = {"reference": "gift-1", "amount": 3, "note": "won a raffle"}
    await call("credit_wild_rolls", operator, "An amount", gift, player_id=ana["id"])
    reason = {"note": "insults"}
    await call("ban_player", operator, "Shut out", reason, player_id=cy["id"])
    await call("unban_player", operator, "Let in again", {}, player_id=cy["id"])
    page = await call("list_calls", operator, "The newest two", query={"limit": 2})
    rest = {"limit": 2, "before": page["next"]}
    await call("list_calls", operator, "Those before", query=rest)
