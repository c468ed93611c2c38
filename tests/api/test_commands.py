"""Play over HTTP: whole games of each preset, and what each command answers."""

from __future__ import annotations

import pytest

from tests.api.live import Guest
from tests.api.table import Table, started, types

STRAIGHT = [1, 2, 3, 4, 5, 6]
FOUR_ONES = [1, 1, 1, 1, 2, 3]
BUST = [2, 3, 4, 6, 6, 2]


async def test_a_game_of_farkle_to_the_end(ana: Guest, bo: Guest) -> None:
    rolls = [[1, 5, 2, 3, 4, 4], [1, 1, 2, 3], BUST, FOUR_ONES, [1, 1, 1, 1, 1, 2]]
    table = await started(ana, bo, options={"target": 1200, "opening": 300}, rolls=rolls)
    assert table.game["turn"] == {
        "seat": 0,
        "phase": "to_roll",
        "score": 0,
        "protected": 0,
        "dice_to_roll": 6,
        "deadline": None,
        "dice": [
            {
                "die": die,
                "state": "free",
                "face": None,
                "selected": False,
                "spicy": False,
                "wild": False,
            }
            for die in range(6)
        ],
    }
    assert table.game["legal"] == {
        "seat": 0,
        "commands": ["roll"],
        "selections": [],
        "bank": None,
    }

    assert types(await table.roll()) == ["dice_rolled"]
    assert table.turn["phase"] == "to_select"
    assert [die["face"] for die in table.turn["dice"]] == [1, 5, 2, 3, 4, 4]
    assert table.game["legal"]["selections"] == [
        {"dice": [0], "points": 100},
        {"dice": [0, 1], "points": 150},
        {"dice": [1], "points": 50},
    ]
    assert table.game["legal"]["commands"] == ["select"]

    await table.select(0, 1)
    assert (table.turn["score"], table.turn["dice_to_roll"]) == (150, 4)
    assert [die["selected"] for die in table.turn["dice"]] == [True, True] + [False] * 4
    assert table.game["legal"]["commands"] == ["roll", "select"]

    await table.roll()
    assert [die["state"] for die in table.turn["dice"]] == ["locked"] * 2 + ["rolled"] * 4
    assert table.game["legal"]["bank"] == {"score": 350, "total": 350}
    assert types(await table.bank()) == ["turn_banked"]
    assert table.events[0]["held"] == [0, 1, 2, 3]
    assert (table.scores, table.turn["seat"]) == ([350, 0], 1)

    assert types(await table.roll()) == ["dice_rolled", "turn_busted"]
    assert table.turn["seat"] == 0

    await table.roll()
    assert types(await table.bank()) == ["turn_banked", "final_round_opened"]
    assert table.game["final_round"] == {"opened_by": 0, "waiting": [1]}
    await table.roll()
    assert types(await table.bank()) == ["turn_banked", "game_finished", "fairness_revealed"]
    assert table.game["status"] == "finished"
    assert [table.game[part] for part in ("turn", "legal", "take_over")] == [None] * 3
    assert table.game["result"] == {
        "reason": "target",
        "winners": [1],
        "standings": [{"seat": 1, "score": 2000}, {"seat": 0, "score": 1350}],
    }


async def test_a_game_of_house_to_the_end(ana: Guest, bo: Guest) -> None:
    rolls = [[1, 1, 1, 2, 3], [1, 2], [4, 4, 4, 1, 5], [6], [1, 1, 1, 2, 5]]
    table = await started(ana, bo, preset="house", options={"target": 1000}, rolls=rolls)
    await table.roll()
    await table.refused("nothing_selected", "bank")
    await table.select(0, 1, 2)
    assert table.turn["protected"] == 1000
    await table.roll()
    await table.select(3)
    await table.bank()
    assert (table.scores, table.game["final_round"]["waiting"]) == ([1100, 0], [1])
    await table.roll()
    await table.select(0, 1, 2, 3)
    assert types(await table.roll()) == [
        *("dice_rolled", "turn_busted", "game_finished", "fairness_revealed"),
    ]
    assert table.game["result"]["winners"] == [0]
    assert table.game["result"]["reason"] == "target"


