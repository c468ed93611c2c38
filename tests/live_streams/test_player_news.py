"""What a player is told of a game, by how it was and how it is."""

from __future__ import annotations

from app.live.players import Seen, Turn, is_new_turn, kinds

NOW = 1_767_225_600_000


def test_what_is_told_and_in_which_order() -> None:
    waits = Seen(2, "lobby", None, (0,), None)
    runs = Seen(5, "playing", 1, (0,), None)
    mine = runs._replace(to_move=0, turn=Turn(0, NOW, 0))
    over, gone = Seen(9, "finished", None, (0,), None), Seen(6, "lobby", None, (), None)
    assert kinds(None, waits) == ("seated",)
    assert kinds(waits, waits) == ("moved",)
    assert kinds(waits, mine) == ("started", "your_turn")
    assert kinds(None, mine) == ("seated", "started", "your_turn")
    assert kinds(runs, mine) == ("your_turn",)
    assert kinds(mine, runs) == ("moved",)
    assert kinds(mine, over) == kinds(waits, over) == ("ended",)
    assert kinds(mine, gone) == kinds(mine, gone._replace(status="finished")) == ("unseated",)
    assert kinds(None, over) == kinds(None, gone) == ()


def test_turns_are_told_apart() -> None:
    first = Turn(0, NOW, 0)
    assert is_new_turn(None, first)
    assert not is_new_turn(first, None)
    assert not is_new_turn(first, first)
    assert not is_new_turn(first, first._replace(rolls=None))
    assert is_new_turn(first._replace(rolls=None), first._replace(rolls=2))
    assert is_new_turn(first, first._replace(seat=1))
