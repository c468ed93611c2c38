"""What a roll shows when its seat plays with cheats: exact functions of the fair faces.

A wild roll is judged with its Jester, but only its ordinary dice are touched.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from tests.referee.play import Throw
from tests.referee.rulebook import RuleSet
from tests.referee.scoring import best, selections


@dataclass(frozen=True)
class Cheats:
    """Those of one seat. `light`: lucky, cold or magnet."""

    loaded: bool = False
    light: str | None = None
    always_score: bool = False


def best_single(rules: RuleSet) -> int | None:
    """The face whose single pays most, of equal ones the lowest; None without singles."""
    singles = [c for c in rules["combinations"] if c["kind"] == "single"]
    if not singles:
        return None
    face: int = min(singles, key=lambda c: (-c["points"], c["face"]))["face"]
    return face


def faces_needed(throw: Throw, cheats: Cheats) -> int:
    """How many fair faces the roll takes."""
    twice = cheats.light in ("lucky", "cold") and not cheats.loaded
    return len(throw.positions) * (2 if twice else 1)


def shown(rules: RuleSet, throw: Throw, fair: Sequence[int], cheats: Cheats) -> tuple[int, ...]:
    """The faces the ordinary dice show, in the order of their positions."""
    count = len(throw.positions)
    faces = list(fair[:count])
    if cheats.loaded:
        faces = loaded(rules, faces)
    elif cheats.light in ("lucky", "cold"):
        second = list(fair[count : 2 * count])
        first_pays, second_pays = _pays(rules, throw, faces), _pays(rules, throw, second)
        better = second_pays > first_pays
        worse = second_pays < first_pays
        if better if cheats.light == "lucky" else worse:
            faces = second
    elif cheats.light == "magnet":
        faces = magnet(faces)
    if cheats.always_score and faces and _busts(rules, throw, faces):
        faces = _lowest_shows(faces, best_single(rules))
    return tuple(faces)


def loaded(rules: RuleSet, faces: Sequence[int]) -> list[int]:
    count = len(faces)
    if count < 3:
        return _lowest_shows(faces, best_single(rules))
    alike = max(3, count - 1)
    return [faces[0]] * alike + list(faces[alike:])


def magnet(faces: Sequence[int]) -> list[int]:
    counts = Counter(faces)
    common = max(counts, key=lambda face: (counts[face], face), default=0)
    turned = list(faces)
    for index, face in enumerate(faces):
        if face != common:
            turned[index] = common
            break
    return turned


def _lowest_shows(faces: Sequence[int], face: int | None) -> list[int]:
    return list(faces) if face is None else [face, *faces[1:]]


def _pays(rules: RuleSet, throw: Throw, faces: Sequence[int]) -> int:
    """The best selection of the ordinary dice in the turn's state, an exact limit ignored."""
    roll = dict(zip(throw.positions, faces, strict=True))
    chosen = best(selections(rules, roll, sets=throw.sets, limited=False))
    return chosen.points if chosen else 0


def _busts(rules: RuleSet, throw: Throw, faces: Sequence[int]) -> bool:
    return not selections(
        rules,
        throw.roll(faces),
        sets=throw.sets,
        total=throw.total,
        turn_score=throw.turn_score,
    )


def snapped_head_start(rules: RuleSet, wanted: int) -> int | None:
    """The starting total nearest to what is wanted, a multiple of 5; None when it is refused."""
    below = wanted - wanted % 5
    start = below if wanted - below < 3 else below + 5
    if not 0 <= start < rules["target"]:
        return None
    if rules["exact"] != "off" and (rules["target"] - start) % common_divisor(rules) != 0:
        return None
    return start


def common_divisor(rules: RuleSet) -> int:
    """The greatest common divisor of everything that scores."""
    points = [rules["all_dice_bonus"]]
    for combination in rules["combinations"]:
        points += [combination.get("points", 0), combination.get("bonus", 0)]
        points += combination.get("pairs", {}).values()
    return gcd(*points)
