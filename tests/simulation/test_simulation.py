"""Runs of many seeds; and a judge that lets nothing pass."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from app.ports import Answer
from tests.simulation.ended import Ended
from tests.simulation.judge import clocks_were_right, judge, log_of
from tests.simulation.people import Follower, Json
from tests.simulation.run import Plays, ended, simulate

FAILED_BEFORE: list[tuple[int, Plays]] = [
    (int(line.split()[0]), "tables" if line.split()[1] == "tables" else "all")
    for line in (Path(__file__).parent / "failed_before.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
IN_CI = 200
AT_ONCE = 20
WITH_ALL = 19
"""A seed with strangers, a series and purses."""
WITH_GAPS = 44
"""A seed with turns that run out, and times without service while clocks run."""


@pytest.mark.parametrize("seed", range(6))
def test_a_few_runs_keep_every_promise(seed: int) -> None:
    assert simulate(seed).commits > 0


@pytest.mark.parametrize(("seed", "plays"), FAILED_BEFORE)
def test_what_failed_before_keeps_every_promise(seed: int, plays: Plays) -> None:
    assert simulate(seed, plays).commits > 0


@pytest.mark.wide
@pytest.mark.parametrize("first", range(6, IN_CI, AT_ONCE))
def test_many_runs_keep_every_promise(first: int) -> None:
    runs = [simulate(seed) for seed in range(first, min(first + AT_ONCE, IN_CI))]
    assert sum(run.deaths for run in runs) > AT_ONCE
    assert sum(run.connections for run in runs) > AT_ONCE
    assert sum(run.hints_dropped for run in runs) > AT_ONCE


def test_a_seed_repeats_its_run() -> None:
    assert simulate(15) == simulate(15)
    assert simulate(15).trace != simulate(21).trace


# The judge: each of these is a fault it must see.


def _lose_the_last_event(end: Ended) -> None:
    end.disk.log[_game(end)].pop()


def _swap_two_events(end: Ended) -> None:
    log = end.disk.log[_game(end)]
    log[3], log[4] = log[4], log[3]


def _do_a_command_twice(end: Ended) -> None:
    command = next(act for act in end.acted if act.answers and act.name == "roll")
    end.acted.append(dataclasses.replace(command))


def _lose_an_acknowledged_command(end: Ended) -> None:
    end.acted.remove(next(act for act in end.acted if act.answers and act.name == "roll"))


def _answer_a_repeat_otherwise(end: Ended) -> None:
    command = next(act for act in end.acted if act.answers)
    command.answers.append(Answer(200, b'{"events":[]}'))


def _answer_nothing(end: Ended) -> None:
    next(act for act in end.acted if act.answers).answers.clear()


def _skip_an_event(end: Ended) -> None:
    del _follower(end).seen[1]


def _send_an_event_twice(end: Ended) -> None:
    seen = _follower(end).seen
    seen.insert(1, seen[1])


def _end_early(end: Ended) -> None:
    _follower(end).is_over = False


def _keep_a_game_going(end: Ended) -> None:
    end.disk.heads[_game(end)] = end.disk.heads[_game(end)]._replace(version=1)


def _game(end: Ended) -> str:
    return next(iter(end.disk.heads))


def _follower(end: Ended) -> Follower:
    return next(f for f in end.followers if len(f.seen) > 2)


@pytest.mark.parametrize(
    "spoil",
    [
        _lose_the_last_event,
        _swap_two_events,
        _do_a_command_twice,
        _lose_an_acknowledged_command,
        _answer_a_repeat_otherwise,
        _answer_nothing,
        _skip_an_event,
        _send_an_event_twice,
        _end_early,
        _keep_a_game_going,
    ],
)
def test_the_judge_sees(spoil: Callable[[Ended], None]) -> None:
    end = ended(1, "tables")
    judge(end)
    spoil(end)
    with pytest.raises(AssertionError):
        judge(end)


# Its eye for strangers, series and purses.


def _wait_beside_an_open_table(end: Ended) -> None:
    waiting = next(n for n, meeting in enumerate(end.disk.meetings) if meeting.waits)
    meeting = end.disk.meetings[waiting]
    end.disk.meetings.insert(waiting + 1, meeting._replace(game_id=_other(end, meeting.game_id)))


def _sit_twice(end: Ended) -> None:
    number, meeting = next((n, m) for n, m in enumerate(end.disk.meetings) if m.seated)
    end.disk.meetings[number] = meeting._replace(seated=meeting.seated * 2)


def _count_a_game_of_a_series_twice(end: Ended) -> None:
    end.contests[0].told["results"][0]["games"] += 1


def _plan_one_game_more(end: Ended) -> None:
    end.contests[0].told["progress"]["planned"] += 1


def _forget_what_was_spent(end: Ended) -> None:
    end.disk.journal.remove(next(row for row in end.disk.journal if row[2] == "spent"))


def _credit_twice(end: Ended) -> None:
    row = next(row for row in end.disk.journal if row[2] == "credited")
    last = [each for each in end.disk.journal if each[0] == row[0]][-1]
    end.disk.journal.append((row[0], last[1] + 1, *row[2:4], last[4] + row[3], *row[5:]))


def _fill_a_purse_by_hand(end: Ended) -> None:
    player, purse = next(iter(end.disk.purses.items()))
    end.disk.purses[player] = purse._replace(balance=purse.balance + 1)


def _other(end: Ended, game_id: str) -> str:
    """Another table of strangers, for the judge looks at its log too."""
    return next(m.game_id for m in end.disk.meetings if m.game_id != game_id)


@pytest.mark.parametrize(
    "spoil",
    [
        _wait_beside_an_open_table,
        _sit_twice,
        _count_a_game_of_a_series_twice,
        _plan_one_game_more,
        _forget_what_was_spent,
        _credit_twice,
        _fill_a_purse_by_hand,
    ],
)
def test_the_judge_sees_what_is_wrong_beside_the_games(spoil: Callable[[Ended], None]) -> None:
    end = ended(WITH_ALL)
    judge(end)
    spoil(end)
    with pytest.raises(AssertionError):
        judge(end)


# Its eye for clocks.


def _late_deadline(log: list[Json]) -> None:
    _first(log, "turn_timed_out")["deadline"] += 1


def _fired_within_the_grace(log: list[Json]) -> None:
    event = _first(log, "turn_timed_out")
    event["at"] = event["deadline"] + 500


def _fired_twice(log: list[Json]) -> None:
    event = _first(log, "turn_timed_out")
    log.insert(log.index(event), event)


def _credited_twice(log: list[Json]) -> None:
    event = _first(log, "clock_extended")
    log.insert(log.index(event), event)


def _never_credited(log: list[Json]) -> None:
    log.remove(_first(log, "clock_extended"))


def _first(log: list[Json], kind: str) -> Json:
    return next(event for event in log if event["type"] == kind)


@pytest.mark.parametrize(
    ("spoil", "needs"),
    [
        (_late_deadline, "turn_timed_out"),
        (_fired_within_the_grace, "turn_timed_out"),
        (_fired_twice, "turn_timed_out"),
        (_credited_twice, "clock_extended"),
        (_never_credited, "clock_extended"),
    ],
)
def test_the_judge_sees_clocks_that_are_wrong(
    spoil: Callable[[list[Json]], None], needs: str
) -> None:
    disk = ended(WITH_GAPS, "tables").disk
    logs = [log_of(disk, game_id) for game_id in disk.heads]
    log = next(
        log
        for log in logs
        if log[0]["clocks"]
        and log[0]["clocks"]["game_s"]
        and any(event["type"] == needs for event in log)
    )
    clocks_were_right(disk, log)
    spoil(log)
    with pytest.raises(AssertionError):
        clocks_were_right(disk, log)
