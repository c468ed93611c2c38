"""Who plays whom: everybody as often, from every seat as often, on the same dice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from app.series.plan import games_in_all, plan, seed_of


@st.composite
def plans(draw: st.DrawFn) -> tuple[int, int, int]:
    """Participants, seats, games of each group."""
    participants = draw(st.integers(2, 7))
    return participants, draw(st.integers(2, participants)), draw(st.integers(1, 12))


def test_two_sides_swap_the_start() -> None:
    assert [(p.number, p.round, p.participants) for p in plan(2, 2, 5)] == [
        (0, 0, (0, 1)),
        (1, 0, (1, 0)),
        (2, 1, (0, 1)),
        (3, 1, (1, 0)),
        (4, 2, (0, 1)),
    ]


def test_a_round_robin() -> None:
    assert [p.participants for p in plan(3, 2, 2)] == [
        *((0, 1), (0, 2), (1, 2)),
        *((1, 0), (2, 0), (2, 1)),
    ]


@given(plans())
def test_every_group_meets_as_often(of: tuple[int, int, int]) -> None:
    participants, seats, games = of
    found = list(plan(*of))
    assert [p.number for p in found] == list(range(games_in_all(*of)))
    groups = Counter(tuple(sorted(p.participants)) for p in found)
    assert groups == dict.fromkeys(combinations(range(participants), seats), games)


@given(plans(), st.data())
def test_after_any_number_of_games_groups_are_within_one(
    of: tuple[int, int, int], data: st.DataObject
) -> None:
    found = list(plan(*of))
    played = found[: data.draw(st.integers(0, len(found)))]
    groups = Counter(tuple(sorted(p.participants)) for p in played)
    counts = [groups[g] for g in combinations(range(of[0]), of[1])]
    assert max(counts) - min(counts) <= 1


@given(plans())
def test_everybody_sits_everywhere(of: tuple[int, int, int]) -> None:
    """Within a group, from each seat as often, give or take one game."""
    _, seats, games = of
    sat = Counter(
        (tuple(sorted(p.participants)), participant, seat)
        for p in plan(*of)
        for seat, participant in enumerate(p.participants)
    )
    least, rest = divmod(games, seats)
    assert set(sat.values()) <= {least, least + (rest > 0)} | ({1} if least == 0 else set())
    if least:
        assert len(sat) == games_in_all(of[0], seats, 1) * seats * seats


@given(plans())
def test_a_round_has_every_rotation_once(of: tuple[int, int, int]) -> None:
    _, seats, games = of
    rounds: dict[tuple[int, tuple[int, ...]], set[tuple[int, ...]]] = {}
    for p in plan(*of):
        rounds.setdefault((p.round, tuple(sorted(p.participants))), set()).add(p.participants)
    for (number, group), orders in rounds.items():
        whole = number < games // seats
        assert len(orders) == (seats if whole else games % seats)
        rotations = {(*group[n:], *group[:n]) for n in range(seats)}
        assert orders <= rotations


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=64))
def test_seeds_are_seeds(seed: str) -> None:
    made = [seed_of(seed, number) for number in range(5)]
    assert len(set(made)) == 5
    assert all(len(s) == 64 and s.isascii() for s in made)
    assert made == [seed_of(seed, number) for number in range(5)]
