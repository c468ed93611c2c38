"""Parts of answers that are kept as bytes: no more than may be, and made again as they were."""

from __future__ import annotations

import json

from app.api import playing, render
from app.ports import Head
from engine.commands import Roll
from engine.decide import transition
from engine.dice import Seeded
from engine.legal import selections
from engine.state import Playing, ToSelect
from tests.store.orders import NOW, new_id
from tests.store.test_kept import head_of


def rolled(number: int) -> Head:
    """A game after its first roll, another one for each number."""
    head = head_of(new_id())
    after = transition(head.game, Roll(NOW, 0, Seeded(str(number)), None)).game
    return head._replace(game=after, version=3)


def test_what_is_kept_is_bounded_and_what_was_let_go_looks_as_it_did() -> None:
    heads = [rolled(number) for number in range(max(playing.MOST_GAMES, render.MOST_LAID) + 1)]
    written = [render.game(head, (), NOW, None) for head in heads]
    assert len(playing._seats_kept) == playing.MOST_GAMES
    assert len(render._kept) == render.MOST_LAID
    assert len(playing._selections_kept) == playing.MOST_ROLLS
    assert len(playing._played_kept) == playing.MOST_PLAYED
    assert playing._selection.cache_info().currsize <= playing.MOST_SELECTIONS
    assert heads[0].game.setup.game_id not in playing._seats_kept
    assert heads[0].game.setup.game_id not in render._kept
    assert [render.game(head, (), NOW, None) for head in heads[:9]] == written[:9]


def test_a_name_that_is_forgotten_shows_although_nothing_was_played() -> None:
    head = rolled(1)
    assert head.names[0] is not None
    assert head.names[0].encode() in render.game(head, (), NOW, None)
    forgotten = head._replace(names=("gone", *head.names[1:]))
    assert b'"name":"gone"' in render.game(forgotten, (), NOW, None)
    assert head.names[0].encode() in render.game(head, (), NOW, None)


def test_every_selection_of_a_roll_is_spelled_with_its_points() -> None:
    for number in range(40):
        game = rolled(number).game
        if isinstance(game, Playing) and isinstance(game.turn, ToSelect):
            view = json.loads(b"{%b}" % playing.playing(rolled(number), game))
            assert view["legal"]["selections"] == [
                {"dice": list(choice.dice), "points": choice.points} for choice in selections(game)
            ]
