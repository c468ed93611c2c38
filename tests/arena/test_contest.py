"""Games of the arena: fair to all seats, the same by the same seed, and those a server plays."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256

import pytest

from app.arena.game import MOST_ROLLS, UNFINISHED, Turns
from app.arena.seats import UnknownStrategy, names
from engine.bots import CHARACTERS
from tests.arena.contests import SHORT, contest, some_games


def test_from_game_to_game_everybody_moves_on_by_a_seat() -> None:
    asked = contest("cautious", "random", "gambler")
    assert [asked.seating(number) for number in range(4)] == [
        (0, 1, 2),
        (1, 2, 0),
        (2, 0, 1),
        (0, 1, 2),
    ]


def test_everybody_begins_as_often() -> None:
    asked = contest("cautious", "random", **SHORT)
    assert Counter(game.seating[0] for game in some_games(asked, 10)) == {0: 5, 1: 5}


def test_the_same_twice_is_told_apart() -> None:
    assert contest("random", "cautious", "random").names() == ("random", "cautious", "random (2)")


def test_a_game_is_the_same_by_its_seed_and_number_alone() -> None:
    asked = contest("gambler", "random", **SHORT)
    games = some_games(asked, 6)
    assert some_games(asked, 2, first=4) == games[4:]
    assert some_games(asked._replace(seed="another"), 6) != games
    assert len({game.scores for game in games}) > 1


def test_what_is_kept_of_a_game_adds_up() -> None:
    for preset in ("farkle", "house", "jester"):
        for game in some_games(contest("cautious", "random", preset=preset), 4):
            for score, turns in zip(game.scores, game.turns, strict=True):
                assert turns.ended == turns.banked + turns.busted + turns.overshot
                # Protected points of a bust count beside what was banked.
                assert (
                    score >= turns.banked_points
                    if preset == "house"
                    else score == turns.banked_points
                )
            assert len(game.winners) == 1
            [winner] = game.winners
            assert game.scores[winner] >= max(game.scores) or preset == "house"


def test_a_game_by_hand() -> None:
    """One roll, one bank; the bytes that its dice come from are worked out here."""
    asked = contest("cautious", target=50, opening=0, final_round=False, seed="by hand")
    [game] = some_games(asked, 1)
    key = sha256(b"\0\0\0\x0apf1/seeded\0\0\0\x40" + asked.seed_of_game(0).encode()).digest()
    message = b"\0\0\0\x08pf1/roll" + bytes(4 + 4 + 8) + b"\0\0\0\x20" + bytes(32) + bytes(4)
    stream = [byte % 6 + 1 for byte in hmac.digest(key, message, "sha256") if byte < 252]
    assert asked.dice(0).faces(0, 6) == tuple(stream[:6])
    ones, fives = stream[:6].count(1), stream[:6].count(5)
    assert max(map(stream[:6].count, range(1, 7))) < 3, "choose a seed without a set"
    assert game.scores == (100 * ones + 50 * fives,)
    assert game.turns == (Turns(1, 1, game.scores[0], 0, 0),)
    assert (game.reason, game.winners, game.rolls) == ("target", (0,), 1)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("preset", ["farkle", "house", "jester"])
def test_everybody_plays_every_preset(name: str, preset: str) -> None:
    [game] = some_games(contest(name, "cautious", preset=preset), 1)
    assert game.reason == "target"


def test_those_that_come_with_it_are_the_characters_and_random() -> None:
    assert names() == (*CHARACTERS, "random")
    with pytest.raises(UnknownStrategy, match="cautious"):
        some_games(contest("nobody", "random"), 1)


def test_the_random_player_does_what_it_may() -> None:
    """It banks, busts and overshoots."""
    jester = some_games(contest("random", "random", preset="jester"), 4)
    assert sum(turns.overshot for game in jester for turns in game.turns) > 0
    assert sum(turns.busted for game in jester for turns in game.turns) > 0
    assert sum(turns.banked for game in jester for turns in game.turns) > 0


def test_a_game_that_does_not_end_is_stopped() -> None:
    """Nobody is lucky enough for ten million points in so many rolls."""
    asked = contest("cautious", "cautious", target=10_000_000)
    [game] = some_games(asked, 1)
    assert (game.reason, game.winners, game.rolls) == (UNFINISHED, (), MOST_ROLLS)
    assert Turns() not in game.turns
