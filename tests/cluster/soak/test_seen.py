"""The proof finds what it looks for, and lines are read right whatever the pieces they come in."""

from __future__ import annotations

import json
import socket
from contextlib import closing

import pytest

from tests.cluster.soak.lines import Ended, OfEvents, OfWebSocket, Reader
from tests.cluster.soak.seen import Faults, Seen, Told
from tests.live.player import Json

GAME = "g"
COMMANDS = (2, 5, 6)


def event(version: int) -> Json:
    return {"version": version, "type": "game_finished" if version == 6 else "dice_rolled"}


def played(first: int, last: int) -> Json:
    events = [event(version) for version in range(first, last + 1)]
    return {"type": "played", "version": last, "events": events}


FRAMES = [played(1, 2), played(3, 5), played(6, 6)]


def told(*frames: Json, seen: Seen | None = None) -> Told:
    made = Told(GAME)
    for frame in ({"type": "resumed", "version": 0}, *frames):
        (seen or Seen()).take(made, frame)
    return made


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        (FRAMES, Faults(followed=6)),
        (FRAMES[:2], Faults(gaps=1, torn=1, followed=5)),
        ([FRAMES[0], FRAMES[2]], Faults(gaps=3, torn=1, followed=3)),
        ([*FRAMES, FRAMES[2]], Faults(doubles=1, torn=1, followed=6)),
        ([FRAMES[1], FRAMES[0], FRAMES[2]], Faults(out_of_order=1, torn=1, followed=6)),
        ([FRAMES[0], played(3, 6)], Faults(torn=1, followed=6)),
        ([*FRAMES, played(7, 7)], Faults(different=1, torn=1, followed=6)),
    ],
)
def test_every_difference_is_counted(frames: list[Json], expected: Faults) -> None:
    faults = Faults()
    faults.compare(told(*frames), COMMANDS)
    assert faults == expected


def test_what_two_are_told_is_the_same_and_is_the_log() -> None:
    seen, log = Seen(), [event(version) for version in range(1, 7)]
    assert told(*FRAMES, seen=seen).is_over
    told(*FRAMES, seen=seen)
    assert seen.compare({GAME: log}) == 0
    assert seen.compare({GAME: log[:5]}) == 1
    told(played(1, 1) | {"version": 2}, seen=seen)
    assert seen.compare({GAME: log}) == 1
    told({"type": "played", "version": 1, "events": [event(1) | {"seat": 1}]}, seen=seen)
    assert seen.compare({GAME: log}) == 2


@pytest.mark.parametrize(
    ("again", "differences"),
    [({"now": "later"}, 0), ({"join_code": "ABC"}, 0), ({"score": 1}, 1)],
)
def test_a_version_has_one_state(again: Json, differences: int) -> None:
    seen, state = Seen(), {"status": "playing", "score": 0, "now": "now"}
    for game in (state, state | again):
        seen.take(Told(GAME), {"type": "state", "version": 3, "game": game})
    assert seen.different == differences


def test_a_resumption_is_from_where_one_was() -> None:
    seen, made = Seen(), told(FRAMES[0])
    seen.take(made, {"type": "resumed", "version": 2})
    assert seen.different == 0
    seen.take(made, {"type": "resumed", "version": 3})
    assert seen.different == 1


def sockets() -> bytes:
    frames = [json.dumps(frame).encode() for frame in FRAMES]
    parts = [bytes([0x81, 126]) + len(f).to_bytes(2, "big") + f for f in frames]
    return b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + b"".join(parts) + b"\x88\x02\x03\xf4"


def events() -> bytes:
    texts = [b"id: 1\nevent: played\ndata: %s\n\n" % json.dumps(f).encode() for f in FRAMES]
    texts.insert(1, b": heartbeat\n\n")
    texts.append(b'event: error\ndata: {"type": "error", "code": "restarting"}\n\n')
    chunks = [b"%x\r\n%s\r\n" % (len(text), text) for text in texts]
    return b"HTTP/1.1 200 OK\r\n\r\n" + b"".join(chunks)


def feed(reader: Reader, data: bytes, piece: int, found: list[Json]) -> None:
    for at in range(0, len(data), piece):
        for frame in reader.feed(data[at : at + piece]):
            found.append(frame)  # noqa: PERF402 — the last piece raises


@pytest.mark.parametrize("piece", [1, 7, 100_000])
@pytest.mark.parametrize(("by", "end"), [("websocket", "1012"), ("sse", "restarting")])
def test_frames_are_whole_in_any_pieces(piece: int, by: str, end: str) -> None:
    found: list[Json] = []
    with closing(socket.socket()) as own:
        reader: Reader = OfEvents() if by == "sse" else OfWebSocket(own)
        with pytest.raises(Ended, match=end):
            feed(reader, events() if by == "sse" else sockets(), piece, found)
    assert found == FRAMES
