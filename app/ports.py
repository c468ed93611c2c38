"""
What the service needs from the world: a log, a clock, random bytes, an announcer.

The store runs the deciders. It is handed a batch of orders and, for each, inside one transaction
and in this order: locks the game's row, looks for the answer to a repeated key under that lock,
compares the expected version, lets the order decide, and writes events, folded head, answer and
clock rows together. An order that is refused or in conflict never touches its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from engine.events import Event
from engine.state import Game
from engine.units import Millis


class BotName(str):
    """The name of a bot account, where a table knows nothing of it but names."""

    __slots__ = ()


class Head(NamedTuple):
    """A game as its log folds at one version, with what belongs to it but not into the log."""

    game: Game
    version: int
    hash: bytes
    """h_version of the chain: 32 bytes."""
    names: tuple[str | None, ...]
    """The name a player had when seated, by seat; None where nobody sits. A `BotName` where a bot
    account does."""
    join_code: str | None
    """None once the game has started."""
    created_at: Millis
    updated_at: Millis = 0
    """`at` of the last event."""
    read_at: Millis = 0
    """When an order reads it, by the clock that all processes share; 0 elsewhere."""
    purses: tuple[int | None, ...] = ()
    """For `Order.decide` alone: by seat, what the purse of its player holds in this transaction.
    Empty where the table leaves purses out."""

    @property
    def people(self) -> set[str]:
        """Players that sit here and are no bot accounts."""
        return {
            place.player_id
            for place, name in zip(self.game.setup.places, self.names, strict=True)
            if place.player_id is not None and not isinstance(name, BotName)
        }


class Recorded(NamedTuple):
    """One event as it stands in the log."""

    version: int
    data: bytes
    """Canonical JSON; exactly what is hashed, stored, exported and (with the version) sent."""
    hash: bytes


class Snapshot(NamedTuple):
    """A game as its log folds at one version, and no more."""

    game: Game
    version: int
    hash: bytes


class Answer(NamedTuple):
    """What a command is answered with; stored as it is, so that a retry gets the same bytes."""

    status: int
    body: bytes
    version: int | None = None
    """For the ETag."""
    location: str | None = None


class Decision(NamedTuple):
    """What an order leads to. No events: nothing is written but the answer to its key."""

    events: tuple[Event, ...]
    game: Game
    """The state these events lead to."""
    answer: Callable[[Head, Sequence[Recorded]], Answer]
    """Renders the answer from the new head and the events; called before the commit, pure."""
    names: tuple[str | None, ...] | None = None
    """Names by seat where they change."""
    join_code: str | None = None
    """For a new game."""
    seeds: tuple[bytes, ...] = ()
    """Seeds drawn by this decision, for the table of secrets: the next numbers of attempts."""
    also: Order | None = None
    """A second order (a new game) of the same transaction: both or neither; its own answer is
    thrown away."""
    look_again_at: Millis | None = None
    """Of an order by the clock: what is due is held off until then."""


class Order(NamedTuple):
    """One command on its way into the log."""

    game_id: str
    decide: Callable[[Head | None, tuple[bytes, ...]], Decision]
    """(head, seeds) -> decision; pure. May raise a `Refusal` or an `AppError`. The head is None
    for an order that opens a game. Called again from fresh state after a conflict."""
    author: str | None = None
    """Player id: the scope of the key."""
    key: str | None = None
    """Idempotency-Key."""
    fingerprint: bytes = b""
    """SHA-256 of route and body."""
    expected_version: int | None = None
    """If-Match."""
    opens: bool = False
    """The order creates the game."""
    by_clock: bool = False
    """The server's own, because something fell due: the game's clock row is set anew."""


class Done(NamedTuple):
    answer: Answer
    head: Head
    events: tuple[Recorded, ...]
    repeated: bool
    """True: the stored answer of an earlier order with this key; nothing was written."""


class AnotherWaits(Exception):
    """The outcome of an order that opens a table of match-making where one waits already."""


class SittersGone(Exception):
    """The outcome of an order that would seat others who are forgotten or banned."""

    def __init__(self, players: frozenset[str]) -> None:
        self.players = players
        super().__init__()


class GameExists(Exception):
    """The outcome of an order that opens a game that is there already."""


Outcome = Done | Exception
"""A refusal, conflict or failure is handed back, so that one order cannot fail another."""

Tell = Callable[[Order, Outcome], None]
"""Is given the outcome of an order, the very object that was asked for, once it stands."""


class Summary(NamedTuple):
    """A row of a list of games."""

    head: Head
    updated_at: Millis


class Sitting(NamedTuple):
    """A seat that a player holds in a game that is not over; a row for each of several."""

    player_id: str
    game_id: str
    version: int
    """Of the game."""


class EventStore(Protocol):
    """
    The log and the folded heads.

    Raises `StoreUnavailable` when the database cannot be reached; nothing is half-done then.
    """

    async def append(self, orders: Sequence[Order], tell: Tell | None = None) -> list[Outcome]:
        """
        Runs the orders; outcome i belongs to order i. A game may occur more than once.

        Args:
            tell: gets each outcome as soon as it stands: where one order has to wait, for a lock
                say, its neighbours need not.

        An order that seats somebody who is forgotten or banned is refused: Unauthenticated, where
        that is its author, else SittersGone.
        """
        ...

    async def answer_to(self, author: str, key: str, fingerprint: bytes) -> Answer | None:
        """
        The stored answer of a call that touches no game (rename, forget).

        Raises: KeyReused, when the key was used with another fingerprint.
        """
        ...

    async def remember_answer(
        self, author: str, key: str, fingerprint: bytes, answer: Answer
    ) -> Answer:
        """
        Stores the answer of a call that touches no game, unless there is one; the one that counts.

        Raises: KeyReused, when the key was used with another fingerprint.
        """
        ...

    async def expire_answers(self, before: Millis) -> int:
        """Drops the answers stored before then; how many. Their keys may be used again."""
        ...

    async def head(self, game_id: str) -> Head | None: ...

    async def events(self, game_id: str, after: int, limit: int) -> list[Recorded]:
        """Events with a version above `after`, ascending, gap-free, at most `limit`."""
        ...

    async def commands(self, game_id: str, after: int, limit: int) -> list[tuple[Recorded, ...]]:
        """
        The events above `after`, grouped by the command that wrote them.

        About `limit` events: the last command is given whole. Where `after` lies inside of a
        command, the first group is the rest of it.
        """
        ...

    async def snapshot(self, game_id: str, version: int) -> Snapshot | None:
        """
        The newest stored state at or before a version: what lies between is little, but for one
        who wrote much at once. None: fold from the beginning.
        """
        ...

    async def versions(self, game_ids: Collection[str]) -> dict[str, int]:
        """The versions these games have; those that are not there are left out."""
        ...

    async def sittings(self, player_ids: Collection[str]) -> list[Sitting]:
        """The seats these players hold in games that are not over."""
        ...

    async def lobby(self, limit: int) -> dict[str, int]:
        """The newest public tables that have not started, by id: their versions."""
        ...

    async def summaries(self, game_ids: Collection[str]) -> dict[str, Summary]:
        """These games; those that are not there, or cannot be read, are left out."""
        ...

    async def seeds(self, game_id: str) -> tuple[bytes, ...]: ...

    async def public_games(
        self,
        *,
        status: str | None,
        preset: str | None,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[Summary]:
        """Public games, newest first (created_at, id descending); scripted and seeded left out."""
        ...

    async def games_of(
        self,
        player_id: str,
        *,
        status: str | None,
        to_move: bool | None,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[Summary]:
        """Every game in which the player holds or held a seat, private ones too."""
        ...

    async def waiting_table(self, match_key: str) -> str | None:
        """The id of the table of match-making that waits under this key."""
        ...

    async def ever_sat(self, game_id: str, player_id: str) -> bool:
        """Whether the player holds or held a seat of this game."""
        ...

    async def game_by_code(self, join_code: str) -> str | None:
        """The id of the lobby with this code."""
        ...

    async def forget_names(self, player_id: str, name: str) -> None:
        """Replaces the player's name at every table it ever sat at."""
        ...


