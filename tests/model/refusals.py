"""Who may do what, and when: the code a call is refused with, or None."""

from __future__ import annotations

from typing import Any

from tests.model import play
from tests.model.model import Json, Table, rules_of
from tests.referee.cheats import snapped_head_start
from tests.referee.rulebook import RuleSet

Body = dict[str, Any] | None

STATUS = {
    "unauthenticated": 401,
    "not_seated": 403,
    "not_host": 403,
    "not_your_seat": 403,
    "game_not_found": 404,
    "join_code_wrong": 404,
    "version_conflict": 412,
    "seat_needed": 422,
    "malformed_settings": 422,
    "not_available": 422,
    "idempotency_key_reused": 422,
}
"""By code; the rules' own refusals are 409."""

HOSTS = ("settings", "seat", "start", "end", "skip-next")
LOBBY = ("settings", "seat", "start", "leave")


def refusal(table: Table, player: str | None, verb: str, body: Body) -> str | None:
    """First who asks, then the state of the table, then the rules."""
    if player is None:
        return "unauthenticated"
    if verb in ("join", "join-by-code"):
        return _join(table, player, verb, body or {})
    if not table.may_read(player):
        return "game_not_found"
    if verb in HOSTS:
        if table.host != player:
            return "not_host"
    elif not table.seats_of(player):
        return "not_seated"
    if verb in LOBBY and table.status != "lobby":
        return "already_started" if table.status == "playing" else "game_over"
    match verb:
        case "settings":
            return None if fits(table, body or {}) else "malformed_settings"
        case "seat":
            return _seat(table, body or {})
        case "start":
            return _start(table)
        case "leave":
            return None
        case "end":
            return "game_over" if table.status == "finished" else None
        case "skip-next":
            return _skip_next(table, (body or {})["seat"])
        case "rematch":
            return None if table.status == "finished" else "not_finished"
        case "resign":
            return _resign(table, player, (body or {}).get("seat"))
        case _:
            return _turn(table, player, verb, body)


def _join(table: Table, player: str, verb: str, body: Json) -> str | None:
    right = (
        table.status == "lobby"
        and not table.pass_and_play  # has no code
        and typed(body.get("join_code")) == table.join_code
    )
    if verb == "join-by-code":
        if not right:
            return "join_code_wrong"
    elif not (table.visibility == "public" or table.is_member(player) or right):
        if table.visibility == "private":
            return "game_not_found"
        if table.status == "lobby":
            return "join_code_wrong"
    if table.status != "lobby":
        return "already_started" if table.status == "playing" else "game_over"
    if table.seats_of(player):
        return "already_seated"
    free = [s for s, c in enumerate(table.chairs) if c.kind == "human" and c.player is None]
    seat = body.get("seat")
    if seat is None:
        return None if free else "table_full"
    if seat >= len(table.chairs):
        return "no_such_seat"
    return None if seat in free else "seat_taken"


def typed(code: str | None) -> str | None:
    """The code a person means who types it."""
    return code and code.upper().replace("-", "").replace("O", "0").replace("L", "1")


def _seat(table: Table, body: Json) -> str | None:
    seat, kind = body["number"], body["kind"]
    if seat >= len(table.chairs):
        return "no_such_seat"
    if kind != "human" and table.cheats and str(seat) in table.cheats["light"]:
        return "cheat_needs_human"
    kinds = [chair.kind for chair in table.chairs]
    kinds[seat] = kind
    return None if _counts(table.rules, kinds) else "malformed_settings"


def _start(table: Table) -> str | None:
    if any(chair.kind == "human" and chair.player is None for chair in table.chairs):
        return "seats_empty"
    return "too_few_seats" if len(table.open_seats) < table.rules["seats"]["min"] else None


def _skip_next(table: Table, seat: int) -> str | None:
    if table.game is None:
        return "not_started" if table.status == "lobby" else "game_over"
    if table.status == "finished":
        return "game_over"
    if table.cheats is None:
        return "cheats_are_off"
    if seat >= len(table.chairs):
        return "no_such_seat"
    return None if table.game.seats[seat].active else "seat_not_active"


def _resign(table: Table, player: str, seat: int | None) -> str | None:
    held = table.seats_of(player)
    if seat is not None and seat not in held:
        return "not_your_seat"
    left = held
    if table.game and table.status == "playing":
        left = [s for s in held if table.game.seats[s].active] or held
    if seat is None and len(left) > 1:
        return "seat_needed"
    if table.status != "playing" or table.game is None:
        return "not_started" if table.status == "lobby" else "game_over"
    given_up = left[0] if seat is None else seat
    return None if table.game.seats[given_up].active else "seat_not_active"


def acting_seat(table: Table, player: str) -> int:
    """The seat to move, for who holds it; any other seat of theirs is not to move."""
    held = table.seats_of(player)
    return table.to_move if table.to_move in held and table.to_move is not None else held[0]


def _turn(table: Table, player: str, verb: str, body: Body) -> str | None:
    if table.status != "playing" or table.game is None:
        return "not_started" if table.status == "lobby" else "game_over"
    return play.refusal(table.game, acting_seat(table, player), verb, body, table.script)


def fits(table: Table, asked: Json) -> bool:
    """Whether the changed settings go together."""
    rules = rules_of(asked["rules"])[0] if "rules" in asked else table.rules
    if not _counts(rules, [chair.kind for chair in table.chairs]):
        return False
    dice = (asked["dice"] or {}) if "dice" in asked else table.dice
    if any(len(roll) > rules["dice"]["count"] for roll in dice.get("rolls", [])):
        return False
    cheats = asked.get("cheats", table.cheats)
    if cheats is None:
        return True
    if not _seated(cheats) <= set(table.open_seats):
        return False
    return cheats_fit(rules, cheats)


def _counts(rules: RuleSet, kinds: list[str]) -> bool:
    open_seats = sum(kind != "closed" for kind in kinds)
    return bool(rules["seats"]["min"] <= len(kinds) and 1 <= open_seats <= rules["seats"]["max"])


def _seated(cheats: Json) -> set[int]:
    """Every seat that the cheats name."""
    named: list[Any] = []
    for seats in cheats.values():
        named += seats
    return {int(seat) for seat in named}


def cheats_fit(rules: RuleSet, cheats: Json) -> bool:
    singles = any(c["kind"] == "single" for c in rules["combinations"])
    if cheats.get("always_score") and not singles:
        return False
    starts = cheats.get("head_start", {}).values()
    return all(snapped_head_start(rules, points) is not None for points in starts)
