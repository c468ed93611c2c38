"""The clock of the reveals, and deaths of processes at every step of a sealing."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from app.faultpoints import FaultPoint, watched
from app.ports import Player
from app.service.calls import MatchAsked, RulesAsked
from engine import events as ev
from engine.dice import NO_SEAL, Fair, seal, server_commit
from engine.errors import ContributesNoMore, GameError, GameOver, SealingFailed
from engine.state import Bots, Clocks, Finished, Lobby, Playing, Sealing
from tests.api.contributing import seat_commit
from tests.clocks.world import Process, World

LATE = 5_000 + 501


class Seats:
    """A table's players as contributors; each draws one value an attempt."""

    def __init__(self, game_id: str, people: list[Player]) -> None:
        self.game_id, self.people = game_id, people
        self._drawn: dict[tuple[int, int], bytes] = {}

    def value(self, seat: int, epoch: int) -> bytes:
        return self._drawn.setdefault((seat, epoch), secrets.token_bytes(32))

    def commit_of(self, seat: int, epoch: int) -> str:
        return seat_commit(self.game_id, epoch, seat, self.value(seat, epoch))

    async def commit(self, by: Process, world: World, seat: int, epoch: int = 0) -> None:
        call = world.call(self.people[seat])
        await by.games.contributions.commit(call, self.game_id, self.commit_of(seat, epoch))

    async def reveal(self, by: Process, world: World, seat: int, epoch: int = 0) -> None:
        seed, after = self.value(seat, epoch).hex(), self.commit_of(seat, epoch + 1)
        call = world.call(self.people[seat])
        await by.games.contributions.reveal(call, self.game_id, seed, after)

    async def start(self, by: Process, world: World, openly: bool = False) -> None:
        await by.games.tables.start(world.call(self.people[0]), self.game_id, openly)


async def sealing(world: World, players: int = 2, *commits: int, **how: Any) -> Seats:
    game_id, people = await world.lobby(players, **how)
    seats = Seats(game_id, people)
    for seat in commits:
        await seats.commit(world.one, world, seat)
    await seats.start(world.one, world)
    return seats


