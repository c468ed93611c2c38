"""
Everything the seat to move may do, and what each is worth.

With nobody near the target that is the mean of what the turn credits under best play. Near it, and
in a final round, it is the chance to win. The same list is what the strategist chooses from and
what a player gets as advice.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import guards
from engine.bots.knowledge import Knowledge
from engine.bots.move import Move
from engine.bots.outlook import Outlook, Position, outlook_of
from engine.bots.reserve import Kept
from engine.bots.stakes import Field, field_of, rounded
from engine.bots.standing import bank_is_accepted, counted
from engine.choices import Choice, Sets
from engine.commands import Selection
from engine.legal import selections
from engine.scoring import scoring_of
from engine.state import Playing, ToRoll, ToSelect
from engine.units import Mask, Points

NEAR = 4
"""Mean turns to the target from which on a seat counts as near it."""
CLEARLY = 0.003
"""Chances to win, which are not known that well."""
SAME = 1e-9
"""Chances that differ by less are the same."""


class Option(NamedTuple):
    """One thing to do."""

    move: Move
    dice: Mask
    """That would be rolled."""
    sets: Sets
    """Locked beside them."""
    score: Points
    """The turn score it is done with."""
    protected: Points
    points: float
    """Mean of what the turn credits, less the price of Wild Rolls it spends; after a bank what it
    credits."""
    win: float | None
    """The chance to win the game, less what Wild Rolls that the turn spends would add to it later;
    None while nobody is near the target."""
    worth: float
    """What options are compared by: `win` where there is one, else points; a game won at once
    above all."""
    choice: Choice | None = None
    finishes: bool = False
    """A bank that reaches the target."""


def options_of(
    play: Playing, known: Knowledge, own_purse: bool = False, every: bool = False
) -> list[Option]:
    """
    What may be done, not in order; at least one thing.

    Args:
        own_purse: whether Wild Rolls of the player's own may be spent.
        every: also selections that lead to the same as another one.
    """
    view = _View(play, known, own_purse)
    view.every = every
    if isinstance(play.turn, ToRoll):
        return view.beginnings(play.turn)
    return view.continuations(play.turn)


def best_of(options: list[Option]) -> Option:
    """
    The best one; of equal ones a bank, then what saves a Wild Roll, then more points. A bank that
    reaches the target is taken where nothing is clearly better.
    """
    top = max(option.worth for option in options)
    ends = [o for o in options if o.finishes and o.win is not None and o.worth >= top - CLEARLY]
    if ends:
        return max(ends, key=lambda option: (round(option.worth, 6), option.points))
    equal = [option for option in options if option.worth >= top - SAME]
    return max(
        equal,
        key=lambda o: (o.move.name == "bank", o.move.name != "wild-roll", o.points),
    )


def is_near(play: Playing, known: Knowledge) -> bool:
    """Whether what counts is no longer points alone."""
    if play.final_round is not None or known.values is None:
        return True
    turn, near = play.turn, NEAR * known.mean
    made = turn.score if isinstance(turn, ToSelect) else 0
    target = play.setup.rules.target
    for seat, state in enumerate(play.seats):
        if state.active and target - state.score - (made if seat == turn.seat else 0) <= near:
            return True
    return False


class _View:
    """A position as the seat to move sees it."""

    def __init__(self, play: Playing, known: Knowledge, own_purse: bool) -> None:
        self.every = False
        self.play = play
        self.known = known
        self.rules = play.setup.rules
        self.seat = play.seats[play.turn.seat]
        self.missing = self.rules.target - self.seat.score
        self.wild_rolls = 0
        if self.rules.wild_rolls is not None:
            self.wild_rolls = self.seat.wild_rolls
            if own_purse and self.rules.wild_rolls.purse:
                self.wild_rolls += self.seat.purse
        self.kept = self._kept(self.missing)
        self.outlook: Outlook | None = None
        self.beyond = 0
        """Points that the outlook takes to be missing besides; so many more are counted as made."""
        if is_near(play, known):
            self.outlook = self._outlook()

    def _kept(self, missing: Points) -> Kept:
        """Wild Rolls and what they would bring later; in a seat's last turn there is no later."""
        if self.play.final_round is not None:
            return Kept(self.wild_rolls, 0.0, 0.0)
        return self.known.kept(missing, self.wild_rolls)

    def _outlook(self) -> Outlook:
        known = self.known
        field, missing = field_of(self.play, known.race, self.play.turn.seat), self.missing
        rules = known.model
        if (
            field.best is not None
            and not field.rivals
            and rules.exact == "off"
            and rules.winner == "highest"
            and rules.bank_on_hot_dice
            and self.seat.on_board
        ):
            # Only how far it is behind matters now.
            missing, field = missing - field.best, Field((), 0)
        if field.best is None and self.seat.on_board:
            missing = rounded(missing, known.race, up=True)
            self.beyond = max(0, missing - self.missing)
        position = Position(missing, self.seat.on_board, self._kept(missing), field)
        return outlook_of(known.sketch, known.race, position)

    def beginnings(self, turn: ToRoll) -> list[Option]:
        """Roll, take over, or spend a Wild Roll."""
        found = [self._roll(None, 0, (), 0, 0)]
        if self.wild_rolls:
            found.append(self._wild_roll(None, 0, 0))
        offer = self.play.offer
        if offer is not None and offer.seat == turn.seat:
            total = self.seat.score + offer.score
            if not (self.rules.exact == "refuse" and total > self.rules.target):
                left = self.rules.all_dice & ~offer.held
                roll = self._roll(None, left, (), offer.score, 0)
                found.append(roll._replace(move=Move("take-over")))
        return found

    def continuations(self, turn: ToSelect) -> list[Option]:
        """Bank, or lock a selection and roll on."""
        rules, scoring = self.rules, scoring_of(self.rules)
        made, held = turn.carried + turn.banked, turn.banked_protected
        found: list[Option] = []
        seen: set[tuple[Mask, Sets, Points, Points]] = set()
        every = selections(self.play)
        takes_all = rules.bank_takes == "all_scoring"
        if takes_all and every:
            found += self._bank(turn, counted(self.play, every[0]), every)
        for choice in every:
            score, protected = made + choice.points, held + choice.protected
            locked = turn.locked | choice.mask
            left = rules.all_dice & ~locked
            sets = scoring.sets_after(turn.sets, choice) if rules.set_upgrade and left else ()
            if not takes_all:
                found += self._bank(turn, choice, every)
            alike = (self._alike(left), sets, score, protected)
            if alike in seen and not self.every:
                continue
            seen.add(alike)
            found.append(self._roll(choice, left, sets, score, protected))
            if not left and self.wild_rolls:
                found.append(self._wild_roll(choice, score, protected))
        return found

    def _alike(self, dice: Mask) -> Mask:
        """The same for dice that are alike."""
        return dice if self.rules.spicy is not None else dice.bit_count()

    def _bank(self, turn: ToSelect, choice: Choice, every: tuple[Choice, ...]) -> list[Option]:
        if not bank_is_accepted(self.play, turn, choice):
            return []
        score = turn.carried + turn.banked + choice.points
        protected = turn.banked_protected + choice.protected
        over = guards.overshoots(self.play, self.seat.score + score)
        points = guards.creditable(self.play, protected) if over else score
        keeps = Selection(choice.dice, choice.wild_face or None)
        move = Move("bank", keeps)
        if self.rules.bank_takes == "all_scoring" and choice not in every:
            move = Move("bank")
        win = None
        worth = float(points)
        if self.outlook is not None:
            win = (
                self.outlook.of_lost(protected)
                if over
                else self.outlook.of_bank(score + self.beyond)
            )
            worth = win
        elif not over and self.rules.reaches(self.seat.score + score):
            worth = float("inf")
        finishes = not over and self.rules.reaches(self.seat.score + score)
        return [Option(move, 0, (), score, protected, points, win, worth, choice, finishes)]

    def _roll(
        self, choice: Choice | None, dice: Mask, sets: Sets, score: Points, protected: Points
    ) -> Option:
        over = guards.overshoots(self.play, self.seat.score + score)
        if over:
            points: float = guards.creditable(self.play, protected)
        else:
            on_board = self.seat.on_board
            points = self.known.rolling(self.kept, on_board, dice, score, protected, sets)
        win, worth = None, points
        if self.outlook is not None:
            win = (
                self.outlook.of_lost(protected)
                if over
                else self.outlook.of_rolling(dice, score + self.beyond, protected, sets)
            )
            worth = win
        keeps = None if choice is None else Selection(choice.dice, choice.wild_face or None)
        return Option(
            Move("roll", keeps),
            dice or self.rules.all_dice,
            sets,
            score,
            protected,
            points,
            win,
            worth,
            choice,
        )

    def _wild_roll(self, choice: Choice | None, score: Points, protected: Points) -> Option:
        points = self.known.wild_roll(self.kept, self.seat.on_board, score, protected)
        win, worth = None, points
        if self.outlook is not None:
            worth = win = self.outlook.of_wild_roll(score + self.beyond, protected)
        keeps = None if choice is None else Selection(choice.dice, choice.wild_face or None)
        return Option(
            Move("wild-roll", keeps),
            self.rules.all_dice,
            (),
            score,
            protected,
            points,
            win,
            worth,
            choice,
        )
