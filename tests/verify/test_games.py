"""Games that the engine played, judged by the other language: every one of them is valid."""

from __future__ import annotations

from collections import Counter

import pytest

from app.verifying.examining import verify
from engine.events import EVENT_TYPES
from tests.verify.games import any_game
from tests.verify.javascript import JavaScript
from tests.verify.verdicts import report_of

REASONS = {
    *("target", "instant_win", "walkover", "ended_early"),
    *("game_clock", "resigned", "voided"),
}


def judged(js: JavaScript, seeds: range) -> tuple[set[type], Counter[str]]:
    """Which events the games of these seeds had, and how they ended; all are valid."""
    seen: set[type] = set()
    ends: Counter[str] = Counter()
    for seed in seeds:
        game = any_game(seed)
        report = report_of(js, game.export())
        assert report["verdict"] == "valid", (seed, report["version"], report["reason"])
        assert verify(game.export()).bots_checked, seed
        seen |= {type(event) for event in game.events}
        ends[report["ended"]] += 1
    return seen, ends


@pytest.mark.parametrize("first", range(0, 30, 10))
def test_games_of_every_kind_are_valid(js: JavaScript, first: int) -> None:
    judged(js, range(first, first + 10))


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_every_event_and_every_end_was_judged(js: JavaScript) -> None:
    seen, ends = judged(js, range(100, 300))
    assert seen == set(EVENT_TYPES)
    assert set(ends) == REASONS


@pytest.mark.soak
def test_thousands_of_games_are_valid(js: JavaScript) -> None:
    _, ends = judged(js, range(1000, 6000))
    assert set(ends) == REASONS
    print(f"\n{ends.total()} games, all valid: {dict(ends)}")  # noqa: T201
