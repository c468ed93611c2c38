"""Events fold into the game, in their order and in no other."""

from __future__ import annotations

from functools import reduce

import pytest

from engine import BrokenHistory, Event, Finished, Game, Lobby, Playing, evolve, replay, transition
from engine import commands as co
from engine import events as ev
from engine.events import EVENT_NAMES, EVENT_TYPES
from engine.state import Cheats, ToRoll
from tests.engine.spec import (
    COMMIT,
    SEAL,
    T,
    bank,
    banked,
    finished,
    opened,
    pick,
    roll,
    rolled,
    rules,
    select,
    selected,
    started,
    table,
    take_over,
)

STAKES = rules("farkle", high_stakes=True, opening=0, target=1000)
WHOLE_GAME: list[co.Command] = [
    co.Create(T, table(STAKES, "hee", cheats=Cheats())),
    co.Join(T, "p1"),
    co.Join(T, "p2"),
    co.Leave(T, "p2"),
    co.SetSeat(T, 2, "bot", "gambler"),
    co.Start(T, COMMIT),
    roll(0, 1, 5, 2, 3, 4, 4),
    select(0, 0),
    bank(0),
    take_over(1, 2, 3, 4, 6),
    co.SkipNext(T, 0),
    roll(2, 1, 1, 1, 5, 5, 5),
    roll(2, 2, 2, 3, 3, 4, 6, keep=pick(0, 1, 2, 3, 4, 5)),
    roll(1, 1, 1, 1, 1, 2, 3),
    bank(1),
    roll(2, 2, 2, 3, 3, 4, 6),
    roll(0, 1, 2, 3, 3, 4, 6),
    bank(0),
    co.AnnounceRematch(T, "g_next"),
]


def lived() -> tuple[list[Event], list[Game]]:
    """The log of the game above, and the game after each event."""
    game: Game | None = None
    log: list[Event] = []
    for command in WHOLE_GAME:
        step = transition(game, command)
        log += step.events
        game = step.game
        if isinstance(game, Finished) and not game.seeds:
            reveal = ev.FairnessRevealed(T, ("aa", "bb"))
            log.append(reveal)
            game = evolve(game, reveal)
    games: list[Game] = []
    for event in log:
        games.append(evolve(games[-1] if games else None, event))
    assert games[-1] == game
    return log, games


def test_replay_equals_the_live_game() -> None:
    log, games = lived()
    for length in range(1, len(log) + 1):
        assert replay(log[:length]) == games[length - 1]
    final = games[-1]
    assert isinstance(final, Finished)
    assert final.result.winners == (1,)
    assert (final.seeds, final.rematch) == (("aa", "bb"), "g_next")
    assert [seat.score for seat in final.seats] == [250, 1000, 0]


