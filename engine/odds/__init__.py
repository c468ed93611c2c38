"""
The odds of a rule set, shipped or made by a host: what rolls do, what turns are worth.

Everything is worked out from `Rules` and `engine.scoring` alone and kept by rule set. The first
question about one takes its time (docs/odds.md has the figures: milliseconds, seconds with six
different spicy faces); after that, values are looked up.
"""

from engine.odds.rolls import RollOdds, roll_odds
from engine.odds.throws import Throw, Throws, throws_of
from engine.odds.turn import Endless, TooLong, TurnOdds, turn_odds

__all__ = [
    "Endless",
    "RollOdds",
    "Throw",
    "Throws",
    "TooLong",
    "TurnOdds",
    "roll_odds",
    "throws_of",
    "turn_odds",
]
