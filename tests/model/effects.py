"""What an accepted call does to a table, and the facts its events must tell."""

from __future__ import annotations

from typing import Any

from tests.model import play
from tests.model.model import (
    FAIR,
    Chair,
    Json,
    Person,
    Table,
    cheats_asked,
    rules_of,
)
from tests.model.pf1 import Roll, must, seeded_faces
from tests.model.refusals import acting_seat
from tests.referee.game import Game

Body = dict[str, Any] | None

ENDS = {
    "turn_banked": ("banked", "score"),
    "turn_busted": ("busted", "credited"),
    "turn_overshot": ("overshot", "credited"),
    "turn_skipped": ("skipped", None),
    "seat_resigned": ("resigned", "credited"),
}
"""Event -> how the referee calls it, and the field that has the points credited."""

THE_END = ["game_finished", "fairness_revealed"]


def apply(table: Table, person: Person, verb: str, body: Body, events: list[Json]) -> None:
    """The table after an accepted call. Raises: Broken, when the events tell something else."""
    numbers = [event["version"] for event in events]
    after = table.version + len(events)
    must(
        numbers == list(range(table.version + 1, after + 1)), f"the events have versions {numbers}"
    )
    types = [event["type"] for event in events]
    lobby = _lobby(table, person, verb, body or {})
    if lobby is not None:
        must(types == lobby, f"events {types}, not {lobby}")
    elif verb == "start":
        _start(table, events)
    else:
        _play(table, person, verb, body, events)
    table.version = after


def _lobby(table: Table, person: Person, verb: str, body: Json) -> list[str] | None:
    match verb:
        case "join" | "join-by-code":
            return _join(table, person, body.get("seat"))
        case "leave":
            return _leave(table, person)
        case "settings":
            return _settings(table, body)
        case "seat":
            return _seat(table, person, body["number"], body["kind"])
        case "rematch":
            return [] if table.rematch else ["rematch_created"]
        case "end" if table.game is None:
            table.closed = True
            return THE_END
    return None


def _join(table: Table, person: Person, seat: int | None) -> list[str]:
    free = [s for s, c in enumerate(table.chairs) if c.kind == "human" and c.player is None]
    chair = table.chairs[free[0] if seat is None else seat]
    chair.player, chair.name = person.id, person.name
    return ["player_joined"]


def _leave(table: Table, person: Person) -> list[str]:
    held = table.seats_of(person.id)
    for seat in held:
        table.chairs[seat] = Chair("human")
    types = ["player_left"] * len(held)
    if table.host != person.id:
        return types
    left = [chair.player for chair in table.chairs if chair.player]
    if left:
        table.host = left[0]
        return [*types, "host_changed"]
    table.closed = True
    return types + THE_END


def _settings(table: Table, body: Json) -> list[str]:
    before = table.view(None)
    if "rules" in body:
        table.rules, table.preset = rules_of(body["rules"])
    if "visibility" in body:
        table.visibility = body["visibility"]
    if "dice" in body:
        table.dice = body["dice"] or FAIR
    if "cheats" in body:
        table.cheats = cheats_asked(body["cheats"], table.rules)
    return [] if table.view(None) == before else ["settings_changed"]


def _seat(table: Table, person: Person, seat: int, kind: str) -> list[str]:
    chair, types = table.chairs[seat], []
    if chair.player and not table.pass_and_play:
        types.append("player_left")
    if chair.kind != kind:
        types.append("seat_changed")
    table.chairs[seat] = Chair(kind)
    if table.pass_and_play and kind == "human":
        table.chairs[seat] = Chair(kind, person.id, person.name)
    if kind == "closed" and table.cheats:
        before, table.cheats = table.cheats, without(table.cheats, seat)
        if table.cheats != before:
            types.append("settings_changed")
    return types


def without(cheats: Json, seat: int) -> Json:
    """Nothing is set for nobody."""
    kept: Json = {}
    for name, seats in cheats.items():
        if isinstance(seats, dict):
            kept[name] = {key: value for key, value in seats.items() if key != str(seat)}
        else:
            kept[name] = [other for other in seats if other != seat]
    return kept


