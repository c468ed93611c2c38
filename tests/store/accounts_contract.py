"""Guests, and tokens that replace each other without losing an account."""

from __future__ import annotations

import asyncio

import pytest

from app.errors import PlayerNotFound
from app.ports import Player
from app.store.accounts import SqlAccounts
from tests.store.orders import NOW, new_id


def token(number: int) -> bytes:
    return bytes([number]) * 32


async def brought(accounts: SqlAccounts, token_hash: bytes) -> Player | None:
    """Whose token this is."""
    caller = await accounts.by_token(token_hash)
    return None if caller is None else caller.player


class AccountsContract:
    @pytest.fixture
    async def ana(self, accounts: SqlAccounts) -> Player:
        player = Player(new_id(), "Zoë Ω 🎲", NOW)
        await accounts.create(player, token(1))
        return player

    async def test_a_token_finds_its_player(self, accounts: SqlAccounts, ana: Player) -> None:
        assert await brought(accounts, token(1)) == ana
        assert await brought(accounts, token(9)) is None
        assert await accounts.get(ana.id) == ana
        assert await accounts.get(new_id()) is None

    async def test_those_in_use_are_found_together(
        self, accounts: SqlAccounts, ana: Player
    ) -> None:
        bob, cleo = Player(new_id(), "Bob", NOW), Player(new_id(), "Cleo", NOW)
        await accounts.create(bob, token(2))
        await accounts.create(cleo, token(3))
        await accounts.rotate(ana.id, token(4), NOW)
        await accounts.ban(cleo.id, NOW)
        asked = [token(number) for number in range(1, 6)]
        found = await accounts.callers(asked)
        assert found.keys() == {token(1), token(2)}, "banned, never used and unknown ones are not"
        assert found == {key: await accounts.by_token(key) for key in found}
        assert await accounts.callers([]) == {}
        assert await brought(accounts, token(4)) == ana, "looking was no first use"
        assert (await accounts.callers(asked)).keys() == {token(2), token(4)}

    async def test_the_old_token_works_until_the_new_one_is_used(
        self, accounts: SqlAccounts, ana: Player
    ) -> None:
        await accounts.rotate(ana.id, token(2), NOW)
        assert await brought(accounts, token(1)) == ana
        assert await brought(accounts, token(2)) == ana
        assert await brought(accounts, token(1)) is None
        assert await brought(accounts, token(2)) == ana

    async def test_a_lost_answer_to_a_rotation_costs_nothing(
        self, accounts: SqlAccounts, ana: Player
    ) -> None:
        await accounts.rotate(ana.id, token(2), NOW)
        await accounts.rotate(ana.id, token(3), NOW)
        assert await brought(accounts, token(2)) == ana
        assert await brought(accounts, token(1)) is None
        assert await brought(accounts, token(3)) == ana
        assert await brought(accounts, token(2)) is None

    async def test_a_new_token_used_at_once_from_everywhere(
        self, accounts: SqlAccounts, ana: Player
    ) -> None:
        await accounts.rotate(ana.id, token(2), NOW)
        found = await asyncio.gather(*(brought(accounts, token(2)) for _ in range(8)))
        assert found == [ana] * 8

    async def test_rename(self, accounts: SqlAccounts, ana: Player) -> None:
        await accounts.rename(ana.id, "Bo")
        assert await brought(accounts, token(1)) == ana._replace(name="Bo")
        with pytest.raises(PlayerNotFound):
            await accounts.rename(new_id(), "Bo")

    async def test_a_forgotten_player_is_gone(self, accounts: SqlAccounts, ana: Player) -> None:
        await accounts.rotate(ana.id, token(2), NOW)
        await accounts.unseat(ana.id, NOW)
        await accounts.forget(ana.id)
        assert await brought(accounts, token(1)) is None
        assert await brought(accounts, token(2)) is None
        assert await accounts.get(ana.id) is None
        with pytest.raises(PlayerNotFound):
            await accounts.rotate(ana.id, token(3), NOW)

    async def test_the_tokens_of_a_banned_player_open_nothing_until_the_ban_ends(
        self, accounts: SqlAccounts, ana: Player
    ) -> None:
        await accounts.rotate(ana.id, token(2), NOW)
        assert await accounts.ban(ana.id, NOW + 1) == NOW + 1
        assert await accounts.ban(ana.id, NOW + 2) == NOW + 1
        assert [await brought(accounts, token(n)) for n in (1, 2)] == [None, None]
        assert await accounts.live_tokens([token(1), token(2)]) == set()
        assert await accounts.get(ana.id) == ana
        await accounts.unban(ana.id)
        await accounts.unban(ana.id)
        assert await accounts.live_tokens([token(1), token(2)]) == {token(1), token(2)}
        assert await brought(accounts, token(2)) == ana
        with pytest.raises(PlayerNotFound):
            await accounts.ban(new_id(), NOW)
        with pytest.raises(PlayerNotFound):
            await accounts.unban(new_id())
