"""
Exports taken apart: members of events removed, added, renamed, of another type; logs cut, spliced
and moved in time, with the chain made anew; and lines spelled in ways that JSON allows, or not.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from app.store.parts import canonical
from tests.verify.recording import exported

Event = dict[str, Any]
Path = tuple[str | int, ...]

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 7, 8, 2**31, 2**53 - 1, -(2**53 - 1), 2**53),
    *("", "0", "x", "é", "e\u0301", "\u2028", "\x00", "𝄞", "a" * 64, "A" * 64, "0" * 63),
    *([], [0], [[0]], [None], {}, {"a": 1}, {"__proto__": 1}, {"constructor": 1}),
    *("cautious", "human", "fair", "__proto__"),
)
KEYS = (
    *("x", "__proto__", "constructor", "toString", "hasOwnProperty", "length"),
    *("version", "fair", "at", "seat", "type", "reveal_by", "policies", "character"),
    *("0", "7", "08", " 1", "+1", "1_0", "\u0661", "é", "\ue000", "𝄞"),
)
TIMES = (1, -1, 500, 501, -5_000, 10**6, 10**13, -(10**13))
SPELLINGS = (
    *(b" ", b"\t", b"\r", b"\n", b"\x0b", b"\x0c", b"\x00", b"\xc2\xa0", b"\xe2\x80\xa8"),
    *(b"\xef\xbb\xbf", b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\x1f\x8b"),
    *(b"\\u0041", b"\\ud83d\\ude00", b"\\ud800", b"\\/", b"\\x41", b"\\", b'"', b"'", b"\x7f"),
    *(b",", b":", b"{", b"}", b"[", b"]", b"null", b"NaN", b"-Infinity", b"/**/", b"e\xcc\x81"),
    *(b"1e3", b"1.0", b"-0", b"00", b"+1", b"0x1", b"9007199254740992", b"9" * 5_000, b"[" * 40),
    *(b'"version":1,', b'"bytes":"{}",', b'"x":1,', b'"__proto__":1,', b"{}\n", b"\n\n", b"\r\n"),
)


def taken_apart(events: list[Event], donors: list[Event], chance: Random) -> list[Event]:
    """One change to a log; `donors` are events of another game."""
    count, first = len(events), chance.randrange(len(events))
    last = chance.randrange(first, count) + 1
    how = chance.randrange(10)
    if how < 6:
        changed = _changed(events[first], donors, chance)
        return [*events[:first], changed, *events[first + 1 :]]
    if how == 6:
        return [*events[:first], *events[last:]]
    if how == 7:
        at = chance.randrange(len(donors))
        return [*events[:first], *donors[at : at + chance.randrange(1, 6)], *events[first:]]
    if how == 8:
        return [*events[:first], *donors[chance.randrange(len(donors)) :]]
    by = chance.choice(TIMES)
    later = [{**event, "at": event["at"] + by} for event in events[first:]]
    return [*events[:first], *later]


def rebuilt(game_id: str, events: list[Event]) -> bytes | None:
    """With a chain made anew; None, where no chain can be."""
    try:
        return exported(game_id, [canonical(event) for event in events])
    except (TypeError, ValueError):
        return None


def respelled(export: bytes, other: bytes, chance: Random) -> bytes:
    """One change to the bytes; `other` is another game's export."""
    at, bit = chance.randrange(len(export)), chance.choice(SPELLINGS)
    lines, others = export.split(b"\n"), other.split(b"\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    how = chance.randrange(8)
    if how < 3:
        return export[:at] + bit + export[at + chance.choice((0, 0, 0, 1, 9)) :]
    if how == 3:
        return export[:at]
    if how == 4:
        lines[one], lines[two] = lines[two], lines[one]
        return b"\n".join(lines)
    if how == 5:
        return b"\n".join(lines[:one] + others[chance.randrange(len(others)) :])
    if how == 6:
        return export + chance.choice((bit, bit + b"\n", other, export))
    if lines[one]:
        lines[one] = chance.choice(SPELLERS)(json.loads(lines[one])).encode()
    return b"\n".join(lines)


SPELLERS: tuple[Callable[[Event], str], ...] = (
    json.dumps,
    lambda told: json.dumps(told, ensure_ascii=False, separators=(" , ", " : ")),
    lambda told: json.dumps(told).replace("a", "\\u0061"),
    lambda told: json.dumps(dict(reversed(told.items()))),
    lambda told: json.dumps(told)[:-1] + "," + json.dumps(told)[1:],
    lambda told: f"\r\t {json.dumps(told)} \r",
)


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _paths(item, (*path, key))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _changed(event: Event, donors: list[Event], chance: Random) -> Event:
    event = copy.deepcopy(event)
    paths = [*_paths(event)]
    path = chance.choice(paths)
    holder, key = _at(event, path[:-1]), path[-1]
    how = chance.randrange(6)
    if how == 0:
        del holder[key]
    elif how == 1:
        objects = [event, *(_at(event, p) for p in paths if isinstance(_at(event, p), dict))]
        chance.choice(objects)[chance.choice(KEYS)] = copy.deepcopy(chance.choice(VALUES))
    elif how == 2:
        holder[key] = copy.deepcopy(chance.choice(VALUES))
    elif how == 3:
        same = [_at(donor, p) for donor in donors for p in _paths(donor) if p[-1] == key]
        holder[key] = copy.deepcopy(chance.choice(same or list(VALUES)))
    elif how == 4 and isinstance(holder, dict):
        holder[chance.choice(KEYS)] = holder.pop(key)
    else:
        holder[key] = _bent(holder[key], chance)
    return event


def _bent(value: Any, chance: Random) -> Any:
    """Much the same, and yet not."""
    if isinstance(value, bool) or value is None:
        return int(bool(value))
    if isinstance(value, int):
        return chance.choice((str(value), [value], value + 1, value - 1, -value, value + 2**40))
    if isinstance(value, str):
        at = chance.randrange(len(value) + 1)
        bits = ("0", "f", "A", " ", "\u0301", "\x7f", "\u2029", "_")
        return value[:at] + chance.choice(bits) + value[at + chance.randrange(2) :]
    if isinstance(value, list):
        return chance.choice((value[::-1], value[:-1], value * 2, [*value, None], [value]))
    return [value]
