"""Tables to open, of every kind; small targets, so that games end."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engine.rules_text import rules_to_data
from tests.engine.random_rules import random_rules
from tests.model.model import rules_of, whole
from tests.referee import rulebook
from tests.referee.cheats import snapped_head_start

Json = dict[str, Any]

HUMAN, CLOSED = {"kind": "human"}, {"kind": "closed"}
CUSTOM = 30
"""Random rule sets; few, so that what was worked out for one serves again."""

FARKLE: list[Json] = [
    {"target": 1500, "opening": 300},
    {"target": 2000, "final_round": False},
    {"target": 2500, "spicy": True},
    {"target": 2000, "spicy": True, "spicy_faces": [1, 1, 1, 5, 5, 5], "opening": 0},
    {"target": 2000, "high_stakes": True, "opening": 0},
    {"target": 3000, "high_stakes": True, "spicy": True},
    {"target": 1500, "four_and_two_is_three_pairs": True},
]
JESTER: list[Json] = [{}, {"tier": "fortune"}, {"purse": False}]
SMALL: Json = {"five": {"1": 2000, "6": 2000}}
HOUSE: list[Json] = [
    {"target": 1500, "opening": 250},
    {"target": 2000, "exact": True, "values": SMALL},
    {"target": 2000, "bank_on_hot_dice": False},
    {"target": 2000, "exact": True, "bank_on_hot_dice": False, "opening": 0, "values": SMALL},
    {"target": 1000, "opening": 5, "values": {"single_1": 35, "three": {"1": 5, "6": 995}}},
]
SHORT: list[Json] = [
    *({"preset": "farkle", "options": options} for options in FARKLE),
    *({"preset": "house", "options": options} for options in HOUSE),
    {"custom": {**whole(rulebook.jester()), "name": "short-jester", "target": 1500}},
]
WHOLE: list[Json] = [
    {"preset": "farkle"},
    {"preset": "house", "options": {"exact": True}},
    *({"preset": "jester", "options": options} for options in JESTER),
]
PRESETS = [*SHORT, *WHOLE]


def custom(seed: int) -> Json:
    return {"custom": rules_to_data(random_rules(seed))}


rules = st.one_of(
    st.sampled_from(PRESETS), st.sampled_from(PRESETS), st.integers(0, CUSTOM - 1).map(custom)
)
visibilities = st.sampled_from(["unlisted", "public", "private"])
lights = st.sampled_from(["lucky", "cold", "magnet"])


def several(seats: list[int]) -> st.SearchStrategy[list[int]]:
    return st.lists(st.sampled_from(seats), unique=True, max_size=len(seats))


@st.composite
def cheats(draw: st.DrawFn, asked: Json, seats: list[int]) -> Json:
    """Cheats that these rules and open seats allow."""
    rule_set, _ = rules_of(asked)
    target = rule_set["target"]
    starts = [n for n in range(0, target, max(5, target // 40)) if fits(rule_set, n)]
    found: Json = {
        "loaded": draw(several(seats)),
        "light": {str(seat): draw(lights) for seat in draw(several(seats))},
        "skip_next": draw(several(seats)),
        "head_start": {},
    }
    if starts:
        chosen = st.sampled_from(starts)
        found["head_start"] = {str(seat): draw(chosen) for seat in draw(several(seats))}
    if any(c["kind"] == "single" for c in rule_set["combinations"]):
        found["always_score"] = draw(several(seats))
    return found


def fits(rule_set: Json, points: int) -> bool:
    return snapped_head_start(rule_set, points) is not None


def dice(count: int) -> st.SearchStrategy[Json]:
    """Mostly fair. A script fits the first roll, and perhaps the next."""
    faces = st.integers(1, 6)
    fresh = st.lists(faces, min_size=count, max_size=count)
    any_roll = st.lists(faces, min_size=1, max_size=count)
    further: st.SearchStrategy[list[list[int]]] = st.one_of(
        st.just([]), st.just([]), st.lists(any_roll, max_size=2)
    )
    fair = st.just({"kind": "fair"})
    return st.one_of(
        fair,
        fair,
        fair,
        st.builds(
            lambda first, more: {"kind": "scripted", "rolls": [first, *more]}, fresh, further
        ),
        st.text("abc ~!", min_size=1, max_size=8).map(lambda s: {"kind": "seeded", "seed": s}),
    )


@st.composite
def tables(draw: st.DrawFn) -> Json:
    """A body that opens a table."""
    asked = draw(rules)
    rule_set, _ = rules_of(asked)
    least = rule_set["seats"]["min"]
    seats = draw(
        st.lists(st.sampled_from([HUMAN, HUMAN, HUMAN, CLOSED]), min_size=least, max_size=4).filter(
            lambda seats: HUMAN in seats
        )
    )
    body: Json = {"rules": asked, "seats": seats, "visibility": draw(visibilities)}
    body["dice"] = draw(dice(rule_set["dice"]["count"]))
    body["pass_and_play"] = draw(st.sampled_from([False, False, True]))
    if draw(st.integers(0, 2)) == 0:
        open_seats = [seat for seat, chosen in enumerate(seats) if chosen is HUMAN]
        body["cheats"] = draw(cheats(asked, open_seats))
    return body
