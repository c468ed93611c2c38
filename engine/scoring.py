"""
Rules compiled into a table: what a hand is worth, and what may be selected of a roll.

Laws: a hand is worth its best split and nothing else; a selection scores exactly when the table
has its hand; a roll busts when no part of it is in the table. Nothing is chosen greedily.

The patterns are spelled out when a rule set is compiled; hands are worked out from smaller hands
when first met and kept (6 dice have 18 563 hands with spicy faces, of which a game meets a few
hundred). `complete()` works out all of them. What is kept never changes a result, and is bounded,
however many rule sets are asked about.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, reduce
from itertools import combinations_with_replacement
from operator import attrgetter, or_

from engine.choices import NOTHING, Choice, HandScore, Part, RollTable, Sets
from engine.patterns import FACES, UNIT, Hand, Pattern, counts, dice_in, fits, lowest, patterns_of
from engine.rules import Rules, SetOf, Single
from engine.units import MOST_DICE, SIDES, Dice, Face, Mask, Points, dice_of, parts_of

_PLACE = attrgetter("dice", "wild_face")

MOST_HANDS = 8_192
"""Hands a table keeps, about 1.5 MiB; a game meets a few hundred."""
MOST_TABLES = 128
MOST_CHOICES = 8_192
"""Selections a table keeps, those that do not score too, about 1 MiB; those of farkle are 4 117."""
MOST_ROLLS = 4_096
"""
Rolls kept by all tables together, for a game asks for the same one a few times in a row: about
2 MiB, for the selections in them are those of the tables.
"""


class Scoring:
    """The table of one rule set; shared, and safe to share."""

    def __init__(
        self, rules: Rules, most_hands: int = MOST_HANDS, most_choices: int = MOST_CHOICES
    ) -> None:
        self.rules = rules
        self._most_hands = most_hands
        self._most_choices = most_choices
        self._spicy = rules.spicy.faces if rules.spicy else (0,) * rules.dice
        self._whole: dict[Hand, list[Pattern]] = {}
        """What a hand may be as one combination."""
        self._parts: list[dict[int, list[Pattern]]] = [{} for _ in range(rules.dice + 1)]
        """By how many dice a hand has, and its lowest symbol: what may be a part of it."""
        for pattern in patterns_of(rules):
            self._whole.setdefault(pattern.hand, []).append(pattern)
            for parts in self._parts[dice_in(pattern.hand) + 1 :]:
                parts.setdefault(lowest(pattern.hand), []).append(pattern)
        self._sets = {
            (c.face, c.count): (c.points, c.protected, c.id, order)
            for order, c in enumerate(rules.combinations)
            if isinstance(c, SetOf)
        }
        self._forced = [
            (face, min(n for f, n in self._sets if f == face))
            for face in FACES
            if rules.split == "forced" and any(f == face for f, _ in self._sets)
        ]
        self._forget()

    def _forget(self) -> None:
        self.hands = 0
        self._splits: dict[tuple[Hand, bool], HandScore | None] = {}
        self._scores: dict[Sets, dict[Hand, HandScore | None]] = {}
        self._choices: dict[Sets, dict[int, Choice | None]] = {}
        """By hand, dice and wild face in one number: rolls share their selections."""
        self._chosen = 0
        self._together: dict[Hand, HandScore | None] = {}
        self._least: dict[tuple[Hand, bool, bool, Sets], Points | None] = {}
        self._useful: dict[Hand, Hand] = {}

    def _one_more(self) -> None:
        """A hand is about to be kept."""
        if self.hands >= self._most_hands:
            self._forget()
        self.hands += 1

    def complete(self) -> dict[Hand, HandScore | None]:
        """Works out every hand of one to all dice; what a selection of that hand is worth."""
        symbols = [u for face in FACES for u in UNIT[face][: 2 if self.rules.spicy else 1]]
        hands = (
            sum(dice)
            for size in range(1, self.rules.dice + 1)
            for dice in combinations_with_replacement(symbols, size)
        )
        return {hand: self.score(hand) for hand in hands}

    def hand_of(self, dice: Dice, faces: tuple[Face, ...]) -> Hand:
        """The hand of some dice, by position."""
        hand, spicy = 0, self._spicy
        for p in dice:
            hand += UNIT[faces[p]][faces[p] == spicy[p]]
        return hand

    def is_spicy(self, position: int, face: Face) -> bool:
        return face > 0 and self._spicy[position] == face

    def score(self, hand: Hand, together: bool = False, sets: Sets = ()) -> HandScore | None:
        """
        What keeping this hand scores; None when a die is left over in every split.

        Args:
            hand: one or more dice of one roll.
            together: these are all dice of the table, rolled together (so no sets are locked).
            sets: locked sets of this turn.
        Source: docs/rule-sets.md, "How a selection scores".
        """
        scores = self._together if together else self._scores_with(sets)
        if hand in scores:
            return scores[hand]
        found = self._score(hand, together, sets)
        self._one_more()
        scores = self._together if together else self._scores_with(sets)  # may be new ones
        scores[hand] = found
        return found

    def _scores_with(self, sets: Sets) -> dict[Hand, HandScore | None]:
        """What is known of hands beside these locked sets."""
        scores = self._scores.get(sets)
        if scores is None:
            scores = self._scores[sets] = {}
        return scores

    def _score(self, hand: Hand, together: bool, sets: Sets) -> HandScore | None:
        upgrades: list[Pattern] = []
        for face, locked in sets:
            plain, spicy = counts(hand, face)
            grown = self._sets.get((face, locked + plain + spicy))
            if plain + spicy and grown is not None:
                points, protected, name, order = grown
                gain = (points - self._sets[face, locked][0]) << spicy
                used = plain * UNIT[face][0] + spicy * UNIT[face][1]
                count = locked + plain + spicy
                upgrades.append(
                    Pattern(used, gain, protected, False, order, "set_upgrade", name, face, count)
                )
                hand -= used
        best = self._split(hand, True)
        if together and self.rules.all_dice_bonus and not upgrades:
            plain_split = self._split(hand, False)
            if plain_split is not None:
                bonus = self.rules.all_dice_bonus
                raised = plain_split._replace(points=plain_split.points + bonus, bonus=bonus)
                best = raised if best is None or _better(raised, best) else best
        if best is None or not upgrades:
            return best
        return HandScore(
            best.points + sum(u.points for u in upgrades),
            best.protected + sum(u.points for u in upgrades if u.protected),
            (*upgrades, *best.parts),
        )

    def _split(self, hand: Hand, flat: bool) -> HandScore | None:
        """The best split; without `flat`, of those that use no flat combination."""
        if not hand:
            return NOTHING
        known = (hand, flat)
        if known in self._splits:
            return self._splits[known]
        best: HandScore | None = None
        # Some combination holds the lowest die, and that die is its lowest too: nothing is missed.
        parts = self._parts[dice_in(hand)].get(lowest(hand), ())
        fitting = [pattern for pattern in parts if fits(pattern.hand, hand)]
        for pattern in (*self._whole.get(hand, ()), *fitting):
            if pattern.flat and not flat:
                continue
            if self._forced and self._divides(pattern, hand):
                continue
            rest = self._split(hand - pattern.hand, flat)
            if rest is None:
                continue
            points = rest.points + pattern.points
            if best is not None and points < best.points:
                continue
            whole = HandScore(
                points,
                rest.protected + (pattern.points if pattern.protected else 0),
                tuple(sorted((pattern, *rest.parts), key=lambda p: p.order)),
            )
            if best is None or _better(whole, best):
                best = whole
        self._one_more()
        self._splits[known] = best
        return best

    def _divides(self, pattern: Pattern, hand: Hand) -> bool:
        """Whether a pattern takes only some of the dice of a face that must stay whole."""
        for face, least in self._forced:
            there, taken = sum(counts(hand, face)), sum(counts(pattern.hand, face))
            if there >= least and taken and (taken < there or pattern.kind == "single"):
                return True
        return False

    def choice(
        self,
        dice: Dice,
        mask: Mask,
        faces: tuple[Face, ...],
        rolled: Mask,
        wild_face: Face,
        sets: Sets,
    ) -> Choice | None:
        """One selection of a roll, scored; None when it does not. `faces` shows the Jester as 0."""
        hand = self.hand_of(dice, (*faces[:-1], wild_face) if wild_face else faces)
        together = mask == rolled and mask == self.rules.all_dice
        score = self.score(hand, together, sets)
        if score is None:
            return None
        return Choice(dice, mask, score.points, score.protected, wild_face, score)

    def roll_table(
        self, faces: tuple[Face, ...], rolled: Mask, wild: bool, sets: Sets
    ) -> RollTable:
        """Every selection that scores. `wild`: the last die of the table is the Jester."""
        return roll_tables(self, faces, rolled, wild, sets)

    def new_roll_table(
        self, faces: tuple[Face, ...], rolled: Mask, wild: bool, sets: Sets
    ) -> RollTable:
        """The same, worked out anew."""
        jester = 1 << self.rules.dice - 1 if wild else 0
        found: list[Choice] = []
        spicy = self._spicy
        choices = self._choices.setdefault(sets, {})
        for wild_face in (0, *FACES) if wild else (0,):
            shown = [face or wild_face for face in faces]
            units = [UNIT[face][face == spicy[p]] for p, face in enumerate(shown)]
            hands = [0]
            for dice, mask, shorter, last in parts_of(self._scoring_dice(units, rolled, sets)):
                hand = hands[shorter] + units[last]
                hands.append(hand)
                if wild_face and not mask & jester:
                    continue
                place = (hand << MOST_DICE | mask) << 3 | wild_face
                if place in choices:
                    choice = choices[place]
                else:
                    choice = choices[place] = self._new_choice(hand, dice, mask, wild_face, sets)
                if choice is not None:
                    found.append(choice)
        if wild:
            found.sort(key=_PLACE)
        return RollTable(tuple(found))

    def _new_choice(
        self, hand: Hand, dice: Dice, mask: Mask, wild_face: Face, sets: Sets
    ) -> Choice | None:
        """A selection that is about to be kept; None: it does not score, which is kept too."""
        if self._chosen >= self._most_choices:
            self._choices, self._chosen = {}, 0
        self._chosen += 1
        score = self.score(hand, mask == self.rules.all_dice, sets)
        return score and Choice(dice, mask, score[0], score[1], wild_face, score)

    def _scoring_dice(self, units: list[Hand], rolled: Mask, sets: Sets) -> Mask:
        """The dice of a roll that some combination in it, or a locked set, has a use for."""
        hand = sum(unit for p, unit in enumerate(units) if rolled >> p & 1)
        useful = self._useful.get(hand)
        if useful is None:
            parts = [p.hand for same in self._parts[dice_in(hand)].values() for p in same]
            parts += [p.hand for p in self._whole.get(hand, ())]
            useful = reduce(or_, (part for part in parts if fits(part, hand)), 0)
            self._one_more()
            self._useful[hand] = useful
        for face, _ in sets:
            useful |= UNIT[face][0] | UNIT[face][1]
        return sum(1 << p for p, unit in enumerate(units) if rolled >> p & 1 and useful & unit * 7)

    def least(self, faces: tuple[Face, ...], rolled: Mask, wild: bool, sets: Sets) -> Points | None:
        """The fewest points a selection of this roll can be worth; None: nothing scores."""
        hand = self.hand_of(dice_of(rolled), faces)
        known = (hand, wild, rolled == self.rules.all_dice, sets)
        if wild and self.rules.spicy:  # the Jester's spicy face is its position's, not the hand's
            return self._least_of(faces, rolled, wild, sets)
        if known in self._least:
            return self._least[known]
        found = self._least_of(faces, rolled, wild, sets)
        self._one_more()
        self._least[known] = found
        return found

    def _least_of(
        self, faces: tuple[Face, ...], rolled: Mask, wild: bool, sets: Sets
    ) -> Points | None:
        table = self.roll_table(faces, rolled, wild, sets)
        return min((c.points for c in table.choices), default=None)

    def combinations(self, choice: Choice, faces: tuple[Face, ...]) -> tuple[Part, ...]:
        """The combinations of a selection with their dice; points add up to the selection's."""
        left: dict[Hand, list[int]] = {}
        for p in choice.dice:
            face = faces[p] or choice.wild_face
            left.setdefault(UNIT[face][face == self._spicy[p]], []).append(p)
        found: list[Part] = []
        for pattern in choice.score.parts:
            dice: list[int] = []
            for unit, positions in left.items():
                take = pattern.hand // unit & 7
                dice += positions[:take]
                del positions[:take]
            found.append(Part(pattern.kind, pattern.id, tuple(sorted(dice)), pattern.points))
        if choice.score.bonus:
            bonus = choice.score.bonus
            found.append(Part("all_dice_bonus", "all_dice_bonus", choice.dice, bonus))
        return tuple(found)

    def sets_after(self, sets: Sets, choice: Choice) -> Sets:
        """The locked sets once this selection is locked."""
        if not self.rules.set_upgrade:
            return ()
        grown = dict(sets)
        for part in choice.score.parts:
            if part.kind == "set_upgrade" or (part.kind == "set" and part.size >= 3):
                grown[part.face] = max(part.size, grown.get(part.face, 0))
        return tuple(sorted(grown.items()))

    def best_single(self) -> Face | None:
        """The best-paying single face, the lowest of equals; None: no single scores."""
        singles = [c for c in self.rules.combinations if isinstance(c, Single)]
        best = min(singles, key=lambda c: (-c.points, c.face), default=None)
        return best.face if best else None


def _better(one: HandScore, other: HandScore) -> bool:
    """Most points, most protected, fewest combinations, then the rule set's order."""
    a = (one.points, one.protected, -len(one.parts))
    b = (other.points, other.protected, -len(other.parts))
    return a > b or (a == b and [p.order for p in one.parts] < [p.order for p in other.parts])


roll_tables = lru_cache(maxsize=MOST_ROLLS)(Scoring.new_roll_table)


@lru_cache(maxsize=MOST_TABLES)
def scoring_of(rules: Rules) -> Scoring:
    """The compiled table of a rule set; rule sets that score alike share one."""
    fields = {name: getattr(rules, name) for name in _SCORING_FIELDS}
    return _compiled(replace(_BLANK, **fields))


_compiled = lru_cache(maxsize=MOST_TABLES)(Scoring)
_SCORING_FIELDS = (
    *("dice", "combinations", "split", "set_upgrade", "all_dice_bonus", "spicy"),
    "wild_rolls",
)
_BLANK = Rules(
    *("", SIDES, 1, 1, 1, "off", 0, "none", "highest", "best", False, "selected", True, 0),
    *(False, None, None, ()),
)
