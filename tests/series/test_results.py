"""What games add up to."""

from __future__ import annotations

from app.series.model import Recorded
from app.series.plan import plan
from app.series.results import Tally, table


def test_wins_are_told_apart() -> None:
    pairings = list(plan(2, 2, 6))
    ended = [
        Recorded("target", (0,), (10, 5)),  # 0 begins and wins
        Recorded("target", (0,), (10, 2)),  # 1 begins and wins
        Recorded("walkover", (1,), (3, 0)),  # 1 wins
        Recorded("game_clock", (0, 1), (7, 7)),  # shared
        Recorded("game_clock", (), (0, 0)),  # won by nobody
        Recorded("ended_early", (0,), (9, 1)),  # counts for nothing
    ]
    made = table(2, zip(pairings, ended, strict=True))
    assert (made.counted, made.uncounted) == (5, 1)
    assert made.participants == [
        Tally(games=5, wins=1, shared=1, losses=2, points=22, first_games=3, first_wins=1),
        Tally(games=5, wins=2, shared=1, losses=1, points=22, first_games=2, first_wins=1),
    ]
    assert made.groups == {(0, 1): made.participants}


def test_groups_are_told_apart() -> None:
    pairings = list(plan(3, 2, 1))
    ended = [Recorded("target", (0,), (10, 5)) for _ in pairings]
    made = table(3, zip(pairings, ended, strict=True))
    assert [t.wins for t in made.participants] == [2, 1, 0]
    assert {group: [t.wins for t in ts] for group, ts in made.groups.items()} == {
        (0, 1): [1, 0],
        (0, 2): [1, 0],
        (1, 2): [1, 0],
    }


def test_nothing_played() -> None:
    made = table(2, ())
    assert (made.counted, made.groups, made.participants) == (0, {}, [Tally(), Tally()])
