"""Who sits where before the first roll, and how the lobby ends."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Game, Lobby, MalformedSettings, Setup, transition
from engine import commands as co
from engine import events as ev
from engine.state import Cheats, Place, SeatKind
from tests.engine.spec import (
    COMMIT,
    SEAL,
    Given,
    T,
    finished,
    given,
    opened,
    roll,
    rules,
    table,
)

FARKLE, HOUSE = rules("farkle"), rules("house")
START = co.Start(T, COMMIT)


def lobby(seats: str = "hee", **settings: Any) -> Given:
    return given(opened(table(FARKLE, seats, **settings)))


def setup_of(found: Given) -> Setup:
    assert isinstance(found.game, Lobby)
    return found.game.setup


def created(setup: Setup, rematch_of: str | None = None) -> ev.GameCreated:
    """The event of a table, nobody seated yet."""
    return ev.GameCreated(
        at=T,
        game_id="g_spec",
        protocol="pf1",
        server_commits=("a0" * 32, "b1" * 32),
        rules=setup.rules,
        preset=setup.preset,
        places=tuple(place._replace(player_id=None) for place in setup.places),
        host=setup.host,
        visibility=setup.visibility,
        dice=setup.dice,
        clocks=setup.clocks,
        pass_and_play=setup.pass_and_play,
        bots=setup.bots,
        advice=setup.advice,
        cheats=setup.cheats,
        start_seat=setup.start_seat,
        rematch_of=rematch_of,
    )


def malformed(game: Game | None, command: co.Command) -> list[tuple[str, str]]:
    with pytest.raises(MalformedSettings) as wrong:
        transition(game, command)
    return [(fault.pointer, fault.code) for fault in wrong.value.faults]


def test_whoever_opens_a_table_sits_at_it() -> None:
    setup = table(FARKLE, "hec")
    found = given(None).when(co.Create(T, setup)).then(created(setup), ev.PlayerJoined(T, 0, "p0"))
    assert setup_of(found) == setup


def test_in_pass_and_play_the_host_holds_every_human_seat() -> None:
    me = Place("human", None, "p0")
    setup = table(FARKLE, places=(me, Place("bot", "gambler"), me), pass_and_play=True)
    found = (
        given(None)
        .when(co.Create(T, setup))
        .then(created(setup), ev.PlayerJoined(T, 0, "p0"), ev.PlayerJoined(T, 2, "p0"))
    )
    found.when(co.Join(T, "p1")).refused("table_full")
    opened_up = found.when(co.SetSeat(T, 1, "human")).then(ev.SeatChanged(T, 1, "human", None))
    assert [place.player_id for place in setup_of(opened_up).places] == ["p0"] * 3
    closed = opened_up.when(co.SetSeat(T, 0, "closed")).then(ev.SeatChanged(T, 0, "closed", None))
    closed.when(START).then(
        ev.EntropyClosed(T, 0, (), COMMIT),
        ev.EntropySealed(T, 0, SEAL, ()),
        ev.GameStarted(T, 1),
    )


def test_a_rematch_names_the_game_it_follows() -> None:
    setup = table(FARKLE, "hh")
    given(None).when(co.Create(T, setup, rematch_of="g_before")).then(
        created(setup, "g_before"), ev.PlayerJoined(T, 0, "p0"), ev.PlayerJoined(T, 1, "p1")
    )


def test_a_table_is_opened_once() -> None:
    lobby().when(co.Create(T, table(FARKLE))).refused("already_started")


def test_a_table_with_faults_is_not_opened() -> None:
    cheats = Cheats(head_start=((0, 10_000),))
    assert malformed(None, co.Create(T, table(HOUSE, "h", cheats=cheats))) == [
        ("/seats", "wrong_length"),
        ("/cheats/head_start/0", "out_of_range"),
    ]


def test_players_take_the_first_free_seat_or_the_one_they_name() -> None:
    first = lobby().when(co.Join(T, "p9")).then(ev.PlayerJoined(T, 1, "p9"))
    first.when(co.Join(T, "p8")).then(ev.PlayerJoined(T, 2, "p8"))
    lobby().when(co.Join(T, "p9", 2)).then(ev.PlayerJoined(T, 2, "p9"))


def test_joining_is_refused_where_there_is_no_seat() -> None:
    table_of_four = lobby("hebc")
    table_of_four.when(co.Join(T, "p9", 0)).refused("seat_taken", seat=0)
    table_of_four.when(co.Join(T, "p9", 2)).refused("seat_taken", seat=2)
    table_of_four.when(co.Join(T, "p9", 3)).refused("seat_taken", seat=3)
    table_of_four.when(co.Join(T, "p9", 4)).refused("no_such_seat", seats=4)
    table_of_four.when(co.Join(T, "p9", -1)).refused("no_such_seat", seats=4)
    table_of_four.when(co.Join(T, "p0")).refused("already_seated", seat=0)
    table_of_four.when(co.Join(T, "p0", 1)).refused("already_seated", seat=0)
    lobby("hbc").when(co.Join(T, "p9")).refused("table_full")


def test_a_player_leaves_and_the_seat_is_free_again() -> None:
    left = lobby("hhe").when(co.Leave(T, "p1")).then(ev.PlayerLeft(T, 1, "p1", kicked=False))
    left.when(co.Join(T, "p9")).then(ev.PlayerJoined(T, 1, "p9"))
    lobby("hhe").when(co.Leave(T, "stranger")).then()


def test_the_host_s_role_passes_to_the_first_player_left() -> None:
    found = (
        lobby("hbhh")
        .when(co.Leave(T, "p0"))
        .then(ev.PlayerLeft(T, 0, "p0", kicked=False), ev.HostChanged(T, 2, "p2"))
    )
    assert setup_of(found).host == "p2"


def test_the_last_player_out_closes_the_table() -> None:
    lobby("hbec").when(co.Leave(T, "p0")).then(
        ev.PlayerLeft(T, 0, "p0", kicked=False),
        finished("ended_early", [], (0, 0), (1, 0), (2, 0)),
    )


def test_leaving_pass_and_play_closes_the_table() -> None:
    me = Place("human", None, "p0")
    given(opened(table(FARKLE, places=(me, me), pass_and_play=True))).when(co.Leave(T, "p0")).then(
        ev.PlayerLeft(T, 0, "p0", kicked=False),
        ev.PlayerLeft(T, 1, "p0", kicked=False),
        finished("ended_early", [], (0, 0), (1, 0)),
    )


def test_the_host_closes_a_table_and_nobody_wins() -> None:
    cheats = Cheats(head_start=((1, 500),))
    closed = given(opened(table(FARKLE, "hhc", cheats=cheats))).when(co.End(T))
    over = closed.then(finished("ended_early", [], (1, 500), (0, 0)))
    for command in (co.Join(T, "p9"), co.Leave(T, "p0"), START, co.End(T), roll(0, 1)):
        over.when(command).refused("game_over")
    over.when(co.AnnounceRematch(T, "g_2")).then(ev.RematchCreated(T, "g_2"))


@pytest.mark.parametrize(
    ("seats", "seat", "kind", "character", "events"),
    [
        ("hhe", 1, "human", None, [ev.PlayerLeft(T, 1, "p1", kicked=True)]),
        (
            *("hhe", 1, "closed", None),
            [ev.PlayerLeft(T, 1, "p1", kicked=True), ev.SeatChanged(T, 1, "closed", None)],
        ),
        (
            *("hhe", 1, "bot", None),
            [ev.PlayerLeft(T, 1, "p1", kicked=True), ev.SeatChanged(T, 1, "bot", "cautious")],
        ),
        ("hhe", 2, "bot", "gambler", [ev.SeatChanged(T, 2, "bot", "gambler")]),
        ("hhb", 2, "bot", "strategist", [ev.SeatChanged(T, 2, "bot", "strategist")]),
        ("hhb", 2, "bot", "cautious", []),
        ("hhb", 2, "human", None, [ev.SeatChanged(T, 2, "human", None)]),
        ("hhe", 2, "human", None, []),
    ],
)
def test_the_host_makes_a_seat_human_bot_or_closed(
    seats: str, seat: int, kind: SeatKind, character: Any, events: list[ev.Event]
) -> None:
    found = lobby(seats).when(co.SetSeat(T, seat, kind, character)).then(*events)
    place = setup_of(found).places[seat]
    assert (place.kind, place.player_id) == (kind, None)
    assert (place.character is not None) == (kind == "bot")


def test_seats_that_cannot_be_so() -> None:
    found = lobby("hbc")
    found.when(co.SetSeat(T, 3, "bot")).refused("no_such_seat", seats=3)
    assert malformed(found.game, co.SetSeat(T, 1, "human", "gambler")) == [
        ("/seats/1/character", "not_applicable")
    ]
    alone = lobby("hcc")
    assert malformed(alone.game, co.SetSeat(T, 0, "closed")) == [("/seats", "wrong_length")]


def test_closing_a_seat_ends_the_cheats_that_were_set_for_it() -> None:
    cheats = Cheats(loaded=(1, 2), head_start=((2, 500),), skip_next=(2,), always_score=(0, 2))
    found = lobby("hhe", cheats=cheats)
    after = transition(found.game, co.SetSeat(T, 2, "closed"))
    assert [type(event) for event in after.events] == [ev.SeatChanged, ev.SettingsChanged]
    assert after.game.setup.cheats == Cheats(loaded=(1,), always_score=(0,))


def test_a_seat_with_a_light_touch_stays_human() -> None:
    found = lobby("hhe", cheats=Cheats(light=((1, "cold"),), loaded=(2,)))
    for kind in ("bot", "closed"):
        found.when(co.SetSeat(T, 1, kind)).refused("cheat_needs_human", seat=1)
    found.when(co.SetSeat(T, 1, "human")).then(ev.PlayerLeft(T, 1, "p1", kicked=True))
    found.when(co.SetSeat(T, 2, "bot")).then(ev.SeatChanged(T, 2, "bot", "cautious"))


def test_at_a_table_without_a_host_nobody_becomes_one() -> None:
    found = given(opened(table(FARKLE, "hhe", host=None)))
    found = found.when(co.Leave(T, "p0")).then(ev.PlayerLeft(T, 0, "p0", kicked=False))
    assert setup_of(found).host is None
    found.when(co.Leave(T, "p1")).then(
        ev.PlayerLeft(T, 1, "p1", kicked=False),
        finished("ended_early", [], (0, 0), (1, 0), (2, 0)),
    )
