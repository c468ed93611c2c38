"""Tables that nobody moves: lobbies, absent hosts and players, games that are left."""

from __future__ import annotations

import pytest

from app.api.render import minimal
from app.ports import Player
from app.service.calls import RulesAsked
from app.service.repair import OperatorCall
from engine.deadlines import GRACE_MS
from engine.errors import NotYourTurn
from engine.events import BotTookSeat, GameFinished, HostChanged, PlayerReturned
from engine.state import Bots, Clocks, Finished, Lobby, Playing, ScriptedDice
from tests.clocks.world import HOUR, TURN_S, WAITS, World

TURN_MS = 1000 * TURN_S + GRACE_MS + 1
TAKEN = Bots(0, True)


async def host_of(world: World, game_id: str, people: list[Player]) -> int:
    host = (await world.head(game_id)).game.setup.host
    return [player.id for player in people].index(host or "nobody")


async def test_a_table_that_never_starts_closes(world: World) -> None:
    game_id, _ = await world.lobby(1)
    await world.pass_time(WAITS.lobby - 1)
    assert isinstance((await world.head(game_id)).game, Lobby)
    await world.pass_time(1)
    head = await world.head(game_id)
    assert isinstance(head.game, Finished)
    assert (head.game.result.reason, head.game.result.winners) == ("ended_early", ())
    assert len(head.game.seeds) == 2
    await world.pass_time(WAITS.lobby)
    assert await world.due(game_id) is None


async def test_the_host_role_passes_on_to_who_has_waited_longest(world: World) -> None:
    game_id, people = await world.lobby(3)
    for player in people[1:]:  # who leaves and comes back has waited less long
        if player is people[1]:
            await world.one.games.tables.leave(world.call(player), game_id)
            await world.one.games.tables.join(world.call(player), game_id, None, None)
    await world.pass_time(WAITS.host)
    assert await host_of(world, game_id, people) == 2
    assert sum(isinstance(e, HostChanged) for e in await world.events(game_id)) == 1


async def test_a_host_who_is_connected_stays_host_and_one_who_goes_does_not(world: World) -> None:
    game_id, people = await world.lobby(2)
    world.one.present[game_id] = (0, 1)
    await world.pass_time(3 * WAITS.host)
    assert await host_of(world, game_id, people) == 0
    world.one.present[game_id] = (1,)
    await world.pass_time(WAITS.host)
    assert await host_of(world, game_id, people) == 1


@pytest.mark.parametrize("connected", [(0, 1), ()], ids=["all are there", "all are away"])
async def test_a_host_who_stays_does_not_keep_a_table_that_never_starts(
    world: World, connected: tuple[int, ...]
) -> None:
    game_id, _ = await world.lobby(2)
    world.one.present[game_id] = connected
    await world.pass_time(WAITS.lobby - 1)
    assert isinstance((await world.head(game_id)).game, Lobby)
    world.clock.ms += 1
    await world.one.poll()
    assert isinstance((await world.head(game_id)).game, Finished)
    assert await world.due(game_id) is None


async def test_among_people_who_are_all_away_the_host_role_goes_round_once(world: World) -> None:
    game_id, people = await world.lobby(3)
    await world.pass_time(20 * WAITS.host)
    changes = [e.seat for e in await world.events(game_id) if isinstance(e, HostChanged)]
    assert changes == [1, 2]
    world.one.present[game_id] = (0,)  # who comes back may have it again
    await world.pass_time(WAITS.host)
    assert await host_of(world, game_id, people) == 0


async def test_who_sits_down_anew_may_be_host_again(world: World) -> None:
    game_id, people = await world.lobby(2)
    await world.pass_time(WAITS.host)
    assert await host_of(world, game_id, people) == 1
    await world.one.games.tables.leave(world.call(people[0]), game_id)
    await world.one.games.tables.join(world.call(people[0]), game_id, None, None)
    await world.pass_time(2 * WAITS.host)
    assert await host_of(world, game_id, people) == 0


async def test_a_host_alone_may_take_their_time(world: World) -> None:
    game_id, people = await world.lobby(1)
    await world.pass_time(2 * WAITS.host)
    assert await host_of(world, game_id, people) == 0


async def test_a_held_off_row_does_not_hold_off_the_start(world: World) -> None:
    game_id, people = await world.lobby(2)
    world.one.present[game_id] = (0, 1)
    await world.pass_time(2 * WAITS.host)
    await world.one.games.tables.start(world.call(people[0]), game_id)
    assert await world.due(game_id) == world.clock.ms + TURN_MS


