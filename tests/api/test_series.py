"""Series: planned, filled, played out, counted, exported, cancelled."""

from __future__ import annotations

import asyncio
import json

import pytest
from jsonschema_rs import Draft202012Validator

from app.api.file_schemas import file_schema
from app.players import FORGOTTEN
from tests.api.conftest import Launch
from tests.api.live import Guest, Live
from tests.api.series import SERIES, SHORT, Played, create
from tests.api.table import Json, modelled, refused
from tests.live.history import verified

SEEDED = {"dice": {"kind": "seeded", "seed": "a b"}}


async def test_a_series_from_plan_to_result(ana: Guest, bo: Guest) -> None:
    series = await create(ana, bo, games=6, at_once=2, **SEEDED)
    first = await series.running(2)
    assert [game["number"] for game in first] == [0, 1]
    view = await series.play_all()
    assert view["status"] == "finished"
    assert view["progress"] == {"planned": 6, "playing": 0, "counted": 6, "uncounted": 0}
    games = await series.games(limit=4)
    assert [game["participants"] for game in games] == [[0, 1], [1, 0]] * 3
    assert {game["status"] for game in games} == {"finished"}

    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one["seed"] == other["seed"], "who begins is all that differs"
        assert (one["scores"], one["winners"]) == (other["scores"], other["winners"])
    assert len({game["seed"] for game in games}) == 3

    for participant, tally in enumerate(view["results"]):
        seats = [game["participants"].index(participant) for game in games]
        rows = list(zip(games, seats, strict=True))
        assert tally == {
            "participant": participant,
            "games": 6,
            "wins": sum(game["winners"] == [seat] for game, seat in rows),
            "shared": 0,
            "losses": sum(game["winners"] != [seat] for game, seat in rows),
            "points": sum(game["scores"][seat] for game, seat in rows),
            "first_games": 3,
            "first_wins": sum(game["winners"] == [0] for game, seat in rows if seat == 0),
        }
    assert view["groups"] == [view["results"]]
    assert view["results"][0]["wins"] == view["results"][1]["wins"] == 3, "they play alike"

    game = (await ana.get(f"/v1/games/{games[1]['game_id']}")).json()
    assert [seat["player_id"] for seat in game["seats"]] == [bo.id, ana.id]
    assert (game["host"], game["visibility"]) == (None, "unlisted")
    assert game["settings"]["dice"] == {"kind": "seeded", "seed": games[1]["seed"]}


async def test_its_logs_are_exported_in_one(ana: Guest, bo: Guest) -> None:
    series = await create(ana, bo, games=2)
    await series.play_all()
    async with ana.live.client() as nobody:
        answer = await nobody.get(f"{series.path}/export")
    assert answer.headers["content-type"] == "application/x-ndjson"
    head, *rest = answer.text.splitlines(keepends=True)
    assert json.loads(head) == {"series_id": series.id, "format": 1}
    lines = Draft202012Validator(file_schema("export"), validate_formats=True)
    assert all(lines.is_valid(json.loads(line)) for line in (head, *rest))
    games = await series.games()
    for game in games:
        own = (await ana.get(f"/v1/games/{game['game_id']}/export")).text
        count = own.count("\n")
        assert "".join(rest[:count]) == own
        events = verified(own.encode(), game["game_id"])
        assert [e["type"] for e in events[:3]] == ["game_created", "player_joined", "player_joined"]
        rest = rest[count:]
    assert rest == []


async def test_three_sides_meet_in_pairs(ana: Guest, bo: Guest, cy: Guest) -> None:
    sides = [{"kind": "player"}, {"kind": "me"}, {"kind": "player"}]
    series = await create(ana, bo, cy, participants=sides, games=2, at_once=8)
    view = await series.play_all()
    assert [side["player_id"] for side in view["participants"]] == [bo.id, ana.id, cy.id]
    assert [tally["games"] for tally in view["results"]] == [4, 4, 4]
    groups = [[tally["participant"] for tally in group] for group in view["groups"]]
    assert groups == [[0, 1], [0, 2], [1, 2]]
    for participant in range(3):
        of = [t for group in view["groups"] for t in group if t["participant"] == participant]
        for what in ("games", "wins", "points", "first_wins"):
            assert sum(t[what] for t in of) == view["results"][participant][what]


