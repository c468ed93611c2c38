"""One turn of a duel: the chance to win from its start, for what its points lead to."""

from __future__ import annotations

from typing import NamedTuple

from engine.odds.throws import Outcome, Throws

REFUSED = -1.0


class Stakes(NamedTuple):
    """Chances to win of the seat whose turn ends. Points in steps of the unit."""

    below: tuple[float, ...]
    """By points made that do not reach the target; below 0: no bank is allowed."""
    reached: tuple[float, ...]
    """By points above what was missing, the last for all further ones."""


class _Rolls(NamedTuple):
    """Rolls that offer the same."""

    rolls: int
    banks: tuple[int, ...]
    """What may be banked."""
    hot: tuple[int, ...]
    """What may be banked only if it reaches the target."""
    on: tuple[tuple[int, int], ...]
    """(throw that follows, steps made)."""
    wins: bool


class DuelTurn:
    """The turns of a rule set."""

    def __init__(self, throws: Throws) -> None:
        self._throws = throws
        self._exact = throws.rules.exact
        self._of = tuple(
            tuple(self._sorted(outcome) for outcome in outcomes if outcome.keeps)
            for outcomes in throws.outcomes
        )
        self._bust = tuple(
            sum(o.rolls for o in outcomes if not o.keeps) for outcomes in throws.outcomes
        )
        self._never = min(
            bust / throw.rolls for bust, throw in zip(self._bust, throws.throws, strict=True)
        )

    def value(self, stakes: Stakes, bust: float) -> tuple[float, float]:
        """
        The chance to win at the start of a turn, and how it moves with that after a bust.

        Args:
            bust: the chance to win once the turn has made nothing.
        """
        left = len(stakes.below)
        top = left + self._worth_going_on(stakes, bust)
        ends = [*stakes.below, *stakes.reached]
        full, count = self._throws.full, len(self._of)
        values = [[0.0] * top for _ in range(count)]
        slopes = [[0.0] * top for _ in range(count)]
        for made in range(top - 1, -1, -1):
            for throw in range(count) if made else (full,):
                values[throw][made], slopes[throw][made] = self._mean(
                    throw, made, left, ends, values, slopes, bust
                )
        return values[full][0], slopes[full][0]

    def _worth_going_on(self, stakes: Stakes, bust: float) -> int:
        """
        Steps past the target up to which rolling on may be better than the bank that reaches.

        Rolling wins at most what the bank leaves open, and loses at least the share of busts.
        """
        if self._exact != "off":
            return 0
        for above, reached in enumerate(stakes.reached):
            if (1 - self._never) * (1 - reached) <= self._never * (reached - bust):
                return above
        return len(stakes.reached)

    def _mean(
        self,
        throw: int,
        made: int,
        left: int,
        ends: list[float],
        values: list[list[float]],
        slopes: list[list[float]],
        bust: float,
    ) -> tuple[float, float]:
        last, top = len(ends) - 1, len(values[throw])
        refuses, exact = self._exact == "refuse", self._exact != "off"
        good: float = self._bust[throw] * bust
        moves: float = self._bust[throw]
        for rolls, offered, offered_hot, on, wins in self._of[throw]:
            if wins:
                good += rolls
                continue
            best, slope = REFUSED, 0.0
            banks, hot = offered, offered_hot
            if refuses and self._throws.rules.bank_takes == "all_scoring":
                most = max((b for b in (*offered, *hot) if made + b <= left), default=None)
                hot = tuple(b for b in hot if b == most)
                banks = tuple(b for b in banks if b == most and not hot)
            for bank in banks:
                at = made + bank
                if exact and at > left:
                    continue
                chance = ends[at] if at < last else ends[last]
                if chance > best:
                    best, slope = chance, 0.0
            for bank in hot:
                at = made + bank
                if at < left or (exact and at > left):
                    continue
                chance = ends[at] if at < last else ends[last]
                if chance > best:
                    best, slope = chance, 0.0
            for onto, steps in on:
                at = made + steps
                if at < top and values[onto][at] > best:
                    best, slope = values[onto][at], slopes[onto][at]
            if best < 0:  # nothing may be selected, or whatever is done overshoots
                good += rolls * bust
                moves += rolls
            else:
                good += rolls * best
                moves += rolls * slope
        total = self._throws.throws[throw].rolls
        return good / total, moves / total

    def _sorted(self, outcome: Outcome) -> _Rolls:
        """What a bank may take, and what may be locked to roll on. See docs/rule-sets.md."""
        rules, full, unit = self._throws.rules, self._throws.full, self._throws.unit
        keeps = outcome.keeps
        banks = keeps
        if rules.bank_takes == "all_scoring" and rules.exact != "refuse":
            # Of equal selections a bank takes the one with most dice: hot dice, if that is all.
            most = [keep for keep in keeps if keep.points == outcome.best]
            banks = tuple(keep for keep in most if keep.throw == full)[:1] or tuple(most[:1])
        free = rules.bank_on_hot_dice
        return _Rolls(
            outcome.rolls,
            tuple(sorted({k.points // unit for k in banks if free or k.throw != full})),
            tuple(sorted({k.points // unit for k in banks if not free and k.throw == full})),
            tuple(sorted({(keep.throw, keep.points // unit) for keep in keeps})),
            outcome.instant_win,
        )
