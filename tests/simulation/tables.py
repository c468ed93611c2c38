"""Tables of people who know each other, of bots, and of followers; and games that carry on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from app.live.frames import View
from app.service.calls import RulesAsked, TableAsked
from engine.state import Bots, Clocks, FairDice, Place
from tests.simulation.chance import Chance
from tests.simulation.people import Follower, Person, found_at
from tests.simulation.world import MOST_S, World

RULES = (
    RulesAsked("farkle", {"target": 1_500, "opening": 300, "high_stakes": True}),
    RulesAsked("farkle", {"target": 1_000, "opening": 0, "spicy": True}),
    RulesAsked("house", {"target": 1_000, "opening": 100}),
    RulesAsked("house", {"target": 4_000, "opening": 0, "exact": True}),
    RulesAsked("jester", {}),
)


@dataclass
class Crowd:
    """Everybody of a run, and what they were told besides."""

    world: World
    people: list[Person] = field(default_factory=list)
    followers: list[Follower] = field(default_factory=list)

    def person(self, name: str, number: int) -> Person:
        made = Person(self.world.chance(name), number, self.world.somewhere)
        self.people.append(made)
        return made


async def table(crowd: Crowd, chance: Chance, number: int, *, carries_on: bool) -> None:
    world = crowd.world
    seats = chance.choice((1, 2, 2, 3))
    rules = RULES[chance.randrange(len(RULES))]
    seats = max(seats, 2 if rules.preset == "house" else 1)
    mine = [crowd.person(f"player {number}/{n}", n) for n in range(seats)]
    bots = chance.choice((0, 0, 1, 2))
    how = Bots(chance.choice((0, 300)), chance.happens(0.5))
    game_id = await laid(mine, bots, rules, _clocks(chance), how, chance.happens(0.9))
    for n in range(chance.randrange(4)):
        name = f"follower {number}/{n}"
        view: View = "full" if n % 2 == 0 else "events"
        crowd.followers.append(Follower(world.chance(name), game_id, view, world.somewhere))
    here = [f for f in crowd.followers if f.game_id == game_id]
    following = asyncio.gather(*(f.follow() for f in here))
    until = asyncio.get_running_loop().time() + chance.uniform(10.0, 60.0)
    await asyncio.gather(*(person.play(game_id, until) for person in mine))
    if chance.happens(0.2):
        await mine[0].act(game_id, "end", lambda p, call: p.games.play.end(call, game_id))
    await following
    await over(world, game_id)
    if carries_on:
        await _carries_on(world, mine, game_id)


async def over(world: World, game_id: str) -> None:
    """Those who left it do not end it: its clocks do."""
    for _ in range(int(MOST_S)):
        if game_id not in world.disk.clocks:
            return
        await asyncio.sleep(1.0)


async def _carries_on(world: World, people: list[Person], game_id: str) -> None:
    """All ask for the rematch at once, and one of them closes it again."""
    answers = await asyncio.gather(
        *(
            person.act(game_id, "rematch", lambda p, call: p.games.opening.rematch(call, game_id))
            for person in people
        )
    )
    for person, answer in zip(people, answers, strict=True):
        if answer is not None:
            new = found_at(answer)
            await person.act(new, "leave", lambda p, call: p.games.tables.leave(call, new))  # noqa: B023
            await over(world, new)


async def laid(
    people: list[Person],
    bots: int,
    rules: RulesAsked,
    clocks: Clocks | None,
    how: Bots,
    starts: bool,
) -> str:
    """A table with everybody seated, and started, where it is."""
    host, *others = people
    asked = TableAsked(
        rules=rules,
        places=(
            *(Place("human") for _ in people),
            *(Place("bot", "cautious") for _ in range(bots)),
        ),
        visibility="public",
        dice=FairDice(),
        clocks=clocks,
        pass_and_play=False,
        bots=how,
        advice=None,
        cheats=None,
    )
    opened = await host.act("", "create", lambda p, call: p.games.opening.create(call, asked))
    assert opened is not None
    assert opened.location is not None
    game_id = opened.location.rsplit("/", 1)[-1]
    host.history[-1].game_id = game_id
    for other in others:
        await other.act(
            game_id, "join", lambda p, call: p.games.tables.join(call, game_id, None, None)
        )
    if starts:
        await host.act(game_id, "start", lambda p, call: p.games.tables.start(call, game_id))
    return game_id


def _clocks(chance: Chance) -> Clocks | None:
    turn_s = chance.choice((None, 5, 10, 20))
    game_s = chance.choice((None, None, 60))
    return None if turn_s is game_s is None else Clocks(turn_s, game_s)
