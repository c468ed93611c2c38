"""A server killed in the middle of a sealing: the same seal and dice afterwards, and a reveal."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import Any

import pytest

from app.replaying import replayed
from app.store.codec import decode
from app.store.parts import canonical
from tests.api.contributing import Contributor
from tests.clocks.test_sealing import checked
from tests.live.player import Player, all_events
from tests.live.server import Live, healthy
from tests.live.wire import NoAnswer

Json = dict[str, Any]
STEPS = ("commit", "start", "first reveal", "last reveal", "clock", "roll", "end")
REVEAL_S = 8
"""Longer than a server takes to start again on a busy machine."""
ASKED: Json = {"rules": {"preset": "farkle"}, "seats": [{"kind": "human"}] * 2}


class _Table:
    """What a contributor needs to know of its table."""

    def __init__(self, game_id: str) -> None:
        self.id = game_id


class Sealed:
    """A game that goes through its steps; the server dies while it takes one of them."""

    def __init__(self, server: Live, dies_in: str, chance: random.Random) -> None:
        self.server, self.dies_in, self.chance = server, dies_in, chance

    async def step(self, name: str, by: Player, method: str, path: str, body: Json | None) -> None:
        key = f"{name}:{path}".replace(" ", "-")
        if name == self.dies_in:
            asked = asyncio.create_task(by.ask(method, path, body, key=key))
            await asyncio.sleep(0.02 * self.chance.random())
            self.server.kill()
            with suppress(NoAnswer, TimeoutError):
                await asked
            self.server.start()
        answer = await by.ask(method, path, body, key=key, port=self.server.port)
        assert answer.ok, (name, answer)

    async def play(self) -> str:
        """The id of the game, once it is over."""
        port = self.server.port
        ana, bo = await Player.make(port), await Player.make(port, "Bo")
        game = await ana.table(ASKED, bo, start=False)
        path = f"/v1/games/{game['id']}"
        table: Any = _Table(game["id"])
        one, two = Contributor(None, table, 0), Contributor(None, table, 1)  # type: ignore[arg-type]
        entropy = ("PUT", f"{path}/entropy")
        await self.step("-", ana, *entropy, {"commit": one.commit_to(0)})
        await self.step("commit", bo, *entropy, {"commit": two.commit_to(0)})
        await self.step("start", ana, "POST", f"{path}/start", None)
        await self.step("first reveal", ana, *entropy, one.reveal_of(0))
        if self.dies_in == "clock":
            await asyncio.sleep(REVEAL_S + self.chance.random())  # the deadline, give or take
            self.server.kill()
            self.server.start()
            await self._until_the_next_attempt(ana, path)
            await self.step("again", ana, *entropy, one.reveal_of(1))
        else:
            await self.step("last reveal", bo, *entropy, two.reveal_of(0))
        await self.step("roll", ana, "POST", f"{path}/roll", None)
        await self.step("end", ana, "POST", f"{path}/end", None)
        return str(game["id"])

    async def _until_the_next_attempt(self, player: Player, path: str) -> None:
        for _ in range(200):
            game = await player.do("GET", path, port=self.server.port)
            if game["sealing"]["epoch"] == 1:
                return
            await asyncio.sleep(0.1)
        raise AssertionError("the clock of the reveals never fired")


async def _prove(url: str, step: str, times: int) -> None:
    reveal_after = REVEAL_S if step == "clock" else 60
    server = Live(url, settings={"HOTDICE_REVEAL_AFTER": str(reveal_after)})
    server.start()
    chance = random.Random(f"{step} {times}")
    try:
        for _ in range(times):
            game_id = await Sealed(server, step, chance).play()
            await replayed(url, game_id)
            reader = await Player.make(server.port)
            events = [event_of(each) for each in await all_events(reader, game_id)]
            checked(events)
        healthy(server)
    finally:
        server.kill()


def event_of(shown: Json) -> Any:
    """An event as the API shows it, read back."""
    return decode(canonical({k: v for k, v in shown.items() if k != "version"}).encode())


@pytest.mark.wide
@pytest.mark.parametrize("step", ["last reveal", "clock"])
async def test_a_kill_in_the_middle_of_a_sealing_changes_nothing(fresh_url: str, step: str) -> None:
    await _prove(fresh_url, step, 1)


@pytest.mark.parametrize(
    "times",
    [
        pytest.param(1, marks=[pytest.mark.faults]),
        pytest.param(50, marks=[pytest.mark.soak, pytest.mark.timeout(1_200)]),
    ],
)
@pytest.mark.parametrize("step", STEPS)
async def test_kills_in_each_step_of_a_sealing_change_nothing(
    fresh_url: str, step: str, times: int
) -> None:
    await _prove(fresh_url, step, times)
