"""Strategies of other people: what they see, what they may answer, how they fail."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app.api import render
from app.arena.game import StrategyFailed
from app.arena.minds import NotLoaded
from app.arena.seen import Seen
from app.arena.tally import Tally
from app.arena.watch import Watch
from app.arena.workers import sitters_of
from app.ports import Head
from engine.decide import transition
from engine.state import Playing
from tests.arena.contests import SHORT, contest, some_games, strategy
from tests.engine.walks import any_command, dice_of_walk
from tests.servers.hotdice import ROOT

EXAMPLE = str(ROOT / "examples" / "strategy.py")
PLAIN = """
turn, legal = game["turn"], game["legal"]
if turn["phase"] == "to_roll":
    return "roll"
best = max(legal["selections"], key=lambda s: s["points"])
keep = {"dice": best["dice"]}
"""


@pytest.mark.parametrize(
    ("preset", "options"),
    [("farkle", {"high_stakes": True, "spicy": True}), ("house", {"exact": True}), ("jester", {})],
)
def test_a_strategy_sees_what_the_api_shows(preset: str, options: dict[str, Any]) -> None:
    asked = contest("random", "random", preset=preset, **options)
    places = tuple(sitter.place for sitter in sitters_of(asked, Watch(1)))
    play, chance, entropy = asked.opening(3, places), Random(5), dice_of_walk(5)
    seen = Seen(("a", "b"))
    for _ in range(300):
        head = Head(play, play.rolls, b"", ("a", "b"), None, 0)
        view = seen.at(play)
        assert view == json.loads(render.game(head, (), 0, None))
        assert list(view) == list(json.loads(render.game(head, (), 0, None)))
        after = transition(play, any_command(play, chance, entropy, 0, quits=0)).game
        if not isinstance(after, Playing):
            break
        play = after


@pytest.mark.wide
def test_the_example_beats_cautious() -> None:
    """One-sided: luck alone wins 122 of 200 or more once in a thousand times."""
    asked = contest(EXAMPLE, "cautious", seed="1")
    tally = Tally(asked.names())
    for game in some_games(asked, 200):
        tally.add(game)
    assert tally.sides[0].won >= 122


def test_both_steps_of_a_roll_may_be_taken_one_by_one(tmp_path: Path) -> None:
    """With the same dice the same decisions lead to the same games."""
    at_once = strategy(
        tmp_path, f'{PLAIN}return ("bank" if turn["score"] else "roll", {{"select": keep}})', "one"
    )
    stepwise = strategy(
        tmp_path,
        f'{PLAIN}if not any(die["selected"] for die in turn["dice"]):\n    return "select", keep\n'
        'return ["bank", None] if turn["score"] > best["points"] else "roll"',
        "two",
    )
    one = some_games(contest(at_once, "cautious", preset="house", opening=0, target=1000), 5)
    two = some_games(contest(stepwise, "cautious", preset="house", opening=0, target=1000), 5)
    assert [game.scores for game in one] == [game.scores for game in two]


def test_a_function_may_ask_for_the_engines_state(tmp_path: Path) -> None:
    file = tmp_path / "typed.py"
    file.write_text(
        "from engine.bots import Move\n"
        "from engine.bots.cautious import cautious\n"
        "from engine.bots.luck import NoLuck\n"
        "from engine.state import Playing\n\n\n"
        "def play(game: Playing) -> Move:\n    return cautious(game, NoLuck())\n"
    )
    mine = some_games(contest(f"{file}:play", "random", **SHORT), 6)
    theirs = some_games(contest("cautious", "random", **SHORT), 6)
    assert mine == theirs


def test_the_module_random_is_seeded_for_each_game(tmp_path: Path) -> None:
    body = f'{PLAIN}return random.choice(["bank", "roll"]), {{"select": keep}}'
    asked = contest(strategy(tmp_path, body), "cautious", **SHORT)
    games = some_games(asked, 6)
    assert some_games(asked, 3, first=3) == games[3:]


@pytest.mark.parametrize(
    ("body", "did"),
    [
        ('raise ValueError("no idea")', "raised ValueError: no idea"),
        ("sys.exit(1)", "raised SystemExit: 1"),
        ("return game['no such thing']", "raised KeyError"),
        ('return "bank"', "was refused (roll_first)"),
        ('return "roll", {"select": {"dice": [0]}}', "was refused (roll_first)"),
        ("return None", "answered None; a command is one of roll, select, bank"),
        ('return "resign"', "answered 'resign'"),
        ('return "roll", {"dice": [0]}', "dice: Extra inputs are not permitted"),
        ('return "roll", {"select": {"dice": [9]}}', "select/dice/0"),
        ('return "select"', "dice: Field required"),
        ('return "take-over", {"really": True}', "really: Extra inputs"),
        ('return "roll", {1, 2}', "which is no JSON"),
        ("time.sleep(60)", "took longer than 0.2 s"),
        ("while True:\n    pass", "took longer than 0.2 s"),
        # It swallows the end of its time, and meets it again.
        ("try:\n    time.sleep(9)\nexcept BaseException:\n    while True:\n        pass",
         "took longer than 0.2 s"),
    ],
)  # fmt: skip
def test_a_strategy_that_fails_is_told_where(tmp_path: Path, body: str, did: str) -> None:
    asked = contest(strategy(tmp_path, body), "cautious", limit_s=0.2)
    with pytest.raises(StrategyFailed) as failed:
        some_games(asked, 1, first=1)
    failure = failed.value.failure
    assert did in failure.did
    assert (failure.number, failure.participant) == (1, 0)
    assert failure.state is not None
    assert failure.state["turn"]["seat"] == 1  # in game 1 the other one begins
    assert failure.state["legal"]["commands"] == ["roll"]


def test_a_move_the_rules_refuse_is_told_with_their_words(tmp_path: Path) -> None:
    body = f'{PLAIN}return "roll", {{"select": {{"dice": [0, 1, 2, 3, 4, 5]}}}}'
    with pytest.raises(StrategyFailed, match="dice_do_not_score") as failed:
        some_games(contest(strategy(tmp_path, body), "cautious"), 20)
    assert failed.value.failure.state is not None
    assert failed.value.failure.state["turn"]["phase"] == "to_select"


def test_selecting_for_ever_is_no_game(tmp_path: Path) -> None:
    body = f'{PLAIN}return "select", keep'
    with pytest.raises(StrategyFailed, match="selected 200 times"):
        some_games(contest(strategy(tmp_path, body), "cautious"), 1)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere.py", "no file nowhere.py"),
        ("no_such_module:decide", "ModuleNotFoundError"),
        ("json:nothing", "json has no function nothing"),
        ("json:__doc__", "json has no function __doc__"),
    ],
)
def test_what_cannot_be_loaded_says_why(name: str, why: str) -> None:
    with pytest.raises(NotLoaded, match=why):
        some_games(contest(name, "cautious"), 1)


def test_a_file_that_fails_when_it_is_read_says_why(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("1 / 0\n")
    with pytest.raises(NotLoaded, match="ZeroDivisionError"):
        some_games(contest(str(file), "cautious"), 1)
