"""The log as followers read it: by commands, from anywhere; and how far games have come."""

from __future__ import annotations

from sqlalchemy import update

from app.ports import Snapshot
from app.store import following, tables
from app.store.database import Database
from app.store.queries import SqlEventStore
from app.store.rebuild import replay
from app.store.rows import SNAPSHOT_EVERY
from tests.store import orders
from tests.store.orders import long_lobby, new_id, open_lobby, play


class FollowingContract:
    async def test_events_come_by_the_commands_that_wrote_them(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)
        await play(store, orders.joins(game_id, new_id()))
        await play(store, orders.swaps(game_id, new_id()))
        await store.append(
            [orders.swaps(game_id, new_id()), orders.joins(game_id, new_id(), seat=2)]
        )
        log = await store.events(game_id, 0, 99)
        lasts = [1, 2, 4, 6, 7]
        for after in range(8):
            found = await store.commands(game_id, after, 99)
            assert [group[-1].version for group in found] == [v for v in lasts if v > after]
            assert [record for group in found for record in group] == log[after:]

    async def test_a_limit_cuts_no_command(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)
        await play(store, orders.swaps(game_id, new_id()))
        await play(store, orders.swaps(game_id, new_id()))
        versions = [
            [[record.version for record in group] for group in await store.commands(game_id, 1, n)]
            for n in (1, 2, 3, 4, 5)
        ]
        assert versions == [[[2, 3]], [[2, 3]], *([[2, 3], [4, 5]],) * 3]
        assert [r.version for r in (await store.commands(game_id, 4, 1))[0]] == [5]

    async def test_no_events_no_commands(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)
        assert await store.commands(game_id, 1, 9) == []
        assert await store.commands(new_id(), 0, 9) == []

    async def test_versions_of_many_games(self, store: SqlEventStore) -> None:
        first, second = await open_lobby(store), await open_lobby(store)
        await play(store, orders.swaps(second, new_id()))
        asked = [first, *(new_id() for _ in range(2 * following.AT_ONCE)), second]
        assert await store.versions(asked) == {first: 1, second: 3}
        assert await store.versions([]) == {}

    async def test_two_games_of_one_transaction_are_two_commands(
        self, store: SqlEventStore
    ) -> None:
        game_id, rematch = await open_lobby(store), new_id()
        also = orders.opens(orders.setup_of(rematch, new_id()))
        await play(store, orders.turns_to(game_id, rematch, also))
        assert [len(group) for group in await store.commands(game_id, 0, 9)] == [1, 1]
        assert [len(group) for group in await store.commands(rematch, 0, 9)] == [1]

    async def test_a_state_is_stored_not_far_before_any_version(self, store: SqlEventStore) -> None:
        length = 3 * SNAPSHOT_EVERY
        game_id = await long_lobby(store, length)
        assert await store.snapshot(game_id, SNAPSHOT_EVERY - 1) is None
        far = SNAPSHOT_EVERY + 40  # twenty commands were written at once
        for version in range(far, length, 37):
            found = await store.snapshot(game_id, version)
            assert found is not None
            assert version - far < found.version <= version
            fold = await replay(store, game_id, found.version)
            assert found == Snapshot(fold.game, fold.version, fold.hash)  # type: ignore[arg-type]
        assert await store.snapshot(new_id(), length) is None

    async def test_a_state_of_another_release_is_none(
        self, store: SqlEventStore, database: Database
    ) -> None:
        game_id = await long_lobby(store, SNAPSHOT_EVERY)
        async with database.writing() as connection:
            await connection.execute(update(tables.snapshots).values(play=b"[99]"))
        assert await store.snapshot(game_id, 10_000) is None
