"""Purses: what wins put in, what is paid for, what voided games give back; and their journal."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select, text

from app.errors import ReferenceReused
from app.ports import Decision, Head, Order
from app.purses import Purchase, PurseHeld
from app.store import tables
from app.store.database import Database
from app.store.purse_book import Difference, SqlPurseBook
from app.store.purses import Purse
from app.store.queries import SqlEventStore
from engine.commands import VoidGame
from engine.decide import transition
from engine.events import GameFinished, PurseCounted, PurseSpent
from engine.evolve import evolve
from engine.state import Reason
from tests.store import orders
from tests.store.orders import NOW, done, new_id, play, said, setup_of, starts


async def running(store: SqlEventStore, host: str) -> str:
    """A started game of jester between the host and somebody else."""
    game_id = new_id()
    await play(store, orders.opens(setup_of(game_id, host, preset="jester")))
    await play(store, orders.joins(game_id, new_id()))
    await play(store, starts(game_id))
    return game_id


def wins(game_id: str, reason: Reason = "target") -> Order:
    """Seat 0 does."""

    def decide(head: Head | None, _: tuple[bytes, ...]) -> Decision:
        assert head is not None
        event = GameFinished(NOW + 1, reason, (0,), ())
        return Decision((event,), evolve(head.game, event), said)

    return Order(game_id, decide)


def voids(game_id: str) -> Order:
    def decide(head: Head | None, _: tuple[bytes, ...]) -> Decision:
        assert head is not None
        step = transition(head.game, VoidGame(NOW + 2))
        return Decision(step.events, step.game, said)

    return Order(game_id, decide)


def spends(game_id: str) -> Order:
    """Seat 0 does, whatever its purse holds; it is told what that is."""

    def decide(head: Head | None, _: tuple[bytes, ...]) -> Decision:
        assert head is not None
        held = head.purses[0]
        assert held is not None
        events = (PurseCounted(NOW, 0, held), PurseSpent(NOW, 0, held - 1))
        game = head.game
        for event in events:
            game = evolve(game, event)
        return Decision(events, game, said)

    return Order(game_id, decide)


async def journal(database: Database, player: str) -> list[tuple[object, ...]]:
    """(entry, kind, delta, balance, name) of a player's."""
    j = tables.purse_journal.c
    query = select(j.entry, j.kind, j.delta, j.balance, j.name).where(j.player_id == player)
    async with database.reading() as connection:
        return [tuple(row) for row in await connection.execute(query.order_by(j.entry))]


def bought(player: str, reference: str, wild_rolls: int = 5, pack: str | None = None) -> Purchase:
    return Purchase(player, reference, wild_rolls, pack)


