"""Which moves of a game bring a notice, and which end one; the database aside."""

from __future__ import annotations

from app.ports import Head
from app.store.chain import ORIGIN
from app.store.due_notices import DueNotices
from engine import commands as co
from engine.decide import transition
from engine.state import Game, Place, Playing
from tests.engine.spec import T, bank, opened, roll, rules, table

FARKLE = rules("farkle", opening=0)
HUNDRED = (1, 2, 3, 3, 4, 6)
START = co.Start(T, "c0" * 32)


def head(game: Game, version: int = 7) -> Head:
    return Head(game, version, ORIGIN, (None,) * len(game.setup.places), None, T)


def moved(game: Game, author: str | None, *commands: co.Command) -> tuple[DueNotices, Game]:
    """All in one batch, each a version later."""
    notices = DueNotices()
    for number, command in enumerate(commands):
        after = transition(game, command).game
        notices.move(game, head(after, 7 + number), author, T)
        game = after
    return notices, game


def due(notices: DueNotices) -> list[tuple[int, str]]:
    """(seat, player)."""
    return [(row[2], row[3]) for row in notices.due.values()]


def lobby(seats: str) -> Game:
    return opened(table(FARKLE, seats))


def test_the_first_turn_is_told_to_another_than_who_started() -> None:
    for author, expected in (("p0", []), ("p1", [(0, "p0")]), (None, [(0, "p0")])):
        notices, _ = moved(lobby("hh"), author, START)
        assert (due(notices), notices.gone) == (expected, set())


def test_a_turn_that_is_begun_waits_for_nobody() -> None:
    _, game = moved(lobby("hh"), "p0", START)
    notices, game = moved(game, "p0", roll(0, *HUNDRED))
    assert (due(notices), notices.gone) == ([], {"g_spec"})
    notices, game = moved(game, "p0", bank(0))
    assert (due(notices), notices.gone) == ([(1, "p1")], set())


def test_what_one_batch_brings_and_ends_is_never_told() -> None:
    notices, _ = moved(lobby("hh"), None, START, roll(0, *HUNDRED), bank(0))
    assert due(notices) == [(1, "p1")]
    assert [row[1] for row in notices.due.values()] == [9]
    assert notices.gone == {"g_spec"}


def test_a_clock_that_passes_the_turn_on_tells_the_next() -> None:
    _, game = moved(lobby("hhh"), "p0", START)
    notices, _ = moved(game, None, co.Resign(T, 0))
    assert (due(notices), notices.gone) == ([(1, "p1")], {"g_spec"})
    notices, _ = moved(game, "p2", co.Resign(T, 2))
    assert (due(notices), notices.gone) == ([], set()), "the turn waits as before"


def test_bots_and_absent_players_are_told_nothing() -> None:
    bot = table(FARKLE, "hbh")
    _, game = moved(opened(bot), "p0", START)
    notices, game = moved(game, "p0", roll(0, *HUNDRED), bank(0))
    assert due(notices) == []
    notices, game = moved(game, None, roll(1, *HUNDRED), bank(1))
    assert due(notices) == [(2, "p2")]
    _, game = moved(lobby("hh"), "p0", START)
    assert isinstance(game, Playing)
    absent = game.seats[1]._replace(stand_in="cautious")
    game = game._replace(seats=(game.seats[0], absent))
    notices, _ = moved(game, "p0", roll(0, *HUNDRED), bank(0))
    assert due(notices) == []


def test_one_player_at_all_seats_is_told_nothing() -> None:
    one = Place("human", None, "p0")
    setup = table(FARKLE, "hh", pass_and_play=True, places=(one, one))
    notices, _ = moved(opened(setup), "p0", START, roll(0, *HUNDRED), bank(0))
    assert due(notices) == []


def test_the_end_of_a_game_ends_its_notice() -> None:
    _, game = moved(lobby("hh"), "p0", START)
    notices, _ = moved(game, "operator", co.VoidGame(T))
    assert (due(notices), notices.gone) == ([], {"g_spec"})
