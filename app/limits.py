"""
How often one may: rate limits, and the guards against guessing.

A limit is met per player and, five times wider, per address, so that a household is not one player
and a script with many players is still one address. All tokens of a player share one limit: those
it lends to scripts make it no wider. Counts are kept by a `Tally`: in memory for one process,
exchanged over Redis where several serve.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from app.errors import AppError, CodeNotFound, GameNotFound
from app.settings import Settings
from app.tally.counts import Standing, Tally

ADDRESS_FACTOR = 5
MOST_KNOWN = 10_000
"""Tokens whose player is known."""

Kind = Literal["guests", "games", "commands", "reads"]


class RateLimited(AppError):
    """Facts: `limit` (a minute), `retry_after_s`."""

    code = "rate_limited"
    says = "Too much in a minute (the limit is {limit}). Try again in {retry_after_s} s."


def check(standing: Standing) -> None:
    """Raises: RateLimited."""
    if standing.wait_s:
        raise RateLimited(limit=standing.limit, retry_after_s=standing.wait_s)


class RateLimits:
    """Requests of each kind, per player and per address."""

    def __init__(self, settings: Settings, tally: Tally) -> None:
        self.on = settings.rate_limits
        self._tally = tally
        self._players: dict[bytes, str] = {}
        """By the hashes of their tokens."""
        self._limits: dict[Kind, int] = {
            "guests": settings.limit_guests,
            "games": settings.limit_games,
            "commands": settings.limit_commands,
            "reads": settings.limit_reads,
        }

    @property
    def shared(self) -> bool | None:
        """Whether other processes' counts are known; None where nobody else is asked."""
        return self._tally.shared if self.on else None

    def belongs(self, token: bytes, player_id: str | None) -> None:
        """A token was looked up: from now on it counts for its player; None: it is nobody's."""
        if player_id is None:
            self._players.pop(token, None)
            return
        if len(self._players) >= MOST_KNOWN:
            self._players.clear()  # each counts for itself until it is looked up again
        self._players[token] = player_id

    def count(self, kind: Kind, token: bytes | None, address: str) -> Standing:
        """
        Count a request, where limits are on.

        Args:
            token: the hash of the caller's token; None: the address stands for the caller.
        Returns:
            Where the caller stands, with the limit that leaves least.
        """
        limit = self._limits[kind]
        if token is None:
            return self._tally.hit((kind, address), limit)
        own = self._tally.hit((kind, self._players.get(token, token)), limit)
        if own.wait_s:
            return own
        wide = self._tally.hit((kind, address), limit * ADDRESS_FACTOR)
        return wide if wide.left < own.left or wide.wait_s else own

    def admit(self, kind: Kind, token: bytes | None, address: str) -> None:
        """As `count`. Raises: RateLimited."""
        if self.on:
            check(self.count(kind, token, address))


class JoinCodeGuard:
    """
    Makes guessing join codes pointless without locking anybody out who knows one.

    A player with too many wrong codes is refused whatever comes next. An address with too many is
    refused only with further wrong codes: a right one from another player behind it still opens.
    """

    def __init__(self, settings: Settings, tally: Tally) -> None:
        self._on = settings.rate_limits
        self._tally = tally
        self._per_player = settings.limit_codes_player
        self._per_address = settings.limit_codes_address
        self._open: Counter[str] = Counter()
        """By player: codes that are being looked up. Many at once are no way around."""

    @contextmanager
    def guess(self, player_id: str, address: str) -> Iterator[None]:
        """
        Around the look-up of a code, which raises CodeNotFound or GameNotFound for a wrong one.

        Raises: RateLimited, instead of looking, or of saying that it was wrong.
        """
        if not self._on:
            yield
            return
        self._admit(player_id)
        self._open[player_id] += 1
        try:
            yield
        except (CodeNotFound, GameNotFound):
            self._tally.hit(("codes of player", player_id), self._per_player)
            check(self._tally.hit(("codes from", address), self._per_address))
            raise
        finally:
            self._open[player_id] -= 1
            if not self._open[player_id]:
                del self._open[player_id]

    def _admit(self, player_id: str) -> None:
        room = self._per_player - self._open.get(player_id, 0)
        wait = self._tally.blocked(("codes of player", player_id), room) if room > 0 else 1
        if wait:
            raise RateLimited(limit=self._per_player, retry_after_s=wait)


class TicketGuard:
    """
    Makes guessing tickets slow: too many wrong ones of an address are refused as too many.

    A right one opens its stream all the same: whoever shares the address is not locked out.
    """

    def __init__(self, settings: Settings, tally: Tally) -> None:
        self._on = settings.rate_limits
        self._tally = tally
        self._per_address = settings.limit_codes_address

    def wrong(self, address: str) -> None:
        """Call when a ticket was wrong, before saying so. Raises: RateLimited, to say instead."""
        if self._on:
            check(self._tally.hit(("tickets from", address), self._per_address))
