"""
What happens at a table by itself: from what has fallen due to a decision. Pure; called again from a
fresh head after a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from app.clocks.due import MISSED, Due, Waits, What, all_due, heirs
from app.ports import Answer, Decision, Gap, Head
from app.service.deciding import Seeds, decided
from app.service.starting import fail, start
from app.service.timing import credits_of
from engine.commands import BotTakesSeat, Command, End, EndOnClock, PassHost, SetSeat, TimeOut
from engine.state import Game, Lobby, Playing, Setup
from engine.units import Millis, Seat

BOT_AGAIN_MS = 1_000
"""Before a bot that has been woken is looked at again."""


class Happening(NamedTuple):
    decision: Decision
    """Without events where nothing is due after all, or a bot is to move."""
    bots_turn: bool = False
    """A bot should have moved by now; its move is made elsewhere."""


def happening(
    head: Head,
    seeds: Seeds,
    waits: Waits,
    gaps: Sequence[Gap] = (),
    heir: Seat | None = None,
    secret: bytes = b"",
    reveal_ms: Millis = 5_000,
) -> Happening:
    """
    What is due at `head.read_at`, downtime credited before.

    Args:
        heir: who becomes host, where that is due; None: the host is here after all.
        secret: a new one, for a game that starts, or is sealed anew.
        reveal_ms: how long seats that contribute to its dice may take to reveal.
    """
    now = head.read_at
    credited = list(credits_of(head, gaps, now))
    known = decided(head, seeds, credited, _silent)
    after = head._replace(game=known.game, version=head.version + len(known.events))
    found = [each for each in all_due(after, waits) if each.at <= now]
    if not found:
        return Happening(known)
    first = min(found, key=_rank(found))
    if first.what == "bot":
        again = _next_but(after, waits, "bot", now + BOT_AGAIN_MS)
        return Happening(known._replace(look_again_at=again), bots_turn=True)
    if first.what == "host_away" and heir is None:
        others = [each for each in found if each.what != "host_away"]
        if not others:
            again = _next_but(after, waits, "host_away", now + waits.host)
            return Happening(known._replace(look_again_at=again))
        first = min(others, key=lambda each: each.at)
    if first.what == "fill":
        filled = _filled(after.game.setup, now, secret, reveal_ms)
        return Happening(decided(head, seeds, filled, _silent, drawn=(secret,)))
    if first.what == "reveal":
        failed: list[Command] = [*credited, fail(after.game.setup, now, secret, reveal_ms)]
        return Happening(decided(head, seeds, failed, _silent, drawn=(secret,)))
    commands = [*credited, *_commands(first, after, heir, now)]
    decision = decided(head, seeds, commands, _silent)
    if first.what == "turn" and (gone := _gone(after.game, decision.game)) is not None:
        commands.append(BotTakesSeat(now, gone))
        decision = decided(head, seeds, commands, _silent)
    return Happening(decision)


def _rank(found: Sequence[Due]) -> Callable[[Due], tuple[int, Millis]]:
    """
    What goes first: what fell due first. Once the game's time is up nothing else may end it, and a
    bot, which is late, may not move any more.
    """
    time_is_up = any(each.what == "game" for each in found)

    def rank(each: Due) -> tuple[int, Millis]:
        ends = each.what in ("abandoned", "too_long")
        return 2 if each.what == "bot" else int(time_is_up and ends), each.at

    return rank


def _commands(first: Due, head: Head, heir: Seat | None, now: Millis) -> Iterable[Command]:
    game = head.game
    if first.what in ("host_left", "host_away"):
        if isinstance(game, Lobby | Playing) and heir in heirs(game):
            yield PassHost(now, heir)
    elif first.what == "game":
        yield EndOnClock(now)
    elif first.what == "turn":
        yield TimeOut(now)
    elif first.what == "absent" and isinstance(game, Playing):
        yield BotTakesSeat(now, game.turn.seat)
    else:
        yield End(now)


def _filled(setup: Setup, now: Millis, secret: bytes, reveal_ms: Millis) -> Iterable[Command]:
    """Bots take the free seats, and the game starts."""
    for seat, place in enumerate(setup.places):
        if place.kind == "human" and place.player_id is None:
            yield SetSeat(now, seat, "bot")
    yield start(setup, now, secret, reveal_ms)


def _gone(before: Game, after: Game) -> Seat | None:
    """The seat whose turn has just run out, where a bot may take it."""
    if not isinstance(before, Playing) or not isinstance(after, Playing):
        return None
    seat = before.turn.seat
    away = after.setup.bots.take_absent_seats and after.seats[seat].missed >= MISSED
    return seat if away else None


def _next_but(head: Head, waits: Waits, held_off: What, until: Millis) -> Millis:
    """When to look again, where one thing that is due is held off until then."""
    return min([until, *(each.at for each in all_due(head, waits) if each.what != held_off)])


def _silent(*_: object) -> Answer:
    return Answer(200, b"")