async def test_the_last_to_reach_the_target_wins_house(ana: Guest, bo: Guest) -> None:
    rolls = [[1, 1, 1, 1, 3], [1, 1, 1, 2, 3]]
    table = await started(ana, bo, preset="house", options={"target": 1000}, rolls=rolls)
    for dice in ((0, 1, 2, 3), (0, 1, 2)):
        await table.roll()
        await table.select(*dice)
        await table.bank()
    assert table.game["result"]["winners"] == [1]
    assert table.game["result"]["standings"][0] == {"seat": 0, "score": 2000}


async def test_a_game_of_jester_to_the_end(ana: Guest, bo: Guest) -> None:
    rolls = [[1, 1, 1, 1], [2, 3, 4, 6, 6], [5, 5, 5, 2, 3], [5, 2]]
    table = await started(ana, bo, preset="jester", rolls=rolls)
    seat = table.game["seats"][0]
    assert (seat["wild_rolls"], seat["purse"]) == (3, 0)
    assert table.game["legal"]["commands"] == ["roll", "wild-roll"]

    await table.do("wild-roll")
    jester = table.turn["dice"][4]
    assert (jester["state"], jester["face"], jester["wild"]) == ("rolled", None, True)
    assert table.game["seats"][0]["wild_rolls"] == 2
    assert {"dice": [4], "points": 100, "wild_face": 1} in table.game["legal"]["selections"]
    await table.select(0, 1, 2, 3, 4, wild_face=1)
    assert table.turn["dice"][4]["face"] == 1
    assert types(await table.bank()) == ["wild_roll_earned", "turn_banked"]
    assert (table.scores, table.game["seats"][0]["wild_rolls"]) == ([3500, 0], 3)

    assert types(await table.roll()) == ["dice_rolled", "turn_busted"]
    await table.roll()
    await table.select(0, 1, 2)
    await table.roll()
    await table.select(3)
    assert table.turn["score"] == 1500
    assert types(await table.bank()) == ["turn_banked", "game_finished", "fairness_revealed"]
    assert table.game["result"]["winners"] == [0]
    assert table.scores == [5000, 0]


async def test_a_bank_past_an_exact_target_overshoots(ana: Guest, bo: Guest) -> None:
    rolls = [[1, 1, 1, 1], [2, 3, 4, 6, 6], [1, 1, 1, 2, 3]]
    options = {"tier": "pocket"}
    table = await started(ana, bo, preset="jester", options=options, rolls=rolls)
    await table.do("wild-roll")
    await table.do("bank", {"select": {"dice": [0, 1, 2, 3, 4], "wild_face": 1}})
    await table.roll()
    await table.roll()
    await table.select(0, 1, 2)
    assert table.game["legal"]["bank"] == {"score": 1000, "total": 4500}
    await table.bank()
    assert table.scores[0] == 4500


async def test_an_overshoot_is_foretold(ana: Guest, bo: Guest) -> None:
    rolls = [[1, 1, 1, 1], [2, 3, 4, 6, 6], [1, 1, 1, 1, 1]]
    table = await started(ana, bo, preset="jester", rolls=rolls)
    await table.do("wild-roll")
    await table.do("bank", {"select": {"dice": [0, 1, 2, 3, 4], "wild_face": 1}})
    await table.roll()
    await table.roll()
    await table.select(0, 1, 2, 3, 4)
    assert table.game["legal"]["bank"] == {"score": 0, "total": 3500}
    assert types(await table.bank()) == ["turn_overshot"]
    assert (table.events[0]["lost"], table.scores[0]) == (3500, 3500)


async def test_roll_and_bank_may_carry_the_selection(ana: Guest) -> None:
    rolls = [[1, 5, 2, 3, 4, 4], [5, 5, 5, 2]]
    table = await started(ana, options={"opening": 0}, rolls=rolls)
    await table.roll()
    events = await table.do("roll", {"select": {"dice": [0, 1]}})
    assert types(events) == ["dice_selected", "dice_rolled"]
    events = await table.do("bank", {"select": {"dice": [2, 3, 4]}})
    assert types(events) == ["dice_selected", "turn_banked"]
    assert table.scores[0] == 650


