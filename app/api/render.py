"""
Answers about games as bytes, each made once.

The part of a view that stays once a game has started (rules, settings) is kept as bytes; events
are the stored bytes with their version put in front.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pydantic_core import to_json

from app.api.playing import playing
from app.api.schemas.game import GameTable
from app.api.views import match_view, rule_set, settings_view, status, waiting_view
from app.clock import rfc3339
from app.ports import Head, Recorded
from engine.rules import Rules
from engine.state import Playing, Setup
from engine.units import Millis

MINIMAL_TYPE = "application/vnd.hotdice.minimal+json"
"""Of the answers with version and events alone: another shape under another name."""


def game(head: Head, events: Sequence[Recorded], now: Millis, viewer: str | None) -> bytes:
    """The game alone, as `viewer` (a player id) sees it."""
    setup = head.game.setup
    stamp = (
        f'{{"id":"{setup.game_id}","version":{head.version},'
        f'"now":"{rfc3339(now)}","status":"{status(head.game)}"'
    )
    laid = _laid(setup, head.created_at)
    return b"%b,%b,%b,%b}" % (stamp.encode(), laid.rules, laid.table, moving(head, viewer))


def moving(head: Head, viewer: str | None) -> bytes:
    """What commands change, as members of the object."""
    at = head.game
    if isinstance(at, Playing):
        return playing(head, at)
    return to_json(waiting_view(head, viewer))[1:-1]


def played(head: Head, events: Sequence[Recorded], now: Millis, viewer: str | None) -> bytes:
    """The game and the events that led to it."""
    return b'{"game":%b,"events":%b}' % (game(head, events, now, viewer), event_list(events))


def match(head: Head, events: Sequence[Recorded], now: Millis, viewer: str | None) -> bytes:
    """The game, and whether `viewer` waits there for others to play it."""
    told = to_json(match_view(head, viewer))
    return b'%b,"game":%b}' % (told[:-1], game(head, events, now, viewer))


def minimal(head: Head, events: Sequence[Recorded], now: Millis, viewer: str | None) -> bytes:
    """What `Prefer: return=minimal` gets."""
    return b'{"version":%d,"events":%b}' % (head.version, event_list(events))


def is_minimal(answer: bytes) -> bool:
    """Whether these are the bytes of such an answer; one that was stored does not say so itself."""
    return answer.startswith(b'{"version":')


def event_list(events: Sequence[Recorded]) -> bytes:
    return b"[%b]" % b",".join([b'{"version":%d,%b' % (e.version, e.data[1:]) for e in events])


MOST_LAID = 1_024
"""Tables whose constant parts are kept, about 800 bytes each; the rules are shared."""


class _Laid(NamedTuple):
    setup: Setup
    created_at: Millis
    rules: bytes
    table: bytes


_kept: dict[str, _Laid] = {}
"""By game. Found by its id, and by being the same object: to look a set-up up by what is in it
takes as long as half the rules of a command."""


def _laid(setup: Setup, created_at: Millis) -> _Laid:
    """The parts of a view that stay as they are as long as its set-up does."""
    laid = _kept.get(setup.game_id)
    if laid is None or laid.setup is not setup or laid.created_at != created_at:
        laid = _Laid(setup, created_at, _rules(setup.rules), _table(setup, created_at))
        _kept[setup.game_id] = laid
        if len(_kept) > MOST_LAID:
            del _kept[next(iter(_kept))]
    return laid


@lru_cache(maxsize=256)
def _rules(rules: Rules) -> bytes:
    """The rule set as a member of the object; many tables share one."""
    return b'"rules":' + to_json(rule_set(rules))


def _table(setup: Setup, created_at: Millis) -> bytes:
    """The other members that belong to the table, without the braces."""
    table: GameTable = {
        "preset": setup.preset,
        "host": setup.host,
        "visibility": setup.visibility,
        "cheats": setup.cheats is not None,
        "settings": settings_view(setup),
        "created_at": rfc3339(created_at),
    }
    return to_json(table)[1:-1]
