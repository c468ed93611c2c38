"""Which version of each character there is."""

from __future__ import annotations

from collections.abc import Mapping

from engine.state import Character

VERSIONS: Mapping[Character, int] = {"cautious": 1, "gambler": 1, "strategist": 2}
"""Raised when a character would make another move anywhere; logged with every game it plays in."""
