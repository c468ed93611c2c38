"""Contributions to the dice, in logs written by hand: what may be sealed, and what may not."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from app.store.parts import canonical
from engine import dice
from tests.referee import rulebook
from tests.verify.games import any_game
from tests.verify.javascript import JavaScript
from tests.verify.mutations import events_of
from tests.verify.recording import exported

Event = dict[str, Any]

GAME = "g_sealing"
T = 1_767_225_600_000
SEATS = 3


def secret(e: int) -> bytes:
    return sha256(f"server {e}".encode()).digest()


def value(e: int, seat: int) -> bytes:
    return sha256(f"seat {seat} {e}".encode()).digest()


def server(e: int) -> str:
    return dice.server_commit(GAME, e, secret(e)).hex()


def commit(e: int, seat: int) -> str:
    return dice.seat_commit(GAME, e, seat, value(e, seat)).hex()


def event(kind: str, at: int = T, **fields: Any) -> Event:
    return {"at": at, "seat": None, "type": kind} | fields


def lobby() -> list[Event]:
    """A table of three, all seated."""
    [created, *_] = events_of(any_game(0).export())[1]
    human = {"kind": "human", "character": None, "player_id": None}
    farkle: dict[str, Any] = {"rules": _whole(rulebook.farkle()), "preset": None, "cheats": None}
    plain = {"dice": {"kind": "fair"}, "clocks": None, "start_seat": 0, "pass_and_play": False}
    created |= farkle | plain | {"at": T, "game_id": GAME, "seats": [human] * SEATS, "host": "p0"}
    created |= {"server_commits": [server(0), server(1)]}
    return [
        created,
        *(event("player_joined", seat=seat, player_id=f"p{seat}") for seat in range(SEATS)),
    ]


def _whole(rules: dict[str, Any]) -> dict[str, Any]:
    """With every field, as a log has it."""
    for combination in rules["combinations"]:
        combination.setdefault("protected", False)
        combination.setdefault("flat", False)
    return rules


def committed(e: int, seat: int, at: int = T + 1) -> Event:
    return event("entropy_committed", at, seat=seat, epoch=e, commit=commit(e, seat))


def closed(e: int, seats: list[int], at: int = T + 5) -> Event:
    commits = [{"seat": seat, "commit": commit(e, seat)} for seat in seats]
    by = at + 5000 if seats else None
    told = {"epoch": e, "commits": commits, "server_commit": server(e + 2), "reveal_by": by}
    return event("entropy_closed", at, **told)


def revealed(e: int, seat: int, at: int = T + 9) -> Event:
    told = {"epoch": e, "seed": value(e, seat).hex(), "next_commit": commit(e + 1, seat)}
    return event("entropy_revealed", at, seat=seat, **told)


def failed(e: int, missing: list[int], at: int = T + 5506) -> Event:
    return event("entropy_failed", at, epoch=e, missing=missing)


def played(e: int, seats: list[int], at: int = T + 9, rolled: bool = True) -> list[Event]:
    """The beginning, one roll, and an early end."""
    parts = [(seat, value(e, seat)) for seat in seats]
    sealed = dice.seal(GAME, e, bytes(32), bytes.fromhex(server(e)), parts)
    shown = dice.Fair(secret(e), GAME, e, sealed).faces(0, 6)
    roll = {"epoch": e, "roll": 0, "sides": 6, "positions": [0, 1, 2, 3, 4, 5], "seat": 0}
    roll |= {"dice": list(shown), "wild": False, "scripted": False, "fair": None}
    standings = [{"seat": seat, "score": 0} for seat in range(SEATS)]
    return [
        event("entropy_sealed", at, epoch=e, seal=sealed.hex(), seats=seats),
        event("game_started", at, seat=0, policies=[]),
        *([event("dice_rolled", at + 1, **roll)] if rolled else []),
        event("game_finished", at + 2, reason="ended_early", winners=[], standings=standings),
        event("fairness_revealed", at + 2, seeds=[secret(n).hex() for n in range(e + 3)]),
    ]


def report(js: JavaScript, *parts: Event | list[Event], **kept: Any) -> dict[str, Any]:
    log: list[Event] = []
    for part in parts:
        log += part if isinstance(part, list) else [part]
    return js.verify(exported(GAME, [canonical(each) for each in log]), **kept)


def test_who_contributed_is_mixed(js: JavaScript) -> None:
    found = report(
        js,
        lobby(),
        [committed(0, 0), committed(0, 2), closed(0, [0, 2]), revealed(0, 2), revealed(0, 0)],
        played(0, [0, 2]),
        own=[(2, 0, value(0, 2).hex())],
        commits=[(0, server(0))],
    )
    assert (found["verdict"], found["reason"]) == ("valid", None)
    assert (found["mixed"], found["not_mixed"], found["failed_attempts"]) == ([0, 2], [1], [])


def test_the_last_commitment_before_the_close_counts(js: JavaScript) -> None:
    other = committed(0, 1) | {"commit": "ab" * 32}
    log = [other, committed(0, 1), closed(0, [1]), revealed(0, 1)]
    assert report(js, lobby(), log, played(0, [1]))["verdict"] == "valid"


def test_a_failed_attempt_is_told_and_its_missing_seat_is_out(js: JavaScript) -> None:
    log = [
        *(committed(0, seat) for seat in range(3)),
        *(closed(0, [0, 1, 2]), revealed(0, 0), revealed(0, 2), failed(0, [1])),
        *(closed(1, [0, 2], T + 5506), revealed(1, 0, T + 5507), revealed(1, 2, T + 5507)),
    ]
    found = report(js, lobby(), log, played(1, [0, 2], T + 5507))
    assert (found["verdict"], found["reason"]) == ("valid", None)
    assert found["failed_attempts"] == [{"epoch": 0, "missing": [1]}]
    assert (found["mixed"], found["not_mixed"]) == ([0, 2], [1])
    late = [committed(1, 1, T + 5506)]
    again = report(js, lobby(), log[:4], failed(0, [0, 1, 2]), late)
    assert (again["version"], "contributes no more" in again["reason"]) == (10, True)


def test_when_all_are_missing_the_table_is_a_lobby_again(js: JavaScript) -> None:
    log = [committed(0, 1), closed(0, [1]), failed(0, [1])]
    alone = [*log, committed(1, 0, T + 6000), closed(1, [0], T + 6001), revealed(1, 0, T + 6002)]
    assert report(js, lobby(), alone, played(1, [0], T + 6002))["verdict"] == "valid"
    openly = [*log, closed(1, [], T + 6001)]
    found = report(js, lobby(), openly, played(1, [], T + 6001))
    assert (found["verdict"], found["mixed"]) == ("valid", [])


ATTACKS: dict[str, tuple[list[Event], str]] = {
    "late commitment": ([closed(0, []), committed(0, 1)], "must follow"),
    "commitment while sealing": (
        [committed(0, 0), closed(0, [0]), committed(0, 1)],
        "cannot stand here",
    ),
    "changed reveal": (
        [committed(0, 0), closed(0, [0]), revealed(0, 0) | {"seed": "00" * 32}],
        "not what it committed to",
    ),
    "reveal before close": ([committed(0, 0), revealed(0, 0)], "cannot stand here"),
    "second reveal": (
        [committed(0, 0), committed(0, 1), closed(0, [0, 1]), revealed(0, 0), revealed(0, 0)],
        "has revealed already",
    ),
    "commitment of another seat": (
        [
            *(committed(0, 0), committed(0, 1) | {"commit": commit(0, 0)}),
            closed(0, [0, 1]) | {"commits": [{"seat": s, "commit": commit(0, 0)} for s in (0, 1)]},
            revealed(0, 1) | {"seed": value(0, 0).hex()},
        ],
        "not what it committed to",
    ),
    "reveal for another seat": (
        [committed(0, 0), closed(0, [0]), revealed(0, 1)],
        "takes no part",
    ),
    "honest seat left out": (
        [committed(0, 0), committed(0, 1), closed(0, [0])],
        "exactly the commitments",
    ),
    "seal without a reveal": (
        [committed(0, 0), closed(0, [0]), *played(0, [])],
        "cannot stand here",
    ),
    "given up too soon": (
        [committed(0, 0), closed(0, [0]), failed(0, [0], T + 100)],
        "before its time",
    ),
    "failure of one that revealed": (
        [committed(0, 0), committed(0, 1), closed(0, [0, 1]), revealed(0, 0), failed(0, [0, 1])],
        "missing",
    ),
    "another secret prepared": (
        [
            *(committed(0, 0), closed(0, [0]), revealed(0, 0), *played(0, [0])[:-1]),
            played(0, [0])[-1] | {"seeds": [secret(0).hex(), secret(1).hex(), "00" * 32]},
        ],
        "not the one committed to",
    ),
    "a secret kept back": (
        [
            *(closed(0, []), *played(0, [], T + 5)[:-1]),
            played(0, [], T + 5)[-1] | {"seeds": [secret(0).hex(), secret(1).hex()]},
        ],
        "not every secret",
    ),
    "nobody sits there": (
        [event("player_left", seat=1, player_id="p1", kicked=False), committed(0, 1)],
        "nobody sits",
    ),
    "commitment stays behind": (
        [
            *(committed(0, 1), event("player_left", seat=1, player_id="p1", kicked=False)),
            *(event("player_joined", seat=1, player_id="p9"), closed(0, [1])),
        ],
        "exactly the commitments",
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_what_would_give_somebody_a_choice_is_refused(js: JavaScript, name: str) -> None:
    log, reason = ATTACKS[name]
    found = report(js, lobby(), log)
    assert found["verdict"] == "invalid"
    assert reason in found["reason"], found["reason"]
