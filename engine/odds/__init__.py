"""
The odds of a rule set, shipped or made by a host: what rolls do, what turns are worth.

Everything is worked out from `Rules` and `engine.scoring` alone and kept by rule set. The first
question about one takes its time (docs/odds.md has the figures: milliseconds, seconds with six
different spicy faces); after that, values are looked up.
"""

from engine.odds.duel import Duel, OutOfScope, duel_of
from engine.odds.fewer import mean_of_few_rolls, mean_without_hot_dice
from engine.odds.opening import OpeningOdds, opening_odds
from engine.odds.reach import ReachOdds, reach_odds
from engine.odds.report import Report, report
from engine.odds.rolls import RollOdds, roll_odds
from engine.odds.story import TurnStory, story_of
from engine.odds.throws import Throw, Throws, throws_of
from engine.odds.turn import Endless, TooLong, TurnOdds, turn_odds
from engine.odds.work import MOST_WORK, too_large, work

__all__ = [
    "MOST_WORK",
    "Duel",
    "Endless",
    "OpeningOdds",
    "OutOfScope",
    "ReachOdds",
    "Report",
    "RollOdds",
    "Throw",
    "Throws",
    "TooLong",
    "TurnOdds",
    "TurnStory",
    "duel_of",
    "mean_of_few_rolls",
    "mean_without_hot_dice",
    "opening_odds",
    "reach_odds",
    "report",
    "roll_odds",
    "story_of",
    "throws_of",
    "too_large",
    "turn_odds",
    "work",
]
