"""What is kept of series, on either store."""

from __future__ import annotations

import asyncio

import pytest

from app.errors import KeyReused, SeriesNotFound, TooManySeries, Unauthenticated
from app.ports import Answer, GameExists, Player
from app.series import model
from app.series.model import Participant, Recorded, Series
from app.store.accounts import SqlAccounts
from app.store.database import Database
from app.store.queries import SqlEventStore
from app.store.series import SqlSeries
from engine.state import Place, SeededDice
from tests.store import orders
from tests.store.orders import NOW, StoppedClock, new_id, play


def planned(owner: str | None = None, **changed: object) -> Series:
    """Two places, one of them the owner's; three games."""
    owner = owner or new_id()
    setup = orders.setup_of(new_id(), owner, dice=SeededDice("Ä is not ASCII, but kept"))
    setup = setup._replace(places=(Place("human"),) * 2, host=None)
    sides = (Participant(None, owner, "Zoë"), Participant())
    made = Series(setup.game_id, owner, "open", new_id()[-8:], setup, sides, 3, 2, NOW)
    return made._replace(**changed)  # type: ignore[arg-type]


def told(series: Series) -> Answer:
    return Answer(201, f"made {series.id}".encode(), None, f"/v1/series/{series.id}")


async def make(
    store: SqlSeries, series: Series, key: str | None = None, most: int = 10, body: bytes = b"a"
) -> Answer:
    ids = [new_id() for _ in range(series.planned)]
    return await store.create(series, ids, told(series), most=most, key=key, fingerprint=body)


