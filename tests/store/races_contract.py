"""What an append promises when many arrive at once, and when the database gets in the way."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
from itertools import count
from typing import Any

import pytest

from app.errors import Overloaded, VersionConflict
from app.matching import match_key
from app.ports import AnotherWaits, Done, Order, Outcome
from app.store.alone import MOST_HELD
from app.store.append import PAUSES_S
from app.store.chain import verify
from app.store.database import Database, open_database
from app.store.lanes import Lane, Lanes, Writes
from app.store.queries import SqlEventStore
from tests.store import orders
from tests.store.orders import StoppedClock, done, new_id, open_lobby, play

IN_ANOTHER_PROCESS = 60


async def at_once(store: SqlEventStore, *wanted: Order) -> list[Outcome]:
    """Each in a call of its own."""
    return [outcome for [outcome] in await asyncio.gather(*(store.append([o]) for o in wanted))]


class Serialization(Exception):
    sqlstate = "40001"


class LosingLane:
    """Fails at its commit, as a lost race does, until it was asked so many times."""

    def __init__(self, lane: Lane, losses: list[int]) -> None:
        self._lane = lane
        self._losses = losses

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lane, name)

    async def commit(self, writes: Writes) -> None:
        if self._losses:
            self._losses.pop()
            raise Serialization()
        await self._lane.commit(writes)


async def losing(database: Database, times: int) -> list[int]:
    """Makes the next so many transactions fail; what is left in the list did not."""
    losses = list(range(times))
    honest = database.writing_lanes
    await honest.close()

    async def open_lane() -> Lane:
        return LosingLane(await honest.open(), losses)

    database.writing_lanes = Lanes(1, 2.0, open_lane)
    return losses


class RacesContract:
    async def test_one_key_at_once_has_one_effect(self, store: SqlEventStore) -> None:
        game_id, player = await open_lobby(store), new_id()
        outcomes = await at_once(store, *(orders.joins(game_id, player, key="k") for _ in range(5)))
        assert len({done(outcome).answer for outcome in outcomes}) == 1
        assert sorted(done(outcome).repeated for outcome in outcomes) == [False] + [True] * 4
        assert len(await store.events(game_id, 0, 10)) == 2

    async def test_one_game_is_opened_by_five_creations_with_one_key(
        self, store: SqlEventStore
    ) -> None:
        """Each draws an id of its own: no row is there to lock, the key alone judges."""
        host = new_id()
        setups = [orders.setup_of(new_id(), host) for _ in range(5)]
        outcomes = await at_once(store, *(orders.opens(setup, key="k") for setup in setups))
        assert len({done(outcome).answer for outcome in outcomes}) == 1
        assert len({done(outcome).head.game.setup.game_id for outcome in outcomes}) == 1
        found = [await store.head(setup.game_id) for setup in setups]
        assert len([head for head in found if head]) == 1

    async def test_one_table_waits_under_a_key(self, store: SqlEventStore) -> None:
        setups = [orders.setup_of(new_id(), new_id())._replace(host=None) for _ in range(6)]
        other = orders.setup_of(new_id(), new_id(), preset="jester")._replace(host=None)
        outcomes = await at_once(store, *map(orders.opens, (*setups, other)))
        assert [type(o) for o in outcomes].count(AnotherWaits) == 5
        assert isinstance(outcomes[-1], Done), "it waits under another key"
        [waits] = [done(o).head for o in outcomes[:-1] if isinstance(o, Done)]
        game_id, key = waits.game.setup.game_id, match_key(setups[0])
        assert await store.waiting_table(key) == game_id
        assert await store.waiting_table(match_key(other)) == other.game_id

        await play(store, orders.ends(game_id))
        assert await store.waiting_table(key) is None
        both = [orders.opens(setup._replace(game_id=new_id())) for setup in setups[:2]]
        opened, refused = await store.append(both)
        assert isinstance(refused, AnotherWaits), "also where both are in one batch"
        assert await store.waiting_table(key) == done(opened).head.game.setup.game_id

    async def test_a_full_table_waits_no_longer(self, store: SqlEventStore) -> None:
        setup = orders.setup_of(new_id(), new_id())._replace(host=None)
        await play(store, orders.opens(setup))
        key = match_key(setup)
        guests = [new_id() for _ in range(orders.SEATS - 1)]
        for seat, guest in enumerate(guests, 1):
            assert await store.waiting_table(key) == setup.game_id
            await play(store, orders.joins(setup.game_id, guest, seat=seat))
        assert await store.waiting_table(key) is None
        await play(store, orders.leaves(setup.game_id, guests[0], 1))
        assert await store.waiting_table(key) == setup.game_id
        assert await store.ever_sat(setup.game_id, guests[0])
        assert not await store.ever_sat(setup.game_id, new_id())

    async def test_of_sixteen_racers_on_a_version_one_wins(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)
        for version in range(1, 6):
            racers = (orders.joins(game_id, new_id(), expected=version) for _ in range(16))
            outcomes = await at_once(store, *racers)
            assert len([o for o in outcomes if isinstance(o, Done)]) == 1
            losers = [o for o in outcomes if isinstance(o, VersionConflict)]
            assert [o.facts for o in losers] == [{"current_version": version + 1}] * 15

    async def test_whoever_waits_for_a_table_finds_all_who_sat_down_meanwhile(
        self, store: SqlEventStore
    ) -> None:
        """What a table is laid with is a row of its own, and is read as late as the game's."""
        for _ in range(5):
            game_id = await open_lobby(store)
            guests = [new_id() for _ in range(orders.SEATS - 1)]
            sits = [orders.joins(game_id, guest, seat=n) for n, guest in enumerate(guests, 1)]
            for outcome in await at_once(store, *sits):
                done(outcome)
            head = await store.head(game_id)
            assert head is not None
            assert [place.player_id for place in head.game.setup.places[1:]] == guests

    async def test_writers_never_find_the_database_locked(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)

        async def writer(number: int) -> None:
            for _ in range(20):
                seat = 1 + number % 7
                await play(store, orders.joins(game_id, new_id(), seat=seat))

        async def reader() -> None:
            seen = 0
            while seen < 321:
                records = await store.events(game_id, seen, 1_000)
                assert [r.version for r in records] == [*range(seen + 1, seen + 1 + len(records))]
                seen += len(records)
                await asyncio.sleep(0.001)

        await asyncio.gather(*map(writer, range(16)), *(reader() for _ in range(4)))
        head = await store.head(game_id)
        assert head is not None
        assert verify(game_id, await store.events(game_id, 0, 1_000)) == (321, head.hash)

    async def test_orders_without_events_race_with_others(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)
        mixed = [orders.joins(game_id, new_id()) for _ in range(50)]
        mixed += [orders.nothing(game_id) for _ in range(50)]
        random.Random(12).shuffle(mixed)
        for outcome in await at_once(store, *mixed):
            done(outcome)
        head = await store.head(game_id)
        assert head is not None
        assert head.version == len(await store.events(game_id, 0, 1_000)) == 51

    async def test_batches_that_share_games(self, store: SqlEventStore) -> None:
        ids = [await open_lobby(store) for _ in range(8)]
        chance = random.Random(8)

        async def batch() -> None:
            chosen = chance.sample(ids, 6)
            for outcome in await store.append([orders.joins(i, new_id()) for i in chosen]):
                done(outcome)

        await asyncio.gather(*(batch() for _ in range(20)))
        heads = [await store.head(game_id) for game_id in ids]
        assert sum(head.version - 1 for head in heads if head) == 120

    @pytest.mark.parametrize("size", [1, 3])
    async def test_a_lost_race_is_run_again(
        self, store: SqlEventStore, database: Database, size: int
    ) -> None:
        ids = [await open_lobby(store) for _ in range(size)]
        losses = await losing(database, 2)
        outcomes = await store.append([orders.joins(i, new_id(), key="k") for i in ids])
        assert losses == []
        for game_id, outcome in zip(ids, outcomes, strict=True):
            assert not done(outcome).repeated
            assert len(await store.events(game_id, 0, 10)) == 2

    async def test_who_loses_every_race_is_told_to_come_back(
        self, store: SqlEventStore, database: Database
    ) -> None:
        game_id, player = await open_lobby(store), new_id()
        losses = await losing(database, 1_000)
        with pytest.raises(Overloaded):
            await play(store, orders.joins(game_id, player, key="k"))
        losses.clear()
        assert len(await store.events(game_id, 0, 10)) == 1
        assert not (await play(store, orders.joins(game_id, player, key="k"))).repeated

    async def test_where_all_are_held_up_the_waiting_ends(
        self, store: SqlEventStore, database: Database
    ) -> None:
        ids = [await open_lobby(store) for _ in range(MOST_HELD + 3)]
        losses = await losing(database, 1_000)
        outcomes = await store.append([orders.joins(i, new_id()) for i in ids])
        assert [type(outcome) for outcome in outcomes] == [Overloaded] * len(ids)
        assert len(losses) == 1_000 - len(PAUSES_S) * (1 + MOST_HELD)

    async def test_a_cut_call_may_be_sent_again(self, store: SqlEventStore) -> None:
        """Cancelled at any moment, the order happened once or not at all; the key tells."""
        game_id = await open_lobby(store)
        chance = random.Random(2)
        for number in range(40):
            player, key = new_id(), f"k{number}"
            task = asyncio.create_task(store.append([orders.joins(game_id, player, key=key)]))
            await asyncio.sleep(chance.random() * 0.004)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await play(store, orders.joins(game_id, player, key=key))
            assert len(await store.events(game_id, 0, 100)) == number + 2

    async def test_two_processes_on_one_database(self, store: SqlEventStore, url: str) -> None:
        game_id = await open_lobby(store)
        spawn = multiprocessing.get_context("spawn")
        others = [spawn.Process(target=_another_process, args=(url, game_id)) for _ in range(2)]
        for process in others:
            process.start()
        for _ in range(IN_ANOTHER_PROCESS):
            await play(store, orders.joins(game_id, new_id(), seat=3))
        for process in others:
            await asyncio.to_thread(process.join, 60)
        assert [process.exitcode for process in others] == [0, 0]
        head = await store.head(game_id)
        assert head is not None
        assert head.version == 3 * IN_ANOTHER_PROCESS + 1
        records = await store.events(game_id, 0, 1_000)
        assert verify(game_id, records) == (head.version, head.hash)


def _another_process(url: str, game_id: str) -> None:
    """Appends to the same game; any failure is this process's exit code."""

    async def run() -> None:
        database = open_database(url)
        store = SqlEventStore(database, StoppedClock())
        for number in count(1):
            await play(store, orders.joins(game_id, f"another {number}"))
            if number == IN_ANOTHER_PROCESS:
                break
        await database.dispose()

    asyncio.run(run())