class PursesContract:
    @pytest.fixture
    def purses(self, database: Database) -> SqlPurseBook:
        return SqlPurseBook(database)

    async def test_only_the_first_win_reaches_a_world(
        self, store: SqlEventStore, database: Database, purses: SqlPurseBook
    ) -> None:
        ana = new_id()
        assert await purses.held(ana) == PurseHeld(0, ())
        for _ in range(2):
            await play(store, wins(await running(store, ana)))
            assert await purses.held(ana) == PurseHeld(1, ("pocket",))
        assert await journal(database, ana) == [(1, "world", 1, 1, "pocket")]
        await play(store, wins(await running(store, new_id()), "ended_early"))
        assert await journal(database, ana) == [(1, "world", 1, 1, "pocket")]

    async def test_two_first_wins_at_once_are_one(
        self, store: SqlEventStore, database: Database, purses: SqlPurseBook
    ) -> None:
        ana = new_id()
        games = [await running(store, ana) for _ in range(6)]
        for [outcome] in await asyncio.gather(*(store.append([wins(g)]) for g in games)):
            done(outcome)
        assert await purses.held(ana) == PurseHeld(1, ("pocket",))
        assert len(await journal(database, ana)) == 1

    async def test_a_voided_win_is_taken_back_and_may_be_won_again(
        self, store: SqlEventStore, database: Database, purses: SqlPurseBook
    ) -> None:
        ana = new_id()
        first, second = await running(store, ana), await running(store, ana)
        for game in (first, second):
            await play(store, wins(game))
        await play(store, voids(second))
        assert await purses.held(ana) == PurseHeld(1, ("pocket",))
        for _ in range(2):
            await play(store, voids(first))
        assert await purses.held(ana) == PurseHeld(0, ())
        await play(store, wins(await running(store, ana)))
        assert [row[1:4] for row in await journal(database, ana)] == [
            ("world", 1, 1),
            ("voided", -1, 0),
            ("world", 1, 1),
        ]

    async def test_a_voided_game_gives_back_what_was_spent_there(
        self, store: SqlEventStore, purses: SqlPurseBook
    ) -> None:
        ana = new_id()
        await purses.credit(bought(ana, f"r{ana}", 2), NOW)
        ended, runs = await running(store, ana), await running(store, ana)
        await play(store, spends(ended))
        await play(store, spends(runs))
        await play(store, wins(ended))
        assert await purses.held(ana) == PurseHeld(1, ("pocket",))
        await play(store, voids(runs))
        assert await purses.held(ana) == PurseHeld(2, ("pocket",))
        await play(store, voids(ended))
        assert await purses.held(ana) == PurseHeld(2, ())

    async def test_what_was_spent_since_is_not_taken_back(
        self, store: SqlEventStore, database: Database, purses: SqlPurseBook
    ) -> None:
        ana = new_id()
        first, other = await running(store, ana), await running(store, ana)
        await play(store, wins(first))
        await play(store, spends(other))
        await play(store, voids(first))
        assert await purses.held(ana) == PurseHeld(0, ())
        assert (await journal(database, ana))[-1] == (3, "voided", 0, 0, "pocket")

    async def test_a_purse_is_never_below_zero(
        self, store: SqlEventStore, purses: SqlPurseBook
    ) -> None:
        ana = new_id()
        games = [await running(store, ana) for _ in range(6)]
        await purses.credit(bought(ana, f"r{ana}", 2), NOW)
        outcomes = await asyncio.gather(*(store.append([spends(game)]) for game in games))
        refused = [o for [o] in outcomes if isinstance(o, Exception)]
        assert {getattr(error, "code", error) for error in refused} == {"no_wild_rolls"}
        assert len(refused) == 4
        assert await purses.held(ana) == PurseHeld(0, ())
        again = await store.append([spends(game) for game in games])
        assert all(isinstance(outcome, Exception) for outcome in again)

    async def test_one_batch_spends_what_there_is(
        self, store: SqlEventStore, purses: SqlPurseBook
    ) -> None:
        ana = new_id()
        games = [await running(store, ana) for _ in range(3)]
        await purses.credit(bought(ana, f"r{ana}", 2), NOW)
        outcomes = await store.append([spends(game) for game in games])
        assert [isinstance(o, Exception) for o in outcomes] == [False, False, True]
        assert (await purses.held(ana)).wild_rolls == 0

    async def test_a_purchase_counts_once(self, database: Database, purses: SqlPurseBook) -> None:
        ana, bo = new_id(), new_id()
        first = await purses.credit(bought(ana, ana, 5, "small"), NOW)
        assert (first.balance, first.at) == (5, NOW)
        await purses.credit(bought(ana, bo, 7), NOW)
        again = await purses.credit(bought(ana, ana, 6, "small"), NOW + 9)
        assert again == first
        for other in (
            bought(ana, ana, 5),
            bought(ana, ana, 5, "large"),
            bought(bo, ana, 5, "small"),
            bought(ana, bo, 8),
        ):
            with pytest.raises(ReferenceReused):
                await purses.credit(other, NOW)
        assert await purses.held(bo) == PurseHeld(0, ())
        assert [row[1:] for row in await journal(database, ana)] == [
            ("credited", 5, 5, "small"),
            ("credited", 7, 12, None),
        ]

    async def test_a_purchase_told_many_times_at_once(self, purses: SqlPurseBook) -> None:
        ana, bo = new_id(), new_id()
        found = await asyncio.gather(*(purses.credit(bought(ana, ana), NOW) for _ in range(8)))
        assert {credited.balance for credited in found} == {5}
        both = await asyncio.gather(
            *(purses.credit(bought(who, bo), NOW) for who in (ana, bo)), return_exceptions=True
        )
        assert [type(outcome) for outcome in both].count(ReferenceReused) == 1
        held = [(await purses.held(who)).wild_rolls for who in (ana, bo)]
        assert sum(held) == 10

    async def test_a_purse_is_held_against_its_journal(
        self, store: SqlEventStore, database: Database, purses: SqlPurseBook
    ) -> None:
        ana, bo, cy = new_id(), new_id(), new_id()
        for who in (ana, bo, cy):
            await purses.credit(bought(who, who), NOW)
        await play(store, wins(await running(store, ana)))
        assert [found async for found in purses.differences()] == []
        async with database.writing() as connection:
            for change in (
                f"UPDATE purses SET balance = 99, worlds = '{{}}' WHERE player_id = '{ana}'",
                f"DELETE FROM purses WHERE player_id = '{bo}'",
                "INSERT INTO purses VALUES ('nobody', 1, '{}', 1)",
            ):
                await connection.execute(text(change))
        found = [found async for found in purses.differences()]
        assert sorted((f.player_id, f.stored.balance, f.journal.balance) for f in found) == sorted(
            [(ana, 99, 6), (bo, 0, 5), ("nobody", 1, 0)]
        )
        assert all(isinstance(one, Difference) for one in found)
        for one in found:
            await purses.mend(one.player_id)
        assert [found async for found in purses.differences()] == []
        assert await purses.held(ana) == PurseHeld(6, ("pocket",))
        assert (await purses.held("nobody")).wild_rolls == Purse().balance
