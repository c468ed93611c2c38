"""What dice are worth: every way to divide them is tried and the best one kept."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from tests.referee.combos import Combo, Die, keeps_sets_whole, splits, upgrades
from tests.referee.rulebook import RuleSet

Roll = Mapping[int, int | None]
"""Position → face of the dice of one roll; the Jester's face is None."""


class Scored(NamedTuple):
    points: int
    protected: int
    combos: tuple[Combo, ...]


class Selection(NamedTuple):
    dice: tuple[int, ...]
    wild_face: int | None
    points: int
    protected: int
    combos: tuple[Combo, ...]


def score(
    rules: RuleSet,
    dice: Sequence[Die],
    *,
    sets: Mapping[int, int] | None = None,
    rolled: int | None = None,
) -> Scored | None:
    """What these dice of one roll score, all of them used; None when they do not.

    Args:
        sets: locked sets that can be upgraded, face → dice.
        rolled: how many dice were rolled together; default: these alone.
    """
    text = json.dumps(rules)
    return _score(text, dice, sets or {}, len(dice) if rolled is None else rolled)


def _score(text: str, dice: Sequence[Die], sets: Mapping[int, int], rolled: int) -> Scored | None:
    """The same, remembered by faces and spicy marks: where a die lies changes no score."""
    ordered = sorted(dice, key=lambda die: (die.face, die.spicy, die.position))
    plain = tuple((die.face, die.spicy) for die in ordered)
    scored = _search(text, plain, tuple(sorted(sets.items())), rolled)
    if scored is None:
        return None
    at = [die.position for die in ordered]
    placed = (
        combo._replace(dice=tuple(sorted(at[index] for index in combo.dice)))
        for combo in scored.combos
    )
    return scored._replace(combos=tuple(placed))


@cache
def _rules(text: str) -> RuleSet:
    rules: RuleSet = json.loads(text)
    return rules


@cache
def _search(
    text: str, plain: tuple[tuple[int, bool], ...], sets: tuple[tuple[int, int], ...], rolled: int
) -> Scored | None:
    rules = _rules(text)
    dice = tuple(Die(index, face, spicy) for index, (face, spicy) in enumerate(plain))
    upgraded = tuple(upgrades(rules, dice, dict(sets)))
    done = {position for _, combo in upgraded for position in combo.dice}
    ordinary = tuple(die for die in dice if die.position not in done)
    all_kept = rolled == rules["dice"]["count"] == len(dice)
    best_key: tuple[int, int, int, list[int]] | None = None
    best_split: Scored | None = None
    for found in splits(rules, ordinary):
        parts = sorted((*upgraded, *found))
        combos = tuple(combo for _, combo in parts)
        if not combos:
            continue
        if rules["split"] == "forced" and not keeps_sets_whole(rules, ordinary, combos):
            continue
        points = sum(combo.points for combo in combos)
        flat = any(rules["combinations"][place].get("flat", False) for place, _ in parts)
        if all_kept and not flat:
            points += rules["all_dice_bonus"]
        protected = sum(combo.points for combo in combos if combo.protected)
        key = (points, protected, -len(combos), [-place for place, _ in parts])
        if best_key is None or key > best_key:
            best_key, best_split = key, Scored(points, protected, combos)
    return best_split


def selections(
    rules: RuleSet,
    roll: Roll,
    *,
    sets: Mapping[int, int] | None = None,
    total: int = 0,
    turn_score: int = 0,
    limited: bool = True,
) -> list[Selection]:
    """Every selection that may be made of a roll, lowest positions first.

    Args:
        turn_score: carried-in and locked points.
        limited: False ignores the limit of an exact target.
    """
    text = json.dumps(rules)
    spicy = rules["spicy"]["faces"] if rules["spicy"] else []
    room = rules["target"] - total - turn_score
    found = []
    for size in range(1, len(roll) + 1):
        for chosen in combinations(sorted(roll), size):
            with_jester = any(roll[position] is None for position in chosen)
            for wild_face in (1, 2, 3, 4, 5, 6) if with_jester else (None,):
                dice = []
                for position in chosen:
                    face = roll[position] or wild_face or 0
                    dice.append(Die(position, face, bool(spicy) and spicy[position] == face))
                scored = _score(text, dice, sets or {}, len(roll))
                if scored is None:
                    continue
                if limited and rules["exact"] == "refuse" and scored.points > room:
                    continue
                found.append(Selection(chosen, wild_face, *scored))
    return sorted(found, key=lambda selection: (selection.dice, selection.wild_face or 0))


def best(among: Iterable[Selection]) -> Selection | None:
    """Most points, then most dice, then the lowest positions, then the lowest wild face."""
    return min(
        among,
        key=lambda s: (-s.points, -len(s.dice), s.dice, s.wild_face or 0),
        default=None,
    )
