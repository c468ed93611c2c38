"""Purses beside the games that spend from them: a port, and what goes through it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from engine.units import Millis


class PurseHeld(NamedTuple):
    """What a player has of its own, in whatever game."""

    wild_rolls: int = 0
    worlds: tuple[str, ...] = ()


class Purchase(NamedTuple):
    """Wild Rolls that were paid for."""

    player_id: str
    reference: str
    """Of the payment; counts once, for ever."""
    wild_rolls: int
    pack: str | None
    """None: an amount of its own."""


class Credited(NamedTuple):
    purchase: Purchase
    balance: int
    """Of the purse, right after it."""
    at: Millis


class PurseBook(Protocol):
    """The purses of players, beside the games that spend from them."""

    async def held(self, player_id: str) -> PurseHeld: ...

    async def repeated(self, purchase: Purchase) -> Credited | None:
        """
        What this purchase got when it was put in; None where its reference is new. Of a pack only
        the name is compared: what is in it may be another amount by now.

        Raises: ReferenceReused.
        """
        ...

    async def credit(self, purchase: Purchase, now: Millis) -> Credited:
        """
        Puts a purchase in; a repeated one changes nothing and gets what the first got.

        Raises: ReferenceReused.
        """
        ...
