"""
`strategist`: reads the table by the analysis of its very rule set.

With nobody near the target it plays for the most points a turn brings on average. Near it, and in a
final round, it plays for the chance to win: it banks early on a lead, goes for more when it is
behind, and in its last turn chases exactly what it needs. Nothing here is set by hand for one game.
"""

from __future__ import annotations

from engine.bots.knowledge import knowledge_of
from engine.bots.luck import Luck
from engine.bots.move import Move
from engine.bots.options import best_of, options_of
from engine.state import Playing


def strategist(play: Playing, luck: Luck) -> Move:
    """The move of the seat that is to move; it leaves nothing to luck."""
    return best_of(options_of(play, knowledge_of(play.setup.rules))).move
