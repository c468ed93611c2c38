"""The rules alone, in this process, on one core: no store, no HTTP, no waiting."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, islice
from random import Random
from statistics import median

from app.arena.contest import Contest
from app.arena.game import played as played_game
from app.arena.matches import Variant, variants
from app.arena.seats import Sitter
from app.arena.watch import Watch
from app.arena.workers import sitters_of
from app.rulebook import Rulebook
from app.store.codec import decode, encode
from benchmarks import decisions
from benchmarks.autoplay import Step, bank_from, dice, played, started
from benchmarks.bench import Bench
from benchmarks.report import Cell, Table
from engine.bots import CHARACTERS
from engine.decide import transition
from engine.events import Event
from engine.evolve import replay
from engine.rules import Rules
from engine.scoring import Scoring, scoring_of

PRESETS = ("farkle", "house", "jester")
GAMES = 20
"""Games whose commands are played again and again."""
WARM_GAMES = 200
"""Of characters, before they are measured."""
REPLAYED = 1_000
ENDLESS = 10_000_000
ROLLS = 2_000


async def section(bench: Bench) -> list[Table]:
    rulebook = Rulebook.shipped()
    rules = {name: rulebook.preset(name, {}, "").rules for name in PRESETS}
    games: list[list[Cell]] = []
    scoring: list[list[Cell]] = []
    for name, compiled in rules.items():
        bench.say(f"engine, {name}")
        games.append([name, *of_games(bench, compiled)])
        scoring.append([name, *of_scoring(bench, compiled)])
    [first, *_] = games
    bench.found["engine commands"] = _figure(first[1])
    bench.say("engine, decisions of characters")
    whole = variants()
    chosen = whole if bench.pace.full else whole[:1]  # for each has to warm up, and that takes long
    deciding = decisions.table(bench, chosen)
    bench.say("engine, characters")
    characters: list[list[Cell]] = [
        [variant.title, *of_characters(bench, variant)] for variant in chosen
    ]
    for character, cell in zip(CHARACTERS, characters[0][1:], strict=True):
        bench.found[f"games of {character}"] = _figure(cell)
    rounds = f"medians of {bench.pace.rounds} rounds, CPU time of this process"
    return [
        Table(
            "Engine: games",
            (
                *("rule set", "commands/s", "with policy/s", "games/s", "commands a game"),
                *("replay 1 000 ms", "with decoding ms"),
            ),
            games,
            (
                rounds,
                "commands/s: decide and evolve, dice included; with policy: choosing them too",
                "policy: take what is worth most, bank from 3 % of the target; two seats",
            ),
        ),
        Table(
            "Engine: games of characters",
            ("rule set", *(f"{character}, games/s" for character in CHARACTERS)),
            characters,
            (
                f"two seats, whole games; {rounds}",
                f"after {WARM_GAMES} games that do not count, other games each round",
            ),
        ),
        deciding,
        Table(
            "Engine: scoring",
            (
                *("rule set", "compile ms", "whole table ms", "hands"),
                *("best of a roll/s", "roll met anew/s", "hand/s"),
            ),
            scoring,
            (
                rounds,
                "compile: patterns spelled out, as a server does once per rule set",
                "whole table: every hand worked out, which a server does as it meets them",
                "best of a roll: of one seen lately; met anew: the hands known, the roll not",
            ),
        ),
    ]


def of_games(bench: Bench, rules: Rules) -> list[Cell]:
    enough = bank_from(rules)
    many = GAMES // 4 if bench.pace.quick else GAMES
    games = [_game(rules, number, enough) for number in range(many)]
    steps = [step for game in games for step in game]
    times = 1 if bench.pace.quick else 4

    def again() -> int:
        for step in steps:
            transition(step.before, step.command)
        return len(steps)

    def anew() -> int:
        return sum(len(_game(rules, number, enough)) for number in range(many))

    log = _log(rules, REPLAYED)
    data = [encode(event) for event in log]
    chosen = _seconds(bench, partial(_repeat, times, anew)) / times
    return [
        len(steps) * times / _seconds(bench, partial(_repeat, times, again)),
        len(steps) / chosen,
        many / chosen,
        len(steps) / many,
        _seconds(bench, lambda: replay(log)) * 1000,
        _seconds(bench, lambda: replay([decode(one) for one in data])) * 1000,
    ]


def of_characters(bench: Bench, variant: Variant) -> list[Cell]:
    """
    Whole games a second of each character against itself, as the arena plays them: after some that
    do not count, others each round, for what a character has worked out before it does not again.
    """
    rules = Rulebook.shipped().preset(variant.preset, variant.options, "").rules
    each = GAMES // 10 if bench.pace.quick else GAMES
    cells: list[Cell] = []
    for character in CHARACTERS:
        contest = Contest((character, character), rules, variant.preset, "bench")
        sitters = sitters_of(contest, Watch(contest.limit_s))
        numbers = count()

        def games(
            many: int,
            contest: Contest = contest,
            sitters: tuple[Sitter, ...] = sitters,
            numbers: Iterator[int] = numbers,
        ) -> None:
            for number in islice(numbers, many):
                played_game(contest, number, sitters)

        games(0 if bench.pace.quick else WARM_GAMES)
        cells.append(each / _seconds(bench, partial(games, each)))
    return cells


def of_scoring(bench: Bench, rules: Rules) -> list[Cell]:
    chance = Random(7)
    faces = [tuple(chance.randint(1, 6) for _ in range(rules.dice)) for _ in range(ROLLS)]
    known = scoring_of(rules)
    hands = [known.hand_of(tuple(range(rules.dice)), roll) for roll in faces]

    def rolls() -> None:
        for roll in faces:
            known.roll_table(roll, rules.all_dice, False, ()).best()

    def anew() -> None:
        for roll in faces:
            known.new_roll_table(roll, rules.all_dice, False, ()).best()

    def lookups() -> None:
        for hand in hands:
            known.score(hand)

    lookups()
    rolls()
    table = Scoring(rules).complete()
    return [
        _seconds(bench, lambda: Scoring(rules)) * 1000,
        _seconds(bench, lambda: Scoring(rules).complete()) * 1000,
        len(table),
        ROLLS / _seconds(bench, rolls),
        ROLLS / _seconds(bench, anew),
        ROLLS / _seconds(bench, lookups),
    ]


def _game(rules: Rules, number: int, enough: int) -> Sequence[Step]:
    return list(played(started(rules)[0], dice(number), enough))


def _log(rules: Rules, length: int) -> list[Event]:
    """The first so many events of an endless game."""
    play, events = started(replace(rules, target=ENDLESS))
    log = list(events)
    for step in played(play, dice(1), bank_from(rules)):
        log += step.after.events
        if len(log) >= length:
            break
    return log[:length]


def _figure(cell: Cell) -> float:
    assert isinstance(cell, float)
    return cell


def _repeat(times: int, work: Callable[[], object]) -> None:
    for _ in range(times):
        work()


def _seconds(bench: Bench, work: Callable[[], object]) -> float:
    """CPU time of one call: the median of the rounds, after one that does not count."""
    work()
    rounds: list[float] = []
    for _ in range(bench.pace.rounds):
        began = time.process_time()
        work()
        rounds.append(time.process_time() - began)
    return median(rounds)
