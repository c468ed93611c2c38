"""The hash chain: its published vector, and that every edit of a log shows."""

from __future__ import annotations

import contextlib
import random

import pytest

from app.ports import Recorded
from app.store.chain import ORIGIN, link, lp, verify
from engine.errors import BrokenHistory

GAME = "g_test_0001"
VECTOR = (
    '{"at":1767225600123,"dice":[1,5,4,6,4,5],"epoch":0,"name":"Zoë","roll":0,"seat":0,'
    '"type":"dice_rolled"}'
).encode()


def log(length: int) -> list[Recorded]:
    records, before = [], ORIGIN
    for version in range(1, length + 1):
        data = b'{"at":%d}' % version
        before = link(GAME, version, before, data)
        records.append(Recorded(version, data, before))
    return records


def test_the_vector_of_the_protocol() -> None:
    assert link(GAME, 1, ORIGIN, VECTOR).hex() == (
        "01dcfcd6a79d86e9b4738f9db580c9cd460d92e9359c475827a557c954511397"
    )


def test_a_part_behind_its_length() -> None:
    assert lp(b"pf1") == b"\0\0\0\x03pf1"
    assert lp(b"") == b"\0\0\0\0"


def test_a_log_verifies_from_its_start_and_from_its_middle() -> None:
    records = log(20)
    assert verify(GAME, records) == (20, records[-1].hash)
    assert verify(GAME, records[8:], 8, records[7].hash) == (20, records[-1].hash)
    assert verify(GAME, []) == (0, ORIGIN)


def test_another_game_with_the_same_events_has_other_hashes() -> None:
    with pytest.raises(BrokenHistory, match="version 1 "):
        verify("g_test_0002", log(3))


@pytest.mark.parametrize("seed", range(50))
def test_every_edit_shows(seed: int) -> None:
    """To someone who kept the last hash: it differs, or the log does not verify at all."""
    chance = random.Random(seed)
    records = log(20)
    kept = (20, records[-1].hash)
    spot = chance.randrange(20)
    record = records[spot]
    edit = chance.choice(["byte", "drop", "insert", "swap", "truncate", "hash"])
    if edit == "byte":
        data = bytearray(record.data)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        records[spot] = record._replace(data=bytes(data))
    elif edit == "drop":
        del records[spot]
    elif edit == "insert":
        records.insert(spot, record)
    elif edit == "swap":
        other = (spot + 1) % 20
        records[spot], records[other] = records[other], record
    elif edit == "truncate":
        del records[spot:]
    else:
        records[spot] = record._replace(hash=bytes(32))
    with contextlib.suppress(BrokenHistory):
        assert verify(GAME, records) != kept
