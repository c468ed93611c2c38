"""
Exports that somebody changed: what matters is refused, with the chain made anew too.

A log whose hashes were made anew is another log, and may be as good a game as the first one: a
player who waited a second longer, a table of another name. What follows from the rules may not be
changed, whatever is hashed.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.verify.games import any_game
from tests.verify.javascript import JavaScript
from tests.verify.mutations import (
    DECIDED,
    HOWS,
    Mutation,
    events_of,
    fields,
    one_byte,
    one_event,
    one_field,
    some,
)
from tests.verify.verdicts import report_of

DECIDED_FIELDS = {
    *("game_created.game_id", "game_created.protocol", "game_created.server_commits"),
    *("dice_selected.points", "dice_selected.protected"),
    *("seat_resigned.lost", "seat_resigned.credited", "seat_resigned.total"),
    *("entropy_closed.epoch", "entropy_closed.commits", "entropy_closed.server_commit"),
}


def matters(mutation: Mutation) -> bool:
    """Whether the rules or the formulas leave no room for it."""
    if not mutation.chained or mutation.what in DECIDED_FIELDS:
        return True
    if mutation.as_good or mutation.what.startswith("game_started.policies"):
        return False  # which versions the bots have is the server's word
    kind = mutation.what.split(" ")[-1].split(".")[0]
    return kind in DECIDED and not mutation.what.endswith(".at")


def small_games(first: int, count: int, events: int = 100) -> list[bytes]:
    found: list[bytes] = []
    while len(found) < count:
        game = any_game(first, most=60)
        if events // 3 < len(game.events) <= events:
            found.append(game.export())
        first += 1
    return found


def refused(js: JavaScript, mutation: Mutation) -> bool:
    """Whether it was; it must be where it matters. What is not chained is invalid, at its place."""
    report = report_of(js, mutation.export)
    told = (mutation.what, mutation.version, report)
    if not mutation.chained:
        assert report["verdict"] == "invalid", told
        assert report["version"] in (None, mutation.version, mutation.version + 1), told
    if matters(mutation):
        assert report["verdict"] != "valid", told
    return bool(report["verdict"] != "valid")


def mutate(js: JavaScript, exports: list[bytes], each: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for number, export in enumerate(exports):
        for mutation in some(export, Random(number), each):
            kind = "chained" if mutation.chained else "not chained"
            verdict = "refused" if refused(js, mutation) else "another game"
            counts[f"{kind}, {verdict}"] += 1
    return counts


def test_changed_exports_are_refused(js: JavaScript) -> None:
    counts = mutate(js, small_games(30, 4, events=60), 24)
    assert counts["not chained, another game"] == 0
    assert counts["chained, refused"] > counts["chained, another game"]


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_a_thousand_changed_exports_are_refused(js: JavaScript) -> None:
    assert mutate(js, small_games(500, 25), 40).total() >= 1000


@pytest.mark.wide
def test_one_byte_in_a_hundred(js: JavaScript) -> None:
    [export] = small_games(900, 1)
    for seed in range(len(export) // 100):
        assert refused(js, one_byte(export, Random(seed)))


@pytest.mark.soak
def test_each_field_of_each_event(js: JavaScript) -> None:
    counts: Counter[str] = Counter()
    for seed, export in enumerate(small_games(3000, 6, events=60)):
        for index, path in fields(export):
            for mutation in one_field(export, index, path, Random(seed)):
                counts[str(refused(js, mutation))] += 1
    print(f"\n{counts.total()} fields: refused {counts['True']}")  # noqa: T201


@pytest.mark.soak
def test_twenty_thousand_changed_exports_are_refused(js: JavaScript) -> None:
    counts = mutate(js, small_games(2000, 200), 100)
    assert counts.total() >= 20_000
    print(f"\n{counts.total()} mutations: {dict(counts)}")  # noqa: T201


def test_whole_events_that_follow_from_the_rules_cannot_be_moved(js: JavaScript) -> None:
    [export] = small_games(30, 1, events=40)
    events = events_of(export)[1]
    for index, event in enumerate(events):
        for how in HOWS:
            last = index == len(events) - 1
            if event["type"] in DECIDED and not (last and how == "swap"):
                assert refused(js, one_event(export, index, how))


def test_without_its_reveal_a_game_is_incomplete(js: JavaScript) -> None:
    for export in small_games(40, 5):
        kinds = [event["type"] for event in events_of(export)[1]]
        report = report_of(js, one_event(export, kinds.index("fairness_revealed"), "drop").export)
        assert report["verdict"] == "incomplete", report
