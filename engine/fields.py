"""
Reads untrusted data field by field and notes what is wrong, with a JSON pointer, instead of
stopping at the first fault. A faulty field reads as a harmless value; the caller raises in the end
when anything was noted. What was sent is never repeated in a fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from engine.errors import Fault
from engine.units import SIDES, Face

T = TypeVar("T", bound=str)


class Reader:
    """One object of the data; `pointer` is its place in the whole."""

    def __init__(self, data: object, pointer: str, faults: list[Fault]) -> None:
        self.pointer = pointer
        self._faults = faults
        self._data: Mapping[str, object] = {}
        self._missing = not isinstance(data, dict)
        if isinstance(data, dict):
            self._data = data
        elif data is not None or pointer == "":
            self.fault("", "not_an_object", "Must be an object.")

    def fault(self, below: str, code: str, detail: str) -> None:
        """Notes a fault at this object, or at `below` (a pointer) in it."""
        fault = Fault(self.pointer + below, code, detail)
        if fault not in self._faults:
            self._faults.append(fault)

    def is_sound(self, below: str = "") -> bool:
        """Whether nothing has been noted at this object (or at `below` in it) and inside of it."""
        place = self.pointer + below
        return not any(
            fault.pointer == place or fault.pointer.startswith(f"{place}/")
            for fault in self._faults
        )

    def given(self, key: str) -> bool:
        """Whether the field is there and not null."""
        return self._data.get(key) is not None

    def only(self, *known: str) -> Reader:
        """Notes unknown fields, at the object that holds them."""
        if any(key not in known for key in self._data):
            self.fault(
                "",
                "unknown_field",
                f"Only these fields are known here: {', '.join(sorted(known))}.",
            )
        return self

    def part(self, key: str) -> Reader:
        """The object in a field."""
        value = self._data.get(key)
        if value is None and not self._missing:
            self.fault(f"/{key}", "missing", "Must be an object.")
        return Reader(value, f"{self.pointer}/{key}", self._faults)

    def items(self, key: str, least: int, most: int) -> list[Reader]:
        """The objects of a list."""
        value = self._list(key, least, most)
        return [
            Reader(False if item is None else item, f"{self.pointer}/{key}/{i}", self._faults)
            for i, item in enumerate(value)
        ]

    def _list(self, key: str, least: int, most: int) -> Sequence[object]:
        value = self._value(key, None)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(f"/{key}", "not_a_list", "Must be a list.")
            return []
        if not least <= len(value) <= most:
            self.fault(f"/{key}", "wrong_length", f"Must have {least} to {most} items.")
            return []
        return value

    def _value(self, key: str, default: Any) -> Any:
        """The field, or the default; notes that it is missing where there is no default."""
        value = self._data.get(key)
        if value is not None:
            return value
        if default is None and not self._missing:
            self.fault(f"/{key}", "missing", "This is required.")
        return default

    def whole(
        self, key: str, least: int, most: int, default: int | None = None, step: int = 1
    ) -> int:
        """An integer within bounds, a multiple of `step`."""
        value = self._value(key, default)
        if value is None:
            return least
        return self._whole(value, f"/{key}", least, most, step)

    def _whole(self, value: object, below: str, least: int, most: int, step: int = 1) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            self.fault(below, "not_an_integer", "Must be a whole number.")
        elif not least <= value <= most:
            self.fault(below, "out_of_range", f"Must be {least} to {most}.")
        elif value % step:
            self.fault(below, "not_a_multiple", f"Must be a multiple of {step}.")
        else:
            return value
        return least

    def switch(self, key: str, default: bool | None = None) -> bool:
        value = self._value(key, default)
        if value is None:
            return False
        if not isinstance(value, bool):
            self.fault(f"/{key}", "not_a_boolean", "Must be true or false.")
            return False
        return value

    def one_of(self, key: str, choices: tuple[T, ...], default: T | None = None) -> T:
        value = self._value(key, default)
        if value is None:
            return choices[0]
        for choice in choices:
            if type(value) is str and value == choice:
                return choice
        self.fault(f"/{key}", "unknown_value", f"Must be one of: {', '.join(choices)}.")
        return choices[0]

    def label(self, key: str, letters: str) -> str:
        """A short text of the given letters."""
        value = self._value(key, None)
        if value is None:
            return "missing"
        if not isinstance(value, str) or not 1 <= len(value) <= 32 or set(value) - set(letters):
            self.fault(
                f"/{key}", "bad_label", f"Must be 1 to 32 characters, each one of '{letters}'."
            )
            return "faulty"
        return value

    def faces(self, key: str, least: int, most: int) -> tuple[Face, ...]:
        """A list of faces."""
        return tuple(
            self._whole(value, f"/{key}/{index}", 1, SIDES)
            for index, value in enumerate(self._list(key, least, most))
        )
