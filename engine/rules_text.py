"""
Data in, rules out, or everything that is wrong with them; and back.

Laws: `rules_from_data(rules_to_data(r)) == r`; nothing a JSON document can hold raises anything
but `MalformedRules`; every fault is found, not only the first.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from math import gcd
from typing import cast

from engine.errors import Fault, MalformedRules
from engine.fields import Reader
from engine.rules import (
    FORMAT,
    Combination,
    FullHouse,
    Pairs,
    Rules,
    SetOf,
    Single,
    Spicy,
    Straight,
    Triplets,
    WildRules,
    shared,
)
from engine.units import MOST_DICE, SIDES, Face, Points

MOST_POINTS = 1_000_000
MOST_TARGET = 10_000_000
MOST_SEATS = 8
MOST_COMBINATIONS = 64
"""Sets of two to six of six faces, singles, straights and the rest fit with room to spare."""

_LABEL = "abcdefghijklmnopqrstuvwxyz0123456789_-"
_KINDS = ("single", "set", "straight", "pairs", "triplets", "full_house")


def rules_from_data(data: object) -> Rules:
    """
    A rule set from parsed JSON or TOML.

    Raises: MalformedRules, with every fault by its JSON pointer into `data`.
    """
    faults: list[Fault] = []
    reader = Reader(data, "", faults)
    reader.whole("format", FORMAT, FORMAT)
    name = reader.label("name", _LABEL)
    table = reader.part("dice").only("count")
    dice = table.whole("count", 1, MOST_DICE)
    most_dice = dice if table.is_sound() else MOST_DICE
    seats = reader.part("seats").only("min", "max")
    seats_min = seats.whole("min", 1, MOST_SEATS)
    seats_max = seats.whole("max", 1, MOST_SEATS)
    rules = Rules(
        name=name,
        dice=dice,
        seats_min=seats_min,
        seats_max=seats_max,
        target=reader.whole("target", 1, MOST_TARGET),
        exact=reader.one_of("exact", ("off", "bust", "refuse")),
        opening=reader.whole("opening", 0, MOST_TARGET),
        final_round=reader.one_of("final_round", ("none", "one_turn")),
        winner=reader.one_of("winner", ("highest", "last_to_reach")),
        split=reader.one_of("split", ("best", "forced")),
        set_upgrade=reader.switch("set_upgrade"),
        bank_takes=reader.one_of("bank_takes", ("all_scoring", "selected")),
        bank_on_hot_dice=reader.switch("bank_on_hot_dice"),
        all_dice_bonus=reader.whole("all_dice_bonus", 0, MOST_POINTS),
        take_over=reader.switch("take_over"),
        spicy=_spicy(reader),
        wild_rolls=_wild_rolls(reader),
        combinations=_combinations(reader, most_dice),
    )
    reader.only("format", "combinations", *_TOP)
    if not faults:
        faults += contradictions(rules)
    if faults:
        raise MalformedRules(tuple(faults))
    return shared(rules)


_TOP = (
    *("name", "dice", "seats", "target", "exact", "opening", "final_round", "winner", "split"),
    *("set_upgrade", "bank_takes", "bank_on_hot_dice", "all_dice_bonus", "take_over"),
    *("spicy", "wild_rolls"),
)


def _spicy(reader: Reader) -> Spicy | None:
    if not reader.given("spicy"):
        return None
    part = reader.part("spicy").only("faces", "instant_win")
    return Spicy(part.faces("faces", 1, MOST_DICE), part.switch("instant_win", True))


def _wild_rolls(reader: Reader) -> WildRules | None:
    if not reader.given("wild_rolls"):
        return None
    part = reader.part("wild_rolls").only("allotment", "purse", "earn", "world")
    return WildRules(
        part.whole("allotment", 0, 99),
        part.switch("purse", False),
        part.switch("earn", True),
        part.label("world", _LABEL) if part.given("world") else None,
    )


def _combinations(reader: Reader, dice: int) -> tuple[Combination, ...]:
    found: list[Combination] = []
    seen: dict[object, int] = {}
    for index, item in enumerate(reader.items("combinations", 1, MOST_COMBINATIONS)):
        combination = _combination(item, dice)
        if combination is None or not item.is_sound():
            continue  # what it would be the same as is not known
        for mark in _marks(combination):
            if mark in seen:
                item.fault("", "duplicate", f"This is the same as combination {seen[mark]}.")
            seen.setdefault(mark, index)
        found.append(combination)
    return tuple(found)


def _marks(combination: Combination) -> list[object]:
    """
    What may occur once only: an id, and the same dice in one kind. No game needs them twice, and
    sixty times the same three pairs would be looked at with every hand.
    """
    marks: list[object] = [("id", combination.id)]
    if isinstance(combination, Single):
        marks.append(("single", combination.face))
    elif isinstance(combination, SetOf):
        marks.append(("set", combination.face, combination.count))
    elif isinstance(combination, Straight):
        marks.append(("straight", combination.faces))
    elif isinstance(combination, Pairs):
        marks.append(("pairs", combination.count, combination.four_and_two))
    else:
        marks.append(combination.kind)
    return marks


def _combination(item: Reader, dice: int) -> Combination | None:
    kind = item.one_of("kind", _KINDS)
    ident = item.label("id", "abcdefghijklmnopqrstuvwxyz0123456789_")
    protected, flat = item.switch("protected", False), item.switch("flat", False)
    if not item.is_sound("/kind"):
        return None
    known = ("kind", "id", "protected", "flat")
    points = 0 if kind == "full_house" else item.whole("points", 1, MOST_POINTS)
    made: Combination
    needs: int
    if kind == "single":
        item.only(*known, "face", "points")
        made = Single(ident, item.whole("face", 1, SIDES), points, protected, flat)
        needs = 1
    elif kind == "set":
        item.only(*known, "face", "count", "points")
        face, needs = item.whole("face", 1, SIDES), item.whole("count", 2, MOST_DICE)
        made = SetOf(ident, face, needs, points, protected, flat)
    elif kind == "straight":
        item.only(*known, "faces", "points")
        faces = item.faces("faces", 3, SIDES)
        if any(a >= b for a, b in pairwise(faces)):
            item.fault("/faces", "not_ascending", "The faces of a straight ascend.")
        made, needs = Straight(ident, faces, points, protected, flat), len(faces)
    elif kind == "pairs":
        item.only(*known, "count", "points", "four_and_two")
        count = item.whole("count", 2, 3)
        made = Pairs(ident, count, points, item.switch("four_and_two", False), protected, flat)
        needs = 2 * count
    elif kind == "triplets":
        item.only(*known, "count", "points")
        made, needs = Triplets(ident, item.whole("count", 2, 2), points, protected, flat), 6
    else:
        item.only(*known, "bonus", "pairs")
        bonus = item.whole("bonus", 0, MOST_POINTS)
        made, needs = FullHouse(ident, bonus, _pairs(item), protected, flat), 5
    if needs > dice and item.is_sound():
        item.fault("", "too_many_dice", f"This needs {needs} dice; the table has {dice}.")
    return made


def _pairs(item: Reader) -> tuple[tuple[Face, Points], ...]:
    if not item.given("pairs"):
        return ()
    part = item.part("pairs").only(*(str(face) for face in range(1, SIDES + 1)))
    return tuple(
        (face, part.whole(str(face), 0, MOST_POINTS))
        for face in range(1, SIDES + 1)
        if part.given(str(face))
    )


def step(rules: Rules) -> Points:
    """The greatest common divisor of everything that scores: totals are multiples of it."""
    values = [rules.all_dice_bonus]
    for combination in rules.combinations:
        if isinstance(combination, FullHouse):
            values += [combination.bonus, *(points for _, points in combination.pairs)]
        else:
            values.append(combination.points)
    return reduce(gcd, values)


def most_points(rules: Rules, combination: Combination) -> Points:
    """The most a combination can be worth, spicy faces left aside."""
    if not isinstance(combination, FullHouse):
        return combination.points
    threes = [c.points for c in rules.combinations if isinstance(c, SetOf) and c.count == 3]
    pair = max((points for _, points in combination.pairs), default=0)
    return max(threes, default=0) + combination.bonus + pair


def contradictions(rules: Rules) -> list[Fault]:
    """What is wrong between fields that are each right."""
    faults: list[Fault] = []

    def fault(pointer: str, code: str, detail: str) -> None:
        faults.append(Fault(pointer, code, detail))

    if rules.seats_min > rules.seats_max:
        fault("/seats/min", "above_maximum", "This is more than the most seats.")
    if rules.opening > rules.target:
        fault("/opening", "above_target", "The opening is above the target.")
    unit = step(rules)
    if rules.exact != "off" and unit and rules.target % unit:
        fault("/target", "out_of_reach", f"An exact target must be a multiple of {unit}.")
    if rules.spicy is not None and len(rules.spicy.faces) != rules.dice:
        fault(
            "/spicy/faces", "wrong_length", f"Must have one face for each of the {rules.dice} dice."
        )
    threes = {c.face for c in rules.combinations if isinstance(c, SetOf) and c.count == 3}
    for index, combination in enumerate(rules.combinations):
        pointer = f"/combinations/{index}"
        if isinstance(combination, FullHouse) and not threes:
            fault(pointer, "no_set_of_three", "A full house needs a set of three.")
        if rules.exact == "refuse" and most_points(rules, combination) > rules.target:
            fault(pointer, "above_target", "This is worth more than the exact target.")
        if rules.set_upgrade and isinstance(combination, SetOf):
            for other in rules.combinations:
                if (
                    isinstance(other, SetOf)
                    and other.face == combination.face
                    and other.count < combination.count
                    and other.points > combination.points
                ):
                    fault(pointer, "below_smaller_set", "This is worth less than a smaller set.")
                    break
    return faults


def rules_to_data(rules: Rules) -> dict[str, object]:
    """The rule set as JSON-ready data, every field written out."""
    wild, spicy = rules.wild_rolls, rules.spicy
    return {
        "format": FORMAT,
        "name": rules.name,
        "dice": {"count": rules.dice},
        "seats": {"min": rules.seats_min, "max": rules.seats_max},
        "target": rules.target,
        "exact": rules.exact,
        "opening": rules.opening,
        "final_round": rules.final_round,
        "winner": rules.winner,
        "split": rules.split,
        "set_upgrade": rules.set_upgrade,
        "bank_takes": rules.bank_takes,
        "bank_on_hot_dice": rules.bank_on_hot_dice,
        "all_dice_bonus": rules.all_dice_bonus,
        "take_over": rules.take_over,
        "spicy": spicy and {"faces": list(spicy.faces), "instant_win": spicy.instant_win},
        "wild_rolls": wild
        and {
            "allotment": wild.allotment,
            "purse": wild.purse,
            "earn": wild.earn,
            "world": wild.world,
        },
        "combinations": [combination_to_data(c) for c in rules.combinations],
    }


def combination_to_data(combination: Combination) -> dict[str, object]:
    """One combination as JSON-ready data."""
    data: dict[str, object] = {"id": combination.id, "kind": combination.kind}
    if isinstance(combination, FullHouse):
        data["bonus"] = combination.bonus
        data["pairs"] = {str(face): points for face, points in combination.pairs}
    else:
        data["points"] = combination.points
    for extra in ("face", "count", "faces", "four_and_two"):
        if hasattr(combination, extra):
            value = cast(object, getattr(combination, extra))
            data[extra] = list(value) if isinstance(value, tuple) else value
    return data | {"protected": combination.protected, "flat": combination.flat}