async def test_in_play_the_host_role_passes_on_when_the_host_has_resigned(world: World) -> None:
    game_id, people = await world.table(3)
    await world.one.games.play.resign(world.call(people[0]), game_id, None)
    await world.pass_time(1)
    assert await host_of(world, game_id, people) == 1
    await world.one.games.play.end(world.call(people[1]), game_id)


async def test_once_the_game_clock_has_run_out_nothing_else_ends_the_game(world: World) -> None:
    """A look that came late found a game left by all, too: the end was refused, and put off."""
    game_id, _ = await world.table(clocks=Clocks(None, WAITS.abandoned // 1000))
    world.clock.ms += WAITS.abandoned + GRACE_MS + 1
    await world.one.poll()
    game = (await world.head(game_id)).game
    assert isinstance(game, Finished)
    assert game.result.reason == "game_clock"


async def test_an_operator_closes_a_table_whose_clock_has_just_run_out(world: World) -> None:
    game_id, _ = await world.table(clocks=Clocks(None, 60))
    world.clock.ms += 60_000 + GRACE_MS + 1
    call = OperatorCall("operator", minimal, None, b"", None)
    assert (await world.one.games.repair.close(call, game_id)).status == 200
    game = (await world.head(game_id)).game
    assert isinstance(game, Finished)
    assert game.result.reason == "game_clock"


async def test_a_game_that_nobody_touches_ends(world: World) -> None:
    game_id, people = await world.table(clocks=None)
    await world.pass_time(HOUR)
    await world.one.games.play.roll(world.call(people[0]), game_id, None)
    await world.pass_time(WAITS.abandoned - 1)
    assert isinstance((await world.head(game_id)).game, Playing)
    await world.pass_time(1)
    head = await world.head(game_id)
    assert isinstance(head.game, Finished)
    assert head.game.result.reason == "ended_early"


async def test_with_a_turn_clock_a_game_ends_once_everybody_has_missed_a_turn(
    world: World,
) -> None:
    week = 7 * 24 * 3600
    game_id, _ = await world.table(clocks=Clocks(week, None))
    await world.pass_time(1000 * week + GRACE_MS + 1)
    assert isinstance((await world.head(game_id)).game, Playing)
    await world.pass_time(1000 * week + GRACE_MS + 1)
    assert isinstance((await world.head(game_id)).game, Finished)


async def test_a_game_of_too_many_events_ends(world: World) -> None:
    short = World(world.database, WAITS._replace(most_events=100))
    game_id, _ = await short.table(clocks=Clocks(TURN_S, None))
    await short.pass_time(60 * TURN_MS)
    head = await short.head(game_id)
    assert isinstance(head.game, Finished)
    assert 100 <= head.version <= 104
    assert sum(isinstance(e, GameFinished) for e in await short.events(game_id)) == 1


async def test_a_bot_takes_a_seat_that_missed_two_turns_and_gives_it_back(world: World) -> None:
    game_id, people = await world.table(bots=TAKEN)
    await world.pass_time(3 * TURN_MS)
    head = await world.head(game_id)
    assert isinstance(head.game, Playing)
    assert [seat.stand_in for seat in head.game.seats] == ["cautious", None]
    assert [type(e) for e in await world.events(game_id)].count(BotTookSeat) == 1
    await world.one.games.tables.join(world.call(people[0]), game_id, None, None)
    back = await world.events(game_id, head.version)
    assert back == [PlayerReturned(world.clock.ms, 0)]


async def test_a_refused_command_brings_nobody_back(world: World) -> None:
    game_id, people = await world.table(bots=TAKEN)
    await world.pass_time(3 * TURN_MS)
    head = await world.head(game_id)
    with pytest.raises(NotYourTurn):
        await world.one.games.play.bank(world.call(people[0]), game_id, None)
    assert await world.events(game_id, head.version) == []


async def test_without_a_turn_clock_a_bot_takes_the_seat_after_a_while(world: World) -> None:
    dice = ScriptedDice(((1, 1, 1, 2, 3, 4),))
    game_id, people = await world.table(clocks=None, bots=TAKEN, dice=dice)
    await world.one.games.play.roll(world.call(people[0]), game_id, None)
    await world.pass_time(WAITS.absent)
    head = await world.head(game_id)
    assert isinstance(head.game, Playing)
    assert head.game.seats[0].stand_in == "cautious"
    await world.pass_time(4_000)
    assert world.one.woken


async def test_seats_of_bots_are_not_waited_for(world: World) -> None:
    game_id, _ = await world.table(
        1, rules=RulesAsked("jester", {}), clocks=Clocks(TURN_S, None), bots=TAKEN
    )
    await world.pass_time(2 * TURN_MS)
    head = await world.head(game_id)
    assert isinstance(head.game, Playing)
    assert head.game.seats[0].stand_in == "cautious"
