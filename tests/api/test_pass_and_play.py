"""One player holds all human seats."""

from __future__ import annotations

from tests.api.live import Guest
from tests.api.table import create, started, types

FOUR_ONES = [1, 1, 1, 1, 2, 3]
THREE = [{"kind": "human"}] * 3


async def test_the_creator_holds_every_seat(ana: Guest) -> None:
    seats = [{"kind": "human"}, {"kind": "closed"}, {"kind": "human"}]
    table = await create(ana, pass_and_play=True, seats=seats)
    assert [s["player_id"] for s in table.game["seats"]] == [ana.id, None, ana.id]
    assert [s["name"] for s in table.game["seats"]] == ["Ana", None, "Ana"]
    assert table.game["settings"]["pass_and_play"] is True
    assert "join_code" not in table.game  # every seat is taken: there is nothing to join


async def test_a_command_is_for_the_seat_to_move(ana: Guest) -> None:
    table = await started(ana, seats=THREE, pass_and_play=True, rolls=[FOUR_ONES] * 3)
    for seat in range(3):
        assert table.turn["seat"] == seat
        await table.roll()
        assert table.events[0]["seat"] == seat
        await table.bank()
    assert table.scores == [1000, 1000, 1000]


async def test_nobody_else_sits_down(ana: Guest, bo: Guest) -> None:
    table = await create(ana, pass_and_play=True, visibility="public")
    await table.refused("table_full", "join", by=bo)


async def test_resigning_names_the_seat(ana: Guest, bo: Guest) -> None:
    table = await started(ana, seats=THREE, pass_and_play=True)
    await table.refused("seat_needed", "resign", status=422)
    await table.refused("not_your_seat", "resign", {"seat": 4}, status=403)
    await table.refused("not_seated", "resign", {"seat": 1}, status=403, by=bo)
    await table.do("resign", {"seat": 1})
    assert [s["active"] for s in table.game["seats"]] == [True, False, True]
    await table.do("resign", {"seat": 0})
    assert table.game["result"]["reason"] == "walkover"
    assert table.game["result"]["winners"] == [2]


async def test_its_player_may_end_it(ana: Guest) -> None:
    table = await started(ana, rolls=[FOUR_ONES])
    await table.roll()
    await table.bank()
    await table.do("end")
    assert table.game["result"]["reason"] == "ended_early"
    assert table.game["result"]["winners"] == [0]


async def test_no_winner_where_nobody_scored(ana: Guest) -> None:
    table = await started(ana)
    await table.do("end")
    assert table.game["result"]["winners"] == []


async def test_leaving_closes_the_table(ana: Guest) -> None:
    table = await create(ana, pass_and_play=True)
    await table.do("leave")
    assert table.game["status"] == "finished"


async def test_a_solo_seat_that_resigns_ends_the_game(ana: Guest) -> None:
    table = await started(ana, seats=[{"kind": "human"}])
    await table.do("resign")
    assert table.game["result"]["reason"] == "resigned"
    assert table.game["result"]["winners"] == []


async def test_a_seat_that_is_skipped_passes(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, cheats={"skip_next": [1]}, rolls=[FOUR_ONES])
    await table.roll()
    assert types(await table.bank()) == ["turn_banked", "turn_skipped"]
    assert table.turn["seat"] == 0
    await table.do("skip-next", {"seat": 1}, by=ana)
    assert types(table.events) == ["skip_ordered"]
