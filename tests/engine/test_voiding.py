"""An operator declares a game void: nobody wins, whenever that is."""

from __future__ import annotations

import pytest

from engine import Finished, transition
from engine import commands as co
from engine import events as ev
from engine.state import Cheats, ScriptedDice
from tests.engine.spec import T, bank, finished, given, opened, roll, rules, started, table

SUDDEN = rules("farkle", final_round=False)


def test_a_running_game_ends_without_a_winner() -> None:
    found = given(started(SUDDEN, totals=[300, 9000])).after(roll(0, 1, 2, 3, 3, 4, 6))
    over = found.when(co.VoidGame(T)).then(finished("voided", (), (1, 9000), (0, 300)))
    assert isinstance(over.game, Finished)
    over.when(co.VoidGame(T)).then()


def test_a_lobby_closes() -> None:
    setup = table(SUDDEN, "hec", cheats=Cheats(head_start=((1, 500),)))
    given(opened(setup)).when(co.VoidGame(T)).then(finished("voided", (), (1, 500), (0, 0)))


def test_a_result_is_taken_back_after_the_end() -> None:
    won = given(started(SUDDEN, totals=[9900, 500])).after(roll(0, 1, 2, 3, 3, 4, 6), bank(0))
    assert isinstance(won.game, Finished)
    assert won.game.result.winners == (0,)
    void = won.when(co.VoidGame(T)).then(ev.ResultVoided(T))
    assert isinstance(void.game, Finished)
    assert void.game.result == ("voided", (), ((0, 10_000), (1, 500)))
    assert void.game._replace(result=won.game.result) == won.game
    void.when(co.VoidGame(T)).then()
    assert transition(void.game, co.AnnounceRematch(T, "g_next")).events


@pytest.mark.parametrize("dice", [None, ScriptedDice(())])
def test_nothing_more_may_be_played(dice: ScriptedDice | None) -> None:
    void = given(started(SUDDEN, dice=dice)).after(co.VoidGame(T))
    for command in (roll(0, 1, 2, 3, 3, 4, 6), bank(0), co.End(T), co.Resign(T, 0)):
        void.when(command).refused("game_over")
