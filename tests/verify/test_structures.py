"""Whatever is done to an export, both verifiers say the same of it, and neither breaks down."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.verify.games import any_game
from tests.verify.javascript import JavaScript
from tests.verify.mutations import events_of
from tests.verify.structures import rebuilt, respelled, taken_apart
from tests.verify.verdicts import report_of


def structures(js: JavaScript, first: int, games: int, each: int) -> Counter[str]:
    """Verdicts on logs that were taken apart in one to three places."""
    counts = Counter[str]()
    for seed in range(first, first + games):
        chance = Random(seed)
        game_id, events = events_of(any_game(seed, most=chance.choice((15, 40, 60))).export())
        donors = events_of(any_game(seed + chance.choice((2, 36)), most=40).export())[1]
        donors[0] |= {"game_id": game_id}
        for _ in range(each):
            log = events
            for _ in range(chance.choice((1, 1, 1, 2, 3))):
                if log and all(isinstance(event.get("at"), int) for event in log):
                    log = taken_apart(log, donors, chance)
            if (export := rebuilt(game_id, log)) is not None:
                counts[report_of(js, export)["verdict"]] += 1
    return counts


def spellings(js: JavaScript, first: int, games: int, each: int) -> Counter[str]:
    """Verdicts on exports that are spelled otherwise."""
    counts = Counter[str]()
    for seed in range(first, first + games):
        chance = Random(seed)
        export, other = (any_game(each, most=20).export() for each in (seed, seed + 1))
        for _ in range(each):
            counts[report_of(js, respelled(export, other, chance))["verdict"]] += 1
    return counts


def test_a_log_that_was_taken_apart_is_judged_alike(js: JavaScript) -> None:
    counts = structures(js, 7_000, 4, 25)
    assert counts["invalid"] > counts["valid"]


def test_an_export_in_another_spelling_is_judged_alike(js: JavaScript) -> None:
    counts = spellings(js, 7_100, 4, 25)
    assert counts["valid"] > 0, "spaces and escapes around the events do not matter"
    assert counts["invalid"] > counts["valid"]


@pytest.mark.soak
def test_forty_thousand_logs_that_were_taken_apart_are_judged_alike(js: JavaScript) -> None:
    counts = structures(js, 20_000, 800, 50)
    print(f"\n{counts.total()} logs taken apart: {dict(counts)}")  # noqa: T201


@pytest.mark.soak
def test_ten_thousand_spellings_are_judged_alike(js: JavaScript) -> None:
    counts = spellings(js, 30_000, 200, 50)
    print(f"\n{counts.total()} spellings: {dict(counts)}")  # noqa: T201
