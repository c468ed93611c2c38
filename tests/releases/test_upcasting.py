"""Logs that lack what later releases added are read, replayed and judged as what they meant."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.store.codec import decode, encode
from app.store.parts import canonical
from app.store.upcasting import UPCASTERS, lacking, upcast
from app.verifying.examining import verify
from engine.errors import BrokenHistory
from engine.events import EVENT_NAMES, EntropyClosed, GameStarted
from tests.releases.logs import OldLog, events_in, old_logs, states_of
from tests.verify.javascript import JavaScript
from tests.verify.recording import exported

ADDED: dict[str, dict[str, Any]] = {
    "entropy_closed": {"reveal_by": None},
    "game_started": {"policies": []},
}
"""What events have gained, and what it is in a log that lacks it: these never change."""


def test_every_upcaster_is_of_an_event_and_adds_what_it_always_did() -> None:
    assert set(UPCASTERS) <= set(EVENT_NAMES.values())
    for name, members in ADDED.items():
        assert upcast({"type": name, "at": 1}) == {"type": name, "at": 1, **members}
        there: Any = {"type": name, **dict.fromkeys(members, 7)}
        assert upcast(there) == there
    assert set(UPCASTERS) == set(ADDED)


def test_an_event_that_lacks_a_member_is_read_with_its_meaning() -> None:
    commit = "ab" * 32
    closed = {"at": 1, "type": "entropy_closed", "seat": None, "epoch": 0, "commits": []}
    assert decode(canonical({**closed, "server_commit": commit}).encode()) == EntropyClosed(
        at=1, epoch=0, commits=(), server_commit=commit, reveal_by=None
    )
    started = {"at": 1, "type": "game_started", "seat": 2}
    assert decode(canonical(started).encode()) == GameStarted(at=1, seat=2, policies=())


def test_nothing_else_may_be_missing_or_new() -> None:
    with pytest.raises(BrokenHistory):
        decode(b'{"at":1,"seat":0,"type":"hot_dice"}')
    with pytest.raises(BrokenHistory):
        decode(b'{"at":1,"more":1,"score":5,"seat":0,"type":"hot_dice"}')
    with pytest.raises(BrokenHistory):
        decode(b'{"at":1,"more":1,"seed":"","type":"result_voided"}')


def test_a_step_may_change_what_is_inside_a_member() -> None:
    """As a later format of rule sets will need it."""

    def doubled(told: Any) -> Any:
        return {**told, "rules": {**told["rules"], "format": 2, "dice": {"count": 6}}}

    steps = {"game_created": doubled, "hot_dice": lacking(score=77)}
    old = {"type": "game_created", "rules": {"format": 1, "name": "x"}}
    assert upcast(old, steps)["rules"] == {"format": 2, "name": "x", "dice": {"count": 6}}
    assert old["rules"] == {"format": 1, "name": "x"}
    assert upcast({"type": "hot_dice", "score": 5}, steps)["score"] == 5
    assert upcast({"type": "turn_busted"}, steps) == {"type": "turn_busted"}


@pytest.fixture(scope="module")
def log() -> OldLog:
    """One whose dice nobody mixed and where no bot sits: older releases wrote such games too."""
    return next(log for log in old_logs() if log.path.stem == "farkle-216")


def aged(export: bytes) -> bytes:
    """The same game, as a release before these members would have written it."""
    header = json.loads(export.splitlines()[0])
    events = [json.loads(data) for data in events_in(export)]
    for event in events:
        for member in ADDED.get(event["type"], ()):
            del event[member]
    return exported(header["game_id"], [canonical(event) for event in events])


def test_a_log_of_before_leads_to_the_same_game(log: OldLog, js: JavaScript) -> None:
    export = log.path.read_bytes()
    old = aged(export)
    assert old != export
    assert list(states_of(old)) == list(states_of(export))
    for data in events_in(old):
        told = json.loads(data)
        assert canonical(upcast(told)).encode() == encode(decode(data))
    assert verify(old).verdict == js.verify(old)["verdict"] == "valid"


def test_a_log_of_before_is_not_let_off_anything(log: OldLog, js: JavaScript) -> None:
    old = aged(log.path.read_bytes())
    header = json.loads(old.splitlines()[0])
    events = [json.loads(data) for data in events_in(old)]
    started = next(event for event in events if event["type"] == "game_started")
    started["seat"] = 1 - started["seat"]
    changed = exported(header["game_id"], [canonical(event) for event in events])
    assert verify(changed).verdict == js.verify(changed)["verdict"] == "invalid"
