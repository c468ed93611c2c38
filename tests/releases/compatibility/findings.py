"""What a change of a document means to clients that were made for the one before."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Literal, NamedTuple

Way = Literal["sent", "told"]
"""Whether clients send what a schema describes, or are told it."""


class Level(IntEnum):
    NONE = 0
    """Words alone: nothing that a client could notice."""
    ADDED = 1
    """Old clients go on as docs/versioning.md asks it of them; new ones may do more."""
    BREAKING = 2
    """Some old client stops working, or does not compile any more."""


class Finding(NamedTuple):
    level: Level
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.level.name.lower()}: {self.where}: {self.what}"


class Findings(list[Finding]):
    def breaking(self, where: str, what: str) -> None:
        self.append(Finding(Level.BREAKING, where, what))

    def added(self, where: str, what: str) -> None:
        self.append(Finding(Level.ADDED, where, what))

    @property
    def level(self) -> Level:
        return max((finding.level for finding in self), default=Level.NONE)


class Document:
    """A document whose parts may refer to others of it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def whole(self, part: Any) -> dict[str, Any]:
        """The part itself, where it is a reference; what stands beside the reference counts."""
        while "$ref" in part:
            beside = {name: value for name, value in part.items() if name != "$ref"}
            part = {**self.at(part["$ref"]), **beside}
        found: dict[str, Any] = part
        return found

    def at(self, ref: str) -> Any:
        """What a reference within the document names."""
        found: Any = self.data
        for step in ref.removeprefix("#/").split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            found = found[int(name) if isinstance(found, list) else name]
        return found
