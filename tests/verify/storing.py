"""Recorded games put into a real store, command by command, as a server would have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from app.ports import Answer, Decision, Done, Head, Order, Recorded
from app.store.queries import SqlEventStore
from engine.events import Event
from engine.evolve import evolve
from engine.state import Game
from tests.verify.recording import Recording


async def keep(store: SqlEventStore, recording: Recording) -> None:
    """The whole game, one order after the other."""
    for order in orders_of(recording):
        [outcome] = await store.append([order])
        assert isinstance(outcome, Done), outcome


def orders_of(recording: Recording) -> Iterator[Order]:
    game: Game | None = None
    drawn = 0
    for step in recording.steps:
        after = reduce(evolve, step, game)
        assert after is not None
        seeds = recording.seeds[drawn : len(after.setup.server_commits)]
        drawn += len(seeds)
        yield _order(recording.id, step, after, seeds, opens=game is None)
        game = after


def _order(
    game_id: str, events: tuple[Event, ...], game: Game, seeds: tuple[bytes, ...], *, opens: bool
) -> Order:
    def decide(head: Head | None, known: tuple[bytes, ...]) -> Decision:
        names = (None,) * len(game.setup.places)
        return Decision(events, game, _said, names, seeds=seeds)

    return Order(game_id, decide, opens=opens)


def _said(head: Head, records: Sequence[Recorded]) -> Answer:
    return Answer(200, b"", head.version)
