"""
The odds of a rule set, shipped or made by a host: what rolls do, what turns are worth.

Everything is worked out from `Rules` and `engine.scoring` alone and kept by rule set. The first
question about one takes its time (docs/odds.md has the figures: milliseconds, seconds with six
different spicy faces); after that, values are looked up.
"""

from engine.odds.fewer import mean_of_few_rolls, mean_without_hot_dice
from engine.odds.opening import OpeningOdds, opening_odds
from engine.odds.reach import ReachOdds, reach_odds
from engine.odds.rolls import RollOdds, roll_odds
from engine.odds.story import TurnStory, story_of
from engine.odds.throws import Throw, Throws, throws_of
from engine.odds.turn import Endless, TooLong, TurnOdds, turn_odds

__all__ = [
    "Endless",
    "OpeningOdds",
    "ReachOdds",
    "RollOdds",
    "Throw",
    "Throws",
    "TooLong",
    "TurnOdds",
    "TurnStory",
    "mean_of_few_rolls",
    "mean_without_hot_dice",
    "opening_odds",
    "reach_odds",
    "roll_odds",
    "story_of",
    "throws_of",
    "turn_odds",
]
