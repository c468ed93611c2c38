"""Bounds of numbers, texts and lists: which values there may be."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from tests.releases.compatibility.findings import Findings, Way

_PAIRS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def compare_bounds(
    old: Mapping[str, Any], new: Mapping[str, Any], way: Way, where: str, found: Findings
) -> None:
    """What is sent may have wider bounds, what is told narrower ones."""
    for low, high in _PAIRS:
        (was_low, was_high), (is_low, is_high) = (_range(each, low, high) for each in (old, new))
        if (was_low, was_high) == (is_low, is_high):
            continue
        fits = (
            is_low <= was_low and is_high >= was_high
            if way == "sent"
            else is_low >= was_low and is_high <= was_high
        )
        text = f"{low}…{high} was {was_low}…{was_high} and is {is_low}…{is_high}"
        (found.added if fits else found.breaking)(where, text)
    for rule in ("pattern", "uniqueItems", "multipleOf"):
        before, now = old.get(rule), new.get(rule)
        if before == now:
            continue
        fits = not now if way == "sent" else not before
        (found.added if fits else found.breaking)(where, f"{rule} was {before} and is {now}")


def _range(schema: Mapping[str, Any], low: str, high: str) -> tuple[float, float]:
    """The bounds, both included; those of numbers may exclude themselves."""
    step = 1 if schema.get("type") == "integer" else 0
    lows, highs = [schema.get(low, -inf)], [schema.get(high, inf)]
    if low == "minimum":
        lows.append(schema.get("exclusiveMinimum", -inf) + step)
        highs.append(schema.get("exclusiveMaximum", inf) - step)
    return max(lows), min(highs)
