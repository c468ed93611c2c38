"""What must hold in the end, whatever happened on the way."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable

from app.store.chain import ORIGIN, link
from app.store.codec import decode
from engine.evolve import replay
from engine.state import Finished
from tests.simulation.disk import Disk
from tests.simulation.ended import Ended
from tests.simulation.judge_beside import purses_are_right, series_were_played, strangers_met
from tests.simulation.people import Acted, Follower, Json, found_at


def judge(end: Ended) -> None:
    """Raises: AssertionError."""
    disk = end.disk
    logs = {game_id: log_of(disk, game_id) for game_id in disk.heads}
    claims: dict[str, list[tuple[int, int, Acted]]] = defaultdict(list)
    for command in end.errands:
        _settled(command)
    for command in end.acted:
        _settled(command)
        body = json.loads(command.answers[0].body) if command.answers else {}
        if body.get("events"):
            versions = [event["version"] for event in body["events"]]
            assert body["events"] == logs[command.game_id][versions[0] - 1 : versions[-1]]
            claims[command.game_id].append((versions[0], versions[-1], command))
    made = _made_besides(disk, end.acted, logs)
    for game_id, log in logs.items():
        _each_once(game_id, log, claims[game_id], {last for _, last in disk.log[game_id]}, made)
        clocks_were_right(disk, log)
    for follower in end.followers:
        _missed_nothing(follower, logs[follower.game_id])
    strangers_met(disk, logs)
    series_were_played(end.contests, logs)
    purses_are_right(disk, end.purchases, logs)


def _made_besides(disk: Disk, acted: Iterable[Acted], logs: dict[str, list[Json]]) -> set[str]:
    """Games that no command tells the beginning of: those of series, and rematches."""
    made = {game_id for ids in disk.series_games.values() for game_id in ids}
    told: dict[str, set[str]] = defaultdict(set)
    for command in acted:
        if command.name == "rematch":
            told[command.game_id] |= {found_at(answer) for answer in command.answers}
    for game_id, log in logs.items():
        new = {event["game_id"] for event in log if event["type"] == "rematch_created"}
        assert told[game_id] <= new, "two rematches of one game, or one that is not there"
        assert len(new) <= 1
        assert all(logs[each][0]["rematch_of"] == game_id for each in new)
        made |= new
    return made


def log_of(disk: Disk, game_id: str) -> list[Json]:
    """The log, chained, folding to the head, and ended."""
    head, records = disk.heads[game_id], [record for record, _ in disk.log[game_id]]
    digest = ORIGIN
    for version, record in enumerate(records, 1):
        digest = link(game_id, version, digest, record.data)
        assert (record.version, record.hash) == (version, digest)
    game = replay(decode(record.data) for record in records)
    assert (game, len(records), digest) == (head.game, head.version, head.hash)
    assert isinstance(game, Finished), f"{game_id} never ended"
    assert [seed.hex() for seed in disk.seeds[game_id]] == list(game.seeds)
    return [{"version": r.version, **json.loads(r.data)} for r in records]


def _settled(command: Acted) -> None:
    """One outcome, and every answer the same."""
    assert bool(command.answers) != bool(command.refused), command
    assert len({(answer.status, answer.body) for answer in command.answers}) <= 1, command


OF_THE_SERVER = {
    *("turn_timed_out", "clock_extended", "bot_took_seat", "host_changed", "game_finished"),
    *("seat_changed", "purse_counted"),
}
"""What a command of the server itself begins with."""

OF_BOTS = {
    "policy_named",
    "dice_rolled",
    "dice_selected",
    "turn_taken_over",
    "turn_banked",
    "wild_roll_earned",
}
"""What one of a bot does."""


def _each_once(
    game_id: str,
    log: list[Json],
    claims: list[tuple[int, int, Acted]],
    ends: set[int],
    made: set[str],
) -> None:
    """Every event belongs to one command, and later commands come later in the log."""
    claims.sort(key=lambda claim: claim[0])
    of = {first: (last, command) for first, last, command in claims}
    assert len(of) == len(claims), f"{game_id}: two commands claim the same events"
    version, earlier = 0, list[Acted]()
    bots = {seat for seat, place in enumerate(log[0]["seats"]) if place["kind"] == "bot"}
    while version < len(log):
        last = min(end for end in ends if end > version)
        if version + 1 in of:
            claimed, command = of.pop(version + 1)
            assert claimed == last, f"{game_id}: a command was answered with half of its events"
            late = [c for c in earlier if c.asked_at > command.answered_at]
            assert not late, f"{late} came before {command}, and was asked after its answer"
            earlier.append(command)
        else:
            kind, seat = log[version]["type"], log[version]["seat"]
            is_made = kind == "game_created" and game_id in made
            is_asked = kind == "rematch_created"  # see `_made_besides`
            if not is_made and not is_asked and not (kind in OF_BOTS and seat in bots):
                assert kind in OF_THE_SERVER, f"{game_id}: nobody caused {log[version]}"
        for event in log[version:last]:
            if event["type"] == "bot_took_seat":
                bots.add(event["seat"])
            elif event["type"] == "player_returned":
                bots.remove(event["seat"])
            elif event["type"] == "seat_changed" and event["kind"] == "bot":
                bots.add(event["seat"])
        version = last
    assert not of, f"{game_id}: {of} claim events of others"


TURN_BEGINS = {
    *("game_started", "turn_banked", "turn_busted", "turn_overshot", "turn_lapsed"),
    *("turn_skipped", "seat_resigned"),
}


AFTER_A_TIMEOUT = {"turn_banked", "turn_lapsed", "turn_overshot", "wild_roll_earned"}


def clocks_were_right(disk: Disk, log: list[Json]) -> None:
    """Each clock fires once, when it is due, and nobody is charged for times without service."""
    clocks = log[0]["clocks"] or {"turn_s": None, "game_s": None}
    began, started, told = 0, 0, list[int]()

    def away(since: int, until: int) -> int:
        """Milliseconds in which nobody was there."""
        gaps = [g for g in disk.gaps if g.ended <= until]
        return sum(max(0, gap.ended - max(gap.began, since)) for gap in gaps)

    for event, after in zip(log, [*log[1:], None], strict=True):
        at = event["at"]
        if event["type"] == "game_started":
            started = at
        if event["type"] in TURN_BEGINS:
            began = at
        if event["type"] == "clock_extended":
            gap = disk.gaps[event["gap"] - 1]
            assert (event["began"], event["ended"]) == (gap.began, gap.ended)
            told.append(event["gap"])
        if event["type"] == "turn_timed_out":
            deadline = began + 1000 * clocks["turn_s"] + away(began, at)
            assert event["deadline"] == deadline < at - 500
            assert after is not None
            assert after["type"] in AFTER_A_TIMEOUT
        if event["type"] == "game_finished" and event["reason"] == "game_clock":
            assert at > started + 1000 * clocks["game_s"] + away(started, at) + 500
    assert len(told) == len(set(told)), "a gap was credited twice"
    if started and clocks["game_s"] is not None:
        missed = [g.number for g in disk.gaps if started < g.ended < log[-1]["at"] - 5_000]
        assert set(missed) <= set(told), "a gap was not credited"


def _missed_nothing(follower: Follower, log: list[Json]) -> None:
    assert follower.is_over, "a follower never saw the end"
    assert follower.began_at is not None
    ended = next(n for n, event in enumerate(log, 1) if event["type"] == "fairness_revealed")
    assert follower.seen == log[follower.began_at : ended], "a follower's list is not the log"
