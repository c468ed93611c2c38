"""
Tables with a past: games grown to a length, straight into the database of a running server.

The commands go through the store's own `append`, hundreds in one order, so that a log of 10 000
events takes a second, and is in every byte the log that so many requests would have made.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.clock import SystemClock
from app.ports import Answer, Decision, Done, Head, Order
from app.service.deciding import entropy_of
from app.store.database import open_database
from app.store.queries import SqlEventStore
from benchmarks.autoplay import played
from benchmarks.client import Unexpected, call
from benchmarks.players import BANK_FROM, table
from benchmarks.servers import Target
from engine.events import Event
from engine.state import Game, Playing

ENDLESS = 10_000_000
"""A target that no game here reaches."""


def open_tables(port: int, token: str, how_many: int) -> list[str]:
    """Ids of games that have just started."""
    found: list[str] = []
    for _ in range(how_many):
        game = call(port, "POST", "/v1/games", table(ENDLESS), token)
        call(port, "POST", f"/v1/games/{game['id']}/start", token=token)
        found.append(game["id"])
    return found


async def grow(target: Target, game_ids: Sequence[str], length: int) -> None:
    """Plays each of these games up to so many events, or a few more."""
    database = open_database(target.database_url)
    try:
        store = SqlEventStore(database, SystemClock())
        for game_id in game_ids:
            [outcome] = await store.append([_order(game_id, length)])
            if not isinstance(outcome, Done):
                raise outcome
            if outcome.head.version < length:
                raise Unexpected(f"the game ended at event {outcome.head.version}")
    finally:
        await database.dispose()


def _order(game_id: str, length: int) -> Order:
    at = SystemClock().now()

    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        assert head is not None
        assert isinstance(head.game, Playing)
        game: Game = head.game
        events: list[Event] = []
        steps = played(head.game, entropy_of(head.game, seeds), BANK_FROM, at)
        while head.version + len(events) < length:
            step = next(steps)
            events += step.after.events
            game = step.after.game
        return Decision(tuple(events), game, lambda *_: Answer(200, b""))

    return Order(game_id, decide)
