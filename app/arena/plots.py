"""Distributions as text: a row for each range of values, a bar for each who was counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import ceil, log10

ROWS = 20
"""At most."""
EIGHTHS = " ▏▎▍▌▋▊▉"
NICE = (1, 2, 5, 10)


def histogram(title: str, counted: Mapping[str, Counter[int]], width: int = 80) -> str:
    """
    Lines of text: how many of 100 fell where, for each name.

    Args:
        counted: value -> how often, by name.
        width: of a line, in characters.
    """
    values = [value for counts in counted.values() for value in counts]
    if not values:
        return f"{title}\n  nothing"
    step = _step(min(values), max(values))
    rows = range(min(values) // step, max(values) // step + 1)
    names = list(counted)
    shares = {name: _shares(counts, step) for name, counts in counted.items()}
    most = max(max(by_row.values()) for by_row in shares.values())
    label = max(len(_label(row, step)) for row in rows)
    room = max(8, (width - label - 2) // len(names) - 8)
    head = " " * label + "".join(f"  {name[: room + 6]:<{room + 6}}" for name in names)
    lines = [title, head.rstrip()]
    for row in rows:
        parts = [shares[name].get(row, 0.0) for name in names]
        bars = "".join(f"  {100 * part:4.1f} {_bar(part / most, room):<{room}} " for part in parts)
        lines.append(f"{_label(row, step):>{label}}{bars}".rstrip())
    return "\n".join([*lines, f"  (of 100; {step} a row)"])


def _shares(counts: Counter[int], step: int) -> dict[int, float]:
    every, by_row = sum(counts.values()), Counter[int]()
    for value, count in counts.items():
        by_row[value // step] += count
    return {row: count / every for row, count in by_row.items()}


def _step(least: int, most: int) -> int:
    """The smallest of 1, 2, 5, 10, 20 … that needs no more rows than there are."""
    needed = max(1, (most - least + 1) / (ROWS - 1))
    power = int(10 ** max(0, ceil(log10(needed)) - 1))
    return next(power * nice for nice in NICE if power * nice >= needed)


def _label(row: int, step: int) -> str:
    return str(row * step) if step == 1 else f"{row * step}–{(row + 1) * step - 1}"


def _bar(part: float, room: int) -> str:
    """A bar of so large a part of the room, to an eighth of a character."""
    eighths = round(part * room * 8)
    return "█" * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")
