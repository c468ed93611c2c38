"""Logs of every release replay in this one: the same bytes, the same states, the same verdicts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from app import VERSION
from app.store import tables
from app.store.codec import decode, encode
from app.store.database import open_database
from app.store.rebuild import refold_all
from app.store.schema import migrate
from app.verifying.examining import revealed, verify
from app.verifying.playing import Replay
from app.verifying.reading import opened, read_log
from app.verifying.report import words
from app.verifying.stored import judged_all
from engine.bots import VERSIONS
from tests.releases.logs import (
    EXPECTED,
    LOGS,
    OldLog,
    events_in,
    old_logs,
    shape_of,
    states_of,
    told,
    within,
)
from tests.releases.record import record
from tests.verify.javascript import JavaScript

OLD_LOGS = old_logs()
KEPT = {"0.1.0": 41}
"""How many logs each release left behind: none of them may go."""


def test_the_logs_of_every_release_are_there() -> None:
    found: dict[str, int] = {}
    for log in OLD_LOGS:
        assert log.path.exists(), log
        found[log.release] = found.get(log.release, 0) + 1
    assert found == KEPT
    files = {path for path in LOGS.rglob("*") if path.is_file() and path.name != EXPECTED}
    assert files == {log.path for log in OLD_LOGS}


@pytest.mark.parametrize("log", OLD_LOGS, ids=str)
def test_an_old_log_leads_through_the_same_states(log: OldLog) -> None:
    states = list(states_of(log.path.read_bytes()))
    now = told(states, log.shape)
    assert now["last"] == log.expected["last"]
    assert now["states"] == log.expected["states"], "a state on the way is another"


def test_old_events_are_read_and_written_to_the_same_bytes() -> None:
    """A later release may add fields to what an old one wrote, and changes nothing else."""
    for log in OLD_LOGS:
        for data in events_in(log.path.read_bytes()):
            old, new = json.loads(data), json.loads(encode(decode(data)))
            assert {name: new[name] for name in old} == old, log
            if log.release == VERSION:
                assert encode(decode(data)) == data, log


def test_both_verifiers_judge_old_logs_as_they_did(js: JavaScript) -> None:
    command = [sys.executable, "-m", "app.cli", "verify", "--json"]
    command += [str(log.path) for log in OLD_LOGS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    for log, report in zip(OLD_LOGS, reports, strict=True):
        assert report.pop("file") == str(log.path)
        expected = as_today(log, report)
        assert within(report, shape_of([expected])) == expected, log
        assert report["verdict"] == "valid"
        other = js.verify(log.path.read_bytes())
        # Why a bot moved as it did only the one in Python knows.
        told_by_bots = {"bots_checked", "bots_unchecked"}
        for name in expected.keys() - told_by_bots:
            assert other[name] == expected[name], (log, name)


def as_today(log: OldLog, report: dict[str, Any]) -> dict[str, Any]:
    """
    The report of the release that wrote the log; but where a bot moved that this release has in
    another version only, it has to be said that its decisions were not made again.
    """
    expected: dict[str, Any] = log.expected["report"]
    unchecked = report["bots_unchecked"]
    if unchecked == expected["bots_unchecked"]:
        return expected
    older = [bot for bot in bots_in(log) if VERSIONS.get(bot["character"]) != bot["policy"]]
    assert all(bot in older for bot in unchecked), log
    return {**expected, "bots_checked": False, "bots_unchecked": unchecked}


def bots_in(log: OldLog) -> list[dict[str, Any]]:
    """Characters that sat at the table with their versions, as the log tells them."""
    events = [json.loads(data) for data in events_in(log.path.read_bytes())]
    named = [event for event in events if event["type"] == "policy_named"]
    told = [*named, *(policy for event in events for policy in event.get("policies", ()))]
    return [{"character": bot["character"], "policy": bot["policy"]} for bot in told]


def test_of_bots_in_an_older_version_it_is_said_that_they_were_not_checked() -> None:
    """Such logs are judged as ever but for that, and no bot of this version is left out."""
    older = {"character": "strategist", "policy": 1}
    skipped = []
    for log in [log for log in OLD_LOGS if older in bots_in(log)][:8]:
        report = verify(log.path.read_bytes())
        assert report.verdict == "valid"
        if report.bots_unchecked:
            assert (report.bots_checked, report.bots_unchecked) == (False, [older])
            assert words(report)[-1].endswith("bots not checked (strategist 1)")
            skipped.append(log)
    assert skipped


async def test_a_database_of_old_logs_is_sound_after_an_upgrade(tmp_path: Path) -> None:
    """The rows as an old release wrote them; heads folded anew, as `hotdice rebuild-heads` does."""
    url = f"sqlite+aiosqlite:///{tmp_path / 'old.db'}"
    await migrate(url)
    database = open_database(url)
    try:
        async with database.writing() as connection:
            for log in OLD_LOGS:
                export = log.path.read_bytes()
                header, *lines = map(json.loads, export.splitlines())
                await connection.execute(insert(tables.events), rows_of(export))
                await connection.execute(insert(tables.seeds), seeds_of(header["game_id"], lines))
        folded = [each async for each in refold_all(database)]
    finally:
        await database.dispose()
    assert all(each.differed for each in folded)
    reports = [report async for report in judged_all(url)]
    assert [(r.verdict, r.reason) for r in reports] == [("valid", None)] * len(OLD_LOGS)


def rows_of(export: bytes) -> list[dict[str, Any]]:
    """The rules tell where commands ended, which an export does not."""
    log = read_log(*opened(export))
    replay = Replay(log.game_id, log.lines, revealed(log))
    replay.play()
    return [
        {
            "game_id": log.game_id,
            "version": line.version,
            "data": line.data,
            "hash": line.hash,
            "command": next(end for end in replay.ends if end >= line.version),
        }
        for line in log.lines
    ]


def seeds_of(game_id: str, lines: list[Any]) -> list[dict[str, Any]]:
    [told] = [e["seeds"] for line in lines if "seeds" in (e := json.loads(line["bytes"]))]
    return [
        {"game_id": game_id, "epoch": epoch, "seed": bytes.fromhex(seed)}
        for epoch, seed in enumerate(told)
    ]


# The checks above can fail -----------------------------------------------------------------------


def test_a_state_that_has_changed_is_told(tmp_path: Path) -> None:
    log = next(log for log in OLD_LOGS if log.path.stem.startswith("house-82"))
    states: list[dict[str, Any]] = list(states_of(log.path.read_bytes()))
    assert told(states, log.shape)["states"] == log.expected["states"]
    states[20]["seats"][0]["score"] += 50
    assert told(states, log.shape)["states"] != log.expected["states"]
    states[20]["seats"][0]["score"] -= 50
    states[20]["seats"][0]["brand_new"] = 1
    assert told(states, log.shape)["states"] == log.expected["states"]


def test_logs_of_a_release_are_never_written_anew() -> None:
    for release in KEPT:
        with pytest.raises(SystemExit, match="never written anew"):
            record(release)
