"""The contract on a real Postgres, and what only Postgres needs."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import ProgrammingError

from app.errors import Overloaded, StoreUnavailable
from app.ports import Done
from app.store import tables
from app.store.append import Appender
from app.store.bulk import paired
from app.store.clocks import SqlClockRows
from app.store.database import POSTGRES_SETTINGS, Database, open_database
from app.store.lanes import Query
from app.store.queries import SqlEventStore
from tests.servers.postgres import PostgresServer
from tests.store import orders
from tests.store.contract import Contract
from tests.store.kept_contract import moves, running, watched
from tests.store.orders import StoppedClock, a_column, done, new_id, open_lobby, play


async def plan_of(
    database: Database, query: Query, values: tuple[Any, ...], options: str = ""
) -> str:
    """How Postgres answers it."""
    async with database.reader.connect() as connection:
        raw = await connection.get_raw_connection()
        driver = raw.driver_connection
        assert driver is not None
        lines = await driver.fetch(f"EXPLAIN {options} {query.text}", *values)
    return "\n".join(line[0] for line in lines)


class TestPostgres(Contract):
    @pytest.fixture
    def url(self, postgres_url: str) -> str:
        return postgres_url

    @pytest.mark.parametrize("table", ["events", "seeds", "operator_calls", "purse_journal"])
    @pytest.mark.parametrize(
        "deed", ["DELETE FROM {}", "UPDATE {} SET {} = 'x'", "TRUNCATE {}", "DROP TABLE {}"]
    )
    async def test_the_role_that_plays_may_only_add(
        self, store: SqlEventStore, database: Database, table: str, deed: str
    ) -> None:
        await open_lobby(store)
        with pytest.raises(ProgrammingError, match=r"permission denied|must be owner"):
            async with database.writer.begin() as connection:
                await connection.execute(text(deed.format(table, a_column(table))))

    async def test_a_repeated_key_is_found_by_its_index(
        self, store: SqlEventStore, database: Database
    ) -> None:
        """Whatever the planner thinks of the table, which nobody has analysed yet."""
        query = Appender(database, StoppedClock())._answers
        values = query.bind(**paired("postgresql", "asked", [("player", "key")]))
        plan = await plan_of(database, query, values)
        assert "Index Scan using answers_pk " in plan, plan
        assert "Seq Scan" not in plan, plan

    async def test_what_is_not_due_costs_a_look_for_what_is_nothing(
        self, store: SqlEventStore, database: Database
    ) -> None:
        async with database.writer.begin() as connection:
            rows = [{"game_id": f"{n:04}", "due_at": 4_000_000_000_000 + n} for n in range(2_000)]
            await connection.execute(insert(tables.clocks), rows)
        query = SqlClockRows(database)._due
        plan = await plan_of(database, query, query.bind(most=9), "ANALYZE")
        assert "Index Cond: (due_at <=" in plan, plan
        assert "Rows Removed by Filter" not in plan, plan

    async def test_every_connection_has_its_limits(self, database: Database) -> None:
        for engine in (database.writer, database.reader):
            async with engine.connect() as connection:
                for name in POSTGRES_SETTINGS:
                    shown = (await connection.execute(text(f"SHOW {name}"))).scalar_one()
                    assert (
                        shown
                        == {
                            "application_name": "hotdice",
                            "statement_timeout": "5s",
                            "lock_timeout": "2s",
                            "idle_in_transaction_session_timeout": "10s",
                            "client_connection_check_interval": "500ms",
                            "jit": "off",
                        }[name]
                    )

    async def test_a_late_commit_hides_nothing(
        self, store: SqlEventStore, database: Database
    ) -> None:
        """Readers follow a game's versions; that another game commits first is no matter."""
        early, late = await open_lobby(store), await open_lobby(store)
        slow = open_database(database.writer.url)
        async with slow.writer.begin() as connection:
            # Begun first, committed last.
            await connection.execute(
                text("SELECT 1 FROM games WHERE id = :id FOR UPDATE"), {"id": late}
            )
            await play(store, orders.joins(early, new_id()))
            assert [r.version for r in await store.events(early, 1, 10)] == [2]
            assert await store.events(late, 1, 10) == []
        await slow.dispose()
        await play(store, orders.joins(late, new_id()))
        assert [r.version for r in await store.events(late, 1, 10)] == [2]

    async def test_a_stuck_game_holds_up_itself_alone(
        self, store: SqlEventStore, database: Database
    ) -> None:
        stuck, free = await open_lobby(store), await open_lobby(store)
        slow = open_database(database.writer.url)
        async with slow.writer.begin() as connection:
            await connection.execute(
                text("SELECT 1 FROM games WHERE id = :id FOR UPDATE"), {"id": stuck}
            )
            outcomes = await store.append(
                [orders.joins(stuck, new_id()), orders.joins(free, new_id())]
            )
        await slow.dispose()
        assert isinstance(outcomes[0], Overloaded)
        assert done(outcomes[1]).head.version == 2

    async def test_so_does_a_running_one_whose_head_is_at_hand(
        self, store: SqlEventStore, database: Database
    ) -> None:
        stuck, free = await running(store), await running(store)
        slow = open_database(database.writer.url)
        async with slow.writer.begin() as connection:
            await connection.execute(
                text("SELECT 1 FROM games WHERE id = :id FOR UPDATE"), {"id": stuck}
            )
            ways = await watched(database)
            outcomes = await store.append([moves(stuck), moves(free), moves(stuck)])
        await slow.dispose()
        assert [type(outcome) for outcome in outcomes] == [Overloaded, Done, Overloaded]
        assert done(outcomes[1]).head.version == 3
        assert ways == ["at hand", "under lock", "under lock"], "it was waited for once more"

    async def test_a_connection_that_was_cut_is_replaced(
        self, store: SqlEventStore, postgres_server: PostgresServer, database: Database
    ) -> None:
        game_id = await open_lobby(store)
        await store.head(game_id)
        name = database.writer.url.database
        postgres_server.sql(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )
        await play(store, orders.joins(game_id, new_id(), key="k"))
        assert await store.head(game_id) is not None

    async def test_a_server_that_is_away(self) -> None:
        database = open_database("postgresql://nobody:secret@127.0.0.1:1/hotdice")
        store = SqlEventStore(database, StoppedClock())
        (outcome,) = await store.append([orders.joins(new_id(), new_id())])
        assert isinstance(outcome, StoreUnavailable)
        with pytest.raises(StoreUnavailable):
            await store.head(new_id())
        with pytest.raises(StoreUnavailable):
            await database.ping()
        await database.dispose()