class SeriesContract:
    @pytest.fixture
    def series(self, database: Database, clock: StoppedClock) -> SqlSeries:
        return SqlSeries(database, clock)

    async def test_a_series_is_as_it_was_made(self, series: SqlSeries) -> None:
        made = planned()
        await make(series, made)
        assert await series.get(made.id) == made
        assert await series.get(new_id()) is None
        games = await series.games(made.id, 0, 10)
        assert [(g.number, g.is_open, g.is_over, g.result) for g in games] == [
            (n, False, False, None) for n in range(3)
        ]
        assert [g.number for g in await series.games(made.id, 1, 1)] == [1]
        assert await series.series_of(games[2].game_id) == made.id
        assert await series.series_of(new_id()) is None

    async def test_of_five_creations_with_one_key_one_counts(self, series: SqlSeries) -> None:
        owner = new_id()
        made = [planned(owner) for _ in range(5)]
        answers = await asyncio.gather(*(make(series, one, "k") for one in made))
        assert len(set(answers)) == 1
        assert [await series.get(one.id) for one in made].count(None) == 4
        with pytest.raises(KeyReused):
            await make(series, planned(owner), "k", body=b"b")

    async def test_one_owner_has_so_many(self, series: SqlSeries) -> None:
        owner = new_id()
        first = planned(owner)
        await make(series, first, "k", most=1)
        for key in (None, "other"):
            with pytest.raises(TooManySeries):
                await make(series, planned(owner), key, most=1)
        assert await make(series, planned(owner), "k", most=1) == told(first), "a retry is told"
        over = lambda old: (old._replace(status="cancelled"), Answer(200, b""))  # noqa: E731
        await series.change(first.id, over)
        await make(series, planned(owner), "other", most=1)

    async def test_of_ten_series_at_once_an_owner_has_no_more_than_one_may(
        self, series: SqlSeries, accounts: SqlAccounts
    ) -> None:
        owner = Player(new_id(), "Ana", NOW)
        await accounts.create(owner, b"a")
        asked = [make(series, planned(owner.id), most=3) for _ in range(10)]
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert [isinstance(o, TooManySeries) for o in outcomes].count(True) == 7
        assert len(await series.of_player(owner.id)) == 3

    async def test_of_ten_who_join_at_once_one_does(self, series: SqlSeries) -> None:
        made = planned()
        await make(series, made)

        async def join(player_id: str) -> bool:
            def decide(old: Series) -> tuple[Series, Answer]:
                if old.status != "open":
                    return old, Answer(409, b"")
                side = Participant(None, player_id, "Bo")
                return model.begun(old._replace(participants=(old.participants[0], side))), Answer(
                    200, b""
                )

            return (await series.change(made.id, decide)).status == 200

        guests = [new_id() for _ in range(10)]
        won = await asyncio.gather(*map(join, guests))
        assert won.count(True) == 1
        after = await series.get(made.id)
        assert after is not None
        winner = guests[won.index(True)]
        assert (after.status, after.join_code, after.place_of(winner)) == ("running", None, 1)
        assert await series.of_player(winner) == [made.id]
        assert await series.of_player(made.owner) == [made.id]
        assert await series.of_player(guests[won.index(False)]) == []

    async def test_who_is_gone_takes_part_in_nothing(
        self, series: SqlSeries, accounts: SqlAccounts
    ) -> None:
        ana, bo = [Player(new_id(), name, NOW) for name in ("Ana", "Bo")]
        for player, token in ((ana, b"a"), (bo, b"b")):
            await accounts.create(player, token)
        made = planned(ana.id)
        await make(series, made)
        await accounts.unseat(bo.id, NOW)

        def join(old: Series) -> tuple[Series, Answer]:
            return model.joined(old, bo, has_code=True), Answer(200, b"")

        with pytest.raises(Unauthenticated):
            await series.change(made.id, join)
        assert await series.get(made.id) == made
        with pytest.raises(Unauthenticated):
            await make(series, planned(bo.id))

    async def test_a_repeated_change_acts_once(self, series: SqlSeries) -> None:
        made = planned()
        await make(series, made)

        def more(old: Series) -> tuple[Series, Answer]:
            return old._replace(at_once=old.at_once + 1), Answer(200, str(old.at_once).encode())

        asked = [
            series.change(made.id, more, author="p", key="k", fingerprint=b"f") for _ in range(4)
        ]
        assert set(await asyncio.gather(*asked)) == {Answer(200, b"2")}
        with pytest.raises(KeyReused):
            await series.change(made.id, more, author="p", key="k", fingerprint=b"g")
        after = await series.get(made.id)
        assert after == made._replace(at_once=3)
        with pytest.raises(SeriesNotFound):
            await series.change(new_id(), more)

    async def test_games_are_as_their_logs_say(
        self, series: SqlSeries, store: SqlEventStore
    ) -> None:
        made = planned()
        await make(series, made)
        ids = [game.game_id for game in await series.games(made.id, 0, 3)]
        for game_id in ids[:2]:
            setup = orders.setup_of(game_id, made.owner)
            await play(store, orders.opens(setup))
            [again] = await store.append([orders.opens(setup)])
            assert isinstance(again, GameExists)
        await play(store, orders.ends(ids[0]))
        found = await series.unrecorded(made.id, 10)
        assert [(g.is_open, g.is_over) for g in found] == [
            *((True, True), (True, False), (False, False))
        ]
        result = Recorded("target", (0,), (10_000, 0))
        for other in (result, Recorded("walkover", (1,), (0, 0))):
            await series.record(made.id, {0: other})
        assert await series.results(made.id) == {0: result}
        assert [g.number for g in await series.unrecorded(made.id, 10)] == [1, 2]
        assert (await series.games(made.id, 0, 1))[0].result == result

    async def test_a_game_that_is_voided_is_so_in_its_series_at_once(
        self, series: SqlSeries, store: SqlEventStore
    ) -> None:
        """Whichever process dies then, and whoever read the result before and records it after."""
        made = planned()
        await make(series, made)
        ids = [game.game_id for game in await series.games(made.id, 0, 3)]
        for game_id in ids[:2]:
            setup = orders.setup_of(game_id, made.owner)._replace(host=None)
            await play(store, orders.opens(setup))
            await play(store, orders.ends(game_id))
        result = Recorded("target", (0,), (10_000, 0))
        await series.record(made.id, {0: result})
        for game_id in ids[:2]:
            await play(store, orders.voids(game_id))
        await series.record(made.id, {0: result, 1: result})
        voided = Recorded("voided", (), (0,) * orders.SEATS)
        assert await series.results(made.id) == {0: voided, 1: voided}

    async def test_who_opens_a_game_at_once_opens_it_once(self, store: SqlEventStore) -> None:
        setup = orders.setup_of(new_id(), new_id())
        outcomes = await asyncio.gather(*(store.append([orders.opens(setup)]) for _ in range(5)))
        assert [isinstance(o, GameExists) for [o] in outcomes].count(True) == 4

    async def test_what_runs_and_what_is_stale_is_looked_after(self, series: SqlSeries) -> None:
        young, old = planned(), planned(created_at=NOW - 100)
        running = planned(status="running", created_at=NOW + 5)
        stopping = planned(status="stopping", created_at=NOW + 5)
        over = planned(status="finished", created_at=NOW - 100)
        cancelled = planned(status="cancelled", created_at=NOW - 100)
        for made in (young, old, running, stopping, over, cancelled):
            await make(series, made)
        assert await series.unfinished(NOW, 10) == sorted([old.id, running.id, stopping.id])
        assert len(await series.unfinished(NOW, 1)) == 1
