"""
What docs/arena.md claims of the characters, held to by a part of the match table played again.

One-sided: a pairing fails when it wins so few games that this would happen less than once in a
thousand times, were the true rate the one claimed. Games are fixed by their seed, so the outcome is
too; none is played once enough are won.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from app.arena.game import played
from app.arena.matches import (
    Variant,
    chance_of_so_few,
    claimed,
    contest,
    pairings,
    variants,
)
from app.arena.seats import RANDOM
from app.arena.tally import Side
from app.arena.watch import Watch
from app.arena.workers import sitters_of
from tests.arena.contests import BOOK

ALMOST_NEVER = 0.001
CLAIMED = [pairing for pairing in pairings() if claimed(pairing) is not None]


def games_of(pairing: tuple[str, str]) -> int:
    """Nine of ten games are told from eight by fewer."""
    return 60 if RANDOM in pairing else 400


def needed(games: int, rate: float) -> int:
    """So many wins are enough, whatever the games after them bring."""
    return next(won for won in range(games) if chance_of_so_few(won, games, rate) > ALMOST_NEVER)


def test_every_preset_has_its_place() -> None:
    assert {variant.preset for variant in variants()} == set(BOOK.presets)
    assert len(variants()) == 6


def test_so_few_wins_would_tell() -> None:
    """About 200 less 3.1 times 10, and 54 less 3.1 times 2.3, by the normal distribution."""
    assert needed(400, 0.5) == 169
    assert needed(60, 0.9) == 46


def replayed() -> Iterator[Any]:
    """In CI everybody on the very first variant, one pairing on the first of each other preset."""
    seen: set[str] = set()
    for variant in variants():
        for pairing in CLAIMED:
            first = variant.preset not in seen and (not seen or pairing[1] == "cautious")
            in_ci = first or (RANDOM in pairing and not seen)
            mark = pytest.mark.wide if in_ci else pytest.mark.soak
            name = f"{variant.title}: {' – '.join(pairing)}"
            yield pytest.param(variant, pairing, marks=[mark], id=name)
        seen.add(variant.preset)


@pytest.mark.parametrize(("variant", "pairing"), list(replayed()))
def test_a_character_is_as_good_as_it_is_said_to_be(
    variant: Variant, pairing: tuple[str, str]
) -> None:
    rate = claimed(pairing)
    assert rate is not None
    games = games_of(pairing)
    asked, side = contest(variant, pairing, "ci"), Side(pairing[0])
    sitters = sitters_of(asked, Watch(asked.limit_s))
    for number in range(games):
        side.add(0, played(asked, number, sitters))
        if side.won >= needed(games, rate):
            return
    pytest.fail(f"{pairing[0]} won {side.won} of {games}")
