"""What an append promises of games whose heads are at hand, with another process beside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from app.ports import Answer, Decision, Done, Head, Order, Outcome
from app.store.chain import verify
from app.store.codec import decode
from app.store.database import Database
from app.store.faults import LostRace
from app.store.kept import READ_AGAIN_MS
from app.store.lanes import FEW, Lane, Lanes, Writes
from app.store.queries import SqlEventStore
from engine.errors import NotYourTurn
from engine.events import GameFinished, RematchCreated
from engine.state import Clocks, Playing
from tests.store import orders
from tests.store.orders import StoppedClock, done, new_id, open_lobby, play, said

Seen = Callable[[Head], None]


def _looks(head: Head) -> None:
    """At the head, and says nothing."""


def moves(
    game_id: str,
    *,
    key: str | None = None,
    expected: int | None = None,
    sees: Seen = _looks,
) -> Order:
    """An event of a running game that leaves its state alone."""

    def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
        assert head is not None
        assert isinstance(head.game, Playing)
        assert seeds == orders.SEEDS
        sees(head)
        return Decision((RematchCreated(orders.NOW, "whatever"),), head.game, said)

    return Order(game_id, decide, "player", key, b"moves", expected)


def _is_at(version: int) -> Seen:
    def sees(head: Head) -> None:
        assert head.version == version

    return sees


async def running(store: SqlEventStore) -> str:
    game_id = await open_lobby(store)
    await play(store, orders.starts(game_id))
    return game_id


class WatchedLane:
    """Writes down which way a transaction goes; loses the first races of those without a lock."""

    def __init__(self, lane: Lane, ways: list[str], losses: list[int]) -> None:
        self._lane = lane
        self._ways = ways
        self._losses = losses

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lane, name)

    async def begin(self, asked: Any) -> Any:
        self._ways.append("under lock")
        return await self._lane.begin(asked)

    async def ask(self, asked: Any) -> Any:
        self._ways.append("asked")
        return await self._lane.ask(asked)

    async def commit_alone(self, writes: Writes) -> None:
        self._ways.append("at hand")
        if self._losses:
            self._losses.pop()
            raise LostRace()
        await self._lane.commit_alone(writes)


async def watched(database: Database, losses: int = 0) -> list[str]:
    """The ways that transactions of this database go from here on."""
    ways, left = list[str](), list(range(losses))
    honest = database.writing_lanes
    await honest.close()

    async def open_lane() -> Lane:
        return WatchedLane(await honest.open(), ways, left)

    database.writing_lanes = Lanes(1, 2.0, open_lane)
    return ways


class KeptContract:
    @pytest.fixture
    def other(self, database: Database, clock: StoppedClock) -> SqlEventStore:
        """Another process, as far as heads are concerned."""
        return SqlEventStore(database, clock)

    @pytest.mark.parametrize("size", [1, 2, FEW, FEW + 1, 9])
    async def test_batches_of_every_size_are_stored_alike(
        self, store: SqlEventStore, other: SqlEventStore, size: int
    ) -> None:
        """Opened, joined and started under lock, moved with and without a key from memory."""
        ids = [new_id() for _ in range(size)]
        rounds: list[Callable[[str], Order]] = [
            lambda game_id: orders.opens(orders.setup_of(game_id, new_id())),
            lambda game_id: orders.joins(game_id, f"player of {game_id}", key="j"),
            orders.starts,
            moves,
            lambda game_id: moves(game_id)._replace(author=game_id, key="m"),
            orders.ends,
        ]
        outcomes: list[Done] = []
        for asked in rounds:
            made = [asked(game_id) for game_id in ids]
            outcomes = [done(outcome) for outcome in await store.append(made)]
        for game_id, outcome in zip(ids, outcomes, strict=True):
            head = await other.head(game_id)
            assert head == outcome.head
            log = await other.events(game_id, 0, 20)
            assert verify(game_id, log) == (6, head.hash)
            assert [seat.game_id for seat in await other.sittings([f"player of {game_id}"])] == []
            again = await play(other, moves(game_id)._replace(author=game_id, key="m"))
            assert (again.repeated, again.answer.version) == (True, 5)

    async def test_neighbours_of_a_refusal_are_told_before_it_is_looked_into(
        self, store: SqlEventStore, database: Database
    ) -> None:
        first, refused, last = [await running(store) for _ in range(3)]
        seen = await watched(database)
        asked = [moves(first), orders.fails(refused, NotYourTurn(seat_to_move=1)), moves(last)]
        outcomes = await store.append(asked, lambda order, _: seen.append(order.game_id))
        assert seen == ["at hand", first, last, "under lock", refused]
        assert [type(outcome) for outcome in outcomes] == [Done, NotYourTurn, Done]

    async def test_a_running_game_is_moved_without_a_lock(
        self, store: SqlEventStore, database: Database
    ) -> None:
        game_id = await running(store)
        ways = await watched(database)
        outcomes = await store.append([moves(game_id), moves(game_id)])
        assert [done(outcome).head.version for outcome in outcomes] == [3, 4]
        assert done(await _one(store, moves(game_id, key="k"))).head.version == 5
        assert ways == ["at hand", "asked", "at hand"]
        records = await store.events(game_id, 0, 10)
        assert verify(game_id, records) == (5, (await _head(store, game_id)).hash)

    async def test_two_processes_take_turns(
        self, store: SqlEventStore, other: SqlEventStore
    ) -> None:
        game_id = await running(store)
        seen: list[int] = []
        for mover in (store, other, store, store, other, other, store):
            await play(mover, moves(game_id, sees=lambda head: seen.append(head.version)))
        records = await store.events(game_id, 0, 20)
        assert [record.version for record in records] == list(range(1, 10))
        assert verify(game_id, records)[0] == 9
        # Each was decided from the newest head in the end.
        assert sorted(set(seen)) == list(range(2, 9))

    async def test_two_processes_at_once_move_it_once_each(
        self, store: SqlEventStore, other: SqlEventStore
    ) -> None:
        game_id = await running(store)
        await play(other, moves(game_id))
        wanted = [mover.append([moves(game_id)]) for mover in (store, other) for _ in range(4)]
        assert all(isinstance(outcome, Done) for [outcome] in await asyncio.gather(*wanted))
        records = await store.events(game_id, 0, 20)
        assert [record.version for record in records] == list(range(1, 12))

    async def test_nobody_is_refused_for_what_is_past(
        self, store: SqlEventStore, other: SqlEventStore
    ) -> None:
        """It became the player's turn by what another process wrote."""
        game_id = await running(store)
        await play(other, moves(game_id))

        def is_my_turn(head: Head) -> None:
            if head.version < 3:
                raise NotYourTurn(seat_to_move=0)

        assert (await play(store, moves(game_id, sees=is_my_turn))).head.version == 4

    async def test_a_stale_head_contradicts_no_version(
        self, store: SqlEventStore, other: SqlEventStore
    ) -> None:
        game_id = await running(store)
        await play(other, moves(game_id))
        assert (await play(store, moves(game_id, expected=3))).head.version == 4

    async def test_a_refusal_never_touches_its_neighbours(
        self, store: SqlEventStore, database: Database
    ) -> None:
        games = [await running(store) for _ in range(3)]

        def refuse(head: Head) -> None:
            raise NotYourTurn(seat_to_move=0)

        ways = await watched(database)
        first, refused, last = await store.append(
            [moves(games[0]), moves(games[1], sees=refuse), moves(games[2])]
        )
        assert isinstance(refused, NotYourTurn)
        assert done(first).head.version == done(last).head.version == 3
        assert ways == ["at hand", "under lock"], "the refusal was looked at twice"

    async def test_what_cannot_be_written_fails_alone(self, store: SqlEventStore) -> None:
        games = [await running(store) for _ in range(3)]
        unfit = moves(games[1], key="k")

        def decide(head: Head | None, seeds: tuple[bytes, ...]) -> Decision:
            def answer(*_: object) -> Answer:
                return Answer(200, b"", location=cast("str", object()))

            return unfit.decide(head, seeds)._replace(answer=answer)

        first, failed, last = await store.append(
            [moves(games[0]), unfit._replace(decide=decide), moves(games[2])]
        )
        assert isinstance(failed, Exception)
        assert done(first).head.version == done(last).head.version == 3
        assert (await _head(store, games[1])).version == 2

    async def test_a_key_counts_wherever_it_was_used(
        self, store: SqlEventStore, other: SqlEventStore
    ) -> None:
        game_id = await running(store)
        first = await play(other, moves(game_id, key="k"))
        again = await play(store, moves(game_id, key="k"))
        assert again.repeated
        assert again.answer == first.answer
        both = await asyncio.gather(
            *(mover.append([moves(game_id, key="m")]) for mover in (store, other))
        )
        assert sorted(done(outcome).repeated for [outcome] in both) == [False, True]
        assert len(await store.events(game_id, 0, 10)) == 4

    async def test_a_lost_race_is_run_again_under_lock(
        self, store: SqlEventStore, database: Database
    ) -> None:
        games = [await running(store) for _ in range(2)]
        ways = await watched(database, losses=1)
        outcomes = await store.append([moves(game_id) for game_id in games])
        assert [done(outcome).head.version for outcome in outcomes] == [3, 3]
        assert ways == ["at hand", "under lock"]

    async def test_a_hint_of_another_process_is_enough(
        self, store: SqlEventStore, other: SqlEventStore, database: Database
    ) -> None:
        game_id = await running(store)
        await play(other, moves(game_id))
        store.kept.moved(game_id, 2)
        assert len(store.kept) == 1, "no news"
        store.kept.moved(game_id, 3)
        assert len(store.kept) == 0
        ways = await watched(database)
        await play(store, moves(game_id))
        assert ways == ["under lock"]

    async def test_a_game_that_is_over_is_let_go(self, store: SqlEventStore) -> None:
        game_id = await running(store)
        assert len(store.kept) == 1
        await play(store, orders.ends(game_id))
        assert len(store.kept) == 0
        assert isinstance(await _last(store, game_id), GameFinished)

    async def test_a_forgotten_name_is_not_kept_for_long(
        self, store: SqlEventStore, other: SqlEventStore, clock: StoppedClock
    ) -> None:
        game_id, player = await open_lobby(store), new_id()
        await play(store, orders.joins(game_id, player))
        await play(store, orders.starts(game_id))
        await play(other, moves(game_id))
        await store.forget_names(player, "deleted player")
        assert (await play(store, moves(game_id))).head.names[1] == "deleted player"
        clock.at += READ_AGAIN_MS
        assert (await play(other, moves(game_id))).head.names[1] == "deleted player"

    async def test_a_game_that_nobody_moves_is_kept_no_longer_than_it_may_be_used(
        self, store: SqlEventStore, clock: StoppedClock
    ) -> None:
        idle, moved = await running(store), await running(store)
        await play(store, moves(idle))
        assert len(store.kept) == 2
        clock.at += READ_AGAIN_MS
        await play(store, moves(moved))
        assert list(store.kept.of([moves(idle), moves(moved)])) == [moved]
        assert len(store.kept) == 1

    async def test_what_was_let_go_and_comes_back_is_as_it_is(
        self, store: SqlEventStore, other: SqlEventStore, clock: StoppedClock
    ) -> None:
        """Also where another process has moved it meanwhile."""
        game_id, elsewhere = await running(store), await running(store)
        before = await play(store, moves(game_id))
        clock.at += READ_AGAIN_MS
        await play(store, moves(elsewhere))
        await play(other, moves(game_id))
        after = await play(store, moves(game_id, sees=_is_at(4)))
        assert after.head.game.setup is before.head.game.setup
        assert after.head._replace(version=3, hash=before.head.hash) == before.head
        assert verify(game_id, await store.events(game_id, 0, 10)) == (5, after.head.hash)

    async def test_what_falls_due_by_itself_keeps_no_game(
        self, store: SqlEventStore, database: Database
    ) -> None:
        """A server that was away tells every game of it: it must not have them all in memory."""
        played, idle = await running(store), await running(store)
        store.kept.forget()
        await play(store, moves(played))
        await play(store, moves(idle)._replace(author=None, by_clock=True))
        assert list(store.kept.of([moves(played), moves(idle)])) == [played]
        ways = await watched(database)
        await play(store, moves(idle, sees=_is_at(3)))
        assert ways == ["under lock"]

    async def test_deadlines_go_by_the_clock_that_all_share(
        self, store: SqlEventStore, database: Database, clock: StoppedClock
    ) -> None:
        game_id = new_id()
        setup = orders.setup_of(game_id, new_id())._replace(clocks=Clocks(60, None))
        await play(store, orders.opens(setup))
        await play(store, orders.starts(game_id))
        times: list[int] = []
        ways = await watched(database)
        await play(store, moves(game_id, sees=lambda head: times.append(head.read_at)))
        assert ways == ["asked", "at hand"]
        [at] = times
        assert at > clock.at, "the database's: the process' own stands still"


async def _one(store: SqlEventStore, order: Order) -> Outcome:
    [outcome] = await store.append([order])
    return outcome


async def _head(store: SqlEventStore, game_id: str) -> Head:
    head = await store.head(game_id)
    assert head is not None
    return head


async def _last(store: SqlEventStore, game_id: str) -> object:
    return decode((await store.events(game_id, 0, 100))[-1].data)
