"""A command and a clock at the same moment: one order, one outcome, and the same on replay."""

from __future__ import annotations

import asyncio

from app.ports import Player
from engine.deadlines import GRACE_MS
from engine.errors import Refusal
from engine.events import DiceRolled, TurnTimedOut
from engine.evolve import replay
from engine.state import ScriptedDice
from tests.clocks.world import BEGIN, TURN_S, Process, SetClock, World

TABLES = 60
TURN_MS = 1000 * TURN_S + GRACE_MS


class Running(SetClock):
    """A clock that goes on by itself: the border between two moments falls anywhere."""

    def now(self) -> int:
        self.ms += 1
        return self.ms


async def test_whoever_commits_first_decides(world: World) -> None:
    dice = ScriptedDice(((1, 1, 1, 2, 3, 4),))
    tables = [await world.table(dice=dice) for _ in range(TABLES)]
    running = Running(BEGIN)
    here, *others = [Process(world.database, running) for _ in range(3)]

    async def roll(game_id: str, player: Player) -> str:
        try:
            await here.games.play.roll(world.call(player), game_id, None)
        except Refusal as refused:
            return refused.code
        return "accepted"

    said: list[str] = []
    third = TABLES // 3
    # In time, at the last moment, too late: the commands of each third share transactions.
    for begin, left_ms in ((0, 1_000), (third, third), (2 * third, 0)):
        running.ms = BEGIN + TURN_MS - left_ms
        rolls = [roll(game_id, people[0]) for game_id, people in tables[begin : begin + third]]
        polls = [process.poll() for process in others for _ in range(6)]
        answers, _ = await asyncio.gather(asyncio.gather(*rolls), asyncio.gather(*polls))
        said += answers
    assert set(said) <= {"accepted", "time_is_up", "not_your_turn"}
    assert 0 < said.count("accepted") < TABLES
    world.clock.ms = BEGIN + TURN_MS + 1
    await world.process().poll()
    await world.process().poll()
    for (game_id, _), word in zip(tables, said, strict=True):
        events = await world.events(game_id)
        rolled = [e for e in events if isinstance(e, DiceRolled)]
        fired = [e for e in events if isinstance(e, TurnTimedOut)]
        assert len(rolled) == (word == "accepted")
        assert len(fired) == 1
        if rolled:
            assert rolled[0].at <= BEGIN + TURN_MS < fired[0].at
            assert events.index(rolled[0]) < events.index(fired[0])
        assert replay(events) == (await world.head(game_id)).game
