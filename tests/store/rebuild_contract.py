"""Heads can be thrown away: the log brings them back."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, text, update

from app.ports import Head, Snapshot
from app.store import tables
from app.store.database import Database
from app.store.queries import SqlEventStore
from app.store.rebuild import Refolded, refold, refold_all, replay
from app.store.rows import SNAPSHOT_EVERY
from engine.errors import BrokenHistory
from tests.store import orders
from tests.store.orders import long_lobby, new_id, open_lobby, play


async def played(store: SqlEventStore) -> tuple[str, str, Head]:
    """A lobby in which somebody came and went and somebody else sits."""
    game_id, player = await open_lobby(store), new_id()
    await play(store, orders.joins(game_id, player, seat=2))
    await play(store, orders.leaves(game_id, player, 2))
    last = await play(store, orders.joins(game_id, new_id(), seat=1))
    return game_id, player, last.head


class RebuildContract:
    async def test_a_true_head_is_left_alone(
        self, store: SqlEventStore, database: Database
    ) -> None:
        game_id, _, head = await played(store)
        assert await refold(database, game_id) == Refolded(game_id, 4, differed=False)
        fold = await replay(store, game_id)
        assert (fold.game, fold.version, fold.hash) == head[:3]
        assert (await replay(store, game_id, 2)).version == 2

    async def test_a_wrong_head_is_put_right(
        self, store: SqlEventStore, database: Database
    ) -> None:
        game_id, _, head = await played(store)
        async with database.writing() as connection:
            await connection.execute(
                update(tables.games)
                .where(tables.games.c.id == game_id)
                .values(version=3, play=b"[99]", status="finished")
            )
        assert await refold(database, game_id) == Refolded(game_id, 4, differed=True)
        assert await store.head(game_id) == head

    async def test_a_setup_that_is_lost_or_wrong_is_put_right(
        self, store: SqlEventStore, database: Database
    ) -> None:
        setup = tables.setups.c
        game_id, _, head = await played(store)
        _, _, other = await played(store)
        for damage in (
            delete(tables.setups).where(setup.game_id == game_id),
            update(tables.setups).where(setup.game_id == game_id).values(setup=b"{}"),
        ):
            async with database.writing() as connection:
                await connection.execute(damage)
            with pytest.raises(BrokenHistory):
                await store.head(game_id)
            assert await refold(database, game_id) == Refolded(game_id, 4, differed=True)
            assert await store.head(game_id) == head
        assert await store.head(other.game.setup.game_id) == other

    async def test_heads_and_seats_come_back_from_nothing_but_the_log(
        self, store: SqlEventStore, database: Database
    ) -> None:
        games = [await played(store) for _ in range(3)]
        async with database.writing() as connection:
            await connection.execute(delete(tables.games))
            await connection.execute(delete(tables.setups))
            await connection.execute(delete(tables.seats))
        found = [refolded async for refolded in refold_all(database)]
        assert found == [Refolded(game_id, 4, differed=True) for game_id, _, _ in games]
        for game_id, player, head in games:
            nameless = head._replace(names=(None,) * len(head.names))
            assert await store.head(game_id) == nameless
            mine = await store.games_of(player, status=None, to_move=None, before=None, limit=9)
            assert [row.head for row in mine] == [nameless]

    async def test_snapshots_come_back_true(self, store: SqlEventStore, database: Database) -> None:
        game_id = await long_lobby(store, 2 * SNAPSHOT_EVERY)
        async with database.writing() as connection:
            await connection.execute(
                update(tables.snapshots).values(setup=b"{}", version=tables.snapshots.c.version - 1)
            )
        await refold(database, game_id)
        for version in (SNAPSHOT_EVERY, 2 * SNAPSHOT_EVERY):
            fold = await replay(store, game_id, version)
            assert fold.game is not None
            known = Snapshot(fold.game, version, fold.hash)
            assert await store.snapshot(game_id, version) == known
            assert await store.snapshot(game_id, version + 9) == known

    async def test_a_damaged_log_is_told(self, store: SqlEventStore, database: Database) -> None:
        game_id, _, _ = await played(store)
        async with database.writing() as connection:
            await connection.execute(
                text(
                    "INSERT INTO events "
                    "SELECT game_id, 6, data, hash, 6 FROM events WHERE version = 4"
                )
            )
        with pytest.raises(BrokenHistory, match="version 6 follows 4"):
            await refold(database, game_id)
        with pytest.raises(BrokenHistory, match="no events"):
            await refold(database, new_id())
