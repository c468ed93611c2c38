"""What the games of a series add up to: whole numbers, so that they are exact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from app.series.model import Recorded
from app.series.plan import Pairing


@dataclass(slots=True)
class Tally:
    """One participant over all its games that count, or over those of one group."""

    games: int = 0
    wins: int = 0
    """Alone."""
    shared: int = 0
    """Won together with others."""
    losses: int = 0
    """Won by others; what is left of `games` was won by nobody."""
    points: int = 0
    """Final scores, added."""
    first_games: int = 0
    """In which it began."""
    first_wins: int = 0
    """Of these, won alone."""

    def add(self, seat: int, result: Recorded) -> None:
        won = seat in result.winners
        alone = won and len(result.winners) == 1
        self.games += 1
        self.points += result.scores[seat]
        self.wins += alone
        self.shared += won and not alone
        self.losses += bool(result.winners) and not won
        self.first_games += seat == 0
        self.first_wins += seat == 0 and alone


@dataclass(slots=True)
class Table:
    """Results of a series, complete or not."""

    participants: list[Tally]
    groups: dict[tuple[int, ...], list[Tally]] = field(default_factory=dict)
    """By participants, ascending; their tallies in the same order."""
    counted: int = 0
    uncounted: int = 0


def table(participants: int, ended: Iterable[tuple[Pairing, Recorded]]) -> Table:
    """The results of games that have ended."""
    made = Table([Tally() for _ in range(participants)])
    for pairing, result in ended:
        if not result.counts:
            made.uncounted += 1
            continue
        made.counted += 1
        group = tuple(sorted(pairing.participants))
        among = made.groups.setdefault(group, [Tally() for _ in group])
        for seat, participant in enumerate(pairing.participants):
            made.participants[participant].add(seat, result)
            among[group.index(participant)].add(seat, result)
    return made
