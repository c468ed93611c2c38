"""What games add up to, against values worked out elsewhere."""

from __future__ import annotations

from collections import Counter
from math import comb
from statistics import NormalDist, fmean, stdev

import pytest

from app.arena.game import Played, Turns
from app.arena.plots import histogram
from app.arena.tally import Tally, mean, quantiles, wilson
from tests.arena.one_sided import chance_of_so_few


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_a_rate_has_wilsons_interval(won: int, games: int, low: float, high: float) -> None:
    found = wilson(won, games)
    assert found.value == won / games
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_a_rate_of_nothing_says_nothing() -> None:
    assert wilson(0, 0) == (0, 0, 1)


def test_ten_thousand_games_tell_a_rate_to_one_in_a_hundred() -> None:
    found = wilson(5_000, 10_000)
    assert found.high - found.low < 0.0196


def test_a_mean_has_its_standard_errors() -> None:
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    found = mean(len(values), sum(values), sum(v * v for v in values))
    half = NormalDist().inv_cdf(0.975) * stdev(values) / len(values) ** 0.5
    assert found.value == fmean(values)
    assert found.low == pytest.approx(fmean(values) - half)
    assert found.high == pytest.approx(fmean(values) + half)


def game(number: int, winners: tuple[int, ...], scores: tuple[int, ...]) -> Played:
    seating = (0, 1) if number % 2 == 0 else (1, 0)
    turns = (Turns(4, 2, 600, 2, 0), Turns(3, 1, 500, 1, 1))
    return Played(number, seating, scores, winners, "target", 20, turns)


def test_a_shared_win_is_half_of_one() -> None:
    tally = Tally(("a", "b"))
    tally.add(game(0, (0,), (1000, 500)))
    tally.add(game(1, (0, 1), (1000, 1000)))
    tally.add(game(2, (), (0, 0))._replace(reason="unfinished"))
    a, b = tally.sides
    assert (a.wins, a.shared, float(a.won)) == (1, 1, 1.5)
    assert (b.wins, b.shared, float(b.won)) == (0, 1, 0.5)
    assert (a.first_games, float(a.first_won)) == (2, 1.0)
    assert (b.first_games, float(b.first_won)) == (1, 0.5)
    assert (tally.games, tally.unfinished) == (3, 1)
    assert a.win_rate.value == 0.5
    assert b.win_rate.value == pytest.approx(1 / 6)


def test_turns_and_points_are_those_of_the_games() -> None:
    tally = Tally(("a", "b"))
    for number in range(2):
        tally.add(game(number, (0,), (1000 + number, 500)))
    a, b = tally.sides
    assert (a.score.value, a.scores) == (1000.5, Counter({1000: 1, 1001: 1}))
    assert a.bust_rate.value == 0.5
    assert b.bust_rate.value == pytest.approx(1 / 3)
    assert (a.banked_turn, b.banked_turn) == (300, 500)
    assert (tally.length.value, tally.turns, tally.rolls) == (7, Counter({7: 2}), 40)


def test_quantiles_are_values_that_came() -> None:
    assert quantiles(Counter({1: 50, 2: 45, 100: 5}), (0.05, 0.5, 0.95, 1)) == [1, 1, 2, 100]


def test_a_histogram_has_a_row_for_every_range_between() -> None:
    text = histogram("Scores", {"a": Counter({0: 1, 45: 3}), "b": Counter({190: 4})}, width=60)
    lines = text.splitlines()
    assert lines[0] == "Scores"
    assert len(lines) == 2 + 10 + 1  # 0 to 199 by twenties
    assert lines[2].split()[:2] == ["0–19", "25.0"]
    assert lines[4].split()[:2] == ["40–59", "75.0"]
    assert lines[-2].split()[-1].startswith("█")
    assert all(len(line) <= 60 for line in lines)


def test_the_chance_of_so_few_wins_is_the_binomials() -> None:
    assert chance_of_so_few(0, 2, 0.5) == 0.25
    assert chance_of_so_few(1.5, 2, 0.5) == 0.75
    assert chance_of_so_few(8, 10, 0.9) == pytest.approx(1 - 0.9**10 - comb(10, 9) * 0.9**9 * 0.1)