def test_a_log_may_be_replayed_from_any_game_on() -> None:
    log, games = lived()
    for at in (1, 5, len(log) // 2):
        assert reduce(evolve, log[at:], games[at - 1]) == games[-1]


def test_an_empty_log_is_no_game() -> None:
    with pytest.raises(BrokenHistory):
        replay([])


def test_the_game_handed_in_does_not_change() -> None:
    log, games = lived()
    before = [repr(game) for game in games]
    for game, event in zip(games, log[1:], strict=False):
        evolve(game, event)
    assert [repr(game) for game in games] == before


def test_every_event_has_a_word_of_its_own() -> None:
    assert len(set(EVENT_NAMES.values())) == len(EVENT_TYPES)
    assert EVENT_NAMES[ev.DiceRolled] == "dice_rolled"
    assert EVENT_NAMES[ev.WildRollEarned] == "wild_roll_earned"


LOBBY = opened(table(STAKES))
FRESH: Game = started(STAKES)
ROLLED = transition(FRESH, roll(0, 1, 5, 2, 3, 4, 4)).game
OVER = transition(FRESH, co.End(T)).game

OF_PLAY: list[Event] = [
    rolled(0, 1, 5, 2, 3, 4, 4),
    selected(0, [0], 100),
    banked(0, [0], [0], 100, 100),
    ev.TurnBusted(T, 0, 0, 0, 0),
    ev.TurnOvershot(T, 0, 0, 0, 0),
    ev.TurnSkipped(T, 0),
    ev.TurnTakenOver(T, 0, 100, (0,)),
    ev.WildRollEarned(T, 0, 1),
    ev.SeatResigned(T, 0, 0, 0, 0),
    ev.SkipOrdered(T, 0),
]
OF_LOBBY: list[Event] = [
    ev.PlayerJoined(T, 0, "p9"),
    ev.PlayerLeft(T, 0, "p0", kicked=False),
    ev.SeatChanged(T, 0, "bot", "cautious"),
    ev.HostChanged(T, 1, "p1"),
    ev.EntropyClosed(T, 0, (), COMMIT),
    ev.EntropySealed(T, 0, SEAL, ()),
    ev.GameStarted(T, 0),
]


def name(event: Event) -> str:
    return type(event).__name__


@pytest.mark.parametrize("event", [*OF_LOBBY, *OF_PLAY, finished("target", [0])], ids=name)
def test_nothing_precedes_the_creation(event: Event) -> None:
    with pytest.raises(BrokenHistory):
        evolve(None, event)


@pytest.mark.parametrize("event", OF_PLAY, ids=name)
def test_play_cannot_happen_in_a_lobby(event: Event) -> None:
    with pytest.raises(BrokenHistory):
        evolve(LOBBY, event)


FOLDED_AFTER_THE_END = [ev.WildRollEarned(T, 0, 1), ev.SkipOrdered(T, 0)]


@pytest.mark.parametrize("event", [e for e in OF_PLAY if e not in FOLDED_AFTER_THE_END], ids=name)
def test_no_turn_follows_the_end(event: Event) -> None:
    with pytest.raises(BrokenHistory):
        evolve(OVER, event)


def test_dice_are_selected_after_a_roll() -> None:
    with pytest.raises(BrokenHistory):
        evolve(FRESH, selected(0, [0], 100))


def test_a_bank_that_may_be_taken_over_needs_dice() -> None:
    with pytest.raises(BrokenHistory):
        evolve(FRESH, banked(0, [0], [0], 100, 100))


@pytest.mark.parametrize(
    ("game", "event"),
    [
        (ROLLED, ev.SkipOrdered(T, 9)),
        (ROLLED, ev.WildRollEarned(T, 9, 1)),
        (LOBBY, ev.PlayerJoined(T, 9, "p9")),
        (ROLLED, rolled(0, 1, dice=[9])),
    ],
)
def test_seats_and_dice_must_be_there(game: Game, event: Event) -> None:
    with pytest.raises(BrokenHistory):
        evolve(game, event)


def test_what_is_no_event_breaks_a_history() -> None:
    with pytest.raises(BrokenHistory):
        evolve(ROLLED, 7)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "event"),
    [
        (FRESH, ev.GameStarted(T, 0)),
        *((OVER, event) for event in FOLDED_AFTER_THE_END),
        (OVER, finished("ended_early", [])),
        (LOBBY, lived()[0][0]),
        (ROLLED, ev.FairnessRevealed(T, ())),
        (ROLLED, ev.RematchCreated(T, "g_2")),
        (ROLLED, rolled(0, 1, 2, dice=[0])),
    ],
    ids=lambda part: name(part) if hasattr(part, "at") else type(part).__name__,
)
def test_nothing_happens_in_the_wrong_phase(game: Game, event: Event) -> None:
    with pytest.raises(BrokenHistory):
        evolve(game, event)


def test_a_turn_begins_without_dice() -> None:
    assert isinstance(LOBBY, Lobby)
    assert isinstance(FRESH, Playing)
    assert FRESH.turn == ToRoll(0, T)