class Gap(NamedTuple):
    """A time in which no process was there."""

    number: int
    """From 1."""
    began: Millis
    ended: Millis
    credited: bool
    """To every game that ran."""


class Player(NamedTuple):
    id: str
    name: str
    created_at: Millis
    bot: bool = False
    """A program plays; settled when the account is made."""

    @property
    def seated_name(self) -> str:
        """As it goes to a table."""
        return BotName(self.name) if self.bot else self.name


class PresenceStore(Protocol):
    """
    Which process has a live connection of which seat (game, seat), for all processes to see.

    A process that has not been heard of for a while has nobody connected.
    """

    async def show(self, came: Iterable[tuple[str, int]], went: Iterable[tuple[str, int]]) -> bool:
        """
        This process lives; these seats came and went since it last said so.

        False: it was taken for dead meanwhile, and has to name all its seats again.
        """
        ...

    async def withdraw(self) -> None:
        """This process has nobody connected any more."""
        ...

    async def sweep(self) -> None:
        """Drops what dead processes left."""
        ...

    async def elsewhere(self, game_ids: Collection[str]) -> set[tuple[str, int]]:
        """Seats of these games with a live connection to another process."""
        ...


Heard = Callable[[str, int], None]
"""Is told a game's id and a version it may have reached. Called in the loop; must not block."""


class Announcer(Protocol):
    """
    Hints that a game moved, to every process. A hint may be lost, doubled, late or forged: truth is
    the log, and whoever hears one reads it.
    """

    def announce(self, game_id: str, version: int) -> None:
        """Never blocks, never raises: whatever takes time happens elsewhere."""
        ...

    def listen(self, heard: Heard) -> Callable[[], None]:
        """Calls `heard` with every hint, this process's own too; returns what ends that."""
        ...

    async def wait(self, game_id: str, above: int, seconds: float) -> None:
        """Returns when a hint above that version arrives, or after so many seconds."""
        ...


class Clock(Protocol):
    def now(self) -> Millis: ...


class RandomBytes(Protocol):
    """A cryptographically secure source."""

    def __call__(self, count: int) -> bytes: ...
