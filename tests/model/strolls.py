"""What people do when they play on: random calls that are legal, told by one stream of chance."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.model.model import Person
from tests.model.world import How, World

Json = dict[str, Any]


def chosen(legal: Json, pick: int) -> Json:
    """A legal selection, as it is sent."""
    selections: Sequence[Json] = legal["selections"]
    found = dict(selections[pick % len(selections)])
    del found["points"]
    return found


def headers(world: World, chance: Random) -> How:
    """Now and then with a key, the version, a wish for little."""
    version = world.table.version if chance.random() < 0.3 else None
    return How(chance.random() < 0.15, version, chance.random() < 0.1)


def move(world: World, chance: Random, banks: float, quits: float = 0.0) -> bool:
    """
    A command of a running game; False where the table's script lets nobody go on.

    Args:
        banks: how often who may bank does.
        quits: how often somebody resigns instead, or the host of a cheated table skips a seat;
            in a final round more often.
    """
    game = world.table.game
    often = 4 if game and game.final_round else 1
    if chance.random() < quits * often and _quit(world, chance):
        return True
    legal = world.table.view(None)["legal"]
    verb = chance.choice(legal["commands"])
    if legal["bank"] and legal["bank"]["score"] and chance.random() < banks:
        verb = "bank"
    body = None
    if verb == "select":
        body = chosen(legal, chance.randrange(10_000))
        if chance.random() < 0.5:  # two steps at once
            verb, body = chance.choice(("roll", "bank")), {"select": body}
    refused = world.act(world.mover(), verb, body, headers(world, chance))
    return refused != "script_mismatch"


def _quit(world: World, chance: Random) -> bool:
    table = world.table
    assert table.game is not None
    seat = chance.choice(table.game.active_seats())
    skipped = chance.choice((seat, table.to_move))
    if table.cheats is not None and chance.random() < 0.5:
        return world.act(world.host, "skip-next", {"seat": skipped}) is None
    player = table.chairs[seat].player
    assert player is not None
    return world.act(world.holder(player), "resign", {"seat": seat}) is None


def in_the_lobby(world: World, chance: Random) -> None:
    """Somebody comes, goes or is sent away, or the host lays the table anew."""
    table = world.table
    inside = [world.holder(chair.player) for chair in table.chairs if chair.player]
    outside = [person for person in world.people if person not in inside]
    match chance.choice(("come", "come", "come by code", "go", "seat", "seat", "show")):
        case "go" if inside:
            world.act(chance.choice(inside), "leave", None, headers(world, chance))
        case "seat":
            body = {
                "number": chance.randrange(len(table.chairs)),
                "kind": chance.choice(("human", "human", "closed")),
            }
            world.act(world.host, "seat", body, headers(world, chance))
        case "show":
            body = {"visibility": chance.choice(("public", "unlisted", "private"))}
            world.act(world.host, "settings", body, headers(world, chance))
        case "come by code" if outside:
            body = {"join_code": table.join_code}
            world.act(chance.choice(outside), "join-by-code", body, How(chance.random() < 0.2))
        case _ if outside:
            body = {"join_code": table.join_code, "seat": chance.randrange(len(table.chairs))}
            world.act(chance.choice(outside), "join", body, headers(world, chance))


def fill_and_start(world: World, order: Sequence[Person]) -> None:
    """A quick way to the first roll."""
    code = {"join_code": world.table.join_code}
    for person in order:
        if world.foretold(person, "join", code) is None:
            world.act(person, "join", code)
    world.act(world.host, "start")
