"""Series: their owners, those who take part, and what they are told in the end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

from app.api import series_views
from app.api.render import minimal
from app.ports import Answer
from app.series.model import Participant, Series
from app.service.calls import Call, RulesAsked, SeriesAsked
from app.service.repair import OperatorCall
from engine.state import Clocks, FairDice, SeededDice
from tests.simulation.chance import Chance
from tests.simulation.people import Person, found_at
from tests.simulation.process import Process
from tests.simulation.tables import Crowd, over

BOT = Participant("cautious")
SIDES: tuple[tuple[Participant | None, ...], ...] = (
    (BOT, BOT),
    (None, BOT),
    (None, Participant()),
    (BOT, None, Participant()),
)


@dataclass
class Contest:
    """A series that is over."""

    series: Series
    told: dict[str, Any]
    """As its page says in the end."""
    game_ids: dict[int, str]
    """By number."""


async def contest(crowd: Crowd, chance: Chance, contests: list[Contest]) -> None:
    world, loop = crowd.world, asyncio.get_running_loop()
    sides = chance.choice(SIDES)
    count = sum(side is None or side.is_free for side in sides)
    people = [crowd.person(f"side {n}", n) for n in range(max(count, 1))]
    owner, *others = people
    asked = SeriesAsked(
        rules=RulesAsked("farkle", {"target": 500, "opening": 0, "final_round": False}),
        participants=sides,
        seats=2,
        games=chance.choice((1, 2, 2)),
        at_once=chance.choice((1, 2, 3)),
        dice=chance.choice((FairDice(), SeededDice("5eed" * 16))),
        clocks=Clocks(5, None),
        pace_ms=0,
        advice=False,
    )
    made = await owner.arrange("series", lambda p, call: p.games.series.create(call, asked))
    if made is None:
        return  # more tables with bots than one may have
    series_id, code = found_at(made), json.loads(made.body).get("join_code")
    for other in others:
        await other.arrange(
            "join", lambda p, call: p.games.series.join(call, series_id, code or "")
        )
    patience = loop.time() + chance.choice((5.0, 60.0, 60.0))
    playing = [asyncio.ensure_future(_plays(one, series_id, patience)) for one in people]
    if chance.happens(0.2):
        await asyncio.sleep(chance.uniform(0.0, 10.0))
        await owner.arrange("cancel", lambda p, call: p.games.series.cancel(call, series_id))
    await asyncio.gather(*playing)
    while world.disk.series[series_id].status in ("open", "running"):  # noqa: ASYNC110
        await asyncio.sleep(1.0)
    for game_id in world.disk.series_games[series_id]:
        await over(world, game_id)
    if world.disk.series[series_id].status == "finished" and chance.happens(0.5):
        await _voids(owner, world.disk.series_games[series_id][0])
    series, standing = await owner.ask(lambda p: p.games.series.series(series_id))
    told = json.loads(series_views.series(series, standing, 0, None))
    contests.append(Contest(series, told, dict(enumerate(world.disk.series_games[series_id]))))


async def _plays(person: Person, series_id: str, patience: float) -> None:
    """Whatever is open of its games, until the series is over, or the phone sleeps."""
    loop = asyncio.get_running_loop()
    while loop.time() < patience:
        series, games = await person.ask(lambda p: p.games.series.games(series_id, 0, 100))
        if series.status in ("finished", "cancelled"):
            return
        me = series.place_of(person.player.id)
        mine = [
            game.game_id
            for game, pairing in games
            if game.is_open and not game.is_over and me in pairing.participants
        ]
        await asyncio.gather(*(person.play(game_id, loop.time() + 5.0) for game_id in mine))
        await asyncio.sleep(0.5)


async def _voids(operator: Person, game_id: str) -> None:
    def order(process: Process, call: Call) -> Awaitable[Answer]:
        asked = OperatorCall(call.player.id, minimal, call.key, call.fingerprint, None)
        return process.games.repair.void(asked, game_id)

    await operator.act(game_id, "void", order)
