"""
Protocol pf1: seeds, commitments and seals in, faces out, without bias.

Laws: the same (seed, game, epoch, roll, seal) give the same faces, always; nothing a player
chooses enters the stream (how many dice, which are kept), so no choice can search for dice; every
face of an n-sided die has the same number of byte values, the rest are skipped, without end.

`H` is SHA-256, `LP(x)` the length of x as u32 and then x; integers are big-endian. Pure functions:
where seeds come from is not known here. The protocol is specified in docs/fairness.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from hmac import digest

from engine.units import SIDES, Face, Seat

PROTOCOL = "pf1"
NO_SEAL = bytes(32)
"""G_prev of the first seal."""


def lp(data: bytes) -> bytes:
    """Length-prefixed bytes."""
    return len(data).to_bytes(4, "big") + data


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def server_commit(game_id: str, epoch: int, seed: bytes) -> bytes:
    """What the server publishes before anything depends on `seed`. 32 bytes."""
    tag = lp(b"pf1/server-commit") + lp(game_id.encode()) + _u32(epoch)
    return sha256(tag + lp(seed)).digest()


def seat_commit(game_id: str, epoch: int, seat: Seat, contribution: bytes) -> bytes:
    """What a seat publishes before it reveals its contribution. 32 bytes."""
    tag = lp(b"pf1/seat-commit") + lp(game_id.encode()) + _u32(epoch) + _u32(seat)
    return sha256(tag + lp(contribution)).digest()


def seal(
    game_id: str,
    epoch: int,
    previous: bytes,
    commit: bytes,
    contributions: Iterable[tuple[Seat, bytes]] = (),
) -> bytes:
    """
    G_epoch: everything the dice of this epoch depend on, but the server's seed. 32 bytes.

    Args:
        previous: G of the last successful seal, or NO_SEAL.
        commit: server_commit of this epoch.
        contributions: (seat, 32 bytes) of every seat that takes part.
    """
    mixed = sorted(contributions)
    data = lp(b"pf1/seal") + lp(game_id.encode()) + _u32(epoch) + lp(previous) + lp(commit)
    data += _u32(len(mixed))
    for seat, contribution in mixed:
        data += _u32(seat) + lp(contribution)
    return sha256(data).digest()


def block(seed: bytes, game_id: str, epoch: int, roll: int, sealed: bytes, number: int) -> bytes:
    """Block `number` of the stream of one roll. 32 bytes."""
    data = lp(b"pf1/roll") + lp(game_id.encode()) + _u32(epoch) + roll.to_bytes(8, "big")
    return digest(seed, data + lp(sealed) + _u32(number), "sha256")


def bot_block(seed: bytes, game_id: str, seat: Seat, decision: int) -> bytes:
    """
    Chance for one decision of a bot, which a verifier can follow once the seed is told. 32 bytes.

    Args:
        decision: what tells decisions of the seat apart; `engine.bots` says what it counts.
    """
    data = lp(b"pf1/bot") + lp(game_id.encode()) + _u32(seat) + decision.to_bytes(8, "big")
    return digest(seed, data, "sha256")


def faces_from(stream: Iterable[bytes], sides: Iterable[int]) -> tuple[Face, ...]:
    """
    One result per die of `sides` (each 2 to 256) from a stream of blocks, byte by byte.

    A byte at or above the largest multiple of the sides is skipped.
    """
    values = (byte for data in stream for byte in data)
    found: list[Face] = []
    for n in sides:
        limit = 256 - 256 % n
        value = next(values)
        while value >= limit:
            value = next(values)
        found.append(value % n + 1)
    return tuple(found)


_MOST = 256 - 256 % SIDES
_FACE_OF = bytes(byte % SIDES + 1 for byte in range(256))
_SKIPPED = bytes(range(_MOST, 256))
"""What `faces_from` does with six sides, as a table: the faces of a block in one step."""


class Fair:
    """The fair stream of one epoch of one game; an `Entropy`."""

    __slots__ = ("_epoch", "_game_id", "_seal", "_seed")

    def __init__(self, seed: bytes, game_id: str, epoch: int, sealed: bytes) -> None:
        self._seed = seed
        self._game_id = game_id
        self._epoch = epoch
        self._seal = sealed

    def faces(self, roll: int, count: int) -> tuple[Face, ...]:
        first = block(self._seed, self._game_id, self._epoch, roll, self._seal, 0)
        found = first.translate(_FACE_OF, _SKIPPED)
        if len(found) >= count:
            return tuple(found[:count])
        return faces_from(self._blocks(roll), (SIDES,) * count)  # one roll in 10^30

    def _blocks(self, roll: int) -> Iterator[bytes]:
        number = 0
        while True:
            yield block(self._seed, self._game_id, self._epoch, roll, self._seal, number)
            number += 1


class Seeded(Fair):
    """The same dice for every game with this seed (1–64 ASCII characters); counts for nothing."""

    __slots__ = ()

    def __init__(self, seed: str) -> None:
        key = sha256(lp(b"pf1/seeded") + lp(seed.encode("ascii"))).digest()
        super().__init__(key, "", 0, NO_SEAL)
