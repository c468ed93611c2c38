"""What a log says of those who played: which games count, and what is counted of them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from engine import events as ev
from engine.commands import Create, End, Join, Leave, Start
from engine.decide import transition
from engine.errors import BrokenHistory
from engine.figures import Counted, Figures, ScoreSheet, by_player, counted
from engine.state import Cheats, Place, ScriptedDice, SeededDice, Setup
from tests.engine.spec import rules
from tests.engine.walks import PLAYERS, started, table, walk

TWO = [True, True]


def log_of(setup: Setup, *played: ev.Event) -> tuple[ev.Event, ...]:
    """A log whose play is written by hand: figures are read from events, not from states."""
    return (*started(setup)[1], *played)


def farkle(seats: Sequence[bool] = TWO) -> Setup:
    return table(rules("farkle"), list(seats))


def end(*winners: int, reason: str = "target") -> ev.GameFinished:
    return ev.GameFinished(9, reason, winners, ())  # type: ignore[arg-type]


def banked(seat: int, score: int) -> ev.TurnBanked:
    return ev.TurnBanked(5, seat, (0,), None, (0,), score, score)


def the(game: Counted | None) -> Counted:
    assert game is not None
    return game


def figures(*played: ev.Event) -> list[Figures]:
    return [row.figures for row in the(counted(log_of(farkle(), *played, end(0)))).seats]


def test_a_game_that_counts() -> None:
    setup = farkle()._replace(preset="farkle")
    game = the(counted(log_of(setup, banked(0, 600), end(0))))
    assert game[:3] == (setup.rules, "farkle", 9)
    assert [(row.seat, row.player_id, row.won) for row in game.seats] == [
        (0, PLAYERS[0], True),
        (1, PLAYERS[1], False),
    ]


def test_turns_are_counted_by_how_they_end() -> None:
    assert figures(
        banked(0, 600),
        ev.TurnBusted(5, 1, 300, 0, 0),
        banked(0, 1000),
        ev.TurnOvershot(5, 1, 300, 0, 0),
        ev.HotDice(5, 0, 1500),
        ev.TurnBusted(5, 0, 1500, 0, 1600),
        ev.TurnSkipped(5, 1),
        ev.SeatResigned(5, 1, 200, 0, 0),
    ) == [Figures(3, 1, 2, 1600, 1000, 1), Figures(2, 1, 0, 0, 0, 0)]


def test_a_turn_that_lapses_counts_where_points_were_at_stake() -> None:
    assert figures(
        ev.TurnLapsed(5, 0, 300, 0, 0),
        ev.TurnLapsed(5, 0, 0, 0, 0),
        ev.TurnLapsed(5, 1, 0, 700, 700),
    ) == [Figures(1, 0, 0, 0, 0, 0), Figures(1, 0, 0, 0, 700, 0)]


def test_what_a_stand_in_plays_is_not_the_players() -> None:
    took, back = ev.BotTookSeat(5, 0, "cautious"), ev.PlayerReturned(5, 0)
    rows = the(counted(log_of(farkle(), took, banked(0, 900), back, banked(0, 600), end(0)))).seats
    assert rows[0].figures == Figures(1, 0, 1, 600, 600, 0)
    assert rows[0].won
    absent = the(counted(log_of(farkle(), took, banked(0, 900), end(0, 1)))).seats
    assert [(row.won, row.figures.turns) for row in absent] == [(False, 0), (True, 0)]


def test_protected_points_of_a_lost_turn_may_be_the_best_turn() -> None:
    busted = ev.TurnBusted(5, 0, 300, 2000, 2600)
    overshot = ev.TurnOvershot(5, 1, 300, 1000, 1000)
    assert [f.best_turn for f in figures(banked(0, 600), busted, overshot)] == [2000, 1000]
    assert [f.banked_points for f in figures(banked(0, 600), busted)] == [600, 0]


def test_a_shared_win_is_a_win_for_each() -> None:
    game = the(counted(log_of(farkle([True] * 3), end(0, 2))))
    assert [row.won for row in game.seats] == [True, False, True]


@pytest.mark.parametrize("reason", ["walkover", "ended_early", "game_clock", "instant_win"])
def test_every_end_counts_but_a_voided_one(reason: str) -> None:
    assert the(counted(log_of(farkle(), end(1, reason=reason)))).seats[1].won
    assert counted(log_of(farkle(), end(reason="voided"))) is None
    assert counted(log_of(farkle(), end(1, reason=reason), ev.ResultVoided(9))) is None


def test_what_follows_the_end_changes_nothing() -> None:
    log = log_of(farkle(), banked(0, 600), end(0))
    assert counted((*log, ev.FairnessRevealed(9, ()), ev.RematchCreated(9, "x"))) == counted(log)


@pytest.mark.parametrize(
    "setup",
    [
        farkle()._replace(cheats=Cheats()),
        farkle()._replace(dice=SeededDice("x")),
        farkle()._replace(dice=ScriptedDice(())),
        farkle([True]),
        farkle()._replace(places=(Place("human", None, "one"), Place("human", None, "one"))),
        farkle()._replace(places=(Place("human", None, "one"), Place("bot", "cautious"))),
    ],
    ids=["cheats", "seeded", "scripted", "solo", "one person", "a bot"],
)
def test_what_does_not_count_is_known_at_the_start(setup: Setup) -> None:
    sheet = ScoreSheet()
    for event in started(setup)[1]:
        assert sheet.may_count
        sheet.add(event)
    assert not sheet.may_count
    assert counted(log_of(setup, banked(0, 600), end(0))) is None


def test_a_game_that_runs_does_not_count_yet() -> None:
    assert counted(log_of(farkle(), banked(0, 600))) is None


def test_a_lobby_that_was_closed_is_no_game() -> None:
    created = transition(None, Create(1, farkle()))
    closed = transition(created.game, End(2))
    sheet = ScoreSheet()
    for event in (*created.events, *closed.events):
        sheet.add(event)
    assert not sheet.may_count
    assert sheet.counted() is None


def test_who_sits_is_settled_at_the_start() -> None:
    game, log = None, list[ev.Event]()
    places = (Place("human", None, "host"), Place("human"), Place("bot", "cautious"))
    setup = farkle()._replace(places=places, host="host")
    for command in (
        Create(1, setup),
        Join(2, "gone", 1),
        Leave(3, "gone"),
        Join(4, "guest", 1),
        Start(5, "22" * 32),
    ):
        step = transition(game, command)
        game = step.game
        log += step.events
    seats = the(counted([*log, banked(2, 500), end(2)])).seats
    assert [(row.seat, row.player_id, row.won) for row in seats] == [
        (0, "host", False),
        (1, "guest", False),
    ]


def test_two_seats_of_one_player_are_one_game() -> None:
    places = tuple(Place("human", None, player) for player in ("a", "b", "a"))
    game = the(
        counted(log_of(farkle()._replace(places=places), banked(0, 50), banked(2, 700), end(2)))
    )
    rows = by_player(game)
    assert list(rows) == ["a", "b"]
    assert rows["a"].won
    assert rows["a"].figures == Figures(2, 0, 2, 750, 700, 0)
    assert not rows["b"].won


def test_a_log_that_does_not_fit_is_told() -> None:
    with pytest.raises(BrokenHistory):
        counted([banked(0, 1), end(0)])
    with pytest.raises(BrokenHistory):
        counted(log_of(farkle(), banked(8, 500)))


@pytest.mark.parametrize("name", ["farkle", "house", "jester"])
@pytest.mark.parametrize("seed", range(6))
def test_figures_agree_with_the_game(name: str, seed: int) -> None:
    """Totals are what turns brought: banked, credited to lost turns, and to who resigned."""
    setup = table(rules(name), [True] * Random(seed).randint(2, 4))
    steps = list(walk(setup, seed))
    played = [event for step in steps for event in step.events]
    finished = next((e for e in played if isinstance(e, ev.GameFinished)), end(0))
    rows = the(counted([*started(setup)[1], *played, finished])).seats
    for row in rows:
        own = [e for e in played if getattr(e, "seat", None) == row.seat]
        lost = [e for e in own if isinstance(e, ev.TurnBusted | ev.TurnOvershot)]
        left = [e for e in own if isinstance(e, ev.SeatResigned)]
        credited = sum(e.credited for e in (*lost, *left))
        totals = [
            e.total
            for e in own
            if isinstance(e, ev.TurnBanked | ev.TurnBusted | ev.TurnOvershot | ev.SeatResigned)
        ]
        assert row.figures.banked_points + credited == (totals[-1] if totals else 0)
        assert row.figures.turns == row.figures.banked_turns + len(lost)
        assert row.figures.busts <= len(lost)
        assert row.figures.best_turn >= max((e.credited for e in lost), default=0)
