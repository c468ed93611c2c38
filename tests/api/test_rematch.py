"""A game that carries on, and players that ask to be forgotten."""

from __future__ import annotations

import asyncio

from app.players import FORGOTTEN
from tests.api.live import Guest, Live
from tests.api.table import GAME, Json, Table, create, join, modelled, refused, started


async def rematch(table: Table, by: Guest, status: int = 201) -> Json:
    answer = await table.ask("rematch", by=by)
    game = modelled(GAME, answer, status)
    assert answer.headers["location"] == f"/v1/games/{game['id']}"
    assert answer.headers["etag"] == f'"{game["version"]}"'
    return game


async def test_a_rematch_seats_everybody(ana: Guest, bo: Guest, cy: Guest) -> None:
    seats = [{"kind": "human"}, {"kind": "closed"}, {"kind": "human"}]
    options = {"target": 3000}
    table = await started(ana, bo, seats=seats, options=options, visibility="private")
    await table.refused("not_finished", "rematch", by=bo)
    await table.do("end", by=ana)
    await table.refused("game_not_found", "rematch", status=404, by=cy)
    game = await rematch(table, bo)
    assert (game["status"], game["host"], game["rules"]["target"]) == ("lobby", bo.id, 3000)
    assert [s["player_id"] for s in game["seats"]] == [ana.id, None, bo.id]
    assert [s["name"] for s in game["seats"]] == ["Ana", None, "Bo"]
    assert (game["visibility"], game["settings"]["start_seat"]) == ("private", 2)
    assert game["join_code"] != table.game.get("join_code")
    old = modelled(GAME, await ana.get(table.path))
    assert old["rematch"] == game["id"]
    assert (await table.log())[-1]["type"] == "rematch_created"

    new = Table(game, [bo, ana])
    first = (await new.log())[0]
    assert first["rematch_of"] == table.id
    await new.do("start")
    assert new.turn["seat"] == 2
    await new.do("end")
    assert (await rematch(new, ana))["settings"]["start_seat"] == 0


async def test_there_is_one_rematch(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    await table.do("end", by=ana)
    first = await rematch(table, ana)
    second = await rematch(table, bo, 200)
    assert second["id"] == first["id"]
    kept = await table.ask("rematch", by=bo, idempotency_key="a")
    await Table(first, [ana]).do("end")
    again = await table.ask("rematch", by=bo, idempotency_key="a")
    assert again.content == kept.content


async def test_two_that_ask_at_once_meet(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    await table.do("end", by=ana)
    answers = await asyncio.gather(*(table.ask("rematch", by=who) for who in (ana, bo) * 3))
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1


async def test_a_rematch_is_for_players(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await started(ana, bo)
    await table.do("end", by=ana)
    await table.refused("not_seated", "rematch", status=403, by=cy)


async def test_a_rematch_may_be_answered_in_brief(ana: Guest) -> None:
    table = await started(ana)
    await table.do("end")
    answer = await table.ask("rematch", prefer="return=minimal")
    assert answer.status_code == 201
    assert set(answer.json()) == {"version", "events"}
    game = await ana.get(answer.headers["location"])
    assert modelled(GAME, game)["seats"][0]["name"] == "Ana"


async def forget(guest: Guest) -> None:
    assert (await guest.request("DELETE", "/v1/players/me")).status_code == 204


async def test_who_is_forgotten_resigns(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    await forget(bo)
    game = modelled(GAME, await ana.get(table.path))
    assert (game["status"], game["result"]["winners"]) == ("finished", [0])
    assert [seat["name"] for seat in game["seats"]] == ["Ana", FORGOTTEN]
    assert (await table.log())[-1]["type"] == "fairness_revealed"
    new = await rematch(table, ana)
    assert [seat["player_id"] for seat in new["seats"]] == [ana.id, None]


async def test_a_rematch_leaves_the_seats_of_the_banned_free(ana: Guest, bo: Guest) -> None:
    """It was refused with `overloaded`, for as long as the ban lasted."""
    table = await started(ana, bo, seats=[{"kind": "human"}] * 2)
    await table.do("end", by=ana)
    players = ana.live.app.state.parts.players
    await players.ban(bo.id)
    new = await rematch(table, ana)
    assert [(s["player_id"], s["name"]) for s in new["seats"]] == [(ana.id, "Ana"), (None, None)]
    await players.unban(bo.id)
    assert (await rematch(table, ana, 200))["id"] == new["id"]


async def test_who_is_forgotten_leaves_lobbies(ana: Guest, bo: Guest) -> None:
    hosted = await create(ana, visibility="public")
    await join(hosted, bo)
    alone = await create(ana, visibility="public")
    await forget(ana)
    game = modelled(GAME, await bo.get(hosted.path))
    assert (game["host"], game["seats"][0]["player_id"]) == (bo.id, None)
    assert modelled(GAME, await bo.get(alone.path))["status"] == "finished"


async def test_an_empty_seat_has_no_name(ana: Guest, bo: Guest) -> None:
    """The seat of somebody forgotten in a lobby went on showing the name."""
    lobby = await create(ana, visibility="public")
    await join(lobby, bo)
    await forget(bo)
    game = modelled(GAME, await ana.get(lobby.path))
    assert [(seat["player_id"], seat["name"]) for seat in game["seats"]] == [
        (ana.id, "Ana"),
        (None, None),
    ]


async def test_nobody_sits_down_while_being_forgotten(live: Live, ana: Guest, bo: Guest) -> None:
    lobbies = [await create(ana, visibility="public") for _ in range(6)]
    mine = {"rules": {"preset": "farkle"}}
    forgotten, *answers = await asyncio.gather(
        bo.request("DELETE", "/v1/players/me"),
        *(bo.post(f"{lobby.path}/join", {}) for lobby in lobbies),
        *(bo.post("/v1/games", mine) for _ in range(3)),
    )
    assert forgotten.status_code == 204
    assert {answer.status_code for answer in answers} <= {200, 201, 401}
    opened = [answer.json()["id"] for answer in answers if answer.status_code == 201]
    for path in (*(lobby.path for lobby in lobbies), *(f"/v1/games/{one}" for one in opened)):
        game = modelled(GAME, await ana.get(path))
        assert "Bo" not in [seat["name"] for seat in game["seats"]]
        assert game["status"] == "finished" or bo.id not in [s["player_id"] for s in game["seats"]]


async def test_every_seat_of_the_forgotten_resigns(live: Live, ana: Guest, bo: Guest) -> None:
    table = await started(ana, seats=[{"kind": "human"}] * 3, pass_and_play=True)
    many = [await started(ana, bo) for _ in range(3)]
    await forget(ana)
    for path in (table.path, *(t.path for t in many)):
        game = modelled(GAME, await bo.get(path))
        assert game["status"] == "finished"
        assert "Ana" not in [seat["name"] for seat in game["seats"]]
    games = live.app.state.parts.games
    await games.forget(ana.id)  # a repeat finds nothing left to do
    refused(await ana.get("/v1/players/me/games"), 401, "unauthenticated")
