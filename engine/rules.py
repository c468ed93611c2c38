"""
The declarative rule set: what may differ between two games, as frozen data.

`engine.rules_text` turns data into a `Rules` and back; nothing here checks anything. The meaning
of every field stands in docs/rule-sets.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Literal

from engine.units import Face, Points

FORMAT = 1
"""Version of the data format; a change that old data would not survive raises it."""

Exact = Literal["off", "bust", "refuse"]
FinalRoundRule = Literal["none", "one_turn"]
WinnerRule = Literal["highest", "last_to_reach"]
Split = Literal["best", "forced"]
BankTakes = Literal["all_scoring", "selected"]
CombinationKind = Literal[
    "single", "set", "straight", "pairs", "triplets", "full_house", "set_upgrade", "all_dice_bonus"
]
"""The last two are not declared: they name the parts of a score that come from other options."""


@dataclass(frozen=True, slots=True)
class Single:
    kind: ClassVar[CombinationKind] = "single"
    id: str
    face: Face
    points: Points
    protected: bool = False
    flat: bool = False


@dataclass(frozen=True, slots=True)
class SetOf:
    """`count` dice of one face."""

    kind: ClassVar[CombinationKind] = "set"
    id: str
    face: Face
    count: int
    points: Points
    protected: bool = False
    flat: bool = False


@dataclass(frozen=True, slots=True)
class Straight:
    kind: ClassVar[CombinationKind] = "straight"
    id: str
    faces: tuple[Face, ...]
    points: Points
    protected: bool = False
    flat: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """`count` pairs of different faces; `four_and_two`: four of one with two of another too."""

    kind: ClassVar[CombinationKind] = "pairs"
    id: str
    count: int
    points: Points
    four_and_two: bool = False
    protected: bool = False
    flat: bool = False


@dataclass(frozen=True, slots=True)
class Triplets:
    """`count` threes of different faces."""

    kind: ClassVar[CombinationKind] = "triplets"
    id: str
    count: int
    points: Points
    protected: bool = False
    flat: bool = False


@dataclass(frozen=True, slots=True)
class FullHouse:
    """A set of three, plus `bonus`, plus what the pair's face adds."""

    kind: ClassVar[CombinationKind] = "full_house"
    id: str
    bonus: Points
    pairs: tuple[tuple[Face, Points], ...] = ()
    protected: bool = False
    flat: bool = False


Combination = Single | SetOf | Straight | Pairs | Triplets | FullHouse


@dataclass(frozen=True, slots=True)
class Spicy:
    """Die k doubles the combination it is part of when it shows `faces[k]`."""

    faces: tuple[Face, ...]
    instant_win: bool = True


@dataclass(frozen=True, slots=True)
class WildRules:
    allotment: int
    purse: bool = False
    earn: bool = True
    world: str | None = None
    """What a player's first win here reaches, where a preset says so."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A whole rule set. Hashing is cheap, so that compiled tables can be found by it."""

    name: str
    dice: int
    seats_min: int
    seats_max: int
    target: Points
    exact: Exact
    opening: Points
    final_round: FinalRoundRule
    winner: WinnerRule
    split: Split
    set_upgrade: bool
    bank_takes: BankTakes
    bank_on_hot_dice: bool
    all_dice_bonus: Points
    take_over: bool
    spicy: Spicy | None
    wild_rolls: WildRules | None
    combinations: tuple[Combination, ...]
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        parts = (self.name, self.dice, self.target, self.exact, self.opening, self.combinations)
        object.__setattr__(self, "_hash", hash(parts))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Built anew in another process: the hash of a text is another one there."""
        names = (name for name in self.__slots__ if name != "_hash")
        return _built, tuple(getattr(self, name) for name in names)

    @property
    def all_dice(self) -> int:
        """The mask of every die of the table."""
        return (1 << self.dice) - 1

    def reaches(self, total: Points) -> bool:
        """Whether a total has reached the target: at or above it, or exactly it."""
        return total >= self.target if self.exact == "off" else total == self.target


MOST_KEPT = 256


@lru_cache(maxsize=MOST_KEPT)
def shared(rules: Rules) -> Rules:
    """
    One object for equal rule sets, wherever they were read: tables are found by a rule set, and two
    equal objects are compared whole at each look-up, where one object is only compared with itself.
    """
    return rules


def _built(*fields: Any) -> Rules:
    return shared(Rules(*fields))
