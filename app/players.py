"""
Guests: who they are, their tokens, and forgetting them.

A token leaves the server once and is kept as a hash. After a rotation the old one works until the
new one is first used, so that a lost answer does not lose the account.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from app.accounts import Accounts, Bans
from app.errors import PlayerNotFound, Unauthenticated
from app.ids import new_id, new_token
from app.ports import Clock, Player
from app.tokens import Doorkeeper, hash_of
from engine.units import Millis

FORGOTTEN = "deleted player"
"""The name at every table of a player that asked to be forgotten."""


class Guest(NamedTuple):
    player: Player
    token: str


class PlayerService:
    """
    Args:
        leave_tables: resigns a player's running games and leaves its lobbies.
        forget_names: replaces a player's name wherever it is kept.
    """

    def __init__(
        self,
        accounts: Accounts,
        clock: Clock,
        doorkeeper: Doorkeeper,
        leave_tables: Callable[[str], Awaitable[None]],
        forget_names: Callable[[str, str], Awaitable[None]],
        bans: Bans,
    ) -> None:
        self._accounts = accounts
        self._clock = clock
        self._doorkeeper = doorkeeper
        self._leave_tables = leave_tables
        self._forget_names = forget_names
        self._bans = bans

    async def create(self, name: str, *, bot: bool = False) -> Guest:
        """
        A new guest and its token, which is never shown again.

        Args:
            bot: a program plays.
        """
        player = Player(new_id(), name, self._clock.now(), bot)
        token = new_token()
        await self._accounts.create(player, hash_of(token.encode()))
        return Guest(player, token)

    async def get(self, player_id: str) -> Player:
        """Raises: PlayerNotFound."""
        player = await self._accounts.get(player_id)
        if player is None:
            raise PlayerNotFound
        return player

    async def rename(self, player: Player, name: str) -> Player:
        """
        The new name is for tables to come: a table shows the name a player sat down with.

        Raises: Unauthenticated, for one who was forgotten since it was known here.
        """
        try:
            await self._accounts.rename(player.id, name)
        except PlayerNotFound:
            raise Unauthenticated from None
        self._doorkeeper.forget(player.id)
        return player._replace(name=name)

    async def rotate(self, player: Player) -> str:
        """A new token. Raises: Unauthenticated, as `rename` does."""
        token = new_token()
        try:
            await self._accounts.rotate(player.id, hash_of(token.encode()), self._clock.now())
        except PlayerNotFound:
            raise Unauthenticated from None
        return token

    async def forget(self, player: Player) -> None:
        """
        Ends the player: it leaves its tables, its tokens end, its name goes everywhere.

        First it may sit down nowhere any more: a join on its way would seat it behind our back. Its
        tokens end last, and each step may be repeated, so that a retry finishes what a crash left.
        """
        await self._accounts.unseat(player.id, self._clock.now())
        await self._leave_tables(player.id)
        await self._forget_names(player.id, FORGOTTEN)
        await self._accounts.forget(player.id)
        self._doorkeeper.forget(player.id)

    async def ban(self, player_id: str) -> Millis:
        """
        Shuts a player out until `unban`: no token of it opens anything, its streams end, it leaves
        its tables. Since when.

        From then on it may sit down nowhere, also where another process knows its token for a
        moment longer: the append looks. Twice is fine. Raises: PlayerNotFound.
        """
        since = await self._bans.ban(player_id, self._clock.now())
        self._doorkeeper.forget(player_id)
        await self._leave_tables(player_id)
        return since

    async def unban(self, player_id: str) -> None:
        """Its tokens work again. Twice is fine. Raises: PlayerNotFound."""
        await self._bans.unban(player_id)
