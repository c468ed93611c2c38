"""The odds of rule sets over HTTP: the same numbers as worked out elsewhere, shared, bounded."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from app.analysis.desk import KEPT_MS, QUICK_WORK, AnalysisDesk, Asker, Shown
from app.api.schemas.analysis import AnalysisView
from app.errors import AnalysisNotFound, Overloaded, TooLarge, TooManyAnalyses
from app.rulebook import rules_key
from engine.odds.work import work
from engine.rules import Rules
from engine.rules_text import rules_from_data
from tests.api.live import running
from tests.api.table import Json, modelled, refused
from tests.golden.load import turn_cases
from tests.referee import rulebook
from tests.referee.family import family

ANALYSIS: TypeAdapter[Any] = TypeAdapter(AnalysisView)
PLAIN: Json = {"preset": "house"}
ANA, BO, CY = (Asker(token, "192.0.2.1") for token in (b"ana", b"bo", None))


async def analysed(client: httpx.AsyncClient, rules: Json) -> Json:
    """The analysis, however long it takes."""
    answer = await client.post("/v1/rules/analysis", json={"rules": rules})
    while answer.status_code == 202 or answer.json().get("status") in ("waiting", "running"):
        await asyncio.sleep(0.1)
        where = f"/v1/rules/analysis/{answer.json()['id']}"
        assert answer.headers.get("location", where) == where
        answer = await client.get(where)
    return modelled(ANALYSIS, answer)


async def test_a_host_sees_what_a_game_of_five_dice_is_worth(client: httpx.AsyncClient) -> None:
    found = await analysed(client, PLAIN)
    assert (found["status"], found["progress"]) == ("done", 1.0)
    report = found["report"]
    by_dice = {len(row["dice"]): row for row in report["rolls"]}
    assert {n: row["busts"] for n, row in by_dice.items()} == {1: 4, 2: 16, 3: 60, 4: 204, 5: 600}
    assert by_dice[5]["mean_exactly"] == "328625/1296"
    assert by_dice[5]["points"] == pytest.approx(by_dice[5]["mean"] * 7776, rel=1e-9)
    turn = report["turn"]
    assert sum(row["chance"] for row in turn["scores"]) == pytest.approx(1, abs=1e-4)
    for throw in turn["throws"]:
        for value in throw["values"]:
            worth_rolling = throw["bank_from"] is None or value["at_risk"] < throw["bank_from"]
            assert worth_rolling == (value["rolling"] > value["at_risk"])
    chances = [row["chance"] for row in report["reaches"]]
    assert chances == sorted(chances, reverse=True)
    assert report["reaches"][0] == {"points": 50, "chance": pytest.approx(1 - 600 / 7776)}
    assert report["first_seat"] is None


@pytest.mark.parametrize("name", ["basic", pytest.param("kingdom", marks=pytest.mark.soak)])
async def test_a_rule_set_of_ones_own_is_analysed_too(client: httpx.AsyncClient, name: str) -> None:
    found = await analysed(client, {"custom": family()[name]})
    mean = next(case.mean for case in turn_cases() if case.rules == name)
    assert round(found["report"]["turn"]["mean"], 4) == mean


async def test_the_first_of_two_seats_has_a_chance_where_that_can_be_told(
    client: httpx.AsyncClient,
) -> None:
    race = {**family()["basic"], "target": 300, "opening": 0, "final_round": "none"}
    found = await analysed(client, {"custom": race})
    assert found["report"]["first_seat"] == 0.8556615308


async def test_rules_under_which_nobody_ever_busts_have_no_best_turn(
    client: httpx.AsyncClient,
) -> None:
    singles = [rulebook.single(face, 10 * face) for face in rulebook.FACES]
    found = await analysed(client, {"custom": {**rulebook.farkle(), "combinations": singles}})
    assert found["report"]["turn"] is None
    assert {row["busts"] for row in found["report"]["rolls"]} == {0}


async def test_the_same_rules_share_one_analysis(client: httpx.AsyncClient) -> None:
    found = await analysed(client, PLAIN)
    assert found["id"] == rules_key(rules_from_data(rulebook.house()))
    again = await client.post("/v1/rules/analysis", json={"rules": {"custom": rulebook.house()}})
    assert again.status_code == 200
    assert again.json() == found
    assert (await client.get(f"/v1/rules/analysis/{found['id']}")).json() == found


async def test_what_is_wrong_with_a_question_is_told(client: httpx.AsyncClient) -> None:
    path = "/v1/rules/analysis"
    refused(await client.post(path, json={"rules": {"preset": "chess"}}), 422, "malformed_rules")
    refused(await client.post(path, json={"rules": {}}), 422, "invalid_request")
    refused(await client.get(f"{path}/{'0' * 32}"), 404, "analysis_not_found")
    refused(await client.get(f"{path}/farkle"), 404, "analysis_not_found")


async def test_more_work_than_the_bound_is_refused_before_it_is_begun(
    client: httpx.AsyncClient,
) -> None:
    dear = [rulebook.single(1, 999_999), rulebook.single(5, 1)]
    rules = {"custom": {**rulebook.farkle(), "combinations": dear}}
    answer = await client.post("/v1/rules/analysis", json={"rules": rules})
    problem = refused(answer, 422, "too_large")
    assert problem["needed"] > problem["limit"]


class Time:
    """Milliseconds that pass when told to."""

    ms = 0.0

    def __call__(self) -> float:
        return self.ms


async def finished(desk: AnalysisDesk, name: str) -> Shown:
    for _ in range(1200):
        if (shown := desk.find(name)).status == "done":
            return shown
        await asyncio.sleep(0.05)
    raise TimeoutError


async def test_what_takes_longer_tells_how_far_it_is_and_is_let_go_in_time() -> None:
    now = Time()
    desk = AnalysisDesk(1, now, quick_s=0, patient_s=0)
    rules = rules_from_data(rulebook.house())
    try:
        first = await desk.ask(rules, ANA)
        assert first.status in ("waiting", "running")
        assert first.report is None
        other = rules_from_data(rulebook.jester())
        with pytest.raises(Overloaded):
            await desk.ask(other, BO)
        assert (await desk.ask(rules, ANA)).id == first.id  # it is the one that waits
        done = await finished(desk, first.id)
        assert done.progress == 1
        assert done.report is not None
        assert (await desk.ask(other, BO)).status in ("waiting", "running")
        now.ms = KEPT_MS + 1
        with pytest.raises(AnalysisNotFound):
            desk.find(first.id)
    finally:
        await desk.close()


async def test_little_work_is_waited_for_however_busy_the_machine_is() -> None:
    """No more than two seconds of computing, by the estimate; more is not waited for so long."""
    desk = AnalysisDesk(8, Time(), quick_s=0, patient_s=60)
    try:
        for by in (None, ANA):
            assert (await desk.ask(rules_of(7 if by else 8), by)).report is not None
        slow = rules_from_data(family()["kingdom"] | {"target": 60_000})
        assert work(slow) > QUICK_WORK
        assert (await desk.ask(slow, ANA)).report is None
    finally:
        await desk.close()


async def test_a_refusal_leaves_nothing_behind() -> None:
    desk = AnalysisDesk(1, Time())
    dear = [rulebook.single(1, 999_999), rulebook.single(5, 1)]
    rules = rules_from_data({**rulebook.farkle(), "combinations": dear})
    with pytest.raises(TooLarge):
        await desk.ask(rules, ANA)
    with pytest.raises(AnalysisNotFound):
        desk.find(rules_key(rules))
    await desk.close()


async def test_of_many_that_ask_at_once_few_are_told_and_the_others_come_again() -> None:
    desk = AnalysisDesk(2, Time())
    dear = [rulebook.single(1, 999_999), rulebook.single(5, 1)]
    each = [{**rulebook.farkle(), "combinations": dear, "name": f"dear_{n}"} for n in range(5)]
    told = await asyncio.gather(
        *(
            desk.ask(rules_from_data(rules), Asker(None, f"192.0.2.{n}"))
            for n, rules in enumerate(each)
        ),
        return_exceptions=True,
    )
    assert [type(error) for error in told] == [TooLarge, TooLarge, *[Overloaded] * 3]
    with pytest.raises(TooLarge):
        await desk.ask(rules_from_data(each[4]), ANA)
    await desk.close()


def rules_of(number: int) -> Rules:
    """Different ones, which take their time."""
    return rules_from_data({**rulebook.farkle(target=5_000 + 50 * number)})


async def test_one_caller_takes_its_share_of_the_queue_and_no_more() -> None:
    desk = AnalysisDesk(8, Time(), quick_s=0, patient_s=0, per_caller=2)
    try:
        for number in range(2):
            await desk.ask(rules_of(number), ANA)
        with pytest.raises(TooManyAnalyses) as refusal:
            await desk.ask(rules_of(2), ANA)
        assert refusal.value.facts == {"limit": 2, "retry_after_s": 5}
        assert (await desk.ask(rules_of(0), ANA)).status != "done"  # no further one
        assert (await desk.ask(rules_of(1), BO)).status != "done"  # nor anybody else's
        await desk.ask(rules_of(3), BO)
        await desk.ask(rules_of(4), CY)  # without a token: the address
        for by in (BO, CY, Asker(b"dee", ANA.address)):  # four of one address
            with pytest.raises(TooManyAnalyses):
                await desk.ask(rules_of(5), by)
        assert (await desk.ask(rules_of(5), Asker(b"dee", "192.0.2.9"))).status != "done"
    finally:
        await desk.close()


async def test_a_preset_as_shipped_waits_behind_nobody() -> None:
    desk = AnalysisDesk(1, Time(), quick_s=0, patient_s=0, per_caller=1)
    try:
        await desk.ask(rules_of(0), ANA)
        with pytest.raises(Overloaded):
            await desk.ask(rules_of(1), Asker(None, "192.0.2.9"))
        house = await desk.ask(rules_from_data(rulebook.house()), None)
        assert (await finished(desk, house.id)).report is not None
        assert desk.find(rules_key(rules_of(0))).id
    finally:
        await desk.close()


async def test_too_many_analyses_are_told_when_to_come_again(tmp_path: Path) -> None:
    async with running(
        f"sqlite+aiosqlite:///{tmp_path / 'hotdice.db'}", analyses_per_caller=1
    ) as live:
        ana = await live.guest("Ana")
        path, slow = "/v1/rules/analysis", family()["kingdom"]
        asked = [{"rules": {"custom": {**slow, "target": target}}} for target in (9_000, 9_050)]
        first = asyncio.create_task(ana.post(path, asked[0]))
        await asyncio.sleep(0.3)
        answer = await ana.post(path, asked[1])
        problem = refused(answer, 429, "too_many_analyses")
        assert (problem["limit"], answer.headers["retry-after"]) == (1, "5")
        assert (await first).status_code in (200, 202)
        assert (await ana.post(path, {"rules": PLAIN})).status_code in (200, 202)
