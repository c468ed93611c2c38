"""
Tables with a past: games grown to a length, straight into the database of a running server.

The commands go through the store's own `append`, dozens in one transaction, so that a log of 10 000
events takes a second or two. It is in every byte the log that so many requests would have made, and
has its snapshots too.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.clock import SystemClock
from app.ports import Answer, Decision, Done, Head, Order
from app.service.deciding import entropy_of
from app.store.database import open_database
from app.store.queries import SqlEventStore
from app.store.rows import SNAPSHOT_EVERY
from benchmarks.autoplay import played
from benchmarks.client import call
from benchmarks.players import BANK_FROM, table
from benchmarks.servers import Target
from engine.state import Playing

ENDLESS = 10_000_000
"""A target that no game here reaches."""
AT_ONCE = 64
"""Commands in a transaction."""
LONGEST = 3
"""Events that one of them leads to at most."""


def open_tables(port: int, token: str, how_many: int) -> list[str]:
    """Ids of games that have just started."""
    found: list[str] = []
    for _ in range(how_many):
        game = call(port, "POST", "/v1/games", table(ENDLESS), token)
        call(port, "POST", f"/v1/games/{game['id']}/start", token=token)
        found.append(game["id"])
    return found


async def grow(target: Target, game_ids: Sequence[str], length: int) -> None:
    """Plays each of these games up to so many events, or one or two more."""
    database = open_database(target.database_url)
    try:
        store = SqlEventStore(database, SystemClock())
        for game_id in game_ids:
            version = 0
            while version < length:
                # Close to where a snapshot is due, or the end, one command at a time.
                goal = min(length, (version // SNAPSHOT_EVERY + 1) * SNAPSHOT_EVERY)
                many = max(1, min(AT_ONCE, (goal - version) // LONGEST))
                for outcome in await store.append([_order(game_id)] * many):
                    if not isinstance(outcome, Done):
                        raise outcome
                    version = outcome.head.version
    finally:
        await database.dispose()


def _order(game_id: str) -> Order:
    """One command, the next that the policy gives."""
    at = SystemClock().now()

    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        assert head is not None
        assert isinstance(head.game, Playing)
        step = next(played(head.game, entropy_of(head.game, seeds), BANK_FROM, at))
        return Decision(tuple(step.after.events), step.after.game, lambda *_: Answer(200, b""))

    return Order(game_id, decide)
