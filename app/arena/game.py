"""One game, played to its end, and what is kept of it."""

from __future__ import annotations

from typing import NamedTuple

from app.arena.contest import Contest
from app.arena.minds import Failed, Failure
from app.arena.seats import Sitter
from engine import events as ev
from engine.decide import transition
from engine.errors import Refusal
from engine.state import Finished, Game, Playing
from engine.units import Points

MOST_ROLLS = 10_000
"""A game that has not ended after so many is stopped: nobody has won. Farkle takes about 100."""
MOST_SELECTS = 200
"""In a row, with no other command: a strategy that selects for ever plays no game."""
UNFINISHED = "unfinished"


class Turns(NamedTuple):
    """What a participant did in a game."""

    ended: int = 0
    """Turns that were banked, busted or overshot."""
    banked: int = 0
    banked_points: Points = 0
    busted: int = 0
    overshot: int = 0


class Played(NamedTuple):
    """A game that is over. By participant, in the contest's order, unless said otherwise."""

    number: int
    seating: tuple[int, ...]
    """Participants, by seat."""
    scores: tuple[Points, ...]
    winners: tuple[int, ...]
    """Participants, ascending; none: nobody has won."""
    reason: str
    """Why it ended: a reason of the API, or `unfinished`."""
    rolls: int
    turns: tuple[Turns, ...]


class StrategyFailed(Exception):
    """A contest ends here."""

    def __init__(self, contest: Contest, failure: Failure) -> None:
        super().__init__(failure.did)
        self.contest = contest
        self.failure = failure


class _Counts:
    """Of the turns of one seat."""

    __slots__ = ("banked", "banked_points", "busted", "overshot")

    def __init__(self) -> None:
        self.banked = self.banked_points = self.busted = self.overshot = 0

    def turns(self) -> Turns:
        ended = self.banked + self.busted + self.overshot
        return Turns(ended, self.banked, self.banked_points, self.busted, self.overshot)


def played(contest: Contest, number: int, sitters: tuple[Sitter, ...]) -> Played:
    """
    Game `number` of a contest.

    Raises: StrategyFailed.
    """
    seating = contest.seating(number)
    names = tuple(contest.names()[who] for who in seating)
    minds = [sitters[who].begin(contest.chance(number, who), names) for who in seating]
    counts = [_Counts() for _ in seating]
    entropy = contest.dice(number)
    start = contest.opening(number, tuple(sitter.place for sitter in sitters))
    game: Game = start
    in_a_row = 0
    while isinstance(game, Playing) and game.rolls < MOST_ROLLS:
        seat = game.turn.seat
        try:
            events, after = transition(game, minds[seat](game, 0, entropy))
            rolled = not isinstance(after, Playing) or after.rolls > game.rolls
            in_a_row = 0 if rolled else in_a_row + 1
            if in_a_row > MOST_SELECTS:
                raise Failed(f"selected {MOST_SELECTS} times and did nothing else")
        except Failed as failed:
            found = _failure(number, seating[seat], game, names, str(failed), failed.trace)
            raise StrategyFailed(contest, found) from None
        except Refusal as refused:
            did = f"was refused ({refused.code}): {refused}"
            found = _failure(number, seating[seat], game, names, did)
            raise StrategyFailed(contest, found) from None
        for event in events:
            _count(counts, event)
        game = after
    return _outcome(number, seating, game, counts)


def _count(counts: list[_Counts], event: ev.Event) -> None:
    if isinstance(event, ev.TurnBanked):
        counts[event.seat].banked += 1
        counts[event.seat].banked_points += event.score
    elif isinstance(event, ev.TurnBusted):
        counts[event.seat].busted += 1
    elif isinstance(event, ev.TurnOvershot):
        counts[event.seat].overshot += 1


def _outcome(number: int, seating: tuple[int, ...], game: Game, counts: list[_Counts]) -> Played:
    if not isinstance(game, Playing | Finished):
        raise TypeError("a game that was played")
    at = [seating.index(who) for who in range(len(seating))]
    winners = game.result.winners if isinstance(game, Finished) else ()
    return Played(
        number=number,
        seating=seating,
        scores=tuple(game.seats[seat].score for seat in at),
        winners=tuple(sorted(seating[seat] for seat in winners)),
        reason=game.result.reason if isinstance(game, Finished) else UNFINISHED,
        rolls=game.rolls,
        turns=tuple(counts[seat].turns() for seat in at),
    )


def _failure(
    number: int, participant: int, play: Playing, names: tuple[str, ...], did: str, trace: str = ""
) -> Failure:
    from app.arena.seen import moving  # loads the API's views: only where they are needed

    return Failure(number, participant, did, moving(play, names), trace)