async def test_three_at_a_table(ana: Guest, bo: Guest, cy: Guest) -> None:
    sides = [{"kind": "me"}, {"kind": "player"}, {"kind": "player"}]
    series = await create(ana, bo, cy, participants=sides, seats=3, games=3)
    view = await series.play_all()
    assert [tally["first_games"] for tally in view["results"]] == [1, 1, 1]
    assert (view["seats"], len(view["groups"])) == (3, 1)


async def test_it_waits_for_everybody(ana: Guest, bo: Guest, cy: Guest) -> None:
    answer = await ana.post("/v1/series", SHORT)
    made = modelled(SERIES, answer, 201)
    path, code = f"/v1/series/{made['id']}", {"join_code": made["join_code"]}
    assert (made["status"], made["progress"]["playing"]) == ("open", 0)
    assert "join_code" not in modelled(SERIES, await bo.get(path))
    games = (await bo.get(f"{path}/games")).json()["items"]
    assert [(g["status"], g["game_id"]) for g in games] == [("planned", None)] * 2

    refused(await ana.post(f"{path}/join", code), 409, "already_takes_part")
    wrong = {"join_code": "00000000"}
    refused(await bo.post(f"{path}/join", wrong), 404, "join_code_wrong")
    typed = {"join_code": made["join_code"].lower()}
    answers = await asyncio.gather(*(who.post(f"{path}/join", typed) for who in (bo, cy)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    won = next(answer for answer in answers if answer.status_code == 200)
    joined = modelled(SERIES, won)
    assert (joined["status"], "join_code" in joined) == ("running", False)
    refused(next(a for a in answers if a.status_code == 409), 409, "series_full")


async def test_a_place_is_given_back(ana: Guest, bo: Guest, cy: Guest) -> None:
    sides = [{"kind": "player"}, {"kind": "player"}]
    made = modelled(SERIES, await ana.post("/v1/series", {**SHORT, "participants": sides}), 201)
    path, code = f"/v1/series/{made['id']}", {"join_code": made["join_code"]}
    modelled(SERIES, await bo.post(f"{path}/join", code))
    left = modelled(SERIES, await bo.post(f"{path}/leave"))
    assert [side["player_id"] for side in left["participants"]] == [None, None]
    refused(await bo.post(f"{path}/leave"), 403, "not_taking_part")
    for who in (cy, bo):
        modelled(SERIES, await who.post(f"{path}/join", code))
    assert (await ana.get(path)).json()["status"] == "running"


async def test_who_leaves_what_runs_cancels_it(ana: Guest, bo: Guest) -> None:
    series = await create(ana, bo, games=4, at_once=2)
    running = await series.running(2)
    left = modelled(SERIES, await bo.post(f"{series.path}/leave"))
    assert left["status"] == "cancelled"
    await series.running(0)
    for game in running:
        over = (await ana.get(f"/v1/games/{game['game_id']}")).json()
        assert over["result"]["reason"] == "ended_early"
    view = await series.view()
    assert view["progress"] == {"planned": 4, "playing": 0, "counted": 0, "uncounted": 2}


async def test_what_is_over_counts_after_a_cancellation(ana: Guest, bo: Guest) -> None:
    series = await create(ana, bo, games=4, at_once=1)
    [first] = await series.running(1)
    await series.play(first["game_id"])
    [second] = await series.running(1)
    assert second["number"] == 1
    refused(await bo.request("DELETE", series.path), 403, "not_owner")
    keyed = {"headers": {"Idempotency-Key": "end"}}
    gone = await ana.request("DELETE", series.path, **keyed)
    assert modelled(SERIES, gone)["status"] == "cancelled"
    again = await ana.request("DELETE", series.path, **keyed)
    assert again.content == gone.content
    assert modelled(SERIES, await ana.request("DELETE", series.path))["status"] == "cancelled"
    await series.running(0)
    view = await series.view()
    assert view["progress"] == {"planned": 4, "playing": 0, "counted": 1, "uncounted": 1}
    assert [g["status"] for g in await series.games()] == ["finished"] * 2 + ["planned"] * 2
    refused(
        await bo.post(f"{series.path}/join", {"join_code": "00000000"}), 409, "already_takes_part"
    )


async def test_what_an_operator_voids_counts_no_longer(live: Live, ana: Guest, bo: Guest) -> None:
    series = await create(ana, bo, games=2)
    await series.play_all()
    first, _ = await series.games()
    answer = await live.operate("POST", f"games/{first['game_id']}/void", json={})
    assert answer.status_code == 200
    async with asyncio.timeout(20):
        while (await series.view())["progress"]["uncounted"] == 0:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    view = await series.view()
    assert (view["status"], [tally["games"] for tally in view["results"]]) == ("finished", [1, 1])
    first, _ = await series.games()
    assert (first["reason"], first["winners"]) == ("voided", [])


async def test_what_is_finished_is_not_cancelled(ana: Guest, bo: Guest) -> None:
    series = await create(ana, bo, games=1)
    await series.play_all()
    refused(await ana.request("DELETE", series.path), 409, "series_over")
    refused(await bo.post(f"{series.path}/leave"), 409, "series_over")


async def test_a_repeated_creation_is_one(ana: Guest) -> None:
    headers = {"Idempotency-Key": "one"}
    answers = await asyncio.gather(
        *(ana.post("/v1/series", SHORT, headers=headers) for _ in range(5))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert len({answer.headers["location"] for answer in answers}) == 1
    other = await ana.post("/v1/series", {**SHORT, "games": 3}, headers=headers)
    refused(other, 422, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("changed", "pointer", "code"),
    [
        ({"games": 0}, "/games", "too_small"),
        ({"games": 1_001}, "/games", "too_large"),
        ({"at_once": 17}, "/at_once", "too_large"),
        ({"seats": 3}, "/participants", "too_short"),
        ({"participants": [{"kind": "me"}]}, "/participants", "too_short"),
        ({"participants": [{"kind": "me"}] * 2}, "/participants", "repeated"),
        (
            {"participants": [{"kind": "human"}, {"kind": "me"}]},
            "/participants/0/kind",
            "not_allowed",
        ),
        ({"dice": {"kind": "scripted", "rolls": []}}, "/dice/kind", "not_allowed"),
        ({"cheats": None}, "", "unknown_field"),
    ],
)
async def test_what_cannot_be_planned(ana: Guest, changed: Json, pointer: str, code: str) -> None:
    problem = refused(await ana.post("/v1/series", {**SHORT, **changed}), 422, "invalid_request")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [(pointer, code)]


async def test_rules_are_checked_before(ana: Guest) -> None:
    body = {**SHORT, "rules": {"preset": "farkle", "options": {"target": -1}}}
    refused(await ana.post("/v1/series", body), 422, "malformed_rules")
    five = {**SHORT, "participants": [{"kind": "player"}] * 8, "seats": 8, "games": 1}
    rules = (await ana.get("/v1/rules/farkle")).json()["rules"]
    custom = {"custom": {**rules, "seats": {"min": 1, "max": 4}}}
    problem = refused(
        await ana.post("/v1/series", {**five, "rules": custom}), 422, "malformed_settings"
    )
    assert problem["errors"][0]["pointer"] == "/seats"


async def test_bots_play_each_other(ana: Guest) -> None:
    sides = [{"kind": "bot", "character": "cautious"}] * 2
    answer = await ana.post("/v1/series", {**SHORT, **SEEDED, "participants": sides, "games": 6})
    made = modelled(SERIES, answer, 201)
    assert [side["character"] for side in made["participants"]] == ["cautious"] * 2
    series = Played(made["id"], ana, {})
    view = await series.until("finished")
    assert view["progress"] == {"planned": 6, "playing": 0, "counted": 6, "uncounted": 0}
    games = await series.games()
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one["scores"] == other["scores"], "they play alike, on the same dice"
    assert view["results"][0]["wins"] == view["results"][1]["wins"] == 3


async def test_every_character_plays_in_a_series(ana: Guest) -> None:
    names = ["cautious", "gambler", "strategist"]
    sides = [{"kind": "bot", "character": name} for name in names]
    answer = await ana.post("/v1/series", {**SHORT, "participants": sides, "games": 2})
    series = Played(modelled(SERIES, answer, 201)["id"], ana, {})
    view = await series.until("finished")
    assert [side["character"] for side in view["participants"]] == names


async def test_there_is_no_such_series(ana: Guest) -> None:
    path = "/v1/series/00000000-0000-7000-8000-000000000000"
    for method, at in (
        *(("GET", path), ("GET", f"{path}/games"), ("GET", f"{path}/export")),
        *(("DELETE", path), ("POST", f"{path}/leave")),
    ):
        refused(await ana.request(method, at), 404, "series_not_found")
    refused(await ana.post(f"{path}/join", {"join_code": "0"}), 404, "series_not_found")
    refused(await ana.get("/v1/series/x"), 404, "series_not_found")


@pytest.mark.parametrize("cursor", ["x", "-1", "123456", "٣"])
async def test_a_cursor_is_a_number_of_ours(ana: Guest, cursor: str) -> None:
    made = modelled(SERIES, await ana.post("/v1/series", SHORT), 201)
    answer = await ana.get(f"/v1/series/{made['id']}/games", params={"cursor": cursor})
    refused(answer, 422, "invalid_request")


async def test_who_is_forgotten_ends_what_runs(ana: Guest, bo: Guest, cy: Guest) -> None:
    over = await create(ana, bo, games=1)
    await over.play_all()
    series = await create(ana, bo, games=4, at_once=1)
    left = modelled(SERIES, await ana.post("/v1/series", SHORT), 201)
    path = f"/v1/series/{left['id']}"
    modelled(SERIES, await bo.post(f"{path}/join", {"join_code": left["join_code"]}))
    await series.running(1)
    assert (await bo.request("DELETE", "/v1/players/me")).status_code == 204
    for at, status in ((series.path, "cancelled"), (over.path, "finished"), (path, "cancelled")):
        view = modelled(SERIES, await ana.get(at))
        assert view["status"] == status
        assert [side["name"] for side in view["participants"]] == ["Ana", FORGOTTEN]
    await series.running(0)


async def test_who_is_banned_ends_what_runs(live: Live, ana: Guest, bo: Guest) -> None:
    series = await create(ana, bo, games=4, at_once=1)
    await series.running(1)
    answer = await live.operate("POST", f"players/{bo.id}/ban", json={})
    assert answer.status_code == 200
    view = await series.view()
    assert (view["status"], view["participants"][1]["name"]) == ("cancelled", "Bo")
    await series.running(0)


async def test_one_has_so_many_at_a_time(launch: Launch) -> None:
    async with launch(series_per_player=2, series_games=10, series_at_once=3) as live:
        ana = await live.guest()
        made = [modelled(SERIES, await ana.post("/v1/series", SHORT), 201) for _ in range(2)]
        assert made[0]["at_once"] == 3
        problem = refused(await ana.post("/v1/series", SHORT), 409, "too_many_series")
        assert problem["limit"] == 2
        await ana.request("DELETE", f"/v1/series/{made[0]['id']}")
        modelled(SERIES, await ana.post("/v1/series", SHORT), 201)
        for changed in ({"games": 11}, {"at_once": 4}):
            refused(await ana.post("/v1/series", {**SHORT, **changed}), 422, "invalid_request")


async def test_seeded_dice_may_be_off(launch: Launch) -> None:
    async with launch(scripted_dice=False) as live:
        ana = await live.guest()
        problem = refused(await ana.post("/v1/series", {**SHORT, **SEEDED}), 422, "not_available")
        assert problem["feature"] == "scripted_dice"


async def test_guessing_codes_is_slow(launch: Launch) -> None:
    async with launch(rate_limits=True, limit_codes_player=2) as live:
        ana, bo = [await live.guest(name) for name in ("Ana", "Bo")]
        made = modelled(SERIES, await ana.post("/v1/series", SHORT), 201)
        path = f"/v1/series/{made['id']}/join"
        for _ in range(2):
            refused(await bo.post(path, {"join_code": "00000000"}), 404, "join_code_wrong")
        refused(await bo.post(path, {"join_code": made["join_code"]}), 429, "rate_limited")
