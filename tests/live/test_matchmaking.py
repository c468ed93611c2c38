"""Hundreds who want to play the same, over sockets, at one server process and at two."""

from __future__ import annotations

import pytest

from tests.live.conftest import Served
from tests.live.history import verified
from tests.live.player import Json, Player, gathered
from tests.live.server import Live
from tests.live.test_races import at_once

PLAYERS = 200


@pytest.fixture(params=[1, 2], ids=["one process", "two processes"])
def servers(request: pytest.FixtureRequest, served: Served) -> list[Live]:
    return served.up(request.param)


async def test_nobody_waits_beside_a_free_seat(servers: list[Live]) -> None:
    """No table holds too many either, and each has started by itself, once."""
    seats = len(servers) + 1
    target = 20_000 + 100 * len(servers) + 10 * seats
    body: Json = {"rules": {"preset": "farkle", "options": {"target": target}}, "seats": seats}
    players = [await Player.make(servers[0].port, f"P{n}") for n in range(PLAYERS)]
    asked = [player.raw("POST", "/v1/matchmaking", body) for player in players]
    answers = await at_once(servers, asked)
    assert {answer.status for answer in answers} == {201}
    found = [answer.json() for answer in answers]

    full, left = divmod(PLAYERS, seats)
    tables: dict[str, set[str]] = {}
    for player, match in zip(players, found, strict=True):
        tables.setdefault(match["game_id"], set()).add(player.id)
    assert sorted(map(len, tables.values())) == [*([left] if left else []), *[seats] * full]
    assert sum(match["status"] == "matched" for match in found) == full

    async def game_of(game_id: str) -> Json:
        game: Json = await players[0].do("GET", f"/v1/games/{game_id}", port=servers[-1].port)
        return game

    for game in await gathered(*map(game_of, tables)):
        held = [seat["player_id"] for seat in game["seats"] if seat["player_id"]]
        assert (len(held), set(held)) == (len(tables[game["id"]]), tables[game["id"]])
        assert game["status"] == ("playing" if len(held) == seats else "lobby")
        export = (await players[0].ask("GET", f"/v1/games/{game['id']}/export")).body
        kinds = [event["type"] for event in verified(export, game["id"])]
        assert kinds.count("game_started") == (len(held) == seats)
