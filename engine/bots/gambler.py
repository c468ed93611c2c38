"""
`gambler`: keeps combinations whole, leaves loose 1s and 5s in play to chase a larger roll.

Of a roll with a combination it locks the combinations and rolls everything else again; of one with
single dice alone, the best of them. It goes for turns of seven times the best single die (700 in
farkle), half of that when it would have two dice or fewer to roll, and three times that on hot
dice. Now and then, by its luck, it rolls once more than that. Its last turn goes on until it would
win. The game's Wild Rolls are spent as soon as they may be.
"""

from __future__ import annotations

from engine.bots.luck import Luck
from engine.bots.move import Move
from engine.bots.standing import counted, fitting, has_wild_roll, settled
from engine.choices import Choice
from engine.commands import Selection
from engine.guards import overshoots
from engine.rules import Rules, Single
from engine.state import Playing, ToRoll, ToSelect
from engine.units import Points

SINGLES = 7
"""It stops at so many times what the best single die is worth."""
HOT = 3
"""On hot dice at so many times that."""
FEW_DICE = 2
"""With so few left to roll, half of it will do."""
ONE_MORE = 8
"""One bank in so many is put off by a roll."""
TAKES_OVER = 3
"""A take-over must roll as many dice."""


def gambler(play: Playing, luck: Luck) -> Move:
    """The move of the seat that is to move."""
    turn, rules = play.turn, play.setup.rules
    if isinstance(turn, ToRoll):
        return _begin(play)
    found = fitting(play, turn)
    full = max(found, key=lambda choice: (choice.points, len(choice.dice)))
    kept = max(found, key=_as_it_likes)
    left = rules.dice - (turn.locked | kept.mask).bit_count()
    if _stops(play, turn, full, left, luck):
        return Move("bank", Selection(full.dice, full.wild_face or None))
    hot = not left
    keeps = Selection(kept.dice, kept.wild_face or None)
    return Move("wild-roll" if hot and has_wild_roll(play) else "roll", keeps)


def _begin(play: Playing) -> Move:
    offer, rules, seat = play.offer, play.setup.rules, play.seats[play.turn.seat]
    if offer is not None and offer.seat == play.turn.seat:
        dice = rules.dice - offer.held.bit_count()
        if dice >= TAKES_OVER and not overshoots(play, seat.score + offer.score):
            return Move("take-over")
    return Move("wild-roll" if has_wild_roll(play) else "roll")


def _as_it_likes(choice: Choice) -> tuple[int, int, int]:
    """Combinations and no loose die beside them, the dearest first; else one die, the dearest."""
    loose = sum(part.kind == "single" for part in choice.score.parts)
    if loose == len(choice.score.parts):
        return (0, -loose, choice.points)
    return (1, -loose, choice.points)


def _stops(play: Playing, turn: ToSelect, full: Choice, left: int, luck: Luck) -> bool:
    """Whether to bank, with the whole of the roll; else it would roll so many dice."""
    counts = counted(play, full)
    no_choice = settled(play, turn, counts, full)
    if no_choice is not None:
        return no_choice
    score = turn.carried + turn.banked + counts.points
    if score < _enough(play.setup.rules, left):
        return False
    return luck.below(ONE_MORE) > 0


def _enough(rules: Rules, left: int) -> Points:
    """From how many points on it stops, with so many dice left to roll; 0: hot dice."""
    singles = [c.points for c in rules.combinations if isinstance(c, Single)]
    nerve = SINGLES * max(singles) if singles else rules.target // 16
    if not left:
        return HOT * nerve
    return nerve // 2 if left <= FEW_DICE else nerve
