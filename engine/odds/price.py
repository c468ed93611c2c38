"""
What a Wild Roll is worth in points: its price, where there are turns enough to spend it in.

One that is kept can be spent at the beginning of any later turn. So long as some turn is begun
without one, it is worth what it adds there: the price at which to begin with a Wild Roll is worth
as much as to begin without, later ones in the same turn costing as much.
"""

from __future__ import annotations

from engine.odds.throws import throws_of
from engine.odds.turn import TurnOdds, turn_odds
from engine.rules import Rules

CLOSE = 0.5
"""Points that make no difference."""
MOST_ROUNDS = 12


def wild_price(rules: Rules, wild_rolls: int) -> float:
    """
    Points that a Wild Roll is worth; 0 where it is worth none, or is not played.

    Args:
        wild_rolls: how many one turn may spend.
    Raises: Endless, TooLong.
    """
    if not (wild_rolls and rules.wild_rolls):
        return 0.0
    price = turn_odds(rules, 1).value_of_wild_roll() - turn_odds(rules).fresh
    before = (0.0, 0.0)
    for round_ in range(MOST_ROUNDS):
        more = _adds(rules, wild_rolls, price)
        over = more - price
        if abs(over) < CLOSE:
            break
        last, last_over = before
        before = price, over
        straight = round_ > 0 and abs(over - last_over) > CLOSE
        price = price - over * (price - last) / (over - last_over) if straight else more
    return max(0.0, price)


def _adds(rules: Rules, wild_rolls: int, price: float) -> float:
    """What it adds to a turn to begin with a Wild Roll."""
    odds = turn_odds(rules)
    for _ in range(wild_rolls):
        odds = TurnOdds(throws_of(rules), odds, price)
    return odds.value_of_wild_roll() + price - odds.value_of_plain_roll()
