"""
Events <-> canonical JSON bytes.

Laws: `decode(encode(event)) == event`; every event has `type`, `at` and `seat` (null where no seat
is concerned), every other key is a field of the event; bytes that were ever written decode in
every later release: `app.store.upcasting` says how older ones are read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from pydantic_core import to_json

from app.store.parts import DECODERS, ENCODERS, canonical
from app.store.upcasting import upcast
from engine.errors import BrokenHistory
from engine.events import (
    EVENT_NAMES,
    EVENT_TYPES,
    EntropyClosed,
    Event,
    GameCreated,
    GameFinished,
    GameStarted,
    SettingsChanged,
)
from engine.state import Policy

_Convert = Callable[[Any], Any]


class _Shape(NamedTuple):
    """How one type of event is spelled."""

    type: type[Event]
    name: str
    keys: tuple[str, ...]
    """The JSON name of each field, in the order of the fields."""
    members: frozenset[str]
    """All that stands in the JSON: the fields, `type`, and `seat` where it is always null."""
    in_order: tuple[str, ...]
    """`members`, as the canonical form has them."""
    ordered: Callable[[tuple[Any, ...]], tuple[Any, ...]]
    """The values of those, out of the fields, the name of the type, and null."""
    encoders: tuple[tuple[str, _Convert], ...]
    """For fields that JSON does not spell the same by itself; tuples become lists anyway."""
    decoders: tuple[_Convert, ...]
    """One for each field."""


def encode(event: Event) -> bytes:
    """The bytes that are hashed, stored, exported and sent."""
    shape = _SHAPES[type(event)]
    values = shape.ordered((*event, shape.name, None))
    data = dict(zip(shape.in_order, values, strict=True))
    if not shape.encoders:  # nothing is left to be sorted, and this takes a quarter of the time
        return to_json(data)
    for key, convert in shape.encoders:
        data[key] = convert(data[key])
    return canonical(data).encode()


def decode(data: bytes) -> Event:
    """
    The event of these bytes, also if an older release wrote them.

    Raises: BrokenHistory, where they are no event that this release knows.
    """
    try:
        fields = upcast(json.loads(data))
        shape = _BY_NAME[fields["type"]]
        values = [
            convert(fields[key]) for key, convert in zip(shape.keys, shape.decoders, strict=True)
        ]
        if fields.keys() != shape.members:
            raise BrokenHistory(f"unknown fields: {sorted(fields.keys() - shape.members)}")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BrokenHistory(f"not an event: {data[:200]!r}") from error
    event: Event = shape.type._make(values)
    return event


def _plain(value: Any) -> Any:
    return tuple(value) if type(value) is list else value


def _standings_to_json(standings: tuple[tuple[int, int], ...]) -> list[dict[str, int]]:
    return [{"seat": seat, "score": score} for seat, score in standings]


def _standings(data: Any) -> tuple[tuple[int, int], ...]:
    return tuple((place["seat"], place["score"]) for place in data)


def _commits_to_json(commits: tuple[tuple[int, str], ...]) -> list[dict[str, Any]]:
    return [{"seat": seat, "commit": commit} for seat, commit in commits]


def _commits(data: Any) -> tuple[tuple[int, str], ...]:
    return tuple((item["seat"], item["commit"]) for item in data)


def _policies_to_json(policies: tuple[Policy, ...]) -> list[dict[str, Any]]:
    return [policy._asdict() for policy in policies]


def _policies(data: Any) -> tuple[Policy, ...]:
    return tuple(Policy(**item) for item in data)


_SPELLED: Mapping[type[Event], tuple[Mapping[str, _Convert], Mapping[str, _Convert]]] = {
    GameCreated: (ENCODERS, DECODERS),
    SettingsChanged: (ENCODERS, DECODERS),
    GameStarted: ({"policies": _policies_to_json}, {"policies": _policies}),
    EntropyClosed: ({"commits": _commits_to_json}, {"commits": _commits}),
    GameFinished: ({"standings": _standings_to_json}, {"standings": _standings}),
}


def _shape(kind: type[Event]) -> _Shape:
    encoders, decoders = _SPELLED.get(kind, ({}, {}))
    keys = tuple("seats" if field == "places" else field for field in kind._fields)
    name = EVENT_NAMES[kind]
    places = {key: number for number, key in enumerate((*keys, "type"))}
    places.setdefault("seat", len(places))  # of the null behind the type
    in_order = tuple(sorted(places))
    return _Shape(
        type=kind,
        name=name,
        keys=keys,
        members=frozenset(places),
        in_order=in_order,
        ordered=itemgetter(*(places[key] for key in in_order)),
        encoders=tuple((key, encoders[key]) for key in keys if key in encoders),
        decoders=tuple(decoders.get(key, _plain) for key in keys),
    )


_SHAPES = {kind: _shape(kind) for kind in EVENT_TYPES}
_BY_NAME = {shape.name: shape for shape in _SHAPES.values()}
