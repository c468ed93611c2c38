"""
What clients saw, held against what the log says.

Every command has a key of its own and is sent until it is answered. The log must then hold each
accepted command's events exactly once and exactly as answered, and nothing that no command claims:
nothing acknowledged is lost, nothing is done twice, nothing is done by halves.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from tests.live.wire import Reply

Json = dict[str, Any]


@dataclass
class Sent:
    """A command and whatever came back, in order: None for a connection that broke."""

    raw: bytes
    answers: list[Reply | None] = field(default_factory=list)

    @property
    def answer(self) -> Reply | None:
        """The first one that came."""
        return next((answer for answer in self.answers if answer is not None), None)

    @property
    def was_unknown(self) -> bool:
        """Whether the client could not tell, for a time."""
        return bool(self.answers) and self.answers[0] is None

    def is_settled(self) -> bool:
        return self.answer is not None


@dataclass
class History:
    """All commands of a run."""

    sent: list[Sent] = field(default_factory=list)

    def open(self, raw: bytes) -> Sent:
        command = Sent(raw)
        self.sent.append(command)
        return command

    @property
    def unknown(self) -> list[Sent]:
        return [command for command in self.sent if not command.is_settled()]

    @property
    def accepted(self) -> list[Reply]:
        return [c.answer for c in self.sent if c.answer is not None and c.answer.ok]

    def games(self) -> set[str]:
        return {claim_of(answer).game for answer in self.accepted}

    def check(self, logs: dict[str, bytes]) -> None:
        """Hold it against the exported logs, by game. Raises: AssertionError."""
        for command in self.sent:
            assert command.is_settled(), f"never answered: {command.raw[:200]!r}"
            answers = [a for a in command.answers if a is not None]
            assert all(a.status < 500 for a in answers), answers
            if answers[0].ok:
                assert {(a.status, a.body) for a in answers} == {
                    (answers[0].status, answers[0].body)
                }
        claims = defaultdict(list)
        for answer in self.accepted:
            claim = claim_of(answer)
            claims[claim.game].append(claim)
        assert set(claims) == set(logs)
        for game, log in logs.items():
            _check_game(game, claims[game], verified(log, game))


@dataclass(frozen=True)
class Claim:
    """The versions that an answer says are its own."""

    game: str
    first: int
    last: int
    events: Sequence[Json] | None
    """None where the answer shows the game alone: a table that was opened."""


def claim_of(answer: Reply) -> Claim:
    """What an accepted command's answer says."""
    data = answer.json()
    if "events" not in data:
        return Claim(data["id"], 1, data["version"], None)
    versions = [event["version"] for event in data["events"]]
    assert versions == [*range(versions[0], versions[0] + len(versions))]
    assert data["game"]["version"] == versions[-1]
    return Claim(data["game"]["id"], versions[0], versions[-1], data["events"])


def _check_game(game: str, claims: Iterable[Claim], events: Sequence[Json]) -> None:
    last = 0
    for claim in sorted(claims, key=lambda c: c.first):
        assert claim.first > last, f"{game}: version {claim.first} was answered twice"
        assert claim.first == last + 1, f"{game}: nobody caused version {last + 1}"
        last = claim.last
        assert last <= len(events), f"{game}: version {last} was acknowledged and is not there"
        if claim.events is not None:
            assert list(claim.events) == list(events[claim.first - 1 : last]), game
    assert last == len(events), f"{game}: nobody caused version {last + 1}"


def verified(log: bytes, game: str) -> list[Json]:
    """The events of an exported log, gap-free, their chain recomputed. Raises: AssertionError."""
    header, *lines = log.splitlines()
    assert json.loads(header)["game_id"] == game
    before = bytes(32)
    events = []
    for version, line in enumerate(lines, 1):
        record = json.loads(line)
        assert record["version"] == version, f"{game}: {record['version']} instead of {version}"
        data = record["bytes"].encode()
        parts = (b"pf1/event", game.encode(), version, before, data)
        before = sha256(b"".join(map(_packed, parts))).digest()
        assert before.hex() == record["hash"], f"{game}: the chain breaks at {version}"
        events.append({"version": version, **json.loads(data)})
    return events


def _packed(part: bytes | int) -> bytes:
    if isinstance(part, int):
        return part.to_bytes(8, "big")
    return len(part).to_bytes(4, "big") + part
