"""
The shipped presets, and rule sets made from what a client asks for.

The engine is handed text and data; the files are found here. A rule set asked for before is found
again as the same object, so that its compiled scoring is too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from engine.errors import Fault, MalformedRules
from engine.presets import Preset, preset_from_text
from engine.rules import Rules
from engine.rules_text import rules_from_data, rules_to_data
from engine.state import Place

REMEMBERED = 256

USUAL_SEATS = 2
"""Human seats of a table with a custom rule set where the host says nothing."""


class Chosen(NamedTuple):
    """A checked rule set, the preset it comes from, and how its table is laid by default."""

    rules: Rules
    preset: str | None
    places: tuple[Place, ...]


class Rulebook:
    """All presets of this server, by name."""

    def __init__(self, presets: Mapping[str, Preset]) -> None:
        self.presets = dict(presets)
        self._of_preset = lru_cache(REMEMBERED)(self._read_preset)
        self._of_custom = lru_cache(REMEMBERED)(_read_custom)

    @classmethod
    def shipped(cls) -> Rulebook:
        """The presets that come with the engine."""
        texts = sorted(
            file.read_text("utf-8")
            for file in files("engine").joinpath("presets").iterdir()
            if file.name.endswith(".toml")
        )
        presets = [preset_from_text(text) for text in texts]
        return cls({preset.name: preset for preset in sorted(presets, key=lambda p: p.name)})

    def preset(self, name: str, options: Mapping[str, object], pointer: str) -> Chosen:
        """
        A preset with options.

        Args:
            pointer: where `{"preset", "options"}` stands in the request.
        Raises: MalformedRules, with pointers into the request.
        """
        preset = self.presets.get(name)
        if preset is None:
            known = ", ".join(self.presets)
            raise MalformedRules(
                (Fault(f"{pointer}/preset", "unknown_preset", f"Must be one of: {known}."),)
            )
        rules = _at(f"{pointer}/options", self._of_preset, name, _text(options))
        return Chosen(rules, name, preset.default_places)

    def custom(self, data: object, pointer: str) -> Chosen:
        """A rule set of the client's own; for the rest see `preset`."""
        rules = _at(pointer, self._of_custom, _text(data))
        seats = max(rules.seats_min, min(USUAL_SEATS, rules.seats_max))
        return Chosen(rules, None, (Place("human"),) * seats)

    def _read_preset(self, name: str, options: str) -> Rules:
        return self.presets[name].rules(json.loads(options))


@lru_cache(REMEMBERED)
def rules_key(rules: Rules) -> str:
    """32 hex digits that two rule sets share only when they are the same, field for field."""
    return hashlib.sha256(_text(rules_to_data(rules)).encode()).hexdigest()[:32]


def _read_custom(data: str) -> Rules:
    return rules_from_data(json.loads(data))


def _text(data: object) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def _at(pointer: str, read: Callable[..., Rules], *args: str) -> Rules:
    """A rule set, or its faults by their place in the whole request."""
    try:
        return read(*args)
    except MalformedRules as wrong:
        faults = tuple(f._replace(pointer=pointer + f.pointer) for f in wrong.faults)
        raise MalformedRules(faults) from None
