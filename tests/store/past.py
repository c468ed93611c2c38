"""Whole games for the store: logs of random play, appended in one order or in several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import select

from app.ports import Decision, Head, Order
from app.rulebook import rules_key
from app.statistics import ladders_of
from app.store import tables
from app.store.database import Database
from app.store.queries import SqlEventStore
from engine.events import Event, GameFinished, GameStarted, RematchCreated, ResultVoided
from engine.evolve import evolve, replay
from engine.figures import Figures, by_player, counted
from engine.presets import preset_from_text
from engine.rules import Rules
from engine.state import Cheats, FairDice, Place, SeededDice, Setup
from tests.engine.walks import started, walk
from tests.store.orders import new_id, play, said, setup_of

PEOPLE = tuple(f"01936f2e-7b1c-7000-8000-aaaaaaaaaaa{n}" for n in range(4))
MOST = 400
"""Commands; a game that goes on is ended by its host then."""


class Past(NamedTuple):
    """A game that ended, with its whole log."""

    setup: Setup
    log: tuple[Event, ...]

    @property
    def id(self) -> str:
        return self.setup.game_id


@cache
def short_rules(name: str, target: int) -> Rules:
    text = files("engine").joinpath("presets", f"{name}.toml").read_text("utf-8")
    return preset_from_text(text).rules({} if name == "jester" else {"target": target})


def past(seed: int, **settings: Any) -> Past:
    """A game told by one integer: who plays, what, how, and whether it counts."""
    chance = Random(seed)
    name, target = chance.choice(["farkle", "house", "jester"]), chance.choice([1000, 2000])
    people = chance.sample(PEOPLE, chance.randint(1, 4))
    if len(people) == 1:
        people *= 2
    rules = short_rules(name, target)
    chosen: dict[str, Any] = {
        "rules": rules,
        "preset": chance.choice([name, name, None]),
        "places": tuple(Place("human", None, player) for player in people),
        "dice": chance.choice([SeededDice("x"), *[FairDice()] * 4]),
        "cheats": chance.choice([Cheats(), *[None] * 4]),
        **settings,
    }
    setup = setup_of(new_id(), people[0])._replace(**chosen)
    _, begun = started(setup)
    log: list[Event] = list(begun)
    for step in walk(setup, seed, MOST):
        log += step.events
    if not any(isinstance(event, GameFinished) for event in log):
        at = log[-1].at + 1
        log.append(GameFinished(at, "ended_early", (chance.randrange(len(people)),), ()))
    return Past(setup, tuple(log))


def fair(seed: int) -> Past:
    """One without cheats, its dice fair."""
    return past(seed, dice=FairDice(), cheats=None)


def opens_whole(game: Past) -> Order:
    """The whole log at once."""

    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        names = tuple("somebody" for _ in game.setup.places)
        return Decision(game.log, replay(game.log), said, names)

    return Order(game.id, decide, opens=True)


def goes_on(game: Past, *events: Event) -> Order:
    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        assert head is not None
        after = head.game
        for event in events:
            after = evolve(after, event)
        return Decision(events, after, said)

    return Order(game.id, decide)


async def lay(store: SqlEventStore, *games: Past) -> None:
    """These games were played."""
    for game in games:
        # In two steps: a purse is read for who sits at the table when a command comes.
        starts = 1 + next(n for n, event in enumerate(game.log) if isinstance(event, GameStarted))
        await play(store, opens_whole(game._replace(log=game.log[:starts])))
        if game.log[starts:]:
            await play(store, goes_on(game, *game.log[starts:]))


def rematch(game: Past) -> Order:
    return goes_on(game, RematchCreated(game.log[-1].at, new_id()))


def voids(game: Past) -> Order:
    return goes_on(game, ResultVoided(game.log[-1].at))


Row = tuple[Any, ...]


def expected(games: Sequence[Past]) -> tuple[list[Row], list[Row]]:
    """Results and ladders, by plain arithmetic over the logs."""
    results: list[Row] = []
    sums: dict[tuple[str, str], list[Row]] = {}
    for game in games:
        found = counted(game.log)
        if found is None:
            continue
        key, preset = rules_key(game.setup.rules), game.setup.preset
        for player, row in by_player(found).items():
            results.append(
                (game.id, player, key, preset, found.ended_at, int(row.won), *row.figures)
            )
            for ladder in ladders_of(preset, key):
                sums.setdefault((ladder, player), []).append((int(row.won), *row.figures))
    best = 1 + Figures._fields.index("best_turn")
    ladders: list[Row] = []
    for pair, rows in sums.items():
        columns = list(zip(*rows, strict=True))
        added = [max(c) if n == best else sum(c) for n, c in enumerate(columns)]
        ladders.append((*pair, len(rows), *added))
    return sorted(results), sorted(ladders)


async def stored(database: Database) -> tuple[list[Row], list[Row]]:
    """Results and ladders as they are, in order."""
    found: list[list[Row]] = []
    async with database.reading() as connection:
        for table in (tables.results, tables.ladders):
            rows = await connection.execute(select(table).order_by(*table.primary_key))
            found.append(sorted(tuple(row) for row in rows))
    return found[0], found[1]


async def waiting(database: Database) -> list[str]:
    async with database.reading() as connection:
        return list((await connection.execute(select(tables.ended.c.game_id))).scalars())
