"""
A line's event, with fields of exactly the types that events declare: JSON's `true` is no seat.

What a command leads to is compared with the log byte by byte. What a log itself chooses (who sat
down, what was selected) has nothing to be compared with, so it must be well-formed on its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from app.store.codec import decode, encode
from app.store.parts import canonical
from app.store.upcasting import upcast
from app.verifying.reading import HEX, Line
from app.verifying.report import Fault
from engine.errors import GameError
from engine.events import EVENT_NAMES, Event
from engine.rules import Rules

_NAMES = frozenset(EVENT_NAMES.values())
_HINTS: dict[type, dict[str, Any]] = {}
_HEX_FIELDS = ("commit", "server_commit", "seed", "next_commit")
_TIMES = ("at", "reveal_by", "began", "ended")
"""Since 1970: so that no sum of them is beyond the integers that every language has."""


def event_of(line: Line) -> Event:
    """Raises: Fault, where the line holds no event that could ever have been written."""
    name, told = line.told["type"], line.told
    if name not in _NAMES:
        raise Fault(f"{name} is no event that this release knows", line.version)
    try:
        event = decode(line.data)
    except GameError as error:
        raise Fault(f"{name} is not well-formed", line.version) from error
    if spelled(event, told) != line.data.decode():
        raise Fault(f"{name} is not spelled as events are", line.version)
    for field, kind in _hints(type(event)).items():
        if not _fits(getattr(event, field), kind):
            raise Fault(f"{name}.{field} cannot be so", line.version)
    if early := [key for key in _TIMES if key in told and (told[key] or 0) < 0]:
        raise Fault(f"{name}.{early[0]} cannot be so", line.version)
    if not all(HEX.fullmatch(value) for value in _hex_values(told)):
        raise Fault(f"{name} holds no 32 bytes in hex", line.version)
    return event


def spelled(event: Event, told: Mapping[str, Any]) -> str:
    """The event's canonical text; as `told` where that is how an older release wrote this event."""
    text = encode(event).decode()
    now = upcast(told) if "type" in told else told
    return canonical(told) if now != told and canonical(now) == text else text


def _hex_values(told: Mapping[str, Any]) -> list[Any]:
    values = [told[name] for name in _HEX_FIELDS if name in told]
    values += told.get("server_commits", ())
    if told["type"] == "entropy_closed":
        values += [each["commit"] for each in told["commits"]]
    return values


def _hints(kind: type) -> dict[str, Any]:
    found = _HINTS.get(kind)
    if found is None:
        found = _HINTS[kind] = get_type_hints(kind)
    return found


def _fits(value: Any, kind: Any) -> bool:
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is Literal:
        return type(value) is str and value in parts
    if origin is tuple:
        if type(value) is not tuple:
            return False
        if parts[-1] is Ellipsis:
            return all(_fits(item, parts[0]) for item in value)
        return len(value) == len(parts) and all(map(_fits, value, parts))
    if kind is None or kind is type(None):
        return value is None
    if kind is str:
        return type(value) is str and value != ""
    if kind is Rules:
        return type(value) is Rules  # its reader is strict by itself
    if hasattr(kind, "_fields"):
        hints = _hints(kind)
        return type(value) is kind and all(_fits(getattr(value, f), hints[f]) for f in hints)
    return type(value) is kind
