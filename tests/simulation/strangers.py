"""Strangers who ask for a game, and do not always wait for it."""

from __future__ import annotations

import asyncio

from app.service.calls import MatchAsked, RulesAsked
from engine.state import Clocks, Lobby, Playing
from tests.simulation.chance import Chance
from tests.simulation.people import Person, found_at
from tests.simulation.tables import Crowd, over

_QUICK = RulesAsked("farkle", {"target": 500, "opening": 0})
_HOUSE = RulesAsked("house", {"target": 1_000, "opening": 0})

WISHES = (
    MatchAsked(_QUICK, 2, Clocks(5, None), None, False),
    MatchAsked(_QUICK, 2, Clocks(5, None), 4, False),
    MatchAsked(_HOUSE, 3, Clocks(5, None), 2, False),
)


async def strangers(crowd: Crowd, chance: Chance) -> None:
    wishes = chance.sample(WISHES, chance.choice((1, 2)))
    people = [crowd.person(f"stranger {n}", n) for n in range(chance.randrange(3, 8))]
    hurry = chance.choice((0.0, 0.5, 3.0))
    await asyncio.gather(
        *(
            _meets(crowd, person, crowd.world.chance(f"whim {n}"), wishes, hurry)
            for n, person in enumerate(people)
        )
    )


async def _meets(
    crowd: Crowd, person: Person, chance: Chance, wishes: list[MatchAsked], hurry: float
) -> None:
    """Asks, and asks again elsewhere; at one table after the other."""
    loop = asyncio.get_running_loop()
    for _ in range(chance.choice((1, 1, 2, 3))):
        await asyncio.sleep(chance.uniform(0.0, hurry))
        wish = chance.choice(wishes)
        answer = await person.act("", "match", lambda p, call: p.games.matches.wait(call, wish))  # noqa: B023
        if answer is None:
            continue
        game_id = found_at(answer)
        until = loop.time() + chance.uniform(0.0, 8.0)
        while loop.time() < until:
            if not isinstance((await person.look(game_id)).game, Lobby):
                break
            await asyncio.sleep(0.5)
        if chance.happens(0.8):
            await person.act(
                game_id,
                "cancel",
                lambda p, call: p.games.matches.cancel(call, game_id),  # noqa: B023
            )
        if isinstance((await person.look(game_id)).game, Playing):
            await person.play(game_id, loop.time() + chance.uniform(0.0, 20.0))
    for game_id in sorted({act.game_id for act in person.history if act.game_id}):
        await over(crowd.world, game_id)
