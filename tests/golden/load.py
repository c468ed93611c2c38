"""Reads the golden files: a source comment on the first line, then one case a line.

scoring/*.txt   faces, `*` after one that shows on its spicy side [| sets face:dice …] = points,
                or `-` where these dice are no selection as a whole
busts.txt       rule set, dice rolled [| sets face:dice …] = bust rolls and the mean of the best
                score of one roll, or `-` where it is not known
turns.txt       rule set = mean of a turn under best play for points, and the fewest points with
                which banking is as good as rolling 1, 2, … dice where they are known
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
SCORING = ("farkle", "spicy", "house", "jester")


class ScoringCase(NamedTuple):
    line: str
    faces: tuple[int, ...]
    spicy: tuple[bool, ...]
    sets: dict[int, int]
    """Locked sets: face → dice."""
    points: int | None


class BustCase(NamedTuple):
    line: str
    rules: str
    dice: int
    sets: dict[int, int]
    busts: int
    mean: Fraction | None


class TurnCase(NamedTuple):
    line: str
    rules: str
    mean: float
    bank_from: list[int]


def scoring_cases(name: str) -> list[ScoringCase]:
    """The cases of one of SCORING; each die may be spicy on any face."""
    cases = []
    for line in _lines(HERE / "scoring" / f"{name}.txt"):
        dice, sets, points = _parts(line)
        cases.append(
            ScoringCase(
                line,
                tuple(int(die[0]) for die in dice),
                tuple(die.endswith("*") for die in dice),
                sets,
                None if points == ["-"] else int(points[0]),
            )
        )
    return cases


def bust_cases() -> list[BustCase]:
    cases = []
    for line in _lines(HERE / "busts.txt"):
        (rules, dice), sets, (busts, mean) = _parts(line)
        known = None if mean == "-" else Fraction(mean)
        cases.append(BustCase(line, rules, int(dice), sets, int(busts), known))
    return cases


def turn_cases() -> list[TurnCase]:
    cases = []
    for line in _lines(HERE / "turns.txt"):
        (rules,), _, (mean, *bank_from) = _parts(line)
        cases.append(TurnCase(line, rules, float(mean), [int(points) for points in bank_from]))
    return cases


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def _parts(line: str) -> tuple[list[str], dict[int, int], list[str]]:
    """What stands before the sets, the sets, and the answer."""
    question, answer = line.split("=")
    asked, _, locked = question.partition("| sets")
    pairs = (entry.split(":") for entry in locked.split())
    return asked.split(), {int(face): int(dice) for face, dice in pairs}, answer.split()
