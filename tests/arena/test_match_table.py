"""
What docs/arena.md claims of the characters, held to by games of the match table played again.

One-sided: only too few wins fail. CI plays every pairing of which something is claimed, on every
rule set of the table, until Wald's test is sure, 400 games at the most; `soak` all the 400 that
could still change the verdict. Games are fixed by their seed, so the outcome is too.
"""

from __future__ import annotations

from random import Random

import pytest

from app.arena.game import played
from app.arena.matches import AHEAD, OF_RANDOM, Variant, claimed, contest, pairings, variants
from app.arena.tally import Side
from app.arena.watch import Watch
from app.arena.workers import sitters_of
from tests.arena.contests import BOOK
from tests.arena.one_sided import Full, Sequential

CLEARLY_WORSE = {AHEAD: 0.35, OF_RANDOM: 0.75}
REPLAYED = [
    pytest.param(variant, pairing, rate, id=f"{variant.title}: {' – '.join(pairing)}")
    for variant in variants()
    for pairing in pairings()
    if (rate := claimed(pairing)) is not None
]


def judged(
    variant: Variant, pairing: tuple[str, str], judge: Sequential | Full
) -> tuple[bool, str]:
    """Whether it passes, and what was won."""
    asked, side = contest(variant, pairing, "ci"), Side(pairing[0])
    sitters = sitters_of(asked, Watch(asked.limit_s))
    for number in range(judge.games):
        side.add(0, played(asked, number, sitters))
        verdict = judge.verdict(float(side.won), side.games)
        if verdict is not None:
            return verdict, f"{pairing[0]} won {side.won} of {side.games}"
    raise AssertionError("no verdict")


def test_every_preset_has_its_place() -> None:
    assert {variant.preset for variant in variants()} == set(BOOK.presets)
    assert len(variants()) == 6
    assert len(REPLAYED) == 6 * 5


@pytest.mark.parametrize(("rate", "worse"), CLEARLY_WORSE.items())
def test_a_short_test_errs_as_rarely_as_the_docs_say(rate: float, worse: float) -> None:
    """Worked out over every way the games may go, the end after 400 included."""
    judge = Sequential(rate, worse)
    assert 1 - judge.passes(rate) < 0.002
    assert judge.passes(worse) < 0.0025
    assert judge.passes(rate) < judge.passes((rate + 1) / 2)


def test_how_often_a_short_test_passes_is_how_often_it_does() -> None:
    """Played 1 000 times at a rate between: to 4 standard errors."""
    judge, chance, passed = Sequential(0.5, 0.35), Random(5), 0
    for _ in range(1_000):
        won = games = 0
        while (verdict := judge.verdict(won, games)) is None:
            games += 1
            won += chance.random() < 0.425
        passed += verdict
    assert passed / 1_000 == pytest.approx(judge.passes(0.425), abs=4 * (0.25 / 1_000) ** 0.5)


def test_so_few_wins_would_tell() -> None:
    """About 200 less 3.1 times 10, and 360 less 3.1 times 6, by the normal distribution."""
    assert [Full(0.5).verdict(169, 300), Full(0.9).verdict(340, 350)] == [True, True]
    assert [Full(0.5).verdict(168, 400), Full(0.9).verdict(339, 400)] == [False, False]
    assert Full(0.5).verdict(100, 331) is None
    assert Full(0.5).verdict(99, 331) is False


@pytest.mark.wide
@pytest.mark.parametrize(("variant", "pairing", "rate"), REPLAYED)
def test_a_character_is_as_good_as_it_is_said_to_be(
    variant: Variant, pairing: tuple[str, str], rate: float
) -> None:
    holds, won = judged(variant, pairing, Sequential(rate, CLEARLY_WORSE[rate]))
    assert holds, won


@pytest.mark.soak
@pytest.mark.parametrize(("variant", "pairing", "rate"), REPLAYED)
def test_it_is_over_400_games_too(variant: Variant, pairing: tuple[str, str], rate: float) -> None:
    holds, won = judged(variant, pairing, Full(rate))
    assert holds, won


@pytest.mark.parametrize(
    ("pairing", "rate"),
    [(("cautious", "strategist"), AHEAD), (("random", "cautious"), OF_RANDOM)],
)
def test_who_is_worse_than_claimed_is_found_out(pairing: tuple[str, str], rate: float) -> None:
    """Pairings turned round: what is claimed of the stronger does not hold of the weaker."""
    holds, _ = judged(variants()[0], pairing, Sequential(rate, CLEARLY_WORSE[rate]))
    assert not holds
