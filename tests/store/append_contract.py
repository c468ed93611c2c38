"""What an append promises, one order after the other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.errors import GameNotFound, KeyReused, Overloaded, VersionConflict
from app.ports import Answer, Done, Order
from app.store.chain import verify
from app.store.codec import decode
from app.store.database import Database
from app.store.queries import SqlEventStore
from engine.errors import SeatTaken
from engine.events import GameCreated, PlayerJoined, PlayerLeft
from engine.state import Playing
from tests.store import orders
from tests.store.orders import NOW, done, new_id, open_lobby, play


class AppendContract:
    async def test_what_was_appended_is_read_back(self, store: SqlEventStore) -> None:
        game_id, host, player = new_id(), new_id(), new_id()
        opened = await play(store, orders.opens(orders.setup_of(game_id, host), code="ABCD2345"))
        joined = await play(store, orders.joins(game_id, player, at=NOW + 5))
        records = await store.events(game_id, 0, 100)
        assert [*opened.events, *joined.events] == records
        assert [type(decode(record.data)) for record in records] == [GameCreated, PlayerJoined]
        assert await store.head(game_id) == joined.head
        assert joined.head.version == 2
        assert joined.head.names[:2] == ("Ana", f"player {player[-4:]}")
        assert joined.head.join_code == "ABCD2345"
        assert joined.head.created_at == NOW
        assert await store.seeds(game_id) == orders.SEEDS

    async def test_versions_have_no_gap_and_the_chain_holds(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)
        for _ in range(5):
            await play(store, orders.swaps(game_id, new_id()))
        records = await store.events(game_id, 0, 100)
        assert [record.version for record in records] == list(range(1, 12))
        head = await store.head(game_id)
        assert head is not None
        assert verify(game_id, records) == (head.version, head.hash)

    async def test_a_reader_gets_what_comes_after_its_version(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)
        await store.append([orders.swaps(game_id, new_id()) for _ in range(5)])
        assert [r.version for r in await store.events(game_id, 4, 3)] == [5, 6, 7]
        assert await store.events(game_id, 11, 10) == []
        assert await store.events(new_id(), 0, 10) == []

    async def test_a_repeated_key_gets_the_first_answer(self, store: SqlEventStore) -> None:
        game_id, player = await open_lobby(store), new_id()
        first = await play(store, orders.joins(game_id, player, key="k"))
        again = await play(store, orders.joins(game_id, player, key="k"))
        assert again.answer == first.answer
        assert again.repeated
        assert not first.repeated
        assert again.events == ()
        assert again.head == first.head
        assert len(await store.events(game_id, 0, 10)) == 2

    async def test_a_key_with_another_body_is_refused(self, store: SqlEventStore) -> None:
        game_id, player = await open_lobby(store), new_id()
        await play(store, orders.joins(game_id, player, key="k"))
        with pytest.raises(KeyReused):
            await play(store, orders.joins(game_id, player, key="k", fingerprint=b"other"))

    async def test_the_key_of_another_player_is_another_key(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)
        outcomes = await store.append(
            [orders.joins(game_id, new_id(), key="k"), orders.joins(game_id, new_id(), key="k")]
        )
        assert [done(outcome).repeated for outcome in outcomes] == [False, False]
        assert len(await store.events(game_id, 0, 10)) == 3

    async def test_the_key_comes_before_the_version(self, store: SqlEventStore) -> None:
        """A retry that names the new version must not act twice."""
        game_id, player = await open_lobby(store), new_id()
        first = await play(store, orders.joins(game_id, player, key="k", expected=1))
        for version in (1, 2, 7):
            again = await play(store, orders.joins(game_id, player, key="k", expected=version))
            assert again.answer == first.answer
        assert len(await store.events(game_id, 0, 10)) == 2

    async def test_a_stale_version_is_told_the_current_one(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)
        await play(store, orders.joins(game_id, new_id(), expected=1))
        with pytest.raises(VersionConflict) as conflict:
            await play(store, orders.joins(game_id, new_id(), expected=1))
        assert conflict.value.facts == {"current_version": 2}

    async def test_a_refusal_is_no_answer(self, store: SqlEventStore) -> None:
        """A key whose order was refused may be used again, and then succeed."""
        game_id = await open_lobby(store)
        with pytest.raises(SeatTaken):
            await play(store, orders.fails(game_id, SeatTaken(seat=1), key="k"))
        went_through = await play(store, orders.nothing(game_id, key="k"))
        assert not went_through.repeated

    async def test_an_order_without_events_leaves_the_head_alone(
        self, store: SqlEventStore
    ) -> None:
        game_id = await open_lobby(store)
        before = await store.head(game_id)
        first = await play(store, orders.nothing(game_id, key="k"))
        assert first.head == before
        assert await store.head(game_id) == before
        again = await play(store, orders.nothing(game_id, key="k"))
        assert (again.answer, again.repeated) == (first.answer, True)

    async def test_a_game_that_is_not_there(self, store: SqlEventStore) -> None:
        with pytest.raises(GameNotFound):
            await play(store, orders.joins(new_id(), new_id()))

    async def test_a_batch_of_games_and_some_refuse(self, store: SqlEventStore) -> None:
        ids = [await open_lobby(store) for _ in range(6)]
        batch: list[Order] = []
        for number, game_id in enumerate(ids):
            batch.append(orders.joins(game_id, new_id()))
            if number % 2:
                batch.append(orders.fails(game_id, SeatTaken(seat=1)))
                batch.append(orders.fails(game_id, ZeroDivisionError("a bug"), key="k"))
                batch.append(orders.joins(game_id, new_id(), expected=1))
            batch.append(orders.swaps(game_id, new_id()))
        batch.append(orders.joins(new_id(), new_id()))
        outcomes = await store.append(batch)
        failed = [type(o) for o in outcomes if isinstance(o, Exception)]
        assert failed == [SeatTaken, ZeroDivisionError, VersionConflict] * 3 + [GameNotFound]
        for game_id in ids:
            head = await store.head(game_id)
            assert head is not None
            assert head.version == 4
            assert verify(game_id, await store.events(game_id, 0, 10)) == (4, head.hash)

    async def test_a_key_twice_in_one_batch(self, store: SqlEventStore) -> None:
        game_id, player = await open_lobby(store), new_id()
        outcomes = await store.append([orders.joins(game_id, player, key="k") for _ in range(5)])
        answers = {done(outcome).answer for outcome in outcomes}
        assert len(answers) == 1
        assert len(await store.events(game_id, 0, 10)) == 2

    async def test_a_game_and_the_one_that_follows_it(self, store: SqlEventStore) -> None:
        game_id, following = await open_lobby(store), new_id()
        setup = orders.setup_of(following, new_id())
        turned = await play(store, orders.turns_to(game_id, following, also=orders.opens(setup)))
        assert turned.head.game.setup.game_id == game_id
        assert len(await store.events(game_id, 0, 10)) == 2
        assert len(await store.events(following, 0, 10)) == 1
        assert await store.seeds(following) == orders.SEEDS

    async def test_both_orders_or_neither(self, store: SqlEventStore) -> None:
        game_id, there = await open_lobby(store), await open_lobby(store)
        refused = orders.fails(new_id(), SeatTaken(seat=1), opens=True)
        with pytest.raises(SeatTaken):
            await play(store, orders.turns_to(game_id, refused.game_id, also=refused))
        taken = orders.opens(orders.setup_of(there, new_id()))
        with pytest.raises(Overloaded):
            await play(store, orders.turns_to(game_id, there, also=taken))
        assert len(await store.events(game_id, 0, 10)) == 1
        assert len(await store.events(there, 0, 10)) == 1

    async def test_seeds_are_numbered_on(self, store: SqlEventStore) -> None:
        game_id = await open_lobby(store)
        started = await play(store, orders.starts(game_id, seeds=(b"\xc3" * 32,)))
        assert isinstance(started.head.game, Playing)
        assert await store.seeds(game_id) == (*orders.SEEDS, b"\xc3" * 32)

    async def test_a_bug_in_an_answer_writes_nothing(self, store: SqlEventStore) -> None:
        game_id, unmade = await open_lobby(store), list[Answer]()

        def decide(head: Any, seeds: Any) -> Any:
            made = orders.joins(game_id, new_id()).decide(head, seeds)
            return made._replace(answer=lambda head, records: unmade[0])

        with pytest.raises(IndexError):
            await play(store, Order(game_id, decide, "player", "k"))
        assert len(await store.events(game_id, 0, 10)) == 1

    async def test_the_bytes_of_an_event(self, store: SqlEventStore) -> None:
        game_id, player = await open_lobby(store), new_id()
        swapped = await play(store, orders.swaps(game_id, player))
        left, _ = swapped.events
        assert isinstance(decode(left.data), PlayerLeft)
        assert json.loads(left.data) == {
            "at": NOW,
            "kicked": False,
            "player_id": orders.SOMEBODY,
            "seat": 1,
            "type": "player_left",
        }

    async def test_a_damaged_head_fails_its_own_game_only(
        self, store: SqlEventStore, database: Database
    ) -> None:
        from sqlalchemy import update

        from app.store import tables

        broken, whole = await open_lobby(store), await open_lobby(store)
        async with database.writing() as connection:
            await connection.execute(
                update(tables.games).where(tables.games.c.id == broken).values(play=b"[9]")
            )
        outcomes = await store.append(
            [orders.joins(broken, new_id()), orders.joins(whole, new_id())]
        )
        assert [type(outcome).__name__ for outcome in outcomes] == ["BrokenHistory", "Done"]
        assert isinstance(outcomes[1], Done)
