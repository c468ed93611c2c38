"""Advice over HTTP: every option with its worth, for the seat to move, and told in the log."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from app.api.schemas.advice import AdviceView
from tests.api.live import Guest
from tests.api.table import Json, Table, create, modelled, refused, started, types

ADVICE: TypeAdapter[AdviceView] = TypeAdapter(AdviceView)


async def answered(table: Table, by: Guest) -> httpx.Response:
    """Asked again while the rules are worked out, which takes a while on a busy machine."""
    answer = await by.get(f"{table.path}/advice")
    while answer.status_code == 503:
        assert answer.json()["code"] == "advice_not_ready"
        assert answer.headers["Retry-After"] == "3"
        answer = await by.get(f"{table.path}/advice")
    return answer


async def advice(table: Table, by: Guest) -> Json:
    return modelled(ADVICE, await answered(table, by))


def options(told: Json, command: str) -> list[Json]:
    return [option for option in told["options"] if option["command"] == command]


async def test_every_option_is_told_and_the_best_first(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, rolls=[[1, 5, 2, 3, 4, 4]], options={"opening": 0})
    await table.do("roll")
    told = await advice(table, ana)
    assert (told["seat"], told["compared_by"], told["simplified"]) == (0, "points", False)
    selections = [option["select"]["dice"] for option in options(told, "roll")]
    assert sorted(selections) == [[0], [0, 1], [1]]
    [bank] = options(told, "bank")
    assert (bank["points"], bank["bust"], bank["turn_score"]) == (150, 0, 150)
    # Five dice bust in 600 of 7776 rolls, four in 204 of 1296.
    busts = {option["dice_to_roll"]: option["bust"] for option in options(told, "roll")}
    assert busts == {5: round(600 / 7776, 6), 4: round(204 / 1296, 6)}
    worths = [option["points"] for option in told["options"]]
    assert worths == sorted(worths, reverse=True)
    assert told["options"][0]["command"] == "roll"
    assert told["why"].startswith("Rolling 5 dice with 100 brings ")
    assert all(option["win"] is None for option in told["options"])


async def test_the_best_option_can_be_sent_as_it_is_told(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, rolls=[[1, 5, 2, 3, 4, 4]])
    await table.do("roll")
    best = (await advice(table, ana))["options"][0]
    body = {"select": {k: v for k, v in best["select"].items() if v is not None}}
    await table.do(best["command"], body)


async def test_near_the_target_the_chance_to_win_decides(ana: Guest, bo: Guest) -> None:
    rolls = [[1, 1, 1, 5, 2, 2], [2, 2, 3, 3, 4, 6]]
    table = await started(ana, bo, rolls=rolls, options={"target": 1_000, "opening": 0})
    await table.do("roll")
    told = await advice(table, ana)
    assert told["compared_by"] == "win"
    assert all(0 <= option["win"] <= 1 for option in told["options"])
    assert " wins " in told["why"]


async def test_using_it_is_logged_once_a_roll_and_seen_by_all(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, rolls=[[1, 5, 2, 3, 4, 4]])
    before = (await ana.get(table.path)).json()
    first = await advice(table, ana)
    assert first["version"] == before["version"] + 1
    again = await advice(table, ana)
    assert again["version"] == first["version"], "asked twice, told once in the log"
    await table.do("roll")
    third = await advice(table, ana)
    log = await table.log()
    assert [(e["seat"], e["version"]) for e in log if e["type"] == "advice_given"] == [
        (0, first["version"]),
        (0, third["version"]),
    ]
    after = (await bo.get(table.path)).json()
    assert after["version"] == third["version"]
    state = (await bo.get(f"{table.path}/states/{third['version']}")).json()
    assert state["turn"] == after["turn"]


async def test_the_answer_names_the_version_to_expect(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, rolls=[[1, 5, 2, 3, 4, 4]])
    held = {"If-Match": f'"{table.game["version"]}"'}
    answer = await answered(table, ana)
    assert answer.headers["ETag"] == f'"{answer.json()["version"]}"'
    refused(await ana.post(f"{table.path}/roll", headers=held), 412, "version_conflict")
    now = {"If-Match": answer.headers["ETag"]}
    assert (await ana.post(f"{table.path}/roll", headers=now)).status_code == 200


async def test_only_the_player_to_move_may_ask(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await started(ana, bo)
    version = table.game["version"]
    refused(await bo.get(f"{table.path}/advice"), 409, "not_your_turn")
    refused(await cy.get(f"{table.path}/advice"), 403, "not_seated")
    assert (await ana.get(table.path)).json()["version"] == version


async def test_in_the_lobby_and_after_the_end_there_is_none(ana: Guest, bo: Guest) -> None:
    table = await create(ana)
    refused(await ana.get(f"{table.path}/advice"), 409, "not_started")
    ended = await started(ana, bo)
    await ended.do("end", by=ana)
    refused(await ana.get(f"{ended.path}/advice"), 409, "game_over")


async def test_a_table_may_do_without(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, advice=False)
    refused(await ana.get(f"{table.path}/advice"), 409, "advice_is_off")


async def test_a_private_game_is_not_found_by_strangers(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await started(ana, bo, visibility="private")
    refused(await cy.get(f"{table.path}/advice"), 404, "game_not_found")


async def test_asked_many_times_at_once_it_is_logged_once(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    answers = await asyncio.gather(*(answered(table, ana) for _ in range(6)))
    told: list[dict[str, Any]] = [modelled(ADVICE, answer) for answer in answers]
    assert len({each["version"] for each in told}) == 1
    assert types(await table.log()).count("advice_given") == 1


@pytest.mark.parametrize(
    ("body", "command"),
    [
        ({"rules": {"preset": "jester"}}, "wild-roll"),
        (
            {
                "rules": {"preset": "farkle", "options": {"high_stakes": True, "opening": 0}},
                "dice": {"kind": "scripted", "rolls": [[1, 5, 2, 3, 4, 4]]},
            },
            "take-over",
        ),
    ],
)
async def test_a_turn_may_begin_otherwise_than_by_a_roll(
    ana: Guest, bo: Guest, body: Json, command: str
) -> None:
    table = await create(ana, **body)
    await bo.post(f"{table.path}/join", {"join_code": table.game["join_code"]})
    await ana.post(f"{table.path}/start")
    asks = ana
    if command == "take-over":
        await ana.post(f"{table.path}/roll")
        await ana.post(f"{table.path}/bank")
        asks = bo
    told = await advice(table, asks)
    assert {option["command"] for option in told["options"]} == {"roll", command}
    assert [option["select"] for option in told["options"]] == [None, None]
