"""The odds of a rule set on a terminal: tables, and plots of what grows and falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from engine.choices import Sets
from engine.odds.report import Report, ThrowValues, TurnReport
from engine.odds.rolls import RollOdds
from engine.units import Dice, Points

BAR = 40
"""Characters of the longest bar."""
EIGHTHS = " ▏▎▍▌▋▊▉"
BINS = 16
MOST_BARS = 24
MOST_ROWS = 30
"""Of more throws than so many (six different spicy dice) those of a number of dice are told by the
first and the last when ordered by their bust chance."""


def show(report: Report, title: str, console: Console) -> None:
    """Prints all of it."""
    console.print(Text(title, "bold"))
    for part in _parts(report):
        console.print(part)


def _parts(report: Report) -> Iterator[RenderableType]:
    yield _rolls(report.rolls)
    if report.turn is None:
        yield Text("Some rolls cannot bust and follow each other for ever: no best turn.")
    else:
        yield _turn(report.turn)
        yield _banking(report.turn.throws, report.rolls)
        yield _gains(report.turn.throws)
        yield _scores(report.turn.story.scores)
    yield _reaches(report.reaches)
    if report.first_seat is not None:
        yield Text(f"The first of two seats that both play for it wins: {report.first_seat:.10f}")


def _rolls(rows: Sequence[RollOdds]) -> Table:
    table = Table(title="One roll")
    for name in ("dice", "rolls", "busts", "bust", "mean", "exactly", "all count"):
        table.add_column(name, no_wrap=name in ("dice", "exactly"))
    for index in _told(rows):
        row = rows[index]
        table.add_row(
            named(row.dice, row.sets, row.wild),
            str(row.rolls),
            str(row.busts),
            f"{float(row.bust):.4%}",
            f"{float(row.mean):.4f}",
            str(row.mean),
            f"{float(row.hot):.4%}",
        )
    return table


def _told(rows: Sequence[RollOdds]) -> list[int]:
    """Which rows are shown."""
    if len(rows) <= MOST_ROWS:
        return list(range(len(rows)))
    alike: dict[tuple[int, Sets], list[int]] = {}
    for index, row in enumerate(rows):
        alike.setdefault((len(row.dice), row.sets), []).append(index)
    shown = []
    for indices in alike.values():
        ordered = sorted(indices, key=lambda index: (rows[index].bust, -rows[index].mean))
        shown += [ordered[0], *ordered[:0:-1][:1]]
    return shown


def _turn(turn: TurnReport) -> Table:
    story = turn.story
    table = Table(title="A turn played for points alone", show_header=False)
    table.add_row("mean", f"{turn.mean:.4f}")
    table.add_row("mean off the board", f"{turn.off_board:.4f}")
    if turn.with_wild_roll is not None:
        table.add_row("mean with a Wild Roll to spend", f"{turn.with_wild_roll:.4f}")
    if turn.without_hot_dice is not None:
        table.add_row("mean without rolling on from hot dice", f"{turn.without_hot_dice:.4f}")
    for most, mean in enumerate(turn.by_rolls, 1):
        table.add_row(f"mean with at most {most} rolls", f"{mean:.4f}")
    table.add_row("bust", f"{story.bust:.4%}")
    table.add_row("hot dice, rolled again", f"{story.hot_dice:.4%}")
    if story.instant_win:
        table.add_row("instant win", f"{story.instant_win:.6%}")
    table.add_row("rolls", f"{story.rolls:.4f}")
    return table


def _banking(throws: Sequence[ThrowValues], rows: Sequence[RollOdds]) -> Table:
    table = Table("about to roll", "bank from", "worth with nothing at risk")
    table.title = "Rolling on against banking"
    for index in _told(rows):
        if index < len(throws):
            throw = throws[index]
            bank_from = "never" if throw.bank_from is None else str(throw.bank_from)
            name = named(throw.dice, throw.sets, wild=False)
            table.add_row(name, bank_from, f"{throw.values[0][1]:.2f}")
    return table


def _gains(throws: Sequence[ThrowValues]) -> Table:
    fresh = max(throws, key=lambda throw: (len(throw.dice), not throw.sets))
    rows = [(str(risk), value - risk) for risk, value in fresh.values if value > risk]
    return bars("What rolling all dice adds, by points at risk", thinned(rows), "{:.1f}")


def _scores(scores: Sequence[tuple[Points, float]]) -> Table:
    """Chances of scores in ranges of one width; the last range has no upper end."""
    left, top = 1.0, 0
    for points, chance in scores:
        left -= chance
        top = points
        if left < 0.005:
            break
    width = max(1, -(-top // BINS))
    chances: dict[int, float] = {}
    for points, chance in scores:
        place = min(-(-points // width), BINS + 1)
        chances[place] = chances.get(place, 0.0) + chance
    rows = []
    for place, chance in sorted(chances.items()):
        least = (place - 1) * width + 1
        name = "0" if place == 0 else f"{least}–{place * width}" if place <= BINS else f"{least}…"
        rows.append((name, 100 * chance))
    return bars("Scores of a turn", rows, "{:.2f} %")


def _reaches(reaches: Sequence[tuple[Points, float]]) -> Table:
    rows = [(str(points), 100 * chance) for points, chance in reaches if chance >= 1e-4]
    return bars("One turn, played for that alone, makes", thinned(rows), "{:.3f} %")


def thinned(rows: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Not more rows than a page has lines, evenly chosen."""
    each = -(-len(rows) // MOST_BARS) or 1
    return rows[::each]


def bars(title: str, rows: Sequence[tuple[str, float]], form: str) -> Table:
    """A plot: a bar for each value, the longest for the highest."""
    table = Table.grid(padding=(0, 1))
    table.title = title
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_column()
    most = max((value for _, value in rows), default=0.0)
    for name, value in rows:
        eighths = round(8 * BAR * value / most) if most > 0 else 0
        bar = "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()
        table.add_row(name, form.format(value), bar)
    return table


def named(dice: Dice, sets: Sets, wild: bool) -> str:
    """Dice in words: how many, and beside which sets; where they differ, which."""
    alike = dice == tuple(range(len(dice)))
    name = str(len(dice)) if alike else f"{len(dice)}: {' '.join(map(str, dice))}"
    if wild:
        return f"{name}, a Wild Roll"
    beside = ", ".join(f"{count} × {face}" for face, count in sets)
    return f"{name} beside {beside}" if sets else name
