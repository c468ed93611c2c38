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
from tests.simulation.people import Acted, Follower, Json


def judge(disk: Disk, acted: Iterable[Acted], followers: Iterable[Follower]) -> None:
    """Raises: AssertionError."""
    logs = {game_id: _log(disk, game_id) for game_id in disk.heads}
    claims: dict[str, list[tuple[int, int, Acted]]] = defaultdict(list)
    for command in acted:
        _settled(command)
        if command.answers:
            body = json.loads(command.answers[0].body)
            versions = [event["version"] for event in body["events"]]
            assert body["events"] == logs[command.game_id][versions[0] - 1 : versions[-1]]
            claims[command.game_id].append((versions[0], versions[-1], command))
    for game_id, log in logs.items():
        _each_once(game_id, log, claims[game_id])
    for follower in followers:
        _missed_nothing(follower, logs[follower.game_id])


def _log(disk: Disk, game_id: str) -> list[Json]:
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


def _each_once(game_id: str, log: list[Json], claims: list[tuple[int, int, Acted]]) -> None:
    """Every event belongs to one command, and later commands come later in the log."""
    claims.sort(key=lambda claim: claim[0])
    reached = 0
    for first, last, command in claims:
        assert first == reached + 1, f"{game_id}: version {reached + 1} is nobody's, or twice"
        reached = last
        late = [c for f, _, c in claims if f > first and c.answered_at < command.asked_at]
        assert not late, f"{command} was asked after {late} were answered, and came before"
    assert reached == len(log), f"{game_id}: nobody caused version {reached + 1}"


def _missed_nothing(follower: Follower, log: list[Json]) -> None:
    assert follower.is_over, "a follower never saw the end"
    assert follower.began_at is not None
    assert follower.seen == log[follower.began_at :], "a follower's list is not the log"
