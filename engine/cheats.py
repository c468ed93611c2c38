"""
The host's cheats: exact functions of a roll's fair faces, so that a cheated game can be verified.

All of them work on the dice being rolled, lowest position first; `fair` is the stream's faces in
that order. Source: docs/rules.md, "Cheats".
"""

from __future__ import annotations

from typing import NamedTuple

from engine.choices import Sets
from engine.scoring import Scoring
from engine.state import Cheats
from engine.units import Dice, Face, Points, Seat, mask_of

Shown = tuple[Face, ...]


class Situation(NamedTuple):
    """What a cheat may look at: the turn as it stands when the dice fall."""

    scoring: Scoring
    dice: Dice
    """The positions being rolled, the Jester left out."""
    wild: bool
    sets: Sets
    limit: Points | None
    """What exact play would still allow."""


def faces_needed(cheats: Cheats, seat: Seat, count: int) -> int:
    """How many faces of the stream a roll of `count` dice takes."""
    light = dict(cheats.light).get(seat)
    twice = light in ("lucky", "cold") and seat not in cheats.loaded
    return 2 * count if twice else count


def shown(cheats: Cheats, seat: Seat, fair: tuple[Face, ...], at: Situation) -> Shown:
    """What the dice show, for `fair` as long as `faces_needed` says."""
    if not fair:
        return fair  # a table with one die: in a wild roll it is the Jester
    light = dict(cheats.light).get(seat)
    if seat in cheats.loaded:
        faces = _loaded(fair, at)
    elif light in ("lucky", "cold"):
        faces = _half(fair, at, light == "lucky")
    elif light == "magnet":
        faces = _magnet(fair)
    else:
        faces = fair
    if seat in cheats.always_score and _would_bust(faces, at):
        single = at.scoring.best_single()
        if single is not None:
            faces = (single, *faces[1:])
    return faces


def _loaded(fair: tuple[Face, ...], at: Situation) -> Shown:
    """Three or more dice: all but the last show the first face. Fewer: the lowest one scores."""
    count = len(fair)
    if count >= 3:
        same = max(3, count - 1)
        return fair[:1] * same + fair[same:]
    single = at.scoring.best_single()
    return fair if single is None else (single, *fair[1:])


def _half(fair: tuple[Face, ...], at: Situation, better: bool) -> Shown:
    """Of two rolls the one whose best selection pays more, or less; the first of equals."""
    count = len(fair) // 2
    first, second = fair[:count], fair[count:]
    a, b = _best_points(first, at), _best_points(second, at)
    return second if (b > a if better else b < a) else first


def _magnet(fair: tuple[Face, ...]) -> Shown:
    """The lowest die that does not show the commonest face turns to it."""
    common = max(fair, key=lambda face: (fair.count(face), face))
    for index, face in enumerate(fair):
        if face != common:
            return (*fair[:index], common, *fair[index + 1 :])
    return fair


def _laid(faces: Shown, at: Situation) -> tuple[Face, ...]:
    """Faces by position, 0 where no ordinary die was rolled."""
    by_position = [0] * at.scoring.rules.dice
    for position, face in zip(at.dice, faces, strict=True):
        by_position[position] = face
    return tuple(by_position)


def _best_points(faces: Shown, at: Situation) -> Points:
    """Of the ordinary dice alone, exact play left aside."""
    table = at.scoring.roll_table(_laid(faces, at), mask_of(at.dice), False, at.sets)
    best = table.best()
    return best.points if best else 0


def _would_bust(faces: Shown, at: Situation) -> bool:
    rolled = mask_of(at.dice)
    if at.wild:
        rolled |= 1 << at.scoring.rules.dice - 1
    least = at.scoring.least(_laid(faces, at), rolled, at.wild, at.sets)
    return least is None or (at.limit is not None and least > at.limit)
