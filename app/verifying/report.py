"""What a verifier says of a game, in words and as JSON; and what a player may hold against it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

Verdict = Literal["valid", "invalid", "incomplete"]


class Fault(Exception):
    """
    What is wrong with a log, in one sentence.

    `version` is the event to blame, None where no single one is; `incomplete` where the log only
    ends too early, and nothing in it is wrong.
    """

    def __init__(self, reason: str, version: int | None = None, *, incomplete: bool = False):
        self.reason = reason
        self.version = version
        self.incomplete = incomplete
        super().__init__(reason)


class NoExport(Fault):
    """The file is something else."""


class Kept(NamedTuple):
    """What a player kept of a game, all of it optional; hashes and values as lower-case hex."""

    heads: tuple[tuple[int, str], ...] = ()
    """(version, hash) of any events."""
    commits: tuple[tuple[int, str], ...] = ()
    """(attempt, the server's commitment to it)."""
    own: tuple[tuple[int, int, str], ...] = ()
    """(seat, attempt, what that seat contributed)."""


class Unchecked(NamedTuple):
    """A policy of bots that this release does not have, or that the log does not name (0)."""

    character: str
    policy: int


@dataclass
class Report:
    """The fields are those of the report of `app/pages/verify.js`, and mean the same."""

    verdict: Verdict = "valid"
    version: int | None = None
    reason: str | None = None
    """None where the game is valid."""
    game_id: str | None = None
    """None where the file is no export."""
    events: int = 0
    dice: str | None = None
    """`fair`, `scripted` or `seeded`; None where no table was opened."""
    mixed: list[int] = field(default_factory=list)
    """Seats whose contributions are in the seal."""
    not_mixed: list[int] = field(default_factory=list)
    failed_attempts: list[dict[str, Any]] = field(default_factory=list)
    """`epoch` and `missing` of each."""
    cheats: dict[str, Any] | None = None
    rolls: int = 0
    ended: str | None = None
    winners: list[int] = field(default_factory=list)
    aborted: bool | None = None
    """True: not played to its end. None: not over."""
    bots: list[int] = field(default_factory=list)
    """Seats where a bot played, those included where one stood in."""
    bots_checked: bool = False
    """Whether every decision of a bot was made again, and came out the same."""
    bots_unchecked: list[dict[str, Any]] = field(default_factory=list)
    """`character` and `policy` of those whose decisions could not be made again."""

    def blame(self, fault: Fault) -> None:
        """Takes the fault as the verdict."""
        self.verdict = "incomplete" if fault.incomplete else "invalid"
        self.version, self.reason = fault.version, fault.reason

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def words(report: Report) -> list[str]:
    """The report as lines of plain text; the first begins with the verdict."""
    where = "" if report.version is None else f" at version {report.version}"
    lines = [report.verdict + (f"{where}: {report.reason}" if report.reason else "")]
    if report.dice is None:
        return lines
    failed = len(report.failed_attempts)
    mixed = (
        f"mixed by {_seats(report.mixed)}" if report.mixed else "committed to by the server only"
    )
    lines += [
        f"game {report.game_id}, {report.events} events, {report.rolls} rolls",
        f"dice {mixed}; {failed} failed attempts",
    ]
    lines += [
        f"attempt {attempt['epoch']} failed: {_seats(attempt['missing'])} did not reveal"
        for attempt in report.failed_attempts
    ]
    if report.mixed and report.not_mixed:
        lines.append(f"not mixed: {_seats(report.not_mixed)}")
    if report.dice == "scripted":
        lines.append("dice scripted by the host: known in advance")
    if report.dice == "seeded":
        lines.append("dice of a seed that the host gave: known in advance")
    lines.append(_cheats(report.cheats))
    if report.ended is None:
        lines.append("not over")
    else:
        won = f"won by {_seats(report.winners)}" if report.winners else "nobody won"
        end = "; not played to its end" if report.aborted else ""
        lines.append(f"over ({report.ended}): {won}{end}")
    return lines + _bots(report)


def _bots(report: Report) -> list[str]:
    if not report.bots:
        return []
    if report.bots_checked:
        return [f"bots at {_seats(report.bots)}: every decision made again, and the same"]
    unknown = ", ".join(
        f"{each['character']} {each['policy'] or 'of no version told'}"
        for each in report.bots_unchecked
    )
    because = f" ({unknown})" if unknown else ""
    return [f"bots at {_seats(report.bots)}: their moves are legal; bots not checked{because}"]


def _seats(seats: list[int]) -> str:
    return f"seat{'' if len(seats) == 1 else 's'} {', '.join(map(str, seats))}"


def _cheats(cheats: dict[str, Any] | None) -> str:
    if cheats is None:
        return "no cheats"
    told = [
        f"{name} ({_seats(value)})"
        if isinstance(value, list)
        else ", ".join(f"{name}: {what} (seat {seat})" for seat, what in value.items())
        for name, value in cheats.items()
        if value
    ]
    return f"cheats on: {'; '.join(told) or 'none set'}"