def _start(table: Table, events: list[Json]) -> None:
    cheats = table.cheats or {}
    table.game = Game(
        table.rules,
        [chair.kind != "closed" for chair in table.chairs],
        start_seat=table.first_seat,
        head_start={s: n for s, n in table.head_starts().items() if s in table.open_seats},
        skip_next=[seat for seat in cheats.get("skip_next", []) if seat in table.open_seats],
    )
    table.script = [list(roll) for roll in table.dice.get("rolls", [])]
    skips = ["turn_skipped"] * len(table.game.history)
    types = [event["type"] for event in events]
    due = ["entropy_closed", "entropy_sealed", "game_started", *skips]
    must(types == due, f"a start tells {types}, not {due}")
    must(events[2]["seat"] == table.first_seat, "another seat begins")


def _play(table: Table, person: Person, verb: str, body: Body, events: list[Json]) -> None:
    game = table.game
    assert game is not None
    past, opened = len(game.history), game.final_round
    rolled = [event for event in events if event["type"] == "dice_rolled"]
    match verb:
        case "end":
            game.end()
        case "skip-next":
            game.skip_next((body or {})["seat"])
        case "resign":
            game.resign(_given_up(table, person, body or {}))
        case _:
            must(len(rolled) == (verb in play.ROLLING), f"{verb} rolled {len(rolled)} times")
            faces = rolled[0]["dice"] if rolled else ()
            seat = acting_seat(table, person.id)
            throw = play.play(game, seat, verb, body, faces)
            if throw is not None:
                cheats = play.cheats_of(table.cheats, seat)
                _rolled(table, Roll(throw, cheats, rolled[0]), seat, verb)
    told = [
        (what, event["seat"], event[points] if points else 0)
        for event in events
        for what, points in [ENDS.get(event["type"], ("", None))]
        if what
    ]
    must(told == game.history[past:], f"turns ended as {told}, not {game.history[past:]}")
    types = [event["type"] for event in events]
    new_round = game.final_round is not None and opened is None
    must(types.count("final_round_opened") == new_round, "final_round_opened")
    must((types[-2:] == THE_END) == (game.result is not None), "the end of the game")
    selecting = verb == "select" or bool((body or {}).get("select"))
    must(types.count("dice_selected") == selecting, "dice_selected")
    must(types.count("skip_ordered") == (verb == "skip-next"), "skip_ordered")


def _given_up(table: Table, person: Person, body: Json) -> int:
    game = table.game
    assert game is not None
    if (seat := body.get("seat")) is not None:
        return int(seat)
    return next(seat for seat in table.seats_of(person.id) if game.seats[seat].active)


def _rolled(table: Table, roll: Roll, seat: int, verb: str) -> None:
    """Everything about a roll that can be known before the reveal."""
    event = roll.event
    due = {
        "seat": seat,
        "epoch": 0,
        "roll": len(table.rolls),
        "sides": 6,
        "positions": list(roll.throw.positions),
        "wild": verb == "wild-roll",
        "scripted": bool(table.script),
    }
    told = {name: event[name] for name in due}
    must(told == due, f"dice_rolled tells {told}, not {due}")
    if table.script:
        due_faces = table.script.pop(0)
        must(event["dice"] == due_faces, f"the script says {due_faces}, not {event['dice']}")
    elif table.dice["kind"] == "seeded":
        roll.check_stream(seeded_faces(table.dice["seed"], len(table.rolls), roll.needs))
    roll.check_cheats(table.rules)
    table.rolls.append(roll)


def carried_on(old: Table, by: Person, game_id: str, join_code: str) -> Table:
    """The table of a rematch: who asks first is its host, the next open seat begins."""
    after = [seat for seat in old.open_seats if seat > old.first_seat]
    return Table(
        game_id,
        join_code,
        by.id,
        old.rules,
        old.preset,
        [Chair(chair.kind, chair.player, chair.name) for chair in old.chairs],
        visibility=old.visibility,
        dice=old.dice,
        cheats=old.cheats,
        pass_and_play=old.pass_and_play,
        start_seat=(after or old.open_seats)[0],
    )
