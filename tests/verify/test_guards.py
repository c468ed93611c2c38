"""
Events put where they may not happen: both verifiers must judge alike, whatever it is.

The pool holds every kind of event that games have; each is put into other games, at any place, for
any of their seats and players, with the chain made anew. Most are refused; some make another game.
"""

from __future__ import annotations

import copy
from collections import Counter
from random import Random
from typing import Any

import pytest

from app.store.parts import canonical
from tests.verify.games import any_game
from tests.verify.javascript import JavaScript
from tests.verify.mutations import DECIDED, events_of
from tests.verify.recording import exported
from tests.verify.verdicts import report_of

Event = dict[str, Any]


def pool(first: int, games: int) -> dict[str, list[Event]]:
    """Some events of each kind."""
    found: dict[str, list[Event]] = {}
    for seed in range(first, first + games):
        for event in events_of(any_game(seed, most=80).export())[1]:
            if len(found.setdefault(event["type"], [])) < 20:
                found[event["type"]].append(event)
    return found


def fitted(event: Event, into: list[Event], index: int, chance: Random) -> Event:
    """The same for this game, at this place: mostly with its seats, players and times."""
    event = copy.deepcopy(event)
    created, before = into[0], into[max(0, index - 1)]
    if chance.random() < 0.9:
        event["at"] = before["at"] + chance.choice((0, 0, 1, 5_501, 31_000))
    if event["seat"] is not None and chance.random() < 0.9:
        event["seat"] = chance.randrange(len(created["seats"]))
    if "player_id" in event:
        held = [each["player_id"] for each in into[:index] if "player_id" in each]
        event["player_id"] = chance.choice([*held, "p0", "stranger"])
        here = [
            x["player_id"] for x in into[:index] if "player_id" in x and x["seat"] == event["seat"]
        ]
        if here and chance.random() < 0.7:
            event["player_id"] = here[-1]
    if event["type"] == "settings_changed":
        event |= {
            key: copy.deepcopy(created[key]) for key in event if key in created and key != "at"
        }
        event |= {"type": "settings_changed", "visibility": "private"}
    if event["type"] == "clock_extended":
        event |= {"began": event["at"] - 2_000, "ended": event["at"], "by_ms": 2_000}
        event["gap"] = chance.choice((1, 1_000))
    if "epoch" in event and chance.random() < 0.9:
        told = [each["epoch"] for each in into[:index] if "epoch" in each]
        event["epoch"] = told[-1] if told else 0
    if event["type"] == "game_finished":
        _same_standings(event, into)
    return event


def _same_standings(event: Event, into: list[Event]) -> None:
    ends = [each for each in into if each["type"] == "game_finished"]
    if ends:
        event["standings"] = ends[-1]["standings"]


def judged_alike(js: JavaScript, first: int, games: int, each: int) -> Counter[str]:
    """Raises: AssertionError, where the two differ."""
    strange, counts = pool(0, 20), Counter[str]()
    kinds = sorted(strange)
    for seed in range(first, first + games):
        chance = Random(seed)
        game_id, events = events_of(any_game(seed, most=40).export())
        for _ in range(each):
            index = chance.randrange(1, len(events) + 1)
            event = fitted(chance.choice(strange[chance.choice(kinds)]), events, index, chance)
            # A game may end here: what follows is then left out as often as not.
            cut = event["type"] == "game_finished" or chance.random() < 0.3
            log = [*events[:index], event, *([] if cut else events[index:])]
            report = report_of(js, exported(game_id, [canonical(one) for one in log]))
            here = report["version"] == index + 1 and report["verdict"] == "invalid"
            counts["refused" if here else "taken"] += 1
            forced = event["type"] in DECIDED - {"game_finished", "script_dropped"}
            assert report["verdict"] != "valid" or not forced, (event, log)
    return counts


def test_events_that_may_not_happen_are_refused_by_both(js: JavaScript) -> None:
    counts = judged_alike(js, 4_000, 8, 30)
    assert counts["refused"] > counts["taken"] > 0


@pytest.mark.soak
def test_twenty_thousand_events_are_judged_alike(js: JavaScript) -> None:
    counts = judged_alike(js, 5_000, 500, 40)
    assert counts.total() == 20_000
    print(f"\n{counts.total()} events put elsewhere: {dict(counts)}")  # noqa: T201
