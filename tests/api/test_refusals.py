"""Every refusal of the rules, met over HTTP: its code, its facts, and that nothing has changed."""

from __future__ import annotations

from collections.abc import Iterator

from engine import errors
from tests.api.live import Guest
from tests.api.table import create, join, refused, started

BUST = [2, 3, 4, 6, 6, 2]
FOUR_ONES = [1, 1, 1, 1, 2, 3]

MET = {
    "advice_is_off",
    *("already_seated", "already_started", "below_opening", "cheats_are_off"),
    *("dice_do_not_score", "dice_not_rolled", "game_over", "must_roll_hot_dice", "no_such_seat"),
    *("no_take_over", "no_wild_rolls", "not_all_dice", "not_finished", "not_started"),
    *("not_your_turn", "nothing_selected", "over_target", "roll_first", "script_mismatch"),
    *("seat_not_active", "seat_taken", "seats_empty", "table_full", "too_few_seats"),
    *("wild_face_needed", "wild_face_unexpected", "cheat_needs_human"),
    *("not_sealing", "nothing_to_reveal", "already_revealed", "reveal_does_not_match"),
    "seats_contribute",
}
"""Codes that a test of this folder meets."""

ELSEWHERE = {"time_is_up", "contributes_no_more", "sealing_failed", "advice_is_off"}
"""Met in tests/clocks, where time passes when it is told to."""


def test_no_refusal_is_left_out() -> None:
    def codes(kind: type[errors.Refusal]) -> Iterator[str]:
        for child in kind.__subclasses__():
            if child.__module__ == errors.__name__:
                yield child.code
            yield from codes(child)

    assert set(codes(errors.Refusal)) == MET | ELSEWHERE


async def test_a_lobby_plays_no_dice(ana: Guest) -> None:
    table = await create(ana)
    for command in ("roll", "bank", "take-over", "wild-roll", "resign"):
        await table.refused("not_started", command)
    await table.refused("not_started", "select", {"dice": [0]})


async def test_a_running_game_is_no_lobby(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await started(ana, bo)
    for command in ("start", "leave"):
        await table.refused("already_started", command, by=ana)
    await table.refused("already_started", "join", by=cy)
    changed = await ana.request("PATCH", table.path, json={"visibility": "public"})
    refused(changed, 409, "already_started")
    seat = await ana.request("PATCH", f"{table.path}/seats/1", json={"kind": "closed"})
    refused(seat, 409, "already_started")


async def test_a_finished_game_is_over(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    await table.refused("not_finished", "rematch")
    await table.do("end", by=ana)
    for command in ("roll", "bank", "end", "resign", "start", "leave"):
        await table.refused("game_over", command, by=ana)


async def test_dice_come_before_choices(ana: Guest) -> None:
    table = await started(ana)
    await table.refused("roll_first", "bank")
    await table.refused("roll_first", "select", {"dice": [0]})
    await table.refused("no_take_over", "take-over")
    await table.refused("no_wild_rolls", "wild-roll")


async def test_only_the_seat_to_move_moves(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    problem = await table.refused("not_your_turn", "roll", by=bo)
    assert problem["seat_to_move"] == 0


async def test_selections_must_score(ana: Guest) -> None:
    table = await started(ana, rolls=[[1, 5, 2, 3, 4, 4], [2, 2, 2, 3]])
    await table.roll()
    await table.refused("nothing_selected", "roll")
    await table.refused("dice_do_not_score", "select", {"dice": [0, 2]})
    await table.refused("wild_face_unexpected", "select", {"dice": [0], "wild_face": 3})
    problem = await table.refused("below_opening", "bank")
    assert (problem["needed"], problem["offered"]) == (500, 150)
    await table.select(0, 1)
    await table.roll()
    problem = await table.refused("dice_not_rolled", "select", {"dice": [0, 2, 3, 4]})
    assert problem["dice"] == [0]


async def test_a_script_must_fit_the_roll(ana: Guest) -> None:
    table = await started(ana, rolls=[[1, 2, 3]])
    problem = await table.refused("script_mismatch", "roll")
    assert (problem["scripted"], problem["needed"]) == (3, 6)


async def test_house_rules_say_no(ana: Guest) -> None:
    options = {"bank_on_hot_dice": False, "exact": True, "target": 4000}
    rolls = [[1, 1, 1, 5, 5], [1, 1, 1, 1, 1]]
    table = await started(ana, preset="house", options=options, rolls=rolls)
    await table.roll()
    await table.select(0, 1, 2, 3, 4)
    await table.refused("must_roll_hot_dice", "bank")
    await table.roll()
    problem = await table.refused("over_target", "select", {"dice": [0, 1, 2, 3, 4]})
    assert (problem["target"], problem["offered"]) == (4000, 5100)


async def test_the_jester_needs_a_face(ana: Guest) -> None:
    table = await started(ana, preset="jester", rolls=[[1, 1, 1, 2], [2, 2]])
    await table.do("wild-roll")
    await table.refused("wild_face_needed", "select", {"dice": [4]})
    await table.refused("wild_face_unexpected", "select", {"dice": [0], "wild_face": 1})
    await table.select(0, 1, 2)
    problem = await table.refused("not_all_dice", "wild-roll")
    assert (problem["dice_to_roll"], problem["needed"]) == (2, 5)


async def test_cheating_needs_a_table_that_cheats(ana: Guest, bo: Guest) -> None:
    honest = await started(ana, bo)
    await honest.refused("cheats_are_off", "skip-next", {"seat": 1}, by=ana)
    table = await started(ana, bo, cheats={})
    assert table.game["cheats"] is True
    await table.refused("no_such_seat", "skip-next", {"seat": 7}, by=ana)
    await table.do("skip-next", {"seat": 1}, by=ana)
    await table.do("resign", by=bo)
    await table.refused("game_over", "skip-next", {"seat": 1}, by=ana)


async def test_who_has_resigned_is_out(ana: Guest, bo: Guest, cy: Guest) -> None:
    seats = [{"kind": "human"}] * 3
    table = await started(ana, bo, cy, seats=seats, cheats={})
    await table.do("resign", by=bo)
    await table.refused("seat_not_active", "resign", by=bo)
    await table.refused("seat_not_active", "skip-next", {"seat": 1}, by=ana)


async def test_seats_are_limited(ana: Guest, bo: Guest, cy: Guest) -> None:
    table = await create(ana, visibility="public")
    problem = await table.refused("seats_empty", "start")
    assert problem["seats"] == [1]
    await table.refused("already_seated", "join", by=ana)
    await table.refused("seat_taken", "join", {"seat": 0}, by=bo)
    await table.refused("no_such_seat", "join", {"seat": 5}, by=bo)
    await join(table, bo)
    await table.refused("table_full", "join", by=cy)


async def test_a_seat_with_a_light_touch_stays_human(ana: Guest) -> None:
    table = await create(ana, cheats={"light": {"1": "lucky"}})
    answer = await ana.request("PATCH", f"{table.path}/seats/1", json={"kind": "bot"})
    assert refused(answer, 409, "cheat_needs_human")["seat"] == 1


async def test_a_rule_set_needs_its_seats(ana: Guest) -> None:
    table = await create(ana, "house")
    await ana.request("PATCH", f"{table.path}/seats/1", json={"kind": "closed"})
    problem = await table.refused("too_few_seats", "start")
    assert (problem["needed"], problem["seats"]) == (2, 1)
