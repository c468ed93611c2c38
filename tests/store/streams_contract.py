"""What streams store: tickets that open once, tokens that have ended, who is connected where."""

from __future__ import annotations

import asyncio

import pytest

from app.ports import Player
from app.store.accounts import TOKENS_AT_ONCE, SqlAccounts
from app.store.database import Database
from app.store.presence import SqlPresence
from app.store.tickets import SqlTickets
from app.tickets import Redeemed
from tests.store.orders import LIVES, NOW, new_id

FORGOTTEN_MS = 400


def some_hash(number: int) -> bytes:
    return number.to_bytes(32, "big")


class StreamsContract:
    @pytest.fixture
    def tickets(self, database: Database) -> SqlTickets:
        return SqlTickets(database, LIVES)

    @pytest.fixture
    async def bo(self, accounts: SqlAccounts) -> Player:
        player = Player(new_id(), "Bo", NOW)
        await accounts.create(player, some_hash(1))
        return player

    async def test_a_ticket_opens_once(self, tickets: SqlTickets, bo: Player) -> None:
        await tickets.issue(some_hash(7), bo.id, some_hash(1), NOW, NOW + 30)
        assert await tickets.redeem(some_hash(8), NOW) is None
        assert await tickets.redeem(some_hash(7), NOW + 29) == Redeemed(bo, some_hash(1))
        assert await tickets.redeem(some_hash(7), NOW + 29) is None

    async def test_of_many_who_bring_a_ticket_one_gets_in(
        self, tickets: SqlTickets, bo: Player
    ) -> None:
        await tickets.issue(some_hash(7), bo.id, some_hash(1), NOW, NOW + 30)
        found = await asyncio.gather(*(tickets.redeem(some_hash(7), NOW) for _ in range(8)))
        assert sorted(found, key=bool) == [*(None,) * 7, Redeemed(bo, some_hash(1))]

    async def test_a_ticket_expires(self, tickets: SqlTickets, bo: Player) -> None:
        await tickets.issue(some_hash(7), bo.id, some_hash(1), NOW, NOW + 30)
        assert await tickets.redeem(some_hash(7), NOW + 30) is None
        await tickets.issue(some_hash(8), bo.id, some_hash(1), NOW, NOW + 30)
        await tickets.issue(some_hash(9), bo.id, some_hash(1), NOW + 30, NOW + 60)  # sweeps
        assert await tickets.redeem(some_hash(8), NOW) is None
        assert await tickets.redeem(some_hash(9), NOW + 31) is not None

    async def test_a_ticket_is_worth_its_token(
        self, tickets: SqlTickets, accounts: SqlAccounts, bo: Player
    ) -> None:
        await tickets.issue(some_hash(7), bo.id, some_hash(1), NOW, NOW + 30)
        await tickets.issue(some_hash(8), bo.id, some_hash(2), NOW, NOW + 30)
        assert await tickets.redeem(some_hash(8), NOW) is None
        await accounts.unseat(bo.id, NOW)
        await accounts.forget(bo.id)
        assert await tickets.redeem(some_hash(7), NOW) is None

    async def test_which_tokens_live(self, accounts: SqlAccounts, bo: Player) -> None:
        asked = [some_hash(n) for n in range(TOKENS_AT_ONCE + 3)]
        assert await accounts.live_tokens(asked) == {some_hash(1)}
        await accounts.rotate(bo.id, some_hash(2), NOW)
        assert await accounts.live_tokens(asked) == {some_hash(1), some_hash(2)}
        assert await accounts.by_token(some_hash(2))  # the first use: looking was none
        assert await accounts.live_tokens(asked) == {some_hash(2)}
        assert await accounts.live_tokens([]) == set()

    async def test_processes_see_each_others_seats(self, database: Database) -> None:
        one, other = (SqlPresence(database, name, FORGOTTEN_MS) for name in ("one", "other"))
        assert await one.show([("a", 0), ("a", 1), ("b", 0)], []) is False  # it is new
        assert await one.show([("a", 1)], [("b", 0)]) is True  # saying it twice is fine
        await other.show([("a", 1), ("a", 2)], [])
        assert await one.elsewhere(["a", "b", "c"]) == {("a", 1), ("a", 2)}
        assert await other.elsewhere(["a"]) == {("a", 0), ("a", 1)}
        assert await other.elsewhere(["b"]) == set()
        await one.withdraw()
        assert await other.elsewhere(["a"]) == set()

    async def test_a_silent_process_has_nobody_and_is_swept(self, database: Database) -> None:
        silent = SqlPresence(database, "silent", FORGOTTEN_MS)
        living = SqlPresence(database, "living", FORGOTTEN_MS)
        await silent.show([("a", 0)], [])
        await living.show([("a", 1)], [])
        assert await living.elsewhere(["a"]) == {("a", 0)}
        await asyncio.sleep(FORGOTTEN_MS / 1000 + 0.05)
        assert await living.elsewhere(["a"]) == set()
        assert await living.show([], []) is True
        await living.sweep()
        assert await living.show([], []) is True
        assert await silent.show([], []) is False  # swept: it has to say everything again
        assert await living.elsewhere(["a"]) == set()
        await silent.show([("a", 0)], [])
        assert await living.elsewhere(["a"]) == {("a", 0)}
