"""The eight steps of docs/fairness.md, one after the other: an export in, a report out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from app.store.parts import ENCODERS, canonical
from app.verifying.fields import event_of
from app.verifying.playing import Replay
from app.verifying.reading import HEX, Line, Log, check_chain, opened, read_log
from app.verifying.report import Fault, Kept, Report
from engine import events as ev
from engine.dice import server_commit
from engine.state import Finished

PLAYED_OUT = ("target", "instant_win")
"""Ends by the rules alone; all others cut a game short."""

NOTHING_KEPT = Kept()


def verify(export: bytes, kept: Kept = NOTHING_KEPT) -> Report:
    """
    What there is to say of an export, whatever the bytes are.

    `invalid` names the first event that cannot be right. `incomplete` is a log in which nothing is
    wrong, but which does not tell enough: a game that is not over, secrets that are not revealed.
    """
    report = Report()
    try:
        report.game_id, lines = opened(export)
        log = read_log(report.game_id, lines)
        report.events = len(log.lines)
        check_chain(log.game_id, log.lines)
        examine(log, kept, report)
    except Fault as fault:
        report.blame(fault)
    return report


def examine(log: Log, kept: Kept, report: Report) -> None:
    """
    Steps 2 to 7 on a log whose chain holds; what is known goes into the report.

    Raises: Fault.
    """
    secrets = revealed(log)
    replay = played(log, secrets, report)
    _compare(kept, log.lines)
    if replay.cut_off:
        raise Fault("the log ends in the middle of a command", incomplete=True)
    if not isinstance(replay.game, Finished):
        raise Fault("the game is not over: the dice cannot be checked yet", incomplete=True)
    if secrets is None:
        raise Fault("the server's secrets are not revealed", incomplete=True)


def played(log: Log, secrets: tuple[bytes, ...] | None, report: Report) -> Replay:
    """
    The log played to its end; what it says goes into the report.

    Args:
        secrets: the server's; None: not known, and rolls are taken as they are told.
    Raises: Fault, where the rules lead elsewhere.
    """
    created = event_of(log.lines[0])
    if isinstance(created, ev.GameCreated) and created.game_id != log.game_id:
        raise Fault("the header names another game", 1)
    replay = Replay(log.game_id, log.lines, secrets)
    replay.play()
    _tell(replay, report)
    return replay


def revealed(log: Log) -> tuple[bytes, ...] | None:
    """Step 4: the secrets, each as it was committed to; None where none are revealed."""
    kind = "fairness_revealed"
    line = next((line for line in log.lines if line.told["type"] == kind), None)
    if line is None:
        return None
    seeds, commits = line.told.get("seeds"), commits_of(log.lines)
    if type(seeds) is not list or len(seeds) != len(commits) or not all(map(_is_hex, seeds)):
        raise Fault("not every secret is revealed", line.version)
    secrets = tuple(bytes.fromhex(seed) for seed in seeds)
    check_secrets(log, secrets, line.version)
    return secrets


def check_secrets(log: Log, secrets: Sequence[bytes], version: int | None) -> None:
    """Each is the one committed to. Raises: Fault, at that version."""
    commits = commits_of(log.lines)
    if len(secrets) != len(commits):
        raise Fault("not every secret is there", version)
    for epoch, (secret, commit) in enumerate(zip(secrets, commits, strict=True)):
        if server_commit(log.game_id, epoch, secret).hex() != commit:
            raise Fault(f"secret {epoch} is not the one committed to", version)


def commits_of(lines: Sequence[Line]) -> list[Any]:
    """Step 2: the server's commitments, by number of the attempt."""
    first = lines[0].told.get("server_commits")
    later = [line.told for line in lines if line.told["type"] == "entropy_closed"]
    found = first if type(first) is list else []
    return [*found, *(told.get("server_commit") for told in later)]


def _is_hex(value: Any) -> bool:
    return type(value) is str and HEX.fullmatch(value) is not None


def _compare(kept: Kept, lines: Sequence[Line]) -> None:
    """Step 7: what a player kept stands in the log. Raises: Fault."""
    for version, hashed in kept.heads:
        if not 1 <= version <= len(lines):
            reason = f"version {version}, which you kept, is not in the log"
            raise Fault(reason, incomplete=True)
        if lines[version - 1].hash.hex() != hashed:
            raise Fault(f"the hash you kept of version {version} is another")
    commits = dict(enumerate(commits_of(lines)))
    for epoch, commit in kept.commits:
        if commits.get(epoch) != commit:
            raise Fault(f"the server's commitment to attempt {epoch} that you kept is another")
    told = [line.told for line in lines if line.told["type"] == "entropy_revealed"]
    values = {(each.get("seat"), each.get("epoch")): each.get("seed") for each in told}
    for seat, epoch, value in kept.own:
        if values.get((seat, epoch)) != value:
            raise Fault(f"your value of attempt {epoch} does not stand at seat {seat}")


def _tell(replay: Replay, report: Report) -> None:
    """Step 8: what there is to know."""
    game = replay.game
    if game is None:
        return
    places = enumerate(game.setup.places)
    taking_part = [(seat, place) for seat, place in places if place.kind != "closed"]
    report.dice = game.setup.dice.kind
    report.rolls = replay.rolls
    report.mixed = list(replay.mixed)
    report.not_mixed = [seat for seat, _ in taking_part if seat not in replay.mixed]
    report.failed_attempts = [
        {"epoch": epoch, "missing": list(missing)} for epoch, missing in replay.failed
    ]
    report.cheats = json.loads(canonical(ENCODERS["cheats"](game.setup.cheats)))
    if isinstance(game, Finished):
        report.ended = game.result.reason
        report.winners = list(game.result.winners)
        report.aborted = game.result.reason not in PLAYED_OUT
    seated = {seat for seat, place in taking_part if place.kind == "bot"}
    report.bots = sorted(seated | replay.bots)
    report.bots_unchecked = [each._asdict() for each in sorted(replay.unchecked)]
    report.bots_checked = not replay.unchecked
