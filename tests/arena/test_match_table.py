"""
What docs/arena.md claims of the characters, held to by a part of the match table played again.

One-sided: a pairing fails when the true rate, were it as claimed, would win so few games less than
once in a thousand times. Games are fixed by their seed, so the outcome is too.
"""

from __future__ import annotations

import pytest

from app.arena.matches import (
    Variant,
    chance_of_so_few,
    claimed,
    contest,
    pairings,
    variants,
)
from app.arena.seats import RANDOM
from app.arena.tally import Tally
from tests.arena.contests import some_games

ALMOST_NEVER = 0.001
CLAIMED = [pairing for pairing in pairings() if claimed(pairing) is not None]


def games_of(pairing: tuple[str, str]) -> int:
    """Nine of ten games are told from eight by fewer."""
    return 60 if RANDOM in pairing else 400


def test_every_preset_has_its_place() -> None:
    assert {variant.preset for variant in variants()} == {"farkle", "house", "jester"}
    assert len(variants()) == 6


@pytest.mark.wide
@pytest.mark.parametrize("pairing", CLAIMED, ids=" – ".join)
@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.title)
def test_a_character_is_as_good_as_it_is_said_to_be(
    variant: Variant, pairing: tuple[str, str]
) -> None:
    rate = claimed(pairing)
    assert rate is not None
    games = games_of(pairing)
    tally = Tally(pairing)
    for game in some_games(contest(variant, pairing, "ci"), games):
        tally.add(game)
    won = float(tally.sides[0].won)
    assert chance_of_so_few(won, games, rate) > ALMOST_NEVER, f"{won} of {games}"
    assert tally.unfinished == 0
