"""Games that ended are counted once, whoever does it and whatever comes in between."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from multiprocessing.process import BaseProcess
from random import Random

import pytest
from sqlalchemy import delete, event, text, update

from app.recounting import recounted
from app.store import tables
from app.store.codec import decode
from app.store.counting import Counting, Read
from app.store.database import Database, open_database
from app.store.queries import SqlEventStore
from tests.store import orders
from tests.store.orders import open_lobby, play
from tests.store.past import (
    PEOPLE,
    Past,
    expected,
    fair,
    goes_on,
    lay,
    past,
    rematch,
    stored,
    voids,
    waiting,
)

PROCESSES = 3
GAMES = 40


class CountingContract:
    async def test_what_ended_is_counted(
        self, store: SqlEventStore, database: Database, counting: Counting
    ) -> None:
        games = [past(seed) for seed in range(30)]
        results, ladders = expected(games)
        assert len(results) > 20, "most of them count"
        assert len({row[0] for row in ladders}) > 5, "on ladders of all kinds"
        await lay(store, *games)
        assert store.some_ended.is_set()
        may_count = {game.id for game in games if game.setup.counts}
        assert 10 < len(may_count) < 20, "what cannot count does not wait"
        assert set(await waiting(database)) == may_count
        assert await counting.uncounted() == len(may_count)
        await counting.round()
        assert await counting.uncounted() == 0
        assert await stored(database) == (results, ladders)
        assert await waiting(database) == []

    async def test_a_game_waits_from_its_end_on(
        self, store: SqlEventStore, database: Database, counting: Counting
    ) -> None:
        whole = fair(3)
        begun = whole._replace(log=whole.log[:-1])
        await lay(store, begun)
        await open_lobby(store)
        assert await waiting(database) == []
        assert not store.some_ended.is_set()
        await counting.again([whole.id])
        assert await stored(database) == ([], [])
        await play(store, goes_on(whole, whole.log[-1]))
        assert await waiting(database) == [whole.id]
        await counting.round()
        assert await stored(database) == expected([whole])

    async def test_a_closed_lobby_is_no_game(
        self, store: SqlEventStore, database: Database, counting: Counting
    ) -> None:
        game_id = await open_lobby(store)
        await play(store, orders.joins(game_id, PEOPLE[0]))
        await play(store, orders.ends(game_id))
        await counting.round()
        assert await stored(database) == ([], [])
        assert await waiting(database) == []

    async def test_a_rematch_changes_nothing(
        self, store: SqlEventStore, database: Database, counting: Counting
    ) -> None:
        games = [past(seed) for seed in range(6)]
        await lay(store, *games)
        await counting.round()
        for game in games:
            await play(store, rematch(game))
        assert set(await waiting(database)) == {game.id for game in games if game.setup.counts}
        await counting.round()
        assert await stored(database) == expected(games)
        assert await waiting(database) == []

    async def test_a_voided_game_is_taken_out_again(
        self, store: SqlEventStore, database: Database, counting: Counting
    ) -> None:
        games = [fair(seed) for seed in range(12)]
        await lay(store, *games)
        await counting.round()
        assert await stored(database) == expected(games)
        out = [game for game in games if counted_at_all(game)]
        assert len(out) > 5
        left = list(games)
        for number, game in enumerate(out):
            await play(store, voids(game))
            left.remove(game)
            if number % 3:
                await counting.round()
                assert await stored(database) == expected(left)
        await counting.round()
        assert await stored(database) == ([], [])

    async def test_a_game_voided_before_it_was_counted(
        self, store: SqlEventStore, database: Database, counting: Counting
    ) -> None:
        game, other = fair(3), fair(4)
        await lay(store, game, other)
        await play(store, voids(game))
        await counting.round()
        assert await stored(database) == expected([other])

    async def test_a_damaged_log_holds_up_nobody(
        self, store: SqlEventStore, database: Database, counting: Counting
    ) -> None:
        games = [past(seed) for seed in range(4)]
        await lay(store, *games)
        async with database.writing() as connection:
            await connection.execute(
                text(
                    "INSERT INTO events SELECT game_id, 99999, :data, hash, 99999 "
                    "FROM events WHERE version = 1 AND game_id = :id"
                ),
                {"data": b"no event", "id": games[0].id},
            )
        await counting.round()
        assert await stored(database) == expected(games[1:])
        assert await waiting(database) == []

    async def test_a_log_that_moves_while_it_is_read_is_read_again(
        self, store: SqlEventStore, database: Database
    ) -> None:
        game = fair(3)
        assert counted_at_all(game)
        await lay(store, game)
        moves = [rematch(game)]

        class Slow(Counting):
            """Somebody is quicker than its transaction."""

            async def _read(self, game_id: str) -> Read:
                read = await super()._read(game_id)
                while moves:
                    await play(store, moves.pop())
                return read

        slow = Slow(database, decode)
        assert await slow.count([game.id]) == 0
        assert await stored(database) == ([], [])
        assert await waiting(database) == [game.id]
        assert await slow.count([game.id]) == 1
        assert await stored(database) == expected([game])

    async def test_a_crash_leaves_a_game_to_the_next(
        self, store: SqlEventStore, database: Database, counting: Counting
    ) -> None:
        """At every statement of the transaction, its commit included."""
        game = fair(3)
        await lay(store, game)
        falls = [0]
        statements = [0]

        def fall(*_: object) -> None:
            statements[0] += 1
            if statements[0] == falls[0]:
                raise Crash

        sync = database.writer.sync_engine
        event.listen(sync, "before_cursor_execute", fall)
        event.listen(sync, "commit", fall)
        try:
            while True:
                falls[0] += 1
                statements[0] = 0
                try:
                    await counting.round()
                except Crash:
                    assert await stored(database) == ([], [])
                    assert await waiting(database) == [game.id]
                else:
                    break
        finally:
            event.remove(sync, "before_cursor_execute", fall)
            event.remove(sync, "commit", fall)
        assert falls[0] > 5
        assert await stored(database) == expected([game])

    async def test_three_at_once_count_each_game_once(
        self, store: SqlEventStore, database: Database
    ) -> None:
        games = [past(seed) for seed in range(GAMES)]
        countings = [Counting(database, decode) for _ in range(PROCESSES)]
        over = asyncio.Event()

        async def counts(one: Counting) -> None:
            while not over.is_set():
                await one.round()
                await asyncio.sleep(0)

        running = [asyncio.create_task(counts(one)) for one in countings]
        for game in games:
            await lay(store, game)
        over.set()
        await asyncio.gather(*running)
        await countings[0].round()
        assert await stored(database) == expected(games)

    async def test_three_processes_count_each_game_once(
        self, store: SqlEventStore, database: Database, url: str
    ) -> None:
        games = [past(seed) for seed in range(GAMES)]
        with counters(url, GAMES) as another:
            others = [another() for _ in range(PROCESSES)]
            for game in games:
                await lay(store, game)
                if counted_at_all(game):
                    await play(store, rematch(game))
            await end_well(others)
        assert await stored(database) == expected(games)

    @pytest.mark.faults
    async def test_processes_that_are_killed_leave_nothing_half_done(
        self, store: SqlEventStore, database: Database, url: str
    ) -> None:
        """Three count what ends; each is killed at some moment and another takes its place."""
        chance = Random(7)
        games = [past(seed) for seed in range(3 * GAMES)]
        late = iter(games)
        with counters(url, len(games)) as another:
            others = [another() for _ in range(PROCESSES)]
            for _ in range(4):
                for number, process in enumerate(others):
                    await lay(store, *islice(late, 10))
                    await asyncio.sleep(chance.random())
                    process.kill()
                    others[number] = another()
            await lay(store, *late)
            await end_well(others)
        assert await stored(database) == expected(games)

    @pytest.mark.parametrize("seed", range(4))
    async def test_figures_made_anew_are_the_live_ones(
        self, store: SqlEventStore, database: Database, url: str, seed: int
    ) -> None:
        """To the byte: whatever was counted when, in whatever order, and whatever was lost."""
        chance = Random(seed)
        countings = [Counting(database, decode) for _ in range(PROCESSES)]
        games: list[Past] = []
        for number in range(25):
            games.append(past(1_000 * seed + number))
            await lay(store, games[-1])
            if chance.random() < 0.4:
                await chance.choice(countings).round()
            if chance.random() < 0.2:
                await play(store, rematch(chance.choice(games)))
        await countings[0].round()
        live = await stored(database)
        assert live == expected(games)
        assert await recounted(url) == 25
        assert await stored(database) == live
        await spoil(database, chance, games)
        assert await stored(database) != live
        assert await recounted(url) == 25
        assert await stored(database) == live
        assert await waiting(database) == []

    async def test_figures_are_made_anew_while_games_end(
        self, store: SqlEventStore, database: Database, url: str, counting: Counting
    ) -> None:
        games = [past(seed) for seed in range(10)]
        await lay(store, *games)
        await counting.round()
        later = [past(seed) for seed in range(10, 30)]

        async def goes_on_meanwhile() -> None:
            for ending in [asyncio.create_task(lay(store, game)) for game in later]:
                await ending
                await counting.round()

        await asyncio.gather(recounted(url), goes_on_meanwhile(), recounted(url))
        await counting.round()
        assert await stored(database) == expected([*games, *later])


class Crash(Exception):
    pass


def counted_at_all(game: Past) -> bool:
    return expected([game])[0] != []


async def spoil(database: Database, chance: Random, games: Sequence[Past]) -> None:
    """Lose some rows, damage others, invent a few."""
    invented = ("no such game", PEOPLE[0], "0" * 32, None, 1, 1, 1, 1, 1, 1, 1, 1)
    some = [game.id for game in chance.sample(games, 10)]
    results, ladders = tables.results, tables.ladders

    async with database.writing() as connection:
        await connection.execute(delete(results).where(results.c.game_id.in_(some[:5])))
        damaged = update(results).where(results.c.game_id.in_(some[5:]))
        await connection.execute(damaged.values(wins=1, banked_points=7))
        await connection.execute(results.insert().values(invented))
        await connection.execute(update(ladders).values(wins=ladders.c.wins + 1))
        await connection.execute(delete(ladders).where(ladders.c.player_id == PEOPLE[1]))


@contextmanager
def counters(url: str, games: int) -> Iterator[Callable[[], BaseProcess]]:
    """Starts processes that count until so many games are over, and none waits."""
    spawn, started = multiprocessing.get_context("spawn"), list[BaseProcess]()

    def another() -> BaseProcess:
        started.append(spawn.Process(target=_counts, args=(url, games)))
        started[-1].start()
        return started[-1]

    try:
        yield another
    finally:  # a test that fails lays no more games: they would wait for ever
        for process in started:
            process.kill()


async def end_well(processes: Sequence[BaseProcess]) -> None:
    for process in processes:
        await asyncio.to_thread(process.join, 120)
    assert [process.exitcode for process in processes] == [0] * len(processes)


def _counts(url: str, games: int) -> None:
    """Counts until so many games are over and none waits; a failure is the exit code."""

    async def run() -> None:
        database = open_database(url)
        counting = Counting(database, decode)
        while True:
            await counting.round()
            if await ended_games(database) == games and not await waiting(database):
                break
            await asyncio.sleep(0.02)
        await database.dispose()

    asyncio.run(run())


async def ended_games(database: Database) -> int:
    async with database.reading() as connection:
        count = text("SELECT count(*) FROM games WHERE status = 'finished'")
        return int((await connection.execute(count)).scalar_one())
