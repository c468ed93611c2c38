"""Changed exports: a byte, a field or a whole event, with the chain as it was or made anew."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from app.store.parts import canonical
from tests.verify.recording import exported

Event = dict[str, Any]
Path = tuple[str | int, ...]


class Mutation(NamedTuple):
    what: str
    """Of the event and the field: `turn_banked.total`; `drop turn_banked`; `byte`."""
    version: int
    export: bytes
    chained: bool
    """The hashes were made anew: only what the events say can give it away."""
    as_good: bool = False
    """What was moved or left out had no part in what follows: another game, and as good a one."""


DECIDED = {
    *("entropy_sealed", "game_started", "dice_rolled", "hot_dice", "wild_roll_earned"),
    *("purse_spent", "turn_taken_over", "turn_banked", "turn_busted", "turn_overshot"),
    *("turn_skipped", "turn_timed_out", "turn_lapsed", "final_round_opened", "game_finished"),
    *("fairness_revealed", "script_dropped"),
}
"""Nothing in these events but their time is anybody's choice."""


def content(export: bytes) -> object:
    """What an export says, however it is spelled; bytes that say nothing come back as they are."""
    try:
        return [
            json.loads(line, object_pairs_hook=tuple)
            for line in export.decode("utf-8").split("\n")[:-1]
        ]
    except ValueError:
        return export


def one_byte(export: bytes, chance: Random) -> Mutation:
    """Another byte somewhere, and so another content."""
    while True:
        at = chance.randrange(len(export))
        other = bytes((chance.choice([b for b in range(256) if b != export[at]]),))
        changed = export[:at] + other + export[at + 1 :]
        if content(changed) != content(export):
            return Mutation("byte", export.count(b"\n", 0, at), changed, False)


def events_of(export: bytes) -> tuple[str, list[Event]]:
    header, *lines = [json.loads(line) for line in export.decode().splitlines()]
    return header["game_id"], [json.loads(line["bytes"]) for line in lines]


def fields(export: bytes) -> Iterator[tuple[int, Path]]:
    """Each field of each event: the event's index, and the way to the field."""
    for index, event in enumerate(events_of(export)[1]):
        for path in _leaves(event):
            yield index, path


def one_field(export: bytes, index: int, path: Path, chance: Random) -> tuple[Mutation, Mutation]:
    """That field changed, without and with a new chain."""
    game_id, events = events_of(export)
    texts = [canonical(event) for event in events]
    changed = events[index]
    while (text := canonical(changed)) == texts[index]:
        changed = copy.deepcopy(events[index])
        _change(changed, path, chance)
    what = ".".join([events[index]["type"], *(step for step in path if isinstance(step, str))])
    chained = exported(game_id, [*texts[:index], text, *texts[index + 1 :]])
    lines = export.decode().splitlines()
    line = json.loads(lines[index + 1]) | {"bytes": text}
    lines[index + 1] = json.dumps(line, ensure_ascii=False)
    left = "".join(f"{line}\n" for line in lines).encode()
    return Mutation(what, index + 1, left, False), Mutation(what, index + 1, chained, True)


def one_event(export: bytes, index: int, how: str) -> Mutation:
    """An event left out (`drop`), told twice (`double`) or after the next (`swap`); a new chain."""
    game_id, events = events_of(export)
    texts = [canonical(event) for event in events]
    before, here, after = texts[:index], texts[index], texts[index + 1 :]
    told = {
        "drop": [*before, *after],
        "double": [*before, here, here, *after],
        "swap": [*before, *after[:1], here, *after[1:]],
    }[how]
    later = [event["type"] for event in events[index + 1 :]]
    as_good = {
        "drop": not DECIDED.difference(("game_finished", "fairness_revealed")).intersection(later),
        "double": False,
        "swap": later[:1] != [] and later[0] not in DECIDED,
    }[how]
    what = f"{how} {events[index]['type']}"
    return Mutation(what, index + 1, exported(game_id, told), True, as_good)


HOWS = ("drop", "double", "swap")


def some(export: bytes, chance: Random, count: int) -> Iterator[Mutation]:
    """So many: every tenth a byte, every tenth a whole event, the others fields."""
    places = list(fields(export))
    events = places[-1][0] + 1
    while count > 0:
        what = chance.random()
        if what < 0.1:
            yield one_byte(export, chance)
        elif what < 0.2:
            yield one_event(export, chance.randrange(events - 1), chance.choice(HOWS))
        else:
            yield from one_field(export, *chance.choice(places), chance)
            count -= 1
        count -= 1


def _leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list) and value:
        yield path
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index))
    elif path:
        yield path


def _change(event: Event, path: Path, chance: Random) -> None:
    at: Any = event
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = _other(at[path[-1]], chance)


def _other(value: Any, chance: Random) -> Any:
    """A value of the same kind, mostly."""
    if chance.random() < 0.05:
        return chance.choice((None, 0, "", [], {}, True, -1, 2**53))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 1, 5, 50, -value, 1000))
    if isinstance(value, str):
        at = chance.randrange(len(value) + 1)
        if at == len(value):
            return value + "0"
        return value[:at] + chance.choice("0123456789abcdef") + value[at + 1 :]
    if isinstance(value, list):
        how = chance.randrange(3)
        if how == 0:
            return value[:-1]
        return [*value, copy.deepcopy(value[0])] if how == 1 and value else value[::-1]
    return chance.choice((0, "x", 1, {}))
