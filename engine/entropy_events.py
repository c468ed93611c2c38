"""
What happened to the seal of the dice: who committed, who revealed, what came of it.

The steps are those of pf1, docs/fairness.md. Commitments, seeds and seals are 32 bytes as hex.
Part of `engine.events`, whose names are the ones to import.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.units import Millis, Seat


class EntropyCommitted(NamedTuple):
    """pf1 step 2: a seat will contribute; its last commitment before the close counts."""

    at: Millis
    seat: Seat
    epoch: int
    commit: str


class EntropyClosed(NamedTuple):
    """pf1 step 3: who takes part in sealing attempt `epoch`."""

    at: Millis
    epoch: int
    commits: tuple[tuple[Seat, str], ...]
    server_commit: str
    """server_commit(epoch + 2)."""
    reveal_by: Millis | None = None
    """When the reveals must be there; None where nobody takes part."""


class EntropyRevealed(NamedTuple):
    """pf1 step 4."""

    at: Millis
    seat: Seat
    epoch: int
    seed: str
    next_commit: str


class EntropySealed(NamedTuple):
    """pf1 step 5a: `seal` is G_epoch."""

    at: Millis
    epoch: int
    seal: str
    seats: tuple[Seat, ...]


class EntropyFailed(NamedTuple):
    """pf1 step 5b: the seats that did not reveal in time contribute no more to this game."""

    at: Millis
    epoch: int
    missing: tuple[Seat, ...]


class FairnessRevealed(NamedTuple):
    """pf1 step 10: every seed the server drew for this game, by number of the attempt."""

    at: Millis
    seeds: tuple[str, ...]
