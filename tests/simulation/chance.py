"""
Chance from one number, a stream of its own for each thing.

That one thing asks more often shall not change what another one is told: a run stays itself when
something is added to it.
"""

from __future__ import annotations

from random import Random


class Chance(Random):
    """`random.Random`, seeded by a number and a name."""

    def __init__(self, seed: int, name: str) -> None:
        super().__init__(f"{seed}/{name}")

    def happens(self, odds: float) -> bool:
        return self.random() < odds

    def bytes_of(self, count: int) -> bytes:
        return self.randbytes(count)

    def new_id(self) -> str:
        """In the form of a UUIDv7."""
        digits = f"{self.getrandbits(128):032x}"
        return f"0{digits[1:8]}-{digits[8:12]}-7{digits[13:16]}-8{digits[17:20]}-{digits[20:]}"
