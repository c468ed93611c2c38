"""Laws that hold for every rule set, shipped and random: legal play, replay, refusals."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from engine.commands import Bank, Command, Roll, Select, Selection, TakeOver, WildRoll
from engine.decide import decide, transition
from engine.errors import Refusal
from engine.evolve import evolve, replay
from engine.legal import legal
from engine.rules import Rules
from engine.rules_text import rules_from_data
from engine.state import Cheats, Finished, Game, Playing, ScriptedDice, ToSelect
from tests.engine.random_rules import random_rules
from tests.engine.walks import any_command, dice_of_walk, started, table, walk
from tests.referee import rulebook

SHIPPED: dict[str, Any] = {
    "farkle": rulebook.farkle(),
    "farkle, no final round": rulebook.farkle(final_round=False),
    "spicy": rulebook.farkle(spicy=True),
    "high stakes": rulebook.farkle(high_stakes=True),
    "spicy high stakes": rulebook.farkle(spicy=True, high_stakes=True),
    "four and two": rulebook.farkle(four_and_two_is_three_pairs=True),
    "house": rulebook.house(),
    "house, exact": rulebook.house(exact=True),
    "house, roll hot dice": rulebook.house(bank_on_hot_dice=False),
    "jester, pocket": rulebook.jester(),
    "jester, jackpot": rulebook.jester(tier="jackpot"),
    "jester, fortune": rulebook.jester(tier="fortune"),
    "jester, tycoon": rulebook.jester(tier="tycoon"),
}
RULE_SETS = [*((name, rules_from_data(data)) for name, data in SHIPPED.items())]
RULE_SETS += [(f"random {seed}", random_rules(seed)) for seed in range(2000, 2040)]
CHEATS = Cheats(loaded=(0,), light=((0, "lucky"), (1, "cold")), skip_next=(1,), always_score=(1,))


def every_command(play: Playing) -> list[tuple[str, Command]]:
    """Each command of the seat to move with every argument it could have, by its API name."""
    seat, dice, entropy = play.turn.seat, play.setup.rules.dice, dice_of_walk(5)
    found: list[tuple[str, Command]] = [
        ("roll", Roll(9, seat, entropy)),
        ("bank", Bank(9, seat)),
        ("take-over", TakeOver(9, seat, entropy)),
        ("wild-roll", WildRoll(9, seat, entropy)),
    ]
    for size in range(1, dice + 1):
        for picked in combinations(range(dice), size):
            faces = range(1, 7) if _wild(play) and dice - 1 in picked else (None,)
            found += [("select", Select(9, seat, Selection(picked, face))) for face in faces]
    return found


def _wild(play: Playing) -> bool:
    return isinstance(play.turn, ToSelect) and play.turn.wild


def accepted(play: Playing, command: Command) -> bool:
    try:
        transition(play, command)
    except Refusal:
        return False
    return True


@pytest.mark.parametrize(("name", "rules"), RULE_SETS, ids=[name for name, _ in RULE_SETS])
def test_what_is_legal_is_accepted_and_all_else_refused(name: str, rules: Rules) -> None:
    seats = [True] * max(2, rules.seats_min)
    for number, step in enumerate(walk(table(rules, seats), seed=7, most=60)):
        if number % 3:
            continue
        options = legal(step.before)
        listed = {(c.dice, c.wild_face or None): c.points for c in options.choices}
        for word, command in every_command(step.before):
            may = word in options.commands
            if isinstance(command, Select):
                may = (command.select.dice, command.select.wild_face) in listed
            assert accepted(step.before, command) == may, command
        for (dice, face), points in listed.items():
            after = transition(step.before, Select(9, options.seat, Selection(dice, face)))
            assert isinstance(after.game, Playing)
            assert isinstance(after.game.turn, ToSelect)
            assert after.game.turn.points == points


@pytest.mark.parametrize(("name", "rules"), RULE_SETS, ids=[name for name, _ in RULE_SETS])
@pytest.mark.parametrize("cheats", [None, CHEATS], ids=["fair", "cheated"])
def test_replay_equals_the_live_game_at_every_version(
    name: str, rules: Rules, cheats: Cheats | None
) -> None:
    setup = table(rules, [True] * max(2, rules.seats_min), cheats if _cheatable(rules) else None)
    game, log = started(setup)
    current: Game = game
    folded: Game | None = None
    for event in log:
        folded = evolve(folded, event)
    for step in walk(setup, seed=11, most=400):
        assert step.before == current
        for event in step.events:
            folded = evolve(folded, event)
        after = transition(current, step.command)
        assert after.events == step.events == decide(current, step.command)
        assert folded == after.game
        current, log = after.game, log + step.events
    assert replay(log) == current


def _cheatable(rules: Rules) -> bool:
    return any(c.kind == "single" for c in rules.combinations)


@pytest.mark.parametrize(("name", "rules"), RULE_SETS[:13], ids=list(SHIPPED))
@pytest.mark.parametrize("seats", [1, 2, 5, 8])
def test_random_legal_play_reaches_the_end(name: str, rules: Rules, seats: int) -> None:
    if seats < rules.seats_min:
        seats = rules.seats_min
    chance, entropy = Random(3), dice_of_walk(3)
    game: Game = started(table(rules, [True] * seats))[0]
    for at in range(60_000):
        if not isinstance(game, Playing):
            break
        game = transition(game, any_command(game, chance, entropy, at, quits=0)).game
    assert isinstance(game, Finished)
    assert game.result.reason in ("target", "instant_win")
    assert sum(score for _, score in game.result.standings) == sum(s.score for s in game.seats)


def test_a_refusal_leaves_the_game_as_it_was() -> None:
    rules = rules_from_data(SHIPPED["jester, pocket"])
    for step in walk(table(rules, [True, True]), seed=1, most=120):
        before = repr(step.before)
        for _, command in every_command(step.before):
            accepted(step.before, command)
        assert repr(step.before) == before


def test_the_same_command_on_the_same_game_shows_the_same_dice() -> None:
    rules = rules_from_data(SHIPPED["farkle"])
    for step in walk(table(rules, [True, True]), seed=2, most=60):
        assert transition(step.before, step.command).events == step.events


def test_a_script_gives_the_rolls_in_order_and_then_fair_dice_follow() -> None:
    rules = rules_from_data(SHIPPED["farkle"])
    setup = table(rules, [True], dice=ScriptedDice(((1, 1, 1, 2, 3, 4), (5, 2, 2))))
    game: Game = started(setup)[0]
    entropy = dice_of_walk(1)
    rolled = transition(game, Roll(3, 0, entropy)).game
    picked = transition(rolled, Select(4, 0, Selection((0, 1, 2)))).game
    game = transition(picked, Roll(5, 0, entropy)).game
    assert isinstance(game, Playing)
    assert isinstance(game.turn, ToSelect)
    assert game.turn.faces == (1, 1, 1, 5, 2, 2)
    assert game.script == ()
    kept = transition(game, Select(6, 0, Selection((3,)))).game
    last = transition(kept, Roll(7, 0, entropy)).events
    assert last[0].dice == entropy.faces(2, 2)  # type: ignore[union-attr]
