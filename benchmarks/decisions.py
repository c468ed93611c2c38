"""How long a character takes for one decision: the tables of its rule set known, positions not."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from random import Random

from app.arena.contest import Contest
from app.arena.game import played
from app.arena.matches import Variant
from app.arena.minds import Mind
from app.arena.seats import Sitter
from app.arena.watch import Watch
from app.arena.workers import sitters_of
from app.rulebook import Rulebook
from benchmarks.bench import Bench
from benchmarks.measure import quantile
from benchmarks.report import Cell, Table
from engine.bots import CHARACTERS
from engine.bots.knowledge import knowledge_of
from engine.bots.outlook import outlook_of
from engine.commands import Command, Entropy
from engine.rules import Rules
from engine.state import Character, Playing
from engine.units import Millis

GAMES = 30
QUICK_GAMES = 1


def table(bench: Bench, chosen: Sequence[Variant]) -> Table:
    games = QUICK_GAMES if bench.pace.quick else GAMES
    names = [f"{character} {what} ms" for character in CHARACTERS for what in ("p99", "max")]
    return Table(
        "Engine: decisions of characters",
        ("rule set", "tables s", *names),
        [row(variant, games) for variant in chosen],
        (
            f"CPU time of single decisions, {games} games of two; nothing kept of positions before",
            "tables: what the strategist knows of a rule set; worked out beside the loop",
            "aim: at most 50 ms a decision",
        ),
    )


def row(variant: Variant, games: int) -> list[Cell]:
    rules = Rulebook.shipped().preset(variant.preset, variant.options, "").rules
    began = time.process_time()
    knowledge_of(rules)
    cells: list[Cell] = [variant.title, time.process_time() - began]
    for character in CHARACTERS:
        took = sorted(decisions(character, rules, games))
        cells += [1000 * quantile(took, 0.99), 1000 * took[-1]]
    return cells


def decisions(character: Character, rules: Rules, games: int) -> list[float]:
    """CPU seconds of each decision of whole games, against itself."""
    outlook_of.cache_clear()
    gc.collect()
    gc.freeze()  # as a server does: what is there already is not gone through again
    took: list[float] = []
    contest = Contest((character, character), rules, rules.name, "decisions")
    sitters = tuple(timed(sitter, took) for sitter in sitters_of(contest, Watch(contest.limit_s)))
    for number in range(games):
        played(contest, number, sitters)
    gc.unfreeze()
    return took


def timed(sitter: Sitter, took: list[float]) -> Sitter:
    def begin(chance: Random, names: tuple[str, ...]) -> Mind:
        decide = sitter.begin(chance, names)

        def mind(play: Playing, at: Millis, entropy: Entropy) -> Command:
            began = time.thread_time()
            command = decide(play, at, entropy)
            took.append(time.thread_time() - began)
            return command

        return mind

    return Sitter(sitter.place, begin)
