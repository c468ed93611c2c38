"""Whole games over HTTP, to their end, move by move beside the referee."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.model import strolls
from tests.model.server import Store
from tests.model.tables import CLOSED, HUMAN, SHORT, WHOLE, custom
from tests.model.world import World

pytestmark = pytest.mark.wide

Json = dict[str, Any]

MOST = 1_500
LAST_LINES = 24
CHEATS: Json = {
    "loaded": [1],
    "light": {"0": "lucky", "2": "cold", "3": "magnet"},
    "head_start": {"0": 1300, "3": 1250},  # nearly there: what is left is below an opening
    "skip_next": [0, 2],
    "always_score": [2, 3],
}

CHECKED_EVERY = 6
"""Moves; the answer of each is compared whole in any case."""


def seated(count: int, least: int) -> list[Json]:
    """So many open seats, a closed one among them."""
    seats = [HUMAN] * count
    seats.insert(count // 2, CLOSED)
    return seats if count >= least else [HUMAN] * least


def name_of(rules: Json) -> str:
    options = [f"{key}={value}" for key, value in rules.get("options", {}).items()]
    return " ".join([rules.get("preset") or rules["custom"]["name"], *options])


def cheats_for(seats: list[Json]) -> Json:
    """Those of open seats."""
    taken = [seat for seat, chosen in enumerate(seats) if chosen is HUMAN]
    kept: Json = {}
    for name, given in CHEATS.items():
        if isinstance(given, dict):
            kept[name] = {seat: value for seat, value in given.items() if int(seat) in taken}
        else:
            kept[name] = [seat for seat in given if seat in taken]
    return kept


def play(store: Store, body: Json, chance: int, quits: float = 0.0) -> None:
    """One game by random legal commands; whoever may bank often does."""
    story: list[str] = []
    world, random = World(store, chance, story.append), Random(chance)
    try:
        host = world.people[chance % 4]
        world.open_table(host, body)
        strolls.fill_and_start(world, world.people)
        moves = 0
        while world.table.status != "finished":
            if moves % CHECKED_EVERY == 0:
                world.check()
            strolls.move(world, random, 0.6, quits)
            moves += 1
            assert moves < MOST, "the game does not end"
        world.check()
    except Exception as error:
        error.add_note("\n".join(["The story ends like this:", *story[-LAST_LINES:]]))
        raise
    finally:
        world.server.close()


def seats_for(rules: Json, count: int) -> list[Json]:
    return seated(count, 2 if rules.get("preset") == "house" else 1)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("rules", SHORT, ids=name_of)
def test_every_variant_to_the_end(sqlite_store: Store, rules: Json, count: int) -> None:
    play(sqlite_store, {"rules": rules, "seats": seats_for(rules, count)}, count)


@pytest.mark.parametrize("rules", WHOLE, ids=name_of)
def test_games_of_full_length(sqlite_store: Store, rules: Json) -> None:
    play(sqlite_store, {"rules": rules, "seats": seats_for(rules, 1), "pass_and_play": True}, 1)


@pytest.mark.parametrize("rules", SHORT[::3], ids=name_of)
def test_variants_on_postgres(postgres_store: Store, rules: Json) -> None:
    play(postgres_store, {"rules": rules, "seats": seats_for(rules, 2), "visibility": "private"}, 3)


@pytest.mark.parametrize("rules", [SHORT[0], SHORT[8], SHORT[-1]], ids=name_of)
@pytest.mark.parametrize("chance", range(10))
def test_cheated_games_that_people_leave(sqlite_store: Store, rules: Json, chance: int) -> None:
    seats = seated(4, 2)
    body = {"rules": rules, "seats": seats, "cheats": cheats_for(seats), "pass_and_play": True}
    play(sqlite_store, body, chance, quits=0.05)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_random_rule_sets_to_the_end(store: Store, count: int) -> None:
    for seed in range(60):
        rules = custom(seed)
        dice = {"kind": "seeded", "seed": f"seed {seed}"} if seed % 3 == 0 else {"kind": "fair"}
        seats = seated(count, rules["custom"]["seats"]["min"])
        play(store, {"rules": rules, "seats": seats, "dice": dice}, seed)
