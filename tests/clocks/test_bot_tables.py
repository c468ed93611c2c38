"""How many tables with bots a player may have: what counts as whose, and racers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from sqlalchemy import func, select

from app.errors import AppError, Overloaded, TooManyBotTables, TooManySeries
from app.ids import new_id
from app.ports import Player
from app.series.model import Participant
from app.service.calls import Call, MatchAsked, RulesAsked, SeriesAsked, TableAsked
from app.service.series import SeriesCall
from app.store import tables
from engine.state import Bots, FairDice, Place
from tests.clocks.world import BEGIN, Process, World

LIMIT, PROCESSES = 3, 3
ANA, BO = Player(new_id(), "Ana", BEGIN), Player(new_id(), "Bo", BEGIN)
HUMAN, BOT = Place("human"), Place("bot", "cautious")

Asks = Callable[[Process, Player], Awaitable[str]]


@pytest.fixture
def processes(world: World) -> list[Process]:
    return [world.process(bot_tables=LIMIT) for _ in range(PROCESSES)]


async def create(process: Process, player: Player, *places: Place, key: str | None = None) -> str:
    asked = TableAsked(
        rules=RulesAsked("farkle", {}),
        places=places or (HUMAN, BOT),
        visibility="public",
        dice=FairDice(),
        clocks=None,
        pass_and_play=False,
        bots=Bots(),
        advice=None,
        cheats=None,
    )
    call = Call(player, lambda *_: b"", key, b"create")
    opened = await process.games.opening.create(call, asked)
    assert opened.location is not None
    return opened.location.rsplit("/", 1)[-1]


async def match(process: Process, player: Player, bots_after_s: int | None = 5) -> str:
    asked = MatchAsked(RulesAsked("farkle", {}), 2, None, bots_after_s, None)
    opened = await process.games.matches.wait(Call(player, lambda *_: b""), asked)
    assert opened.location is not None
    return opened.location.rsplit("/", 1)[-1]


async def series(
    process: Process, player: Player, at_once: int = 1, games: int = 8, *, bots: bool = True
) -> str:
    """A bot and a place for a player, so that it does not begin."""
    other = Participant("cautious") if bots else Participant()
    asked = SeriesAsked(
        *(RulesAsked("farkle", {}), (other, Participant()), 2, games, at_once),
        *(FairDice(), None, 0, False),
    )
    call = SeriesCall(player, lambda *_: b"", None, b"", "")
    made = await process.games.series.create(call, asked)
    assert made.location is not None
    return made.location.rsplit("/", 1)[-1]


async def owned(world: World, player: Player) -> int:
    """By the rows."""
    c = tables.clocks.c
    mine = select(func.count()).select_from(tables.clocks).where(c.bots_of == player.id)
    async with world.database.reading() as connection:
        return int((await connection.execute(mine)).scalar_one())


async def ends(process: Process, player: Player, game_id: str) -> None:
    await process.games.play.end(Call(player, lambda *_: b""), game_id)


async def set_seat(process: Process, game_id: str, seat: int, place: Place) -> None:
    call = Call(ANA, lambda *_: b"")
    await process.games.tables.set_seat(call, game_id, seat, place.kind, place.character)


async def test_a_table_counts_as_its_hosts_while_bots_sit_there(
    world: World, processes: list[Process]
) -> None:
    one = processes[0]
    table = await create(one, ANA, HUMAN, HUMAN)
    assert await owned(world, ANA) == 0
    await set_seat(one, table, 1, BOT)
    assert await owned(world, ANA) == 1
    await set_seat(one, table, 1, HUMAN)
    assert await owned(world, ANA) == 0
    await set_seat(one, table, 1, BOT)
    await ends(one, ANA, table)
    assert await owned(world, ANA) == 0


async def test_at_the_limit_nothing_with_bots_is_opened(processes: list[Process]) -> None:
    one = processes[0]
    mine = [await create(one, ANA) for _ in range(LIMIT)]
    without = await create(one, ANA, HUMAN, HUMAN)
    refused: tuple[Awaitable[object], ...] = (
        create(one, ANA),
        set_seat(one, without, 1, BOT),
        match(one, ANA),
        series(one, ANA),
    )
    for asked in refused:
        with pytest.raises(TooManyBotTables) as told:
            await asked
        assert told.value.facts == {"limit": LIMIT}
    await match(one, ANA, bots_after_s=None)
    await series(one, ANA, bots=False)
    await create(one, BO)
    await ends(one, ANA, mine[0])
    await create(one, ANA)


async def test_at_the_limit_a_second_bot_sits_down_where_one_sits(processes: list[Process]) -> None:
    one = processes[0]
    first = await create(one, ANA, HUMAN, BOT, HUMAN)
    for _ in range(LIMIT - 1):
        await create(one, ANA)
    await set_seat(one, first, 2, BOT)


async def test_a_repeated_call_is_answered_at_the_limit(processes: list[Process]) -> None:
    one, other, _ = processes
    first = await create(one, ANA, key="k")
    for _ in range(LIMIT - 1):
        await create(one, ANA)
    assert await create(other, ANA, key="k") == first


async def test_a_rematch_counts_for_who_asks_for_it(processes: list[Process]) -> None:
    one = processes[0]
    old = await create(one, ANA)
    await one.games.tables.start(Call(ANA, lambda *_: b""), old)
    await ends(one, ANA, old)
    for _ in range(LIMIT):
        await create(one, ANA)
    with pytest.raises(TooManyBotTables):
        await one.games.opening.rematch(Call(ANA, lambda *_: b""), old)
    head = await one.store.head(old)
    assert head is not None
    assert head.version == head.game.rolls + 7, "nothing was announced"  # type: ignore[union-attr]


async def test_a_table_of_strangers_counts_for_the_first_who_sits_there(
    world: World, processes: list[Process]
) -> None:
    one = processes[0]
    table = await match(one, ANA)
    assert (await owned(world, ANA), await owned(world, BO)) == (1, 0)
    assert await match(one, BO) == table
    # Full of people: no bot will come.
    assert (await owned(world, ANA), await owned(world, BO)) == (0, 0)


async def test_bots_that_fill_a_table_of_strangers_count_until_it_is_over(
    world: World, processes: list[Process]
) -> None:
    one = processes[0]
    for _ in range(LIMIT):
        await match(one, ANA)
        await world.pass_time(5_000, one)
    assert await owned(world, ANA) == LIMIT
    with pytest.raises(TooManyBotTables):
        await match(one, ANA)
    table = await match(one, BO)
    assert await match(one, ANA) == table, "a table that counts for somebody else"


async def test_who_is_left_alone_with_a_table_gets_it_beyond_the_limit(
    world: World, processes: list[Process]
) -> None:
    one = processes[0]
    table = await create(one, BO, HUMAN, BOT, HUMAN)
    await one.games.tables.join(Call(ANA, lambda *_: b""), table, None, None)
    for _ in range(LIMIT):
        await create(one, ANA)
    await one.games.tables.leave(Call(BO, lambda *_: b""), table)
    assert (await owned(world, ANA), await owned(world, BO)) == (LIMIT + 1, 0)


async def test_a_series_counts_as_the_games_it_plays_at_once(
    world: World, processes: list[Process]
) -> None:
    one = processes[0]
    with pytest.raises(TooManyBotTables):
        await series(one, ANA, at_once=LIMIT + 1)
    made = await series(one, ANA, at_once=LIMIT - 1)
    await create(one, ANA)
    with pytest.raises(TooManyBotTables):
        await create(one, ANA)
    await one.games.series.cancel(SeriesCall(ANA, lambda *_: b"", None, b"", ""), made)
    await series(one, ANA, at_once=8, games=2)  # never more at once than there are
    assert await owned(world, ANA) == 1
    with pytest.raises(TooManyBotTables):
        await create(one, ANA)


@pytest.mark.parametrize(
    "asks",
    [
        (create,),
        (series,),
        (create, series),
        (create, series, match),
    ],
    ids=["tables", "series", "tables and series", "all kinds"],
)
async def test_of_many_at_once_no_more_go_through_than_may(
    processes: list[Process], asks: tuple[Asks, ...]
) -> None:
    calls = [_insists(asks[n % len(asks)], processes[n % PROCESSES]) for n in range(12)]
    # Those that wait at the same table of strangers are one table.
    found: list[object] = await asyncio.gather(*calls, return_exceptions=True)
    through = {each for each in found if isinstance(each, str)}
    refused = [each for each in found if isinstance(each, AppError)]
    assert len(through) == LIMIT
    assert {type(each) for each in refused} == {TooManyBotTables}


async def _insists(asks: Asks, process: Process) -> str:
    """Comes back when there is too much at once, as it is told to."""
    while True:
        try:
            return await asks(process, ANA)
        except Overloaded:
            await asyncio.sleep(0.05)


async def test_of_many_series_at_once_no_more_are_made_than_may(processes: list[Process]) -> None:
    asks = partial(series, bots=False)
    calls = [_insists(asks, processes[n % PROCESSES]) for n in range(24)]
    found: list[object] = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(each, str) for each in found) == 10
    assert {type(each) for each in found} == {str, TooManySeries}
