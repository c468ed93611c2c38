"""To have reached the target, with rivals far behind, is never worth less than to wait with it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine import Playing, transition
from engine.bots.knowledge import knowledge_of
from engine.bots.luck import NoLuck
from engine.bots.stakes import Field, Rival, stakes_of
from engine.bots.strategist import strategist
from engine.commands import Roll
from engine.dice import Seeded
from engine.state import ScriptedDice
from tests.engine.spec import T, rules, started

VARIANTS: list[dict[str, object]] = [{}, {"spicy": True}, {"final_round": False}]


@pytest.mark.parametrize("lead", [6_000, 9_000, 9_950])
@pytest.mark.parametrize("high_stakes", [False, True])
def test_a_bank_that_reaches_the_target_is_taken_on_a_lead(high_stakes: bool, lead: int) -> None:
    play = started(
        rules("farkle", high_stakes=high_stakes),
        totals=(9_950, 9_950 - lead),
        dice=ScriptedDice(((1, 1, 2, 3, 4, 6),)),
    )
    rolled = transition(play, Roll(T, 0, Seeded("unused"))).game
    assert isinstance(rolled, Playing)
    assert strategist(rolled, NoLuck()).name == "bank"


@pytest.mark.parametrize("options", VARIANTS)
def test_with_rivals_far_behind_the_less_is_missing_the_better(options: dict[str, object]) -> None:
    """
    Found by the match table: a bank was judged by the rival's last turn and waiting was not, so
    that with spicy dice it stood at 24 950 of 25 000 for thirty turns, until the rival came up.
    (With a rival near the target too, waiting for it to open the final round may well be better.)
    """
    race = knowledge_of(rules("farkle", **options)).race
    for rival in (4_000, 6_000, 9_000, 17_000):
        for rivals in ((Rival(rival, True),), (Rival(rival, True), Rival(10_000, False))):
            stakes = stakes_of(race, Field(rivals, None))
            chances = [stakes.of(missing, True) for missing in range(3_000, -1_001, -50)]
            worse = [(a, b) for a, b in pairwise(chances) if b < a - 1e-9]
            assert not worse, (rival, worse[:3])
