"""A second reading of docs/fairness.md: the chain of an exported log, and its dice."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from tests.referee.cheats import Cheats, faces_needed, shown
from tests.referee.play import Throw
from tests.referee.rulebook import RuleSet

Json = dict[str, Any]
ZERO = bytes(32)
SIDES = 6


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def lp(data: bytes) -> bytes:
    return u32(len(data)) + data


def digest(*parts: bytes) -> bytes:
    return sha256(b"".join(parts)).digest()


def server_commit(game_id: str, epoch: int, secret: bytes) -> str:
    tag = lp(b"pf1/server-commit") + lp(game_id.encode())
    return digest(tag, u32(epoch), lp(secret)).hex()


def seal(game_id: str, epoch: int, before: bytes, commit: str) -> bytes:
    """Of an attempt to which no seat contributes."""
    tag = lp(b"pf1/seal") + lp(game_id.encode()) + u32(epoch)
    return digest(tag, lp(before), lp(bytes.fromhex(commit)), u32(0))


def faces(
    secret: bytes, game_id: str, epoch: int, roll: int, sealed: bytes, count: int
) -> list[int]:
    found: list[int] = []
    start = lp(b"pf1/roll") + lp(game_id.encode()) + u32(epoch) + u64(roll) + lp(sealed)
    block = 0
    while len(found) < count:
        data = hmac.digest(secret, start + u32(block), "sha256")
        found += [byte % SIDES + 1 for byte in data if byte < 256 - 256 % SIDES]
        block += 1
    return found[:count]


def seeded_faces(seed: str, roll: int, count: int) -> list[int]:
    key = digest(lp(b"pf1/seeded"), lp(seed.encode("ascii")))
    return faces(key, "", 0, roll, ZERO, count)


def chained(game_id: str, version: int, before: bytes, data: bytes) -> bytes:
    tag = lp(b"pf1/event") + lp(game_id.encode())
    return digest(tag, u64(version), lp(before), lp(data))


class Broken(AssertionError):
    """The log does not check."""


def must(holds: bool, what: str) -> None:
    if not holds:
        raise Broken(what)


def events_of(exported: bytes, game_id: str) -> list[Json]:
    """The events of an export whose versions, canonical bytes and chain all check."""
    header, *lines = [json.loads(line) for line in exported.decode().splitlines()]
    must(header["protocol"] == "pf1" and header["game_id"] == game_id, "the header of the export")
    before, events = ZERO, []
    for number, line in enumerate(lines, 1):
        must(line["version"] == number, f"version {line['version']} stands at place {number}")
        data = line["bytes"].encode()
        before = chained(game_id, number, before, data)
        must(line["hash"] == before.hex(), f"the hash of version {number} does not recompute")
        event = json.loads(data, object_pairs_hook=_no_key_twice)
        must(canonical(event) == data, f"the bytes of version {number} are not canonical")
        must("version" not in event, "a version among the hashed bytes")
        events.append({"version": number, **event})
    return events


def canonical(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def _no_key_twice(pairs: list[tuple[str, Any]]) -> Json:
    must(len({key for key, _ in pairs}) == len(pairs), "a key twice")
    return dict(pairs)


class Roll:
    """What the table was like when dice were rolled: enough to judge what they show."""

    def __init__(self, throw: Throw, cheats: Cheats, event: Json) -> None:
        self.throw = throw
        self.cheats = cheats
        self.event = event

    @property
    def needs(self) -> int:
        return faces_needed(self.throw, self.cheats)

    def check_cheats(self, rules: RuleSet) -> None:
        """The cheats alone made the fair faces into those shown."""
        number, dice, fair = self.event["roll"], self.event["dice"], self.event["fair"]
        if self.event["scripted"]:
            must(fair is None, f"roll {number} is scripted, and yet has fair faces")
            return
        if fair is None:
            must(self.needs == len(dice), f"roll {number} hides its fair faces")
        faces = dice if fair is None else fair
        must(len(faces) == self.needs, f"roll {number} took {len(faces)} faces, not {self.needs}")
        made = list(shown(rules, self.throw, faces, self.cheats))
        must(made == dice, f"roll {number} shows {dice}; its cheats make {made} of {faces}")

    def check_stream(self, stream: Sequence[int]) -> None:
        """`stream`: the faces that the secrets give this roll."""
        if not self.event["scripted"]:
            found = self.event["dice"] if self.event["fair"] is None else self.event["fair"]
            must(found == list(stream), f"roll {self.event['roll']}: the secrets say {stream}")


def check_secrets(
    events: Iterable[Json], game_id: str, rolls: Sequence[Roll], seed: str | None
) -> None:
    """
    A finished game: its secrets are those committed to, and its fair dice theirs.

    Args:
        seed: of seeded dice.
    """
    commits: list[str] = []
    sealed, seeds = ZERO, None
    rolled = []
    for event in events:
        match event["type"]:
            case "game_created":
                must(event["protocol"] == "pf1", "another protocol")
                commits += event["server_commits"]
            case "entropy_closed":
                must(event["epoch"] == 0 and event["commits"] == [], "an attempt of its own")
                commits.append(event["server_commit"])
            case "entropy_sealed":
                sealed = seal(game_id, 0, ZERO, commits[0])
                must(event["seal"] == sealed.hex(), "the seal does not recompute")
            case "dice_rolled":
                must(seeds is None, "dice after the reveal")
                rolled.append(event)
            case "fairness_revealed":
                must(seeds is None, "two reveals")
                seeds = [bytes.fromhex(seed) for seed in event["seeds"]]
    must(seeds is not None, "a game ended without its reveal")
    assert seeds is not None
    told = [server_commit(game_id, epoch, seed) for epoch, seed in enumerate(seeds)]
    must(told == commits, "the secrets are not those committed to")
    must(rolled == [roll.event for roll in rolls], "other dice than were shown in play")
    for number, roll in enumerate(rolls):
        must(roll.event["roll"] == number, f"roll {number} has another number")
        if seed is None:
            roll.check_stream(faces(seeds[0], game_id, 0, number, sealed, roll.needs))
        else:
            roll.check_stream(seeded_faces(seed, number, roll.needs))
