"""Small names for small types, so that signatures say what a number is."""

from __future__ import annotations

from functools import lru_cache

Seat = int
"""Zero-based place at the table."""

Position = int
"""Zero-based place of a die; it keeps it for a whole turn."""

Face = int
"""1 to `SIDES`."""

Points = int

Millis = int
"""Milliseconds since 1970-01-01 UTC; the only form of time the engine knows."""

Dice = tuple[Position, ...]
"""Positions, ascending, none twice."""

Mask = int
"""A set of dice: bit p stands for position p."""

SIDES = 6


def dice_of(mask: Mask) -> Dice:
    """The positions in a mask, ascending."""
    return _DICE[mask]


def mask_of(dice: Dice) -> Mask:
    """The mask of some positions."""
    mask = 0
    for position in dice:
        mask |= 1 << position
    return mask


MOST_DICE = 6
"""A hand of six dice of twelve symbols (face, spicy or not) has 18 564 forms: all are tested."""

_DICE: tuple[Dice, ...] = tuple(
    tuple(p for p in range(MOST_DICE) if mask >> p & 1) for mask in range(1 << MOST_DICE)
)


@lru_cache(maxsize=1 << MOST_DICE)
def parts_of(rolled: Mask) -> tuple[tuple[Dice, Mask, int, int], ...]:
    """
    Every choice of some of these dice, by positions: (dice, mask, where the choice without its
    last die stands, counted from 1, 0 for none of them; its last die).
    """
    chosen = sorted(dice_of(mask) for mask in range(1, rolled + 1) if not mask & ~rolled)
    place = {(): 0, **{dice: index for index, dice in enumerate(chosen, 1)}}
    return tuple((dice, mask_of(dice), place[dice[:-1]], dice[-1]) for dice in chosen)
