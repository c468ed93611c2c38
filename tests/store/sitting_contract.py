"""Who may sit down, while somebody is being forgotten or banned."""

from __future__ import annotations

import asyncio

import pytest

from app.errors import Unauthenticated
from app.ports import Done, Player, SittersGone
from app.store.accounts import SqlAccounts
from app.store.queries import SqlEventStore
from tests.store import orders
from tests.store.orders import NOW, new_id

DORAS = b"t" * 32


class SittingContract:
    @pytest.fixture
    async def dora(self, accounts: SqlAccounts) -> Player:
        player = Player(new_id(), "Dora", NOW)
        await accounts.create(player, DORAS)
        return player

    async def test_who_is_being_forgotten_sits_down_nowhere(
        self, store: SqlEventStore, accounts: SqlAccounts, dora: Player
    ) -> None:
        left, lobby = await orders.open_lobby(store), await orders.open_lobby(store)
        await orders.play(store, orders.joins(left, dora.id))
        await accounts.unseat(dora.id, NOW)
        refused, seated = await store.append(
            [orders.joins(lobby, dora.id), orders.joins(lobby, new_id(), seat=2)]
        )
        assert isinstance(refused, Unauthenticated)
        assert orders.done(seated).head.version == 2
        await orders.play(store, orders.leaves(left, dora.id, 1))

    async def test_a_call_to_be_forgotten_may_be_repeated(
        self, accounts: SqlAccounts, dora: Player
    ) -> None:
        """A crash in the midst of it: the token still opens what is needed to call again."""
        await accounts.rotate(dora.id, b"n" * 32, NOW)
        await accounts.unseat(dora.id, NOW)
        await accounts.unseat(dora.id, NOW + 1)
        for token in (DORAS, b"n" * 32):
            caller = await accounts.by_token(token)
            assert caller is not None
            assert caller.player == dora
        assert await accounts.get(dora.id) is None
        await accounts.forget(dora.id)
        await accounts.forget(dora.id)
        assert await accounts.by_token(DORAS) is None

    async def test_a_rematch_that_would_seat_the_forgotten_is_asked_for_again(
        self, store: SqlEventStore, accounts: SqlAccounts, dora: Player
    ) -> None:
        await accounts.unseat(dora.id, NOW)
        old = await orders.open_lobby(store)
        await orders.play(store, orders.ends(old))
        again = orders.opens(orders.setup_of(new_id(), dora.id))
        for author, refusal in ((new_id(), SittersGone), (dora.id, Unauthenticated)):
            order = orders.turns_to(old, new_id(), also=again)
            [outcome] = await store.append([order._replace(author=author)])
            assert isinstance(outcome, refusal)

    async def test_who_is_banned_sits_down_nowhere(
        self, store: SqlEventStore, accounts: SqlAccounts, dora: Player
    ) -> None:
        lobby = await orders.open_lobby(store)
        await accounts.ban(dora.id, NOW)
        [refused] = await store.append([orders.joins(lobby, dora.id)])
        assert isinstance(refused, Unauthenticated)
        await accounts.unban(dora.id)
        await orders.play(store, orders.joins(lobby, dora.id))

    async def test_a_seat_is_taken_before_its_player_is_forgotten_or_not_at_all(
        self, store: SqlEventStore, accounts: SqlAccounts, dora: Player
    ) -> None:
        lobbies = [await orders.open_lobby(store) for _ in range(8)]

        async def unseated() -> set[str]:
            """The seats that somebody who leaves all tables now would find."""
            await accounts.unseat(dora.id, NOW)
            return {row.game_id for row in await store.sittings([dora.id])}

        found, *outcomes = await asyncio.gather(
            unseated(), *(store.append([orders.joins(lobby, dora.id)]) for lobby in lobbies)
        )
        taken = {
            lobby
            for lobby, [outcome] in zip(lobbies, outcomes, strict=True)
            if isinstance(outcome, Done)
        }
        assert found == taken
