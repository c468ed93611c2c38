"""Purses that are spent in two games at once while an operator's payment service fills them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from app.errors import Overloaded, ReferenceReused, StoreUnavailable
from app.purses import Credited, Purchase
from app.service.calls import RulesAsked
from engine.state import Bots, Clocks
from tests.plain_rules import purse_rules
from tests.simulation.chance import Chance
from tests.simulation.people import PATIENCE_S, Person
from tests.simulation.process import ConnectionLost, Process
from tests.simulation.tables import Crowd, laid, over
from tests.simulation.world import World

RULES = RulesAsked(custom=purse_rules(target=3_000, most_seats=4))
"""Without Wild Rolls of the game's own: each is paid from the purse."""


@dataclass
class Purchases:
    """What the payment service asked for, and what it was told."""

    world: World
    told: list[tuple[Purchase, Credited]] = field(default_factory=list)

    async def tells(self, chance: Chance, purchase: Purchase) -> None:
        """Until it is answered, as a payment service does."""
        while True:
            process = await self.world.somewhere()
            try:
                async with asyncio.timeout(PATIENCE_S):
                    done = await process.serve(lambda: _credit(process, purchase))  # noqa: B023
            except (ConnectionLost, TimeoutError, StoreUnavailable, Overloaded):
                await asyncio.sleep(chance.expovariate(5))
            else:
                self.told.append((purchase, done))
                return


async def _credit(process: Process, purchase: Purchase) -> Credited:
    """As the API does it."""
    done = await process.purses.repeated(purchase)
    return done or await process.purses.credit(purchase, process.games.now())


async def purse(crowd: Crowd, chance: Chance, purchases: Purchases) -> None:
    """One player at two tables at once, against two others."""
    rich, *others = [crowd.person(f"purse {n}", n) for n in range(3)]
    payer = crowd.world.chance("payer")
    await _pays(purchases, payer, rich, "first", chance.randrange(1, 4))
    games = [
        await laid([rich, other], 0, RULES, Clocks(5, None), Bots(), starts=True)
        for other in others
    ]
    until = asyncio.get_running_loop().time() + chance.uniform(5.0, 20.0)
    later = asyncio.ensure_future(_later(purchases, payer, rich, chance.randrange(1, 4)))
    await asyncio.gather(
        *(person.play(game, until) for game in games for person in (rich, *others)), later
    )
    for game in games:
        await rich.act(game, "end", lambda p, call: p.games.play.end(call, game))  # noqa: B023
        await over(crowd.world, game)


async def _later(purchases: Purchases, chance: Chance, player: Person, number: int) -> None:
    for payment in range(2):
        await asyncio.sleep(chance.uniform(0.5, 3.0))
        await _pays(purchases, chance, player, f"later {payment}", number)


async def _pays(
    purchases: Purchases, chance: Chance, player: Person, reference: str, number: int
) -> None:
    """The service tells two processes at once, and one of them again."""
    purchase = Purchase(player.player.id, reference, number, None)
    await asyncio.gather(*(purchases.tells(chance, purchase) for _ in range(2)))
    if chance.happens(0.5):
        await purchases.tells(chance, purchase)
    try:
        await purchases.tells(chance, purchase._replace(wild_rolls=number + 1))
    except ReferenceReused:
        return
    raise AssertionError("a payment counted twice")
