"""A cheated roll shows its fair faces in the log, and only then."""

from __future__ import annotations

from engine.state import Cheats, ScriptedDice
from tests.engine.spec import given, pick, roll, rolled, rules, selected, started, wild_roll

HOUSE, JESTER = rules("house"), rules("jester")
LUCKY, LOADED = Cheats(light=((0, "lucky"),)), Cheats(loaded=(0,))


def test_the_log_shows_the_fair_faces_where_a_cheat_changed_them() -> None:
    game = started(HOUSE, cheats=Cheats(loaded=(0,)), on_board=[0, 1])
    turned = given(game).when(roll(0, 4, 1, 2, 3, 5))
    after = turned.then(rolled(0, 4, 4, 4, 4, 5, fair=(4, 1, 2, 3, 5)))
    after.when(roll(0, 3, keep=pick(0, 1, 2, 3))).then(
        selected(0, (0, 1, 2, 3), 800),
        rolled(0, 1, dice=[4], number=1, fair=(3,)),
    )


def test_the_log_shows_no_fair_faces_where_a_cheat_changed_nothing() -> None:
    given(started(HOUSE, cheats=Cheats(loaded=(0,)))).when(roll(0, 1, 1, 1, 1, 5)).then(
        rolled(0, 1, 1, 1, 1, 5)
    )
    given(started(HOUSE, cheats=Cheats(loaded=(1,)))).when(roll(0, 5, 2, 3, 4, 6)).then(
        rolled(0, 5, 2, 3, 4, 6)
    )


def test_lucky_dice_always_show_both_halves_in_the_log() -> None:
    fair = (1, 2, 3, 4, 6, 2, 3, 4, 6, 6)
    given(started(HOUSE, cheats=LUCKY)).when(roll(0, *fair)).then(
        rolled(0, 1, 2, 3, 4, 6, fair=fair)
    )


def test_a_wild_roll_is_cheated_and_logged_too() -> None:
    fair = (6, 1, 2, 3)
    given(started(JESTER, cheats=LOADED)).when(wild_roll(0, *fair)).then(
        rolled(0, 6, 6, 6, 3, wild=True, fair=fair)
    )


def test_scripted_rolls_are_left_alone() -> None:
    script = ScriptedDice(((2, 3, 4, 6, 5),))
    game = started(HOUSE, cheats=LOADED._replace(always_score=(0,)), dice=script)
    given(game).when(roll(0)).then(rolled(0, 2, 3, 4, 6, 5, scripted=True))


def test_the_selection_on_the_table_counts_as_locked_when_a_roll_is_cheated() -> None:
    """Three 2s kept: of 1 2 and 2 3 the second pays more, for its 2 upgrades them."""
    game = started(JESTER, cheats=LUCKY)
    kept = given(game).after(roll(0, 2, 2, 2, 3, 4, 2, 3, 4, 6, 6))
    kept.when(roll(0, 1, 3, 2, 3, keep=pick(0, 1, 2))).then(
        selected(0, (0, 1, 2), 200),
        rolled(0, 2, 3, dice=[3, 4], number=1, fair=(1, 3, 2, 3)),
    )
