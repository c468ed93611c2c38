"""Answers held against what was foretold; a failure says in a few lines what differs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tests.model.model import Json, Person, Table
from tests.model.pf1 import check_secrets, events_of
from tests.model.server import Answer, Asked

if TYPE_CHECKING:
    from tests.model.world import World

TIMES = ("now", "created_at")
MOST_LINES = 12


class Differs(AssertionError):
    """What the server says is not what it should."""


def equal(found: object, due: object, what: str) -> None:
    if found != due:
        lines = list(differences(found, due))
        more = [f"… and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
        raise Differs("\n  ".join([f"{what} differs:", *lines[:MOST_LINES], *more]))


def differences(found: object, due: object, at: str = "") -> Iterator[str]:
    """Where two JSON values differ."""
    if isinstance(found, dict) and isinstance(due, dict):
        for key in sorted({*found, *due}, key=str):
            if key not in found:
                yield f"{at}/{key}: missing, should be {due[key]!r}"
            elif key not in due:
                yield f"{at}/{key}: {found[key]!r}, should not be there"
            else:
                yield from differences(found[key], due[key], f"{at}/{key}")
    elif isinstance(found, list) and isinstance(due, list) and len(found) == len(due):
        for index, (one, other) in enumerate(zip(found, due, strict=True)):
            yield from differences(one, other, f"{at}/{index}")
    elif found != due or type(found) is not type(due):
        yield f"{at}: {found!r}, should be {due!r}"


def timeless(game: Json) -> Json:
    for name in TIMES:
        if name not in game:
            raise Differs(f"the game lacks {name}")
    return {name: value for name, value in game.items() if name not in TIMES}


def game(found: Json, due: Json) -> None:
    equal(timeless(found), due, "the game")


def refused(answer: Answer, status: int, code: str, facts: Json) -> None:
    """A problem with this code, and nothing else than a problem."""
    if answer.status < 400:
        raise Differs(f"accepted with {answer.status}; it should be refused with {code}")
    equal(answer.headers.get("content-type"), "application/problem+json", "the type of a refusal")
    problem = answer.json
    equal((answer.status, problem["code"]), (status, code), "the refusal")
    equal(problem["status"], status, "the status in the problem")
    for name in ("type", "title", "detail"):
        if not isinstance(problem.get(name), str):
            raise Differs(f"the problem {code} lacks its {name}")
    for name, value in facts.items():
        equal(problem.get(name), value, f"the fact {name} of {code}")


def everything(world: World, table: Table) -> None:
    """What must hold between two calls."""
    host = world.holder(table.host)
    path = f"/v1/games/{table.id}"
    shown = read(world, host, path)
    game(shown, table.view(host.id))
    rebuilt = read(world, host, f"{path}/states/{table.version}")
    rebuilt["now"] = shown["now"]
    equal(rebuilt, shown, f"the state rebuilt at version {table.version}")
    for other in (None, *(person for person in world.people if not table.is_member(person.id))):
        as_a_stranger(world, table, other)
        if other is not None:
            break
    log(world, table, host)


def read(world: World, by: Person | None, path: str) -> Json:
    answer = world.server.ask(Asked(by, "GET", path))
    equal(answer.status, 200, f"the status of GET {path}")
    return answer.json


def as_a_stranger(world: World, table: Table, person: Person | None) -> None:
    """Private tables are not there; of others a stranger sees all but the join code."""
    path = f"/v1/games/{table.id}"
    answer = world.server.ask(Asked(person, "GET", path))
    if not table.may_read(None):
        refused(answer, 404, "game_not_found", {})
        return
    equal(answer.status, 200, "the status for a stranger")
    seen = timeless(answer.json)
    equal(seen, table.view(None), "the game as a stranger sees it")
    equal(answer.headers.get("etag"), f'"{table.version}"', "the ETag")
    world.seen.setdefault((table.id, table.version), seen)


def log(world: World, table: Table, reader: Person) -> None:
    """The log grows and never changes; it is chained; its sums are the scores."""
    exported = world.server.ask(Asked(reader, "GET", f"/v1/games/{table.id}/export"))
    equal(exported.status, 200, "the status of an export")
    events = events_of(exported.body, table.id)
    equal(len(events), table.version, "the length of the log")
    known = world.logs[table.id]
    equal(events[: len(known)], known, "the log as it was before")
    world.logs[table.id] = events
    conserved(table, events)
    secrets = [event for event in events if event["type"] == "fairness_revealed"]
    equal(len(secrets), int(table.status == "finished"), "the number of reveals")
    if secrets:
        check_secrets(events, table.id, table.rolls, table.dice.get("seed"))


CREDITS = {
    "turn_banked": "score",
    "turn_busted": "credited",
    "turn_overshot": "credited",
    "seat_resigned": "credited",
}


def conserved(table: Table, events: list[Json]) -> None:
    """No point comes from nowhere or goes astray."""
    if table.game is None:
        return
    totals: dict[int, int] = {s: n for s, n in table.head_starts().items() if s in table.open_seats}
    for event in events:
        if points := CREDITS.get(event["type"]):
            seat = event["seat"]
            totals[seat] = totals.get(seat, 0) + event[points]
            equal(event["total"], totals[seat], f"the total of {event['type']}")
    scores: dict[Any, int] = {s: seat.total for s, seat in enumerate(table.game.seats)}
    equal({s: totals.get(s, 0) for s in scores}, scores, "the sum of what the seats were credited")
