"""The dice of a turn: what may be selected, what is thrown next, what locking does."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

from tests.referee.scoring import Roll, Selection, selections
from tests.referee.state import Offer, Turn
from tests.referee.table import Table


@dataclass(frozen=True)
class Throw:
    """A roll about to be made: what the dice will be judged by."""

    positions: tuple[int, ...]
    """The ordinary dice to be rolled."""
    sets: dict[int, int]
    total: int
    turn_score: int
    wild_position: int | None = None

    def roll(self, faces: Sequence[int]) -> dict[int, int | None]:
        if len(faces) != len(self.positions):
            raise ValueError(f"{len(self.positions)} dice are rolled, not {len(faces)}")
        shown: dict[int, int | None] = dict(zip(self.positions, faces, strict=True))
        if self.wild_position is not None:
            shown[self.wild_position] = None
        return shown


class Play(Table):
    """A table with dice on it; nothing here refuses."""

    def dice_to_roll(self) -> tuple[int, ...]:
        """What `roll` would roll now, the selection counted as locked; none left means all."""
        assert self.turn is not None
        everything = range(self.rules["dice"]["count"])
        selected = self.turn.selection.dice if self.turn.selection else ()
        left = [die for die in everything if die not in self.turn.locked and die not in selected]
        return tuple(left or everything)

    def choices(self) -> list[Selection]:
        """Every selection allowed now."""
        assert self.turn is not None
        return self._choices(self.turn, self.turn.roll)

    def _choices(self, turn: Turn, roll: Roll) -> list[Selection]:
        return selections(
            self.rules,
            roll,
            sets=turn.sets,
            total=self.seats[turn.seat].total,
            turn_score=turn.carried + turn.locked_points,
        )

    def next_throw(self, *, wild: bool = False, take_over: bool = False) -> Throw:
        """What `roll`, `wild_roll` or `take_over` would throw now, if it is not refused."""
        assert self.turn is not None
        after = deepcopy(self.turn)
        if take_over:
            assert self.offer is not None
            self._carry_in(after, self.offer)
        elif after.selection is not None:
            self._lock(after)
        return self._prepare(after, wild=wild)

    def _prepare(self, turn: Turn, *, wild: bool) -> Throw:
        """Hot dice come back; the rest is what the throw is judged by."""
        count = self.rules["dice"]["count"]
        if len(turn.locked) == count:
            turn.locked, turn.sets = {}, {}
        free = tuple(die for die in range(count) if die not in turn.locked)
        return Throw(
            free[:-1] if wild else free,
            dict(turn.sets),
            self.seats[turn.seat].total,
            turn.carried + turn.locked_points,
            free[-1] if wild else None,
        )

    def _carry_in(self, turn: Turn, offer: Offer) -> None:
        turn.carried = offer.score
        turn.locked = dict(offer.held)

    def _lock(self, turn: Turn) -> bool:
        """Locks the selection; whether the Jester's face, now fixed, makes all dice equal."""
        selection = turn.selection
        assert selection is not None
        for die in selection.dice:
            turn.locked[die] = turn.roll[die] or selection.wild_face or 0
        turn.locked_points += selection.points
        turn.locked_protected += selection.protected
        for combo in selection.combos:
            face = combo.faces[0]
            if combo.kind == "set" and len(combo.dice) >= 3:
                turn.sets[face] = len(combo.dice)
            elif combo.kind == "set_upgrade":
                turn.sets[face] += len(combo.dice)
        turn.selection = None
        if selection.wild_face is None:
            return False
        return {face for face in turn.roll.values() if face} <= {selection.wild_face}

    def _lock_and_earn(self, turn: Turn) -> None:
        if self._lock(turn):
            self._earn(turn.seat)

    def _earn(self, seat: int) -> None:
        if self.rules["wild_rolls"] and self.rules["wild_rolls"]["earn"]:
            self.seats[seat].wild_rolls += 1
