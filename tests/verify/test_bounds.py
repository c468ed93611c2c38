"""Every setting of a table at its edges: a file says what it may be, both verifiers hold to it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from app.store.parts import canonical
from engine import commands as co
from engine.rules_text import rules_from_data
from engine.state import Bots, Cheats, Clocks, FairDice, Place, Setup
from tests.referee import rulebook
from tests.verify.games import START
from tests.verify.javascript import JavaScript
from tests.verify.mutations import events_of
from tests.verify.recording import Recording, exported
from tests.verify.verdicts import report_of

FILE = Path(__file__).parents[1] / "golden" / "settings.txt"


class Bound(NamedTuple):
    path: str
    """Way to the setting in `game_created`; with ` *` at its end the values are lengths."""
    taken: list[Any]
    refused: list[Any]


def bounds() -> Iterator[Bound]:
    for line in FILE.read_text(encoding="utf-8").splitlines()[1:]:
        path, values = line.split(" = ", 1)
        taken, refused = f" {values}".split(" |")
        yield Bound(path, _values(taken), _values(refused))


def _values(text: str) -> list[Any]:
    found, text = [], text.strip()
    while text:
        value, end = json.JSONDecoder().raw_decode(text)
        found.append(value)
        text = text[end:].strip()
    return found


def table() -> tuple[str, list[dict[str, Any]]]:
    """Three seats, everything that can be set; closed before anybody sits down."""
    setup = Setup(
        game_id="g_bounds",
        rules=rules_from_data(rulebook.farkle()),
        preset=None,
        places=(Place("human"),) * 3,
        host="p0",
        visibility="unlisted",
        dice=FairDice(),
        clocks=Clocks(60, 900),
        pass_and_play=False,
        bots=Bots(),
        advice=False,
        cheats=Cheats(),
        start_seat=0,
        server_commits=(),
    )
    game = Recording(setup, START)
    game.do(co.End(START))
    return events_of(game.export())


def long(path: str, length: int) -> Any:
    """A value of that length for a setting that has one."""
    if path == "dice/rolls":
        return [[1]] * length
    if path == "seats":
        return [{"character": None, "kind": "human", "player_id": None}] * length
    if path == "rules/combinations":
        faces = [{"face": face, "points": 50, "kind": "single"} for face in range(1, length + 1)]
        return [
            {"id": f"c{n}", "flat": False, "protected": False, **x} for n, x in enumerate(faces)
        ]
    return "a" * length


def changed(path: str, value: Any) -> bytes:
    game_id, [created, finished, revealed] = table()
    created = copy.deepcopy(created)
    if path.startswith("dice/"):
        created["dice"] = {"dice/rolls": {"kind": "scripted"}, "dice/seed": {"kind": "seeded"}}[
            path
        ]
    if path == "rules/wild_rolls/world":
        created["rules"]["wild_rolls"] = {"allotment": 0, "earn": True, "purse": False}
    at: Any = created
    *way, last = [int(step) if step.isdecimal() else step for step in path.split("/")]
    for step in way:
        at = at[step]
    at[last] = value
    _stand(created, finished)
    return exported(game_id, [canonical(event) for event in (created, finished, revealed)])


def _stand(created: dict[str, Any], finished: dict[str, Any]) -> None:
    """What the end says of the seats, where they are what was changed."""
    seats, cheats = created["seats"], created["cheats"]
    starts = (cheats or {}).get("head_start", {}) if isinstance(cheats, dict) else {}
    starts = starts if isinstance(starts, dict) else {}
    rows = [
        {"seat": seat, "score": starts.get(str(seat), 0)}
        for seat, place in enumerate(seats)
        if isinstance(place, dict) and place.get("kind") != "closed"
    ]
    if all(type(row["score"]) is int for row in rows):
        finished["standings"] = sorted(rows, key=lambda row: (-row["score"], row["seat"]))


@pytest.mark.parametrize("bound", list(bounds()), ids=lambda bound: bound.path)
def test_both_take_and_refuse_the_same_at_the_edge(js: JavaScript, bound: Bound) -> None:
    path = bound.path.removesuffix(" *")
    for verdict, values in (("valid", bound.taken), ("invalid", bound.refused)):
        for value in values:
            whole = long(path, value) if path != bound.path else value
            report = report_of(js, changed(path, whole))
            assert report["verdict"] == verdict, (path, value, report["reason"])


def test_every_setting_of_a_table_is_in_the_file() -> None:
    fields = set(table()[1][0]) - {"at", "seat", "type", "game_id", "server_commits"}
    told = {bound.path.removesuffix(" *").split("/")[0] for bound in bounds()}
    assert fields == told
    rules = {bound.path.split("/")[1].split(" ")[0] for bound in bounds() if "rules/" in bound.path}
    assert rules == set(table()[1][0]["rules"])
