"""The ways to divide dice into combinations, all of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from tests.referee.rulebook import Combination, RuleSet


class Die(NamedTuple):
    position: int
    face: int
    spicy: bool = False


class Combo(NamedTuple):
    """A combination found in a selection; `id` of a set_upgrade is that of the larger set.

    Of equal dice it is open which of them stand in `dice`.
    """

    id: str
    kind: str
    dice: tuple[int, ...]
    faces: tuple[int, ...]
    points: int
    protected: bool


def set_value(rules: RuleSet, face: int, count: int) -> Combination | None:
    """The set of exactly this face and count, if the rule set has one."""
    for combination in rules["combinations"]:
        if combination["kind"] != "set":
            continue
        if combination["face"] == face and combination["count"] == count:
            found: Combination = combination
            return found
    return None


def worth(rules: RuleSet, combination: Combination, faces: Sequence[int]) -> int | None:
    """Points of exactly these faces as this combination, undoubled; None when they are not it."""
    counts = Counter(faces)
    shape = sorted(counts.values())
    points: int = combination.get("points", 0)
    match combination["kind"]:
        case "single":
            fits = list(faces) == [combination["face"]]
        case "set":
            fits = list(faces) == [combination["face"]] * combination["count"]
        case "straight":
            fits = sorted(faces) == combination["faces"]
        case "pairs":
            fits = shape == [2] * combination["count"]
            if combination.get("four_and_two", False) and combination["count"] == 3:
                fits = fits or shape == [2, 4]
        case "triplets":
            fits = shape == [3] * combination["count"]
        case "full_house":
            fits = False
            if shape == [2, 3]:
                (three, _), (two, _) = counts.most_common()
                kept = set_value(rules, three, 3)
                if kept is not None:
                    fits = True
                    pair = combination.get("pairs", {}).get(str(two), 0)
                    points = kept["points"] + combination["bonus"] + pair
        case kind:
            raise ValueError(f"no such kind of combination: {kind}")
    return points if fits else None


def doubled(points: int, dice: Iterable[Die]) -> int:
    """Each spicy die in a combination doubles it."""
    for die in dice:
        if die.spicy:
            points = points * 2
    return points


def splits(rules: RuleSet, dice: tuple[Die, ...]) -> Iterator[tuple[tuple[int, Combo], ...]]:
    """Every division of the dice into combinations, each with its place in the rule set's order.

    The first die is in some combination with some of the others: try them all.
    """
    if not dice:
        yield ()
        return
    first, others = dice[0], dice[1:]
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            group = (first, *chosen)
            faces = tuple(die.face for die in group)
            left = tuple(die for die in others if die not in chosen)
            for place, combination in enumerate(rules["combinations"]):
                points = worth(rules, combination, faces)
                if points is None:
                    continue
                combo = Combo(
                    combination["id"],
                    combination["kind"],
                    tuple(die.position for die in group),
                    faces,
                    doubled(points, group),
                    combination.get("protected", False),
                )
                for rest in splits(rules, left):
                    yield ((place, combo), *rest)


def upgrades(
    rules: RuleSet, dice: Sequence[Die], sets: Mapping[int, int]
) -> Iterator[tuple[int, Combo]]:
    """The set upgrades that these dice must make."""
    if not rules["set_upgrade"]:
        return
    for face, count in sorted(sets.items()):
        further = tuple(die for die in dice if die.face == face)
        smaller = set_value(rules, face, count)
        larger = set_value(rules, face, count + len(further))
        if further and smaller is not None and larger is not None:
            yield (
                rules["combinations"].index(larger),
                Combo(
                    larger["id"],
                    "set_upgrade",
                    tuple(die.position for die in further),
                    tuple(die.face for die in further),
                    doubled(larger["points"] - smaller["points"], further),
                    larger.get("protected", False),
                ),
            )


def keeps_sets_whole(rules: RuleSet, dice: Sequence[Die], combos: Iterable[Combo]) -> bool:
    """Whether each face that could be a set lies in one combination of this split."""
    parts = list(combos)
    for face, shown in Counter(die.face for die in dice).items():
        sizes = [
            combination["count"]
            for combination in rules["combinations"]
            if combination["kind"] == "set" and combination["face"] == face
        ]
        if sizes and shown >= min(sizes) and sum(face in part.faces for part in parts) != 1:
            return False
    return True
