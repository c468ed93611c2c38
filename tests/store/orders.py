"""Orders over real events, decided by hand: the store's tests need no engine that decides."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from sqlalchemy import insert

import engine
from app.ports import Answer, Decision, Done, Head, Order, Outcome, Recorded
from app.store import tables
from app.store.database import Database
from app.store.queries import SqlEventStore
from app.tokens import DAY_MS, Lifetimes
from engine.events import (
    GameCreated,
    GameFinished,
    GameStarted,
    PlayerJoined,
    PlayerLeft,
    RematchCreated,
    ResultVoided,
)
from engine.evolve import evolve
from engine.presets import preset_from_text
from engine.rules import Rules
from engine.state import (
    Bots,
    DiceSource,
    FairDice,
    Lobby,
    Place,
    Playing,
    SeatState,
    Setup,
    ToRoll,
    Visibility,
)
from engine.units import Seat

NOW = 1_767_225_600_000
SOMEBODY = "01936f2e-7b1c-7000-8000-0000000000ff"
LIVES = Lifetimes(idle=90 * DAY_MS, most=365 * DAY_MS)
SEATS = 8
COMMITS = ("a1" * 32, "b2" * 32)
SEEDS = (b"\xa1" * 32, b"\xb2" * 32)

_numbers = itertools.count(1)


class StoppedClock:
    """Says what it is told to."""

    def __init__(self, at: int = NOW) -> None:
        self.at = at

    def now(self) -> int:
        return self.at


@cache
def preset_rules(name: str) -> Rules:
    folder = Path(engine.__path__[0]) / "presets"
    return preset_from_text((folder / f"{name}.toml").read_text()).rules()


def new_id() -> str:
    """An id in the form of a UUID; later ones sort higher."""
    return f"01936f2e-7b1c-7000-8000-{next(_numbers):012d}"


def setup_of(
    game_id: str,
    host: str,
    *,
    visibility: Visibility = "public",
    dice: DiceSource | None = None,
    preset: str = "farkle",
) -> Setup:
    places = (Place("human", None, host), *(Place("human") for _ in range(SEATS - 1)))
    return Setup(
        game_id=game_id,
        rules=preset_rules(preset),
        preset=preset,
        places=places,
        host=host,
        visibility=visibility,
        dice=dice or FairDice(),
        clocks=None,
        pass_and_play=False,
        bots=Bots(),
        advice=True,
        cheats=None,
        start_seat=0,
        server_commits=COMMITS,
    )


def created(setup: Setup, at: int) -> GameCreated:
    first, second = setup.server_commits
    return GameCreated(
        at=at,
        protocol="pf1",
        server_commits=(first, second),
        rematch_of=None,
        **{name: getattr(setup, name) for name in Setup._fields if name != "server_commits"},
    )


def said(head: Head, records: Sequence[Recorded]) -> Answer:
    """Every answer differs, as if it told the time."""
    body = f"{head.version} {len(records)} {next(_numbers)} Zoë".encode()
    return Answer(200, body, head.version)


def opens(
    setup: Setup,
    *,
    at: int = NOW,
    code: str | None = None,
    key: str | None = None,
    also: Order | None = None,
) -> Order:
    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        assert head is None
        assert seeds == ()
        names = ("Ana", *(None for _ in setup.places[1:]))
        answer = lambda new, records: said(new, records)._replace(status=201)  # noqa: E731
        return Decision((created(setup, at),), Lobby(setup), answer, names, code, SEEDS, also)

    return Order(setup.game_id, decide, setup.host, key, key.encode() if key else b"", opens=True)


def lobby(head: Head | None) -> Lobby:
    assert head is not None
    assert isinstance(head.game, Lobby)
    return head.game


def sits(game: Lobby, seat: Seat, player: str | None) -> Lobby:
    places = list(game.setup.places)
    places[seat] = places[seat]._replace(player_id=player)
    return game._replace(setup=game.setup._replace(places=tuple(places)))


def joins(
    game_id: str,
    player: str,
    *,
    seat: Seat = 1,
    key: str | None = None,
    fingerprint: bytes = b"join",
    expected: int | None = None,
    at: int = NOW,
) -> Order:
    """Sits down, whoever sat there: so that it succeeds any number of times."""

    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        game = sits(lobby(head), seat, player)
        assert seeds == SEEDS
        assert head is not None
        names = (*head.names[:seat], f"player {player[-4:]}", *head.names[seat + 1 :])
        return Decision((PlayerJoined(at, seat, player),), game, said, names)

    return Order(game_id, decide, player, key, fingerprint, expected)


def swaps(game_id: str, player: str, *, expected: int | None = None, at: int = NOW) -> Order:
    """Two events at once: somebody leaves seat 1, the player takes it."""

    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        game = sits(lobby(head), 1, player)
        events = (PlayerLeft(at, 1, SOMEBODY, False), PlayerJoined(at, 1, player))
        return Decision(events, game, said)

    return Order(game_id, decide, player, expected_version=expected)


def leaves(game_id: str, player: str, seat: Seat) -> Order:
    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        game = sits(lobby(head), seat, None)
        assert head is not None
        names = (*head.names[:seat], None, *head.names[seat + 1 :])
        return Decision((PlayerLeft(NOW, seat, player, False),), game, said, names)

    return Order(game_id, decide, player)


def starts(game_id: str, *, also: Order | None = None, seeds: tuple[bytes, ...] = ()) -> Order:
    def decide(head: Head | None, _: tuple[bytes, ...]) -> Decision:
        setup = lobby(head).setup
        seats = tuple(SeatState(0, False, 0, True, False, 0) for _ in setup.places)
        game = Playing(setup, seats, ToRoll(0, NOW), None, None, (), 0, (), 0, "d4" * 32, NOW)
        return Decision((GameStarted(NOW, 0),), game, said, seeds=seeds, also=also)

    return Order(game_id, decide, "host")


def ends(game_id: str) -> Order:
    def decide(head: Head | None, _: tuple[bytes, ...]) -> Decision:
        assert head is not None
        event = GameFinished(NOW, "ended_early", (), ())
        return Decision((event,), evolve(head.game, event), said)

    return Order(game_id, decide, "host")


def voids(game_id: str) -> Order:
    def decide(head: Head | None, _: tuple[bytes, ...]) -> Decision:
        assert head is not None
        event = ResultVoided(NOW)
        return Decision((event,), evolve(head.game, event), said)

    return Order(game_id, decide, "operator")


def nothing(game_id: str, *, player: str = "player", key: str | None = None) -> Order:
    """Leads to no event."""

    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        assert head is not None
        return Decision((), head.game, said)

    return Order(game_id, decide, player, key, b"nothing")


def fails(game_id: str, error: Exception, *, key: str | None = None, opens: bool = False) -> Order:
    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        raise error

    return Order(game_id, decide, "player", key, b"fails", opens=opens)


def turns_to(game_id: str, rematch: str, also: Order | None = None) -> Order:
    """An event that leaves the state alone."""

    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        assert head is not None
        return Decision((RematchCreated(NOW, rematch),), head.game, said, also=also)

    return Order(game_id, decide, "host")


def done(outcome: Outcome) -> Done:
    """The outcome of an order that went through."""
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


async def play(store: SqlEventStore, order: Order) -> Done:
    (outcome,) = await store.append([order])
    return done(outcome)


async def long_lobby(store: SqlEventStore, length: int, *, at: int = NOW) -> str:
    """A lobby with so many events, or a few more: people come and go, twenty at a time."""
    game_id = new_id()
    await play(store, opens(setup_of(game_id, new_id()), at=at))
    for _ in range(-(-length // 40)):
        await store.append([swaps(game_id, new_id(), at=at) for _ in range(20)])
    return game_id


async def open_lobby(store: SqlEventStore, **settings: object) -> str:
    game_id = new_id()
    await play(store, opens(setup_of(game_id, new_id(), **settings)))  # type: ignore[arg-type]
    return game_id


def a_column(table: str) -> str:
    """Some text column of a table that only grows."""
    return {"operator_calls": "note", "purse_journal": "player_id"}.get(table, "game_id")


async def journal(database: Database) -> None:
    """A line in each journal beside the log."""
    async with database.writing() as connection:
        for table in (tables.operator_calls, tables.purse_journal):
            values = {
                column.name: 1 if column.type.python_type is int else "x"
                for column in table.columns
                if not column.nullable
            }
            await connection.execute(insert(table), values)
