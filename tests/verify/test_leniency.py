"""Logs that no server writes, and that one of the verifiers once took: both refuse them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.store.parts import canonical
from engine import commands as co
from engine.deadlines import GRACE_MS
from engine.rules_text import rules_from_data
from engine.state import Bots, Cheats, FairDice, Place, Setup
from tests.referee import rulebook
from tests.verify.games import START
from tests.verify.javascript import JavaScript
from tests.verify.mutations import events_of
from tests.verify.recording import Recording, exported
from tests.verify.verdicts import report_of

Events = list[dict[str, Any]]


def table(
    places: tuple[Place, ...],
    *,
    pass_and_play: bool = False,
    host: str | None,
    absent: bool = False,
) -> Recording:
    setup = Setup(
        game_id="g_lenient",
        rules=rules_from_data(rulebook.farkle(target=3000)),
        preset=None,
        places=places,
        host=host,
        visibility="unlisted",
        dice=FairDice(),
        clocks=None,
        pass_and_play=pass_and_play,
        bots=Bots(take_absent_seats=absent),
        advice=False,
        cheats=Cheats(loaded=(0, 2)),
        start_seat=0,
        server_commits=(),
    )
    return Recording(setup, START)


def lobby() -> Recording:
    """A seat is closed, for which a cheat was set; a bot sits down; the settings change; a roll."""
    game = table((Place("human", None, "p0"), Place("human"), Place("human")), host="p0")
    setup = game.game and game.game.setup
    assert setup is not None
    game.do(co.SetSeat(START, 2, "closed"))
    game.do(co.SetSeat(START, 1, "bot", "cautious"))
    fields = {name: getattr(setup, name) for name in co.ChangeSettings._fields[1:]}
    fields |= {"visibility": "public", "cheats": Cheats(loaded=(0,))}
    game.do(co.ChangeSettings(START, **fields))
    game.do(co.Start(START, game.next_server_commit()))
    game.do(co.Roll(START, 0, game.entropy))
    game.do(co.End(START))
    return game


def one_player() -> Recording:
    """Pass-and-play."""
    game = table((Place("human", None, "p0"),) * 3, pass_and_play=True, host="p0")
    game.do(co.End(START))
    return game


def strangers() -> Recording:
    """An attempt fails, and the next is closed in the same breath."""
    game = table((Place("human"), Place("human"), Place("human")), host=None)
    for seat in range(3):
        game.do(co.Join(START, f"p{seat}", seat))
    game.do(co.CommitEntropy(START, 0, game.seat_commit(0, 0)))
    game.do(co.Start(START, game.next_server_commit()))
    late = START + 5_000 + GRACE_MS + 1
    game.do(co.FailSealing(late, game.next_server_commit()))
    game.do(co.End(late))
    return game


def contributing() -> Recording:
    """A seat contributes, the dice are being sealed; the host ends it."""
    game = table((Place("human"), Place("human"), Place("human")), host="p0")
    for seat in range(3):
        game.do(co.Join(START, f"p{seat}", seat))
    game.do(co.CommitEntropy(START, 1, game.seat_commit(0, 1)))
    game.do(co.Start(START, game.next_server_commit()))
    game.do(co.End(START + 1))
    return game


def left_alone() -> Recording:
    """The host leaves, and another player is host; then that one leaves, and the table closes."""
    game = table((Place("human"), Place("human"), Place("human")), host="p0")
    for seat in range(2):
        game.do(co.Join(START, f"p{seat}", seat))
    game.do(co.Leave(START, "p0"))
    game.do(co.Leave(START, "p1"))
    return game


def away() -> Recording:
    """A bot stands in for seat 1, and is gone before the host hands over; nothing is timed."""
    game = table((Place("human"), Place("human"), Place("human")), host="p0", absent=True)
    for seat in range(3):
        game.do(co.Join(START, f"p{seat}", seat))
    game.do(co.Start(START, game.next_server_commit()))
    game.do(co.BotTakesSeat(START, 1))
    game.do(co.Return(START, 1))
    game.do(co.PassHost(START, 1))
    game.do(co.End(START))
    return game


def given_up() -> Recording:
    """A player gives up its only seat while the dice are sealed: nobody waits at the next lobby."""
    game = table((Place("human"), Place("human"), Place("human")), host="p0")
    for seat in range(3):
        game.do(co.Join(START, f"p{seat}", seat))
    game.do(co.CommitEntropy(START, 1, game.seat_commit(0, 1)))
    game.do(co.Start(START, game.next_server_commit()))
    game.do(co.Resign(START + 1, 0))
    late = START + 5_000 + GRACE_MS + 1
    game.do(co.FailSealing(late, game.next_server_commit()))
    game.do(co.End(late))
    return game


def index_of(events: Events, kind: str, number: int = 0) -> int:
    return [i for i, event in enumerate(events) if event["type"] == kind][number]


def no_time(events: Events) -> None:
    events[index_of(events, "dice_rolled")]["at"] = ""


def before_1970(events: Events) -> None:
    """So long ago that a deadline is a sum beyond the integers that every language has."""
    events[0]["at"] = -(2**53 - 1)


def settings_twice(events: Events) -> None:
    index = index_of(events, "settings_changed", 1)
    events.insert(index, events[index])


def seat_twice(events: Events) -> None:
    index = index_of(events, "seat_changed", 1)
    events.insert(index, events[index])


def cheats_left_to_a_closed_seat(events: Events) -> None:
    del events[index_of(events, "settings_changed")]


def cheats_for_a_closed_seat(events: Events) -> None:
    events[index_of(events, "settings_changed", 1)]["cheats"]["skip_next"] = [2]


def seats_taken_later(events: Events) -> None:
    events[index_of(events, "player_joined", 1)]["at"] += 1


def closed_later(events: Events) -> None:
    index = index_of(events, "entropy_closed", 1)
    for event in events[index:]:
        event["at"] += 1


def rules_for_more_seats(events: Events) -> None:
    events[index_of(events, "settings_changed", 1)]["rules"]["seats"]["min"] = 4


def the_roll_never_comes(events: Events) -> None:
    index = index_of(events, "dice_rolled")
    events[index] = events[index] | {"type": "dice_thrown"}


def host_changed_while_sealing(events: Events) -> None:
    changed = {"at": START, "player_id": "p1", "seat": 1, "type": "host_changed"}
    events.insert(index_of(events, "game_finished"), changed)


def one_of_two_seats_left(events: Events) -> None:
    left = {"at": START, "kicked": False, "player_id": "p0", "seat": 1, "type": "player_left"}
    events.insert(index_of(events, "game_finished"), left)


def one_seat_taken_away(events: Events) -> None:
    left = {"at": START, "kicked": True, "player_id": "p0", "seat": 1, "type": "player_left"}
    events.insert(index_of(events, "game_finished"), left)


def no_heir(events: Events) -> None:
    del events[index_of(events, "host_changed")]


def the_empty_table_stays(events: Events) -> None:
    events[index_of(events, "game_finished")]["at"] += 1
    events[index_of(events, "fairness_revealed")]["at"] += 1


def the_host_is_a_bot_meanwhile(events: Events) -> None:
    del events[index_of(events, "player_returned")]


def a_gap_without_a_clock(events: Events) -> None:
    gap = {"began": START - 5, "by_ms": 5_000, "ended": START + 5_000, "gap": 1, "seat": None}
    events.insert(index_of(events, "game_finished"), {"at": START, "type": "clock_extended"} | gap)


def who_gave_up_stays(events: Events) -> None:
    del events[index_of(events, "player_left")]
    del events[index_of(events, "host_changed")]


@pytest.mark.parametrize(
    ("game", "change"),
    [
        (lobby, no_time),
        (lobby, before_1970),
        (lobby, settings_twice),
        (lobby, seat_twice),
        (lobby, cheats_left_to_a_closed_seat),
        (lobby, cheats_for_a_closed_seat),
        (lobby, rules_for_more_seats),
        (lobby, the_roll_never_comes),
        (one_player, seats_taken_later),
        (strangers, closed_later),
        (contributing, host_changed_while_sealing),
        (one_player, one_of_two_seats_left),
        (one_player, one_seat_taken_away),
        (left_alone, no_heir),
        (left_alone, the_empty_table_stays),
        (away, the_host_is_a_bot_meanwhile),
        (away, a_gap_without_a_clock),
        (given_up, who_gave_up_stays),
    ],
)
def test_what_no_server_writes_is_refused_by_both(
    js: JavaScript, game: Callable[[], Recording], change: Callable[[Events], None]
) -> None:
    export = game().export()
    report = report_of(js, export)
    assert (report["verdict"], report["reason"]) == ("valid", None)
    game_id, events = events_of(export)
    change(events)
    changed = exported(game_id, [canonical(event) for event in events])
    assert report_of(js, changed)["verdict"] == "invalid"
