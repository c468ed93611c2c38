"""The history checker finds what it is there to find."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from tests.live.history import History, Sent
from tests.live.wire import Reply

GAME = "01a22aa3-19f6-7725-a20b-8c86e3942fc5"


def lp(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part


def log(*faces: int) -> bytes:
    """An exported log with one die in each event."""
    lines, before = [json.dumps({"game_id": GAME})], bytes(32)
    for version, face in enumerate(faces, 1):
        data = json.dumps({"face": face})
        parts = (lp(b"pf1/event"), lp(GAME.encode()), version.to_bytes(8, "big"), lp(before))
        before = sha256(b"".join((*parts, lp(data.encode())))).digest()
        lines.append(json.dumps({"version": version, "bytes": data, "hash": before.hex()}))
    return "\n".join(lines).encode()


def opened() -> Reply:
    return Reply(201, (), json.dumps({"id": GAME, "version": 1}).encode())


def played(first: int, *faces: int) -> Reply:
    events = [{"version": first + n, "face": face} for n, face in enumerate(faces)]
    game = {"id": GAME, "version": events[-1]["version"]}
    return Reply(200, (), json.dumps({"game": game, "events": events}).encode())


def history(*answers: Reply | None) -> History:
    """Each answer to a command of its own."""
    return History([Sent(b"", [answer]) for answer in answers])


def test_what_is_right_is_right() -> None:
    retried = History([Sent(b"", [None, opened(), opened()])])
    retried.check({GAME: log(1)})
    history(opened(), played(2, 6, 5), Reply(409, (), b"{}"), played(4, 4)).check(
        {GAME: log(1, 6, 5, 4)}
    )


WRONG = {
    "lost at the end": (history(opened(), played(2, 6, 5)), log(1)),
    "lost in part": (history(opened(), played(2, 6, 5)), log(1, 6)),
    "lost and played over": (history(opened(), played(2, 6), played(2, 5)), log(1, 5)),
    "other dice than were shown": (history(opened(), played(2, 6)), log(1, 5)),
    "nobody's event": (history(opened(), played(2, 6)), log(1, 6, 5)),
    "nobody's event between": (history(opened(), played(3, 6)), log(1, 5, 6)),
    "never answered": (history(opened(), None), log(1)),
    "a fault of the server's": (history(opened(), Reply(500, (), b"{}")), log(1)),
    "another answer to a retry": (History([Sent(b"", [opened(), played(1, 1)])]), log(1)),
    "done twice": (History([Sent(b"", [opened()]), Sent(b"", [None, opened()])]), log(1)),
    "a changed byte": (history(opened()), log(1).replace(b'face\\": 1', b'face\\": 2')),
    "a gap": (history(opened()), log(1).replace(b'"version": 1', b'"version": 2')),
    "another game's log": (history(opened()), log(1).replace(b"01a2", b"01a3")),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_found(what: str) -> None:
    told, exported = WRONG[what]
    with pytest.raises(AssertionError):
        told.check({GAME: exported})


def test_a_game_that_is_gone_is_found() -> None:
    with pytest.raises(AssertionError):
        history(opened()).check({})
