"""Hypothesis strategies: every event and every head that the types allow."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st

from engine.events import EVENT_TYPES, Event
from engine.rules import Rules
from engine.state import Cheats, Finished, Game, Lobby, Playing, Sealing
from tests.store.orders import preset_rules

T = TypeVar("T")

_seats = st.integers(0, 7)
_seat_lists = st.lists(_seats, unique=True).map(sorted).map(tuple)


def _by_seat(values: st.SearchStrategy[T]) -> st.SearchStrategy[tuple[tuple[int, T], ...]]:
    found = st.dictionaries(_seats, values)
    return found.map(lambda pairs: tuple(sorted(pairs.items(), key=lambda pair: pair[0])))


# Where the type alone allows more than the engine does.
st.register_type_strategy(str, st.text(st.characters(codec="utf-8")))  # no lone surrogates
st.register_type_strategy(int, st.integers(-(2**53) + 1, 2**53 - 1))
st.register_type_strategy(Rules, st.sampled_from(["farkle", "house", "jester"]).map(preset_rules))
st.register_type_strategy(
    Cheats,
    st.builds(
        Cheats,
        loaded=_seat_lists,
        light=_by_seat(st.sampled_from(["lucky", "cold", "magnet"])),
        head_start=_by_seat(st.integers(0, 10_000_000)),
        skip_next=_seat_lists,
        always_score=_seat_lists,
    ),
)

events: st.SearchStrategy[Event] = st.sampled_from(EVENT_TYPES).flatmap(st.from_type)
games: st.SearchStrategy[Game] = st.sampled_from([Lobby, Sealing, Playing, Finished]).flatmap(
    st.from_type
)
