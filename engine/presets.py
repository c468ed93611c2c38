"""
A preset: a rule set with the options a host may set, read from the text of a TOML file.

The file says what each option does to the rule set (which field it sets, what switching it on
changes); nothing here knows a preset by name. Switches and choices are applied first, in the
file's order; then what the host gave in numbers, so that a number given always counts.

Paths in a file name a field of the rule set (`target`, `spicy/faces`); inside `combinations` they
go by id (`combinations/three_4/points`).
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, cast

from engine.errors import Fault, MalformedRules
from engine.fields import Reader
from engine.rules import Rules
from engine.rules_text import rules_from_data
from engine.state import Place

OptionKind = Literal["whole", "switch", "choice", "faces", "values"]


@dataclass(frozen=True, slots=True)
class Option:
    """
    Something the host may set.

    kind `whole`: an integer from `least` to `most`, a multiple of `step`; `switch`: true or false;
    `choice`: one of `choices`; `faces`: a face for each die; `values`: a tree of integers, any
    part of which may be left out. `needs`: a switch that must be on for this option to be given.
    """

    name: str
    kind: OptionKind
    default: object
    about: str
    least: int = 0
    most: int = 0
    step: int = 1
    choices: tuple[str, ...] = ()
    needs: str | None = None


class Preset:
    """A shipped game; see the module."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self.name: str = data["rules"]["name"]
        self.title: str = data["title"]
        self.about: str = data["about"]
        self.default_places = tuple(
            Place(seat["kind"], seat.get("character")) for seat in data["seats"]
        )
        self.options = tuple(self._option(o) for o in data["options"])
        self._effects = {o["name"]: o for o in data["options"]}
        rules_from_data(data["rules"])

    def _option(self, data: Mapping[str, Any]) -> Option:
        default = data["default"] if "default" in data else self._current(data["sets"])
        return Option(
            name=data["name"],
            kind=data["kind"],
            default=default,
            about=data["about"],
            least=data.get("least", 0),
            most=data.get("most", 0),
            step=data.get("step", 1),
            choices=tuple(data.get("choices", ())),
            needs=data.get("needs"),
        )

    def _current(self, sets: Any) -> object:
        if isinstance(sets, dict):
            return {key: self._current(value) for key, value in sets.items()}
        holder, key = _walk(self._data["rules"], sets)
        return cast(object, copy.deepcopy(holder.get(key)))

    def rules(self, options: Mapping[str, object] | None = None) -> Rules:
        """
        The rule set these options lead to.

        Raises: MalformedRules, with pointers into the options (`/values/three/1`).
        """
        given = dict(options or {})
        faults: list[Fault] = []
        reader = Reader(given, "", faults).only(*self._effects)
        data = copy.deepcopy(dict(self._data["rules"]))
        values: list[tuple[str, object]] = []
        for option in self.options:
            values += self._apply(option, reader, data, given, faults)
        if faults:
            raise MalformedRules(tuple(faults))
        for path, value in values:
            _put(data, path, value)
        try:
            return rules_from_data(data)
        except MalformedRules as wrong:
            raise MalformedRules(tuple(self._as_option_fault(f) for f in wrong.faults)) from None

    def _apply(
        self,
        option: Option,
        reader: Reader,
        data: dict[str, Any],
        given: Mapping[str, object],
        faults: list[Fault],
    ) -> list[tuple[str, object]]:
        """Applies a switch or choice to the data; hands back the numbers to set afterwards."""
        effect = self._effects[option.name]
        if option.kind == "switch":
            on = reader.switch(option.name, bool(option.default))
            for path, value in effect["on" if on else "off"].items():
                _put(data, path, copy.deepcopy(value))
            return []
        if option.kind == "choice":
            choice = reader.one_of(option.name, option.choices, str(option.default))
            for path, value in effect["choices"][choice].items():
                _put(data, path, copy.deepcopy(value))
            return []
        if not reader.given(option.name):
            return []
        if option.needs and given.get(option.needs) is not True:
            reader.fault(f"/{option.name}", "not_applicable", f"Only with {option.needs}.")
            return []
        if option.kind == "whole":
            value = reader.whole(option.name, option.least, option.most, step=option.step)
            return [(effect["sets"], value)]
        if option.kind == "faces":
            return [(effect["sets"], list(reader.faces(option.name, option.least, option.most)))]
        return _leaves(option, effect["sets"], reader.part(option.name))

    def _as_option_fault(self, fault: Fault) -> Fault:
        """The option that leads to a fault of the rule set."""
        parts = fault.pointer.split("/")[1:]
        if parts and parts[0] == "combinations" and len(parts) > 1:
            parts[1] = self._data["rules"]["combinations"][int(parts[1])]["id"]
        where = "/".join(parts)
        for option in self.options:
            for path, pointer in _targets(self._effects[option.name].get("sets"), option.name):
                if path == where or path.startswith(where + "/"):
                    return Fault(pointer, fault.code, fault.detail)
        detail = f"In its rule set, at {fault.pointer}: {fault.detail}"
        return Fault("", fault.code, detail)


def _targets(sets: Any, pointer: str) -> list[tuple[str, str]]:
    """(path in the rule set, pointer in the options) of everything an option sets."""
    if isinstance(sets, dict):
        return [t for key, value in sets.items() for t in _targets(value, f"{pointer}/{key}")]
    return [] if sets is None else [(sets, f"/{pointer}")]


def _leaves(option: Option, sets: Mapping[str, Any], part: Reader) -> list[tuple[str, object]]:
    part.only(*sets)
    found: list[tuple[str, object]] = []
    for key, below in sets.items():
        if not part.given(key):
            continue
        if isinstance(below, dict):
            found += _leaves(option, below, part.part(key))
        else:
            found.append((below, part.whole(key, option.least, option.most, step=option.step)))
    return found


def _walk(data: Any, path: str) -> tuple[dict[str, Any], str]:
    """The object that holds the field of a path, and the field's name in it."""
    *way, last = path.split("/")
    for key in way:
        data = next(c for c in data if c["id"] == key) if isinstance(data, list) else data[key]
    return data, last


def _put(data: dict[str, Any], path: str, value: object) -> None:
    holder, key = _walk(data, path)
    holder[key] = value


@lru_cache(maxsize=64)
def preset_from_text(text: str) -> Preset:
    """
    The preset in a TOML file.

    Raises: MalformedRules, when its rule set is wrong; KeyError or TOMLDecodeError, when the file
    is no preset: our fault, found by the tests.
    """
    return Preset(tomllib.loads(text))
