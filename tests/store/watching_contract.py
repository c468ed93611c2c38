"""What watchers read: whose seats run, what is in the lobby, many games at once."""

from __future__ import annotations

from sqlalchemy import delete, select, update

from app.ports import Sitting
from app.store import tables, watching
from app.store.database import Database
from app.store.queries import SqlEventStore
from app.store.rebuild import refold
from engine.state import SeededDice
from tests.store import orders
from tests.store.orders import new_id, open_lobby, play


class WatchingContract:
    async def test_seats_run_from_the_joining_to_the_end(self, store: SqlEventStore) -> None:
        player, other = new_id(), new_id()
        game_id = await open_lobby(store, visibility="private")
        assert await store.sittings([player, other]) == []
        await play(store, orders.joins(game_id, player, seat=1))
        assert await store.sittings([player, other]) == [Sitting(player, game_id, 2)]
        await play(store, orders.joins(game_id, player, seat=2))
        await play(store, orders.leaves(game_id, player, 1))
        assert await store.sittings([player]) == [Sitting(player, game_id, 4)]
        await play(store, orders.starts(game_id))
        assert await store.sittings([player]) == [Sitting(player, game_id, 5)]
        await play(store, orders.ends(game_id))
        assert await store.sittings([player]) == []

    async def test_a_seat_left_does_not_run(self, store: SqlEventStore) -> None:
        player, heir = new_id(), new_id()
        game_id = await open_lobby(store)
        await play(store, orders.joins(game_id, player))
        await play(store, orders.joins(game_id, heir))
        assert await store.sittings([player, heir]) == [Sitting(heir, game_id, 3)]
        await play(store, orders.joins(game_id, player))
        assert await store.sittings([player, heir]) == [Sitting(player, game_id, 4)]

    async def test_a_batch_that_starts_and_ends_a_game(self, store: SqlEventStore) -> None:
        player, game_id = new_id(), await open_lobby(store)
        await store.append(
            [orders.joins(game_id, player), orders.starts(game_id), orders.ends(game_id)]
        )
        assert await store.sittings([player]) == []
        mine = await store.games_of(player, status=None, to_move=None, before=None, limit=9)
        assert [row.head.game.setup.game_id for row in mine] == [game_id]

    async def test_seats_of_more_players_than_a_statement_takes(self, store: SqlEventStore) -> None:
        first, last = new_id(), new_id()
        games = [await open_lobby(store), await open_lobby(store)]
        await play(store, orders.joins(games[0], first))
        await play(store, orders.joins(games[1], last))
        asked = [first, *(new_id() for _ in range(watching.AT_ONCE)), last]
        assert [row.game_id for row in await store.sittings(asked)] == games
        assert await store.sittings([]) == []

    async def test_seats_run_again_after_a_rebuild(
        self, store: SqlEventStore, database: Database
    ) -> None:
        player = new_id()
        runs, is_over = await open_lobby(store), await open_lobby(store)
        for game_id in (runs, is_over):
            await play(store, orders.joins(game_id, player))
        await play(store, orders.ends(is_over))
        async with database.writing() as connection:
            await connection.execute(update(tables.games).values(version=0))
            await connection.execute(delete(tables.seats))
        await refold(database, runs)
        await refold(database, is_over)
        assert await store.sittings([player]) == [Sitting(player, runs, 2)]
        async with database.reading() as connection:
            held = select(tables.seats.c.holds).where(tables.seats.c.player_id == player)
            assert list((await connection.execute(held)).scalars()) == [True, True]

    async def test_the_lobby_is_what_anybody_may_join(self, store: SqlEventStore) -> None:
        await open_lobby(store, visibility="private")
        await open_lobby(store, visibility="unlisted")
        await open_lobby(store, dice=SeededDice("a"))
        first, second, third = [await open_lobby(store) for _ in range(3)]
        started = await open_lobby(store)
        await play(store, orders.starts(started))
        await play(store, orders.joins(second, new_id()))
        assert list((await store.lobby(2)).items()) == [(third, 1), (second, 2)]
        found = await store.lobby(500)
        assert list(found)[:3] == [third, second, first]
        assert started not in found

    async def test_many_games_at_once(self, store: SqlEventStore, database: Database) -> None:
        first, second, damaged = [await open_lobby(store) for _ in range(3)]
        await play(store, orders.joins(second, new_id(), at=orders.NOW + 5))
        async with database.writing() as connection:
            broken = update(tables.games).where(tables.games.c.id == damaged)
            await connection.execute(broken.values(play=b"[99]"))
        asked = [first, *(new_id() for _ in range(watching.AT_ONCE)), second, damaged]
        found = await store.summaries(asked)
        assert set(found) == {first, second}
        assert found[second] == (await store.head(second), orders.NOW + 5)
