"""From any reachable state, with all people silent, a game ends within its limits."""

from __future__ import annotations

from random import Random

import pytest

from app.bots.plan import is_bots_turn, plan
from app.clocks.due import TAKES_OVER_MS, Waits, due, heirs
from app.clocks.happening import happening
from app.ports import Head
from engine.deadlines import GRACE_MS, game_deadline
from engine.decide import transition
from engine.rules import Rules
from engine.rules_text import rules_from_data
from engine.state import Bots, Clocks, Finished, Playing, Setup
from tests.engine.test_against_referee import SHIPPED
from tests.engine.walks import any_command, dice_of_walk, started, table

WAITS = Waits(lobby=3_600_000, host=60_000, absent=120_000, abandoned=900_000, most_events=2_000)
SEEDS = (bytes(32), bytes(32), bytes(32))
RULES = {name: rules_from_data(data) for name, data in SHIPPED.items()}


def any_table(rules: Rules, chance: Random) -> Setup:
    """Any mixture of people, bots, clocks and what the table does about absence."""
    count = chance.randint(max(1, rules.seats_min), 4)
    laid = table(rules, [True] * count)
    places = tuple(
        place._replace(kind="bot", character="cautious", player_id=None)
        if chance.random() < 0.3
        else place
        for place in laid.places
    )
    clocks = Clocks(chance.choice((None, 5, 60)), chance.choice((None, None, 600)))
    return laid._replace(
        places=places,
        clocks=chance.choice((None, clocks)),
        bots=Bots(chance.choice((0, 500)), chance.random() < 0.5),
    )


def somewhere(rules: Rules, chance: Random, seed: int) -> Playing:
    """A state that random legal commands lead to."""
    play, _ = started(any_table(rules, chance))
    entropy = dice_of_walk(seed)
    for _ in range(chance.randrange(60)):
        after = transition(play, any_command(play, chance, entropy, play.turn.began_at + 1))
        if not isinstance(after.game, Playing):
            break
        play = after.game
    return play


def in_silence(head: Head) -> tuple[Head, int]:
    """The game once it is over, and the time then."""
    now = head.updated_at
    while isinstance(head.game, Playing):
        assert head.version <= WAITS.most_events + 20
        if is_bots_turn(head.game):
            now = head.updated_at + head.game.setup.bots.pace_ms
            planned = plan(head, SEEDS, now, 6)
            events, game = planned.events, planned.game
            first = due(head, WAITS)
            if first is not None and first.at < now:
                events = ()
        else:
            events, game = (), head.game
        if not events:
            first = due(head, WAITS)
            assert first is not None, "nothing would ever happen here"
            assert first.at >= now - TAKES_OVER_MS or first.what in ("too_long", "host_left")
            now = max(now, first.at)
            decision = happening(head._replace(read_at=now), SEEDS, WAITS, heir=_any(head)).decision
            assert decision.events, first
            events, game = decision.events, decision.game
        head = head._replace(game=game, version=head.version + len(events), updated_at=now)
    return head, now


def _any(head: Head) -> int | None:
    assert isinstance(head.game, Playing)
    return next(iter(heirs(head.game)), None)


def limit_of(play: Playing) -> int:
    """The latest moment at which the game must be over, bots' own games aside."""
    clocks = play.setup.clocks
    ends = game_deadline(play)
    if ends is not None:
        return ends + GRACE_MS + 1
    turn = 1000 * clocks.turn_s + GRACE_MS + 1 if clocks and clocks.turn_s else 0
    around = (turn + 10_000) * len(play.seats)
    return play.turn.began_at + WAITS.abandoned + 3 * around + 60_000


@pytest.mark.parametrize("name", SHIPPED)
def test_games_end_in_silence(name: str) -> None:
    for seed in range(67):
        chance = Random(f"{name}/{seed}")
        play = somewhere(RULES[name], chance, seed)
        begun = Head(play, 50, b"", (), None, 1, play.turn.began_at)
        over, at = in_silence(begun)
        assert isinstance(over.game, Finished)
        people = [s for s, place in enumerate(play.setup.places) if place.kind == "human"]
        if people and not play.setup.bots.take_absent_seats:
            assert at <= limit_of(play), (seed, play.setup.clocks)
        assert over.version <= WAITS.most_events + 20
