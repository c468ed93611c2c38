"""Who plays, and who follows; both come back whatever happens to the process they talk to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from app.api import series_views
from app.api.render import minimal
from app.errors import AppError, Overloaded, StoreUnavailable
from app.live.frames import Ending, Frame, View
from app.ports import Answer, Head, Player
from app.service.calls import Call
from app.service.series import SeriesCall
from engine.commands import Selection
from engine.errors import Refusal
from engine.legal import legal
from engine.state import Finished, Playing
from tests.asyncapi.checked import FRAMES
from tests.simulation.chance import Chance
from tests.simulation.process import ConnectionLost, Process

Json = dict[str, Any]
T = TypeVar("T")
Somewhere = Callable[[], Awaitable[Process]]
"""A process that serves, waited for where there is none."""

PATIENCE_S = 5.0


@dataclass
class Acted:
    """A command with its key, and every answer that came for it."""

    game_id: str
    name: str
    asked_at: float
    answers: list[Answer] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    answered_at: float = 0.0


class Person:
    """Sends each command until it is answered, and sometimes again after that."""

    def __init__(self, chance: Chance, number: int, somewhere: Somewhere) -> None:
        self.player = Player(chance.new_id(), f"player {number}", 0)
        self.history: list[Acted] = []
        """Commands of games."""
        self.errands: list[Acted] = []
        """Of series."""
        self._chance = chance
        self._somewhere = somewhere

    def call(self, key: str, name: str) -> Call:
        return Call(self.player, minimal, key, name.encode())

    async def act(
        self, game_id: str, name: str, order: Callable[[Process, Call], Awaitable[Answer]]
    ) -> Answer | None:
        """The answer; None where the rules said no. Of a call that finds a game, by its place."""
        acted = Acted(game_id, name, _now())
        self.history.append(acted)
        answer = await self._act(acted, order)
        if answer is not None and not game_id:
            acted.game_id = found_at(answer)
        return answer

    async def arrange(
        self, name: str, order: Callable[[Process, SeriesCall], Awaitable[Answer]]
    ) -> Answer | None:
        """The same of a series."""
        acted = Acted("", name, _now())
        self.errands.append(acted)
        return await self._act(acted, lambda process, call: order(process, _of_series(call)))

    async def _act(
        self, acted: Acted, order: Callable[[Process, Call], Awaitable[Answer]]
    ) -> Answer | None:
        call = self.call(self._chance.new_id(), acted.name)
        again = 1 + self._chance.happens(0.15)
        while again:
            process = await self._somewhere()
            try:
                async with asyncio.timeout(PATIENCE_S):
                    answer = await process.serve(lambda: order(process, call))  # noqa: B023
                if self._chance.happens(0.1):
                    raise ConnectionLost  # the answer went astray
                acted.answers.append(answer)
                again -= 1
            except (ConnectionLost, TimeoutError, StoreUnavailable, Overloaded):
                await asyncio.sleep(self._chance.expovariate(5))
            except (Refusal, AppError) as refused:
                acted.refused.append(refused.code)
                again = 0  # refusals are not kept: once more might be another matter
        acted.answered_at = _now()
        return acted.answers[0] if acted.answers else None

    async def look(self, game_id: str) -> Head:
        return await self.ask(lambda process: process.games.reads.game(game_id, self.player.id))

    async def ask(self, request: Callable[[Process], Awaitable[T]]) -> T:
        """What a read says, once somebody says it."""
        while True:
            process = await self._somewhere()
            try:
                async with asyncio.timeout(PATIENCE_S):
                    return await process.serve(lambda: request(process))  # noqa: B023
            except (ConnectionLost, TimeoutError, StoreUnavailable):
                await asyncio.sleep(self._chance.expovariate(5))

    async def play(self, game_id: str, until: float) -> None:
        """Whatever is legal, at random, until the game is over, or the phone sleeps."""
        while _now() < until:
            head = await self.look(game_id)
            if isinstance(head.game, Finished):
                return
            if isinstance(head.game, Playing):
                if self._is_played_for(head.game) and self._chance.happens(0.5):
                    await self.act(game_id, "join", _back_to(game_id))
                elif self._is_mine(head.game):
                    await self._move(game_id, head.game)
            await asyncio.sleep(self._chance.expovariate(4))

    def _is_mine(self, game: Playing) -> bool:
        return game.setup.places[game.turn.seat].player_id == self.player.id

    def _is_played_for(self, game: Playing) -> bool:
        """Whether a bot stands in."""
        places = zip(game.setup.places, game.seats, strict=True)
        return any(p.player_id == self.player.id and s.stand_in for p, s in places)

    async def _move(self, game_id: str, game: Playing) -> None:
        chance, open_now = self._chance, legal(game)
        choice = chance.choice(open_now.choices) if open_now.choices else None
        select = choice and Selection(choice.dice, choice.wild_face or None)
        commands = [c for c in open_now.commands if c != "select"] or ["select"]
        if choice and chance.happens(0.2):
            commands.append("select")
        names = [chance.choice(commands if chance.happens(0.95) else list(_ORDERS))]
        if chance.happens(0.1):
            names.append(chance.choice(commands))  # on another device, at the same moment
        await asyncio.gather(
            *(self.act(game_id, name, _ORDERS[name](game_id, select)) for name in names)
        )


def found_at(answer: Answer) -> str:
    """The id of what an answer points at."""
    assert answer.location is not None
    return answer.location.rsplit("/", 1)[-1]


def _of_series(call: Call) -> SeriesCall:
    return SeriesCall(call.player, series_views.series, call.key, call.fingerprint, "")


Order = Callable[[Process, Call], Awaitable[Answer]]

_ORDERS: dict[str, Callable[[str, Selection | None], Order]] = {
    "roll": lambda game, select: lambda p, call: p.games.play.roll(call, game, select),
    "select": lambda game, select: (
        lambda p, call: p.games.play.select(call, game, select or Selection((0,)))
    ),
    "bank": lambda game, select: lambda p, call: p.games.play.bank(call, game, select),
    "take-over": lambda game, _: lambda p, call: p.games.play.take_over(call, game),
    "wild-roll": lambda game, select: lambda p, call: p.games.play.wild_roll(call, game, select),
}


def _back_to(game_id: str) -> Order:
    return lambda process, call: process.games.tables.join(call, game_id, None, None)


class _Wire:
    """`app.live.wire.Wire` to a follower that reads when it pleases."""

    def __init__(self) -> None:
        self.paused = False
        self.is_owed = False
        self.on_resume: Callable[[], None] | None = None
        self.on_text: Callable[[str], bool] | None = None
        self.ending: Ending | None = None
        self.frames: list[Frame] = []
        self.closed = asyncio.Event()

    @property
    def unsent(self) -> int:
        return len(self.frames) if self.paused else 0

    @property
    def heard_at(self) -> float | None:
        return _now()

    def write(self, frame: Frame) -> None:
        if self.ending is None:
            self.frames.append(frame)

    def close(self, ending: Ending) -> None:
        if self.ending is None:
            self.ending = ending
            self.closed.set()

    def forgive(self) -> None:
        """Nobody counts."""

    async def gone(self) -> None:
        await self.closed.wait()


class Follower:
    """Follows one game over any number of connections, and keeps what it was sent, in order."""

    def __init__(self, chance: Chance, game_id: str, view: View, somewhere: Somewhere) -> None:
        self.game_id = game_id
        self.view: View = view
        self.began_at: int | None = None
        """The version of the first state it was sent."""
        self.seen: list[Json] = []
        self.version: int | None = None
        self.connections = 0
        self.is_over = False
        self._chance = chance
        self._somewhere = somewhere

    async def follow(self) -> None:
        """Until it has seen the end."""
        while not self.is_over:
            process = await self._somewhere()
            self.connections += 1
            wire = _Wire()
            try:
                async with asyncio.timeout(self._chance.expovariate(1 / 8)):
                    await process.serve(lambda: self._connect(process, wire))  # noqa: B023
            except (ConnectionLost, TimeoutError):
                pass
            self._read(wire)  # what was on its way when the connection broke
            await asyncio.sleep(self._chance.expovariate(3))

    async def _connect(self, process: Process, wire: _Wire) -> None:
        """As the API does it: enter, admit, follow, leave."""
        live = process.live
        live.start()
        connection = live.connections.enter(wire, "somewhere")
        follower = live.hub.enter(connection, self.game_id, self.view)
        reading = asyncio.ensure_future(self._keep_reading(wire))
        try:
            await live.hub.admit(follower, self.version)
            await live.hub.follow(follower, self.version)
            await wire.gone()
        except AppError:
            pass  # the database was away
        finally:
            reading.cancel()
            live.hub.leave(follower)
            live.connections.leave(connection)

    async def _keep_reading(self, wire: _Wire) -> None:
        while True:
            wire.paused = self._chance.happens(0.3)
            await asyncio.sleep(self._chance.expovariate(2))
            self._read(wire)
            wire.paused = False
            if wire.on_resume is not None:
                wire.on_resume()

    def _read(self, wire: _Wire) -> None:
        """Every frame is a message a client could have read; a cut loses the rest of them."""
        frames, wire.frames = wire.frames, []
        if wire.ending is None and frames and self._chance.happens(0.2):
            frames = frames[: self._chance.randrange(len(frames))]
            wire.close(_CUT)
        for frame in frames:
            told = json.loads(frame.payload)
            FRAMES.check(told)
            self._take(told)

    def _take(self, message: Json) -> None:
        match message["type"]:
            case "state":
                assert self.version is None, "a state for one who resumed"
                self.began_at = self.version = message["version"]
                self.is_over = message["game"]["status"] == "finished"
            case "resumed":
                assert message["version"] == self.version
            case "played":
                self.seen += message["events"]
                self.version = message["version"]
                self.is_over = message["events"][-1]["type"] == "fairness_revealed"
                if self.view == "full":
                    assert message["game"]["version"] == self.version


_CUT = Ending(1006, "cut", "")


def _now() -> float:
    return asyncio.get_running_loop().time()
