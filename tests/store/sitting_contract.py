"""Who may sit down, while somebody is being forgotten or banned."""

from __future__ import annotations

import asyncio
import dataclasses

import pytest

from app.errors import Overloaded, Unauthenticated
from app.ports import Done, Player
from app.store.accounts import SqlAccounts
from app.store.queries import SqlEventStore
from tests.store import orders
from tests.store.orders import NOW, new_id

TOKEN = b"t" * 32


class SittingContract:
    @pytest.fixture
    async def bo(self, accounts: SqlAccounts) -> Player:
        player = Player(new_id(), "Bo", NOW)
        await accounts.create(player, TOKEN)
        return player

    async def test_who_is_being_forgotten_sits_down_nowhere(
        self, store: SqlEventStore, accounts: SqlAccounts, bo: Player
    ) -> None:
        left, lobby = await orders.open_lobby(store), await orders.open_lobby(store)
        await orders.play(store, orders.joins(left, bo.id))
        await accounts.unseat(bo.id, NOW)
        refused, seated = await store.append(
            [orders.joins(lobby, bo.id), orders.joins(lobby, new_id(), seat=2)]
        )
        assert isinstance(refused, Unauthenticated)
        assert orders.done(seated).head.version == 2
        await orders.play(store, orders.leaves(left, bo.id, 1))

    async def test_a_call_to_be_forgotten_may_be_repeated(
        self, accounts: SqlAccounts, bo: Player
    ) -> None:
        """A crash in the midst of it: the token still opens what is needed to call again."""
        await accounts.unseat(bo.id, NOW)
        await accounts.unseat(bo.id, NOW + 1)
        assert await accounts.by_token(TOKEN) == bo
        assert await accounts.get(bo.id) is None
        await accounts.forget(bo.id)
        await accounts.forget(bo.id)
        assert await accounts.by_token(TOKEN) is None

    async def test_a_rematch_that_would_seat_the_forgotten_is_asked_for_again(
        self, store: SqlEventStore, accounts: SqlAccounts, bo: Player
    ) -> None:
        await accounts.unseat(bo.id, NOW)
        old = await orders.open_lobby(store)
        await orders.play(store, orders.ends(old))
        again = orders.opens(orders.setup_of(new_id(), bo.id))
        for author, refusal in ((new_id(), Overloaded), (bo.id, Unauthenticated)):
            order = orders.turns_to(old, new_id(), also=again)
            [outcome] = await store.append([dataclasses.replace(order, author=author)])
            assert isinstance(outcome, refusal)

    async def test_who_is_banned_sits_down_nowhere(
        self, store: SqlEventStore, accounts: SqlAccounts, bo: Player
    ) -> None:
        lobby = await orders.open_lobby(store)
        await accounts.ban(bo.id, NOW)
        [refused] = await store.append([orders.joins(lobby, bo.id)])
        assert isinstance(refused, Unauthenticated)
        await accounts.unban(bo.id)
        await orders.play(store, orders.joins(lobby, bo.id))

    async def test_a_seat_is_taken_before_its_player_is_forgotten_or_not_at_all(
        self, store: SqlEventStore, accounts: SqlAccounts, bo: Player
    ) -> None:
        lobbies = [await orders.open_lobby(store) for _ in range(8)]

        async def unseated() -> set[str]:
            """The seats that somebody who leaves all tables now would find."""
            await accounts.unseat(bo.id, NOW)
            return {row.game_id for row in await store.sittings([bo.id])}

        found, *outcomes = await asyncio.gather(
            unseated(), *(store.append([orders.joins(lobby, bo.id)]) for lobby in lobbies)
        )
        taken = {
            lobby
            for lobby, [outcome] in zip(lobbies, outcomes, strict=True)
            if isinstance(outcome, Done)
        }
        assert found == taken
