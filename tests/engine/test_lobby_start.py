"""Settings change in the lobby, and a game starts."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Command, Game, Lobby, MalformedSettings, Playing, Setup, transition
from engine import commands as co
from engine import events as ev
from engine.state import Bots, Cheats, Clocks, FairDice, Policy, SeededDice
from tests.engine.spec import COMMIT, SEAL, Given, T, bank, given, opened, roll, rules, table

FARKLE, HOUSE = rules("farkle"), rules("house")
START = co.Start(T, COMMIT)


def lobby(seats: str = "hee", **settings: Any) -> Given:
    return given(opened(table(FARKLE, seats, **settings)))


def setup_of(found: Given) -> Setup:
    assert isinstance(found.game, Lobby)
    return found.game.setup


def change(setup: Setup, **changes: Any) -> co.ChangeSettings:
    kept = {f: getattr(setup, f) for f in co.ChangeSettings._fields if f != "at"}
    return co.ChangeSettings(T, **(kept | changes))


def malformed(game: Game | None, command: co.Command) -> list[tuple[str, str]]:
    with pytest.raises(MalformedSettings) as wrong:
        transition(game, command)
    return [(fault.pointer, fault.code) for fault in wrong.value.faults]


def test_settings_change_whole_and_normalised() -> None:
    found = lobby("hh")
    asked = change(
        setup_of(found),
        rules=HOUSE,
        preset="house",
        visibility="public",
        dice=SeededDice("x"),
        clocks=Clocks(30, None),
        bots=Bots(500, take_absent_seats=True),
        advice=True,
        cheats=Cheats(loaded=(1, 1), head_start=((0, 48),)),
    )
    cheats = Cheats(loaded=(1,), head_start=((0, 50),))
    after = found.when(asked).then(ev.SettingsChanged(*asked._replace(cheats=cheats)))
    kept = ("game_id", "places", "host", "pass_and_play", "start_seat", "server_commits")
    for field in Setup._fields:
        expected = setup_of(found) if field in kept else asked._replace(cheats=cheats)
        assert getattr(setup_of(after), field) == getattr(expected, field)


def test_settings_that_stay_as_they_are_make_no_event() -> None:
    found = lobby("hh", cheats=Cheats(head_start=((0, 50),)))
    found.when(change(setup_of(found))).then()
    found.when(change(setup_of(found), cheats=Cheats(head_start=((0, 49),)))).then()


def test_settings_with_faults_change_nothing() -> None:
    found = lobby("h")
    asked = change(setup_of(found), rules=HOUSE, clocks=Clocks(1, 1), cheats=Cheats(loaded=(1,)))
    assert malformed(found.game, asked) == [
        ("/seats", "wrong_length"),
        ("/clocks/turn_s", "out_of_range"),
        ("/clocks/game_s", "out_of_range"),
        ("/cheats/loaded/0", "no_such_seat"),
    ]


def test_a_game_starts_with_its_dice_sealed() -> None:
    found = (
        lobby("hcb")
        .when(START)
        .then(
            ev.EntropyClosed(T, 0, (), COMMIT),
            ev.EntropySealed(T, 0, SEAL, ()),
            ev.GameStarted(T, 0, (Policy("cautious", 1),)),
        )
    )
    play = found.play
    assert (play.seal, play.epoch, play.rolls) == (SEAL, 0, 0)
    assert play.setup.server_commits == ("a0" * 32, "b1" * 32, COMMIT)
    assert [seat.active for seat in play.seats] == [True, False, True]


def test_an_empty_human_seat_holds_up_the_start() -> None:
    lobby("hebe").when(START).refused("seats_empty", seats=[1, 3])


def test_too_few_open_seats_hold_up_the_start() -> None:
    house = given(opened(table(HOUSE, "hcc")))
    house.when(START).refused("too_few_seats", needed=2, seats=1)


@pytest.mark.parametrize(("start_seat", "first"), [(0, 1), (1, 1), (2, 3), (3, 3)])
def test_the_first_open_seat_from_the_start_seat_on_begins(start_seat: int, first: int) -> None:
    setup = table(FARKLE, "chch", host="p1", start_seat=start_seat)
    found = given(opened(setup)).after(START)
    assert found.to_roll == first


def test_play_and_lobby_do_not_mix() -> None:
    waiting, playing = lobby("hh"), lobby("hh").after(START)
    assert isinstance(playing.game, Playing)
    of_play: list[Command] = [roll(0, 1), bank(0), co.Resign(T, 0), co.SkipNext(T, 0)]
    for command in of_play:
        waiting.when(command).refused("not_started")
    settings = change(playing.game.setup, dice=FairDice())
    of_lobby: list[Command] = [co.Join(T, "p9"), co.Leave(T, "p0"), co.SetSeat(T, 0, "bot")]
    for command in (*of_lobby, settings, START):
        playing.when(command).refused("already_started")
    for found in (waiting, playing):
        found.when(co.AnnounceRematch(T, "g_2")).refused("not_finished")