def of(events: list[ev.Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def checked(events: list[ev.Event]) -> None:
    """The seal and every die come from what was committed to, and all secrets are told."""
    created, revealed = events[0], events[-1]
    assert isinstance(created, ev.GameCreated)
    assert isinstance(revealed, ev.FairnessRevealed)
    game_id, seeds = created.game_id, [bytes.fromhex(seed) for seed in revealed.seeds]
    closed = of(events, ev.EntropyClosed)
    commits = [*created.server_commits, *(each.server_commit for each in closed)]
    assert commits == [server_commit(game_id, e, seed).hex() for e, seed in enumerate(seeds)]
    for sealed in of(events, ev.EntropySealed):
        epoch = sealed.epoch
        mixed = [
            (e.seat, bytes.fromhex(e.seed))
            for e in of(events, ev.EntropyRevealed)
            if e.epoch == epoch
        ]
        assert sorted(seat for seat, _ in mixed) == list(sealed.seats)
        assert list(sealed.seats) == [seat for seat, _ in closed[epoch].commits]
        g = seal(game_id, epoch, NO_SEAL, bytes.fromhex(commits[epoch]), mixed)
        assert sealed.seal == g.hex()
        fair = Fair(seeds[epoch], game_id, epoch, g)
        for number, rolled in enumerate(of(events, ev.DiceRolled)):
            assert (rolled.roll, rolled.epoch) == (number, epoch)
            assert rolled.dice == fair.faces(number, len(rolled.dice))


async def test_the_clock_fails_an_attempt_once_whoever_looks(world: World) -> None:
    seats = await sealing(world, 3, 0, 1, 2)
    await seats.reveal(world.one, world, 0)
    await seats.reveal(world.one, world, 2)
    await world.pass_time(LATE - 1)
    assert of(await world.events(seats.game_id), ev.EntropyFailed) == []
    await world.pass_time(1, *(world.process() for _ in range(3)))
    events = await world.events(seats.game_id)
    [failed] = of(events, ev.EntropyFailed)
    assert failed.missing == (1,)
    assert [seat for seat, _ in of(events, ev.EntropyClosed)[1].commits] == [0, 2]
    other = world.process()
    await seats.reveal(other, world, 0, 1)
    await seats.reveal(other, world, 2, 1)
    game = (await world.head(seats.game_id)).game
    assert isinstance(game, Playing)
    assert (game.mixed, game.epoch) == ((0, 2), 1)
    await world.one.games.play.roll(world.call(seats.people[0]), seats.game_id, None)
    await world.one.games.play.end(world.call(seats.people[0]), seats.game_id)
    checked(await world.events(seats.game_id))


async def test_silence_leads_back_to_the_lobby_and_on_by_the_hosts_word(world: World) -> None:
    seats = await sealing(world, 2, 0, 1, clocks=None)
    code = (await world.head(seats.game_id)).join_code
    await seats.reveal(world.one, world, 0)
    await world.pass_time(2 * LATE)
    head = await world.head(seats.game_id)
    assert isinstance(head.game, Lobby)
    assert (head.game.failed, head.join_code) == ((0, 1), code)
    with pytest.raises(SealingFailed):
        await seats.start(world.one, world)
    with pytest.raises(ContributesNoMore):
        await seats.commit(world.one, world, 0, 2)
    await seats.start(world.one, world, openly=True)
    await world.one.games.play.roll(world.call(seats.people[0]), seats.game_id, None)
    await world.one.games.play.end(world.call(seats.people[0]), seats.game_id)
    events = await world.events(seats.game_id)
    checked(events)
    [told] = of(events, ev.FairnessRevealed)
    assert len(told.seeds) == 5, "two at creation, one for each of three closes"


async def test_strangers_play_on_when_nobody_reveals(world: World) -> None:
    _, people = await world.lobby(2)
    asked = MatchAsked(RulesAsked("farkle", {}), 2, None, None, None)
    first = await world.one.games.matches.wait(world.call(people[0]), asked)
    assert first.location is not None
    seats = Seats(first.location.rsplit("/", 1)[-1], people)
    await seats.commit(world.one, world, 0)
    await world.one.games.matches.wait(world.call(people[1]), asked)
    assert isinstance((await world.head(seats.game_id)).game, Sealing)
    await world.pass_time(LATE)
    game = (await world.head(seats.game_id)).game
    assert isinstance(game, Playing)
    assert (game.mixed, game.epoch) == ((), 1)


async def test_a_table_filled_by_the_clock_is_sealed_like_any_other(world: World) -> None:
    _, people = await world.lobby(1)
    asked = MatchAsked(RulesAsked("farkle", {}), 2, None, 30, None)
    first = await world.one.games.matches.wait(world.call(people[0]), asked)
    assert first.location is not None
    seats = Seats(first.location.rsplit("/", 1)[-1], people)
    await seats.commit(world.one, world, 0)
    await world.pass_time(30_000)
    await seats.reveal(world.one, world, 0)
    game = (await world.head(seats.game_id)).game
    assert isinstance(game, Playing)
    assert game.mixed == (0,)


async def test_nobody_fails_for_a_time_in_which_no_process_was_there(fragile: World) -> None:
    world = fragile
    seats = await sealing(world, 2, 0, 1)
    await world.one.poll()
    world.clock.ms += 300_000
    late = world.process()
    await late.poll()
    events = await world.events(seats.game_id)
    assert (len(of(events, ev.ClockExtended)), of(events, ev.EntropyFailed)) == (1, [])
    for seat in (0, 1):
        await seats.reveal(late, world, seat)
    assert isinstance((await world.head(seats.game_id)).game, Playing)


async def test_a_reveal_brings_the_credit_along(fragile: World) -> None:
    world = fragile
    seats = await sealing(world, 2, 0)
    await world.one.poll()
    world.clock.ms += 300_000
    late = world.process()
    await late.pulse.beat()
    await seats.reveal(late, world, 0)
    kinds = [type(event) for event in (await world.events(seats.game_id))[-4:]]
    assert kinds == [ev.ClockExtended, ev.EntropyRevealed, ev.EntropySealed, ev.GameStarted]


async def test_the_clock_and_the_last_reveal_have_one_outcome(world: World) -> None:
    for _ in range(5):
        seats = await sealing(world, 2, 0)
        world.clock.ms += LATE
        tries = await asyncio.gather(
            seats.reveal(world.process(), world, 0),
            world.process().poll(),
            return_exceptions=True,
        )
        assert isinstance(tries[0], GameError), "it was too late, whoever came first"
        await world.one.poll()
        events = await world.events(seats.game_id)
        assert len(of(events, ev.EntropyFailed)) == 1
        assert of(events, ev.EntropyRevealed) == []


class Died(BaseException):
    """The process is gone."""


POINTS: tuple[FaultPoint, ...] = (
    "before_append",
    "before_commit",
    "after_commit",
    "before_hint",
    "after_hint",
)
STEPS = ("commit", "start", "first reveal", "last reveal", "clock", "fallback", "roll", "end")

Step = Callable[[Process], Awaitable[Any]]


async def through(world: World, step: str, point: FaultPoint) -> None:
    """A game in which the process dies at one place; another goes on and asks again."""

    died: list[str] = []

    def die(at: FaultPoint) -> None:
        if at == point:
            died.append(step)
            raise Died

    async def doing(name: str, what: Step) -> None:
        if name == step:
            with watched(die), suppress(Died, Exception):
                await what(world.process())
        with suppress(GameError):  # it may have been done
            await what(world.process())

    game_id, people = await world.lobby(2, bots=Bots(), clocks=Clocks(600, None))
    seats = Seats(game_id, people)
    await seats.commit(world.one, world, 0)
    await doing("commit", lambda by: seats.commit(by, world, 1))
    await doing("start", lambda by: seats.start(by, world))
    await doing("first reveal", lambda by: seats.reveal(by, world, 0))
    epoch = 0
    if step in ("clock", "fallback"):
        world.clock.ms += LATE
        await doing("clock", lambda by: by.poll())
        epoch = 1
        if step == "fallback":
            world.clock.ms += LATE
            await doing("fallback", lambda by: by.poll())
            assert isinstance((await world.head(game_id)).game, Lobby)
            await seats.start(world.one, world, openly=True)
        else:
            await seats.reveal(world.process(), world, 0, 1)
    else:
        await doing("last reveal", lambda by: seats.reveal(by, world, 1))
    before = (await world.head(game_id)).game
    assert isinstance(before, Playing)
    host = world.call(people[0])
    await doing("roll", lambda by: by.games.play.roll(host, game_id, None))
    await doing("end", lambda by: by.games.play.end(host, game_id))
    assert died
    events = await world.events(game_id)
    after = (await world.head(game_id)).game
    assert isinstance(after, Finished)
    assert (after.seal, after.mixed) == (before.seal, before.mixed)
    assert len(of(events, ev.EntropyFailed)) == epoch + (step == "fallback")
    assert len(of(events, ev.EntropySealed)) == len(of(events, ev.FairnessRevealed)) == 1
    checked(events)


@pytest.mark.parametrize(
    "times",
    [
        pytest.param(1, marks=pytest.mark.wide),
        pytest.param(50, marks=[pytest.mark.soak, pytest.mark.timeout(600)]),
    ],
)
@pytest.mark.parametrize("step", STEPS)
async def test_a_death_at_any_step_changes_no_seal_and_no_die(
    world: World, step: str, times: int
) -> None:
    for _ in range(times):
        for point in POINTS:
            await through(world, step, point)


async def test_an_end_while_sealing_is_counted_by_nobody_and_revealed(world: World) -> None:
    seats = await sealing(world, 2, 0, 1)
    await world.one.games.play.end(world.call(seats.people[0]), seats.game_id)
    events = await world.events(seats.game_id)
    checked(events)
    assert await world.due(seats.game_id) is None
    with pytest.raises(GameOver):
        await seats.reveal(world.one, world, 0)


async def test_a_forgotten_player_is_out_of_every_sealing(world: World) -> None:
    seats = await sealing(world, 3, 0, 1, 2)
    await world.one.games.forget(seats.people[2].id)
    assert of(await world.events(seats.game_id), ev.SeatResigned)[0].seat == 2
    await seats.reveal(world.one, world, 0)
    await seats.reveal(world.one, world, 1)
    await world.pass_time(LATE)
    for seat in (0, 1):
        await seats.reveal(world.one, world, seat, 1)
    game = (await world.head(seats.game_id)).game
    assert isinstance(game, Playing)
    assert [seat.active for seat in game.seats] == [True, True, False]
