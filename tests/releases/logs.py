"""
The golden logs: exports of finished games by the release that wrote them.

`tests/golden/logs/<release>/` holds the exports (`*.ndjson`) and `expected.json`: for each file the
report on it and a hash over all states of its game, and once the fields that states had in that
release. Later releases may add fields; those that were there must stay what they were.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from app.api import render
from app.ports import Head
from app.store.codec import decode
from app.store.parts import canonical
from engine.evolve import evolve
from engine.state import Game

LOGS = Path(__file__).parents[1] / "golden" / "logs"
EXPECTED = "expected.json"


class OldLog(NamedTuple):
    release: str
    path: Path
    expected: dict[str, Any]
    """`report`, `states`, `last`: as `told` gives them."""
    shape: Any
    """The fields of a state in that release."""

    def __str__(self) -> str:
        return f"{self.release}/{self.path.stem}"


def old_logs() -> list[OldLog]:
    """Every log of every release."""
    return [
        OldLog(folder.name, folder / name, expected, known["shape"])
        for folder in sorted(LOGS.iterdir())
        for known in [json.loads((folder / EXPECTED).read_text())]
        for name, expected in known["logs"].items()
    ]


def events_in(export: bytes) -> list[bytes]:
    """The bytes of each event."""
    return [json.loads(line)["bytes"].encode() for line in export.splitlines()[1:]]


def states_of(export: bytes) -> Iterator[dict[str, Any]]:
    """The game at each version, as the API shows it to a stranger; names are not in a log."""
    game: Game | None = None
    for version, data in enumerate(events_in(export), 1):
        event = decode(data)
        game = reduce(evolve, [event], game)
        assert game is not None
        head = Head(game, version, b"", (None,) * len(game.setup.places), None, event.at)
        yield json.loads(render.game(head, (), event.at, None))


def told(states: list[dict[str, Any]], shape: Any) -> dict[str, Any]:
    """What is kept of a game's states: a hash over all, and the last one to read."""
    kept = [within(state, shape) for state in states]
    parts = "result", "seats", "status", "version"
    return {
        "states": sha256(canonical(kept).encode()).hexdigest(),
        "last": {name: kept[-1][name] for name in parts},
    }


def shape_of(values: list[Any]) -> Any:
    """The fields that these JSON values have, at any depth; None for what has none."""
    lists = [item for value in values if isinstance(value, list) for item in value]
    if lists:
        return shape_of(lists)
    objects = [value for value in values if isinstance(value, dict)]
    names = sorted({name for value in objects for name in value})
    return {
        name: shape_of([value[name] for value in objects if name in value]) for name in names
    } or None


def within(value: Any, shape: Any) -> Any:
    """The value without fields that the shape does not have."""
    if isinstance(value, list):
        return [within(item, shape) for item in value]
    if isinstance(value, dict):
        return {name: within(value[name], shape[name]) for name in shape or () if name in value}
    return value