async def test_of_a_selection_and_a_roll_both_happen_or_neither(ana: Guest) -> None:
    table = await started(ana, rolls=[[1, 5, 2, 3, 4, 4], [5, 5, 5]])
    await table.roll()
    problem = await table.refused("script_mismatch", "roll", {"select": {"dice": [0, 1]}})
    assert (problem["scripted"], problem["needed"]) == (3, 4)
    assert table.turn["dice_to_roll"] == 6


async def test_all_dice_are_hot(ana: Guest) -> None:
    table = await started(ana, rolls=[STRAIGHT, FOUR_ONES])
    await table.roll()
    await table.select(*range(6))
    assert (table.turn["dice_to_roll"], table.turn["score"]) == (6, 1500)
    assert types(await table.roll()) == ["hot_dice", "dice_rolled"]
    assert [die["state"] for die in table.turn["dice"]] == ["rolled"] * 6


async def test_high_stakes_hand_a_banked_turn_on(ana: Guest, bo: Guest) -> None:
    rolls = [[1, 5, 2, 3, 4, 4], [1, 1, 1, 2]]
    options = {"high_stakes": True, "opening": 0}
    table = await started(ana, bo, options=options, rolls=rolls)
    assert table.game.get("take_over") is None
    await table.roll()
    await table.bank()
    assert table.game["take_over"] == {"seat": 1, "score": 150, "dice": 4}
    assert table.game["legal"]["commands"] == ["roll", "take-over"]
    assert types(await table.do("take-over")) == ["turn_taken_over", "dice_rolled"]
    assert (table.turn["score"], table.turn["protected"]) == (150, 0)
    assert [die["state"] for die in table.turn["dice"]] == ["locked"] * 2 + ["rolled"] * 4
    await table.bank()
    assert table.scores == [150, 450]


async def test_spicy_dice_double(ana: Guest) -> None:
    table = await started(ana, options={"spicy": True}, rolls=[[5, 5, 2, 2, 5, 3]])
    assert table.game["rules"]["target"] == 25000
    await table.roll()
    assert [die["spicy"] for die in table.turn["dice"]] == [False] * 4 + [True, False]
    await table.select(0, 1, 4)
    assert table.turn["score"] == 1000


async def test_six_spicy_faces_win_on_the_spot(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, options={"spicy": True}, rolls=[STRAIGHT])
    await table.roll()
    assert table.game["result"]["reason"] == "instant_win"
    assert table.game["result"]["winners"] == [0]


async def test_a_solo_game_has_no_final_round(ana: Guest) -> None:
    table = await started(
        ana, options={"target": 500}, seats=[{"kind": "human"}], rolls=[FOUR_ONES]
    )
    await table.roll()
    await table.bank()
    assert table.game["result"]["winners"] == [0]


async def test_the_seat_to_move_of_a_rolled_hand_is_a_player(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo, rolls=[FOUR_ONES])
    problem = await table.refused("not_your_turn", "roll", by=bo)
    assert problem["seat_to_move"] == 0


@pytest.mark.parametrize("preset", ["farkle", "house", "jester"])
async def test_legal_play_reaches_the_end(ana: Guest, bo: Guest, preset: str) -> None:
    """Whatever is legal and keeps most points is done, until somebody wins."""
    options = {} if preset == "jester" else {"target": 2000, "opening": 100}
    dice = {"kind": "seeded", "seed": "whole games"}
    table = await started(ana, bo, preset=preset, options=options, dice=dice)
    for _ in range(400):
        if table.game["status"] == "finished":
            break
        await act(table)
    assert table.game["status"] == "finished"
    kinds = types(await table.log())
    assert kinds[-2:] == ["game_finished", "fairness_revealed"]
    assert [e["roll"] for e in await table.log() if e["type"] == "dice_rolled"] == list(
        range(kinds.count("dice_rolled"))
    )


async def act(table: Table) -> None:
    """What a plain player does: banks when it may, else keeps the most points, else rolls."""
    legal = table.game["legal"]
    if legal["bank"] and legal["bank"]["total"] > table.scores[legal["seat"]]:
        await table.bank()
    elif legal["selections"] and not any(die["selected"] for die in table.turn["dice"]):
        best = max(legal["selections"], key=lambda s: s["points"])
        await table.select(*best["dice"], wild_face=best.get("wild_face"))
    else:
        assert "roll" in legal["commands"]
        await table.roll()
