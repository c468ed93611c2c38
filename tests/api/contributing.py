"""Players who contribute to the dice; the formulas are written out, apart from the engine's."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hashlib import sha256

import httpx

from tests.api.live import Guest
from tests.api.table import PLAYED, Json, Table, modelled


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def lp(data: bytes) -> bytes:
    return u32(len(data)) + data


def seat_commit(game_id: str, epoch: int, seat: int, seed: bytes) -> str:
    """Source: docs/fairness.md, "Formulas"."""
    start = lp(b"pf1/seat-commit") + lp(game_id.encode()) + u32(epoch) + u32(seat)
    return sha256(start + lp(seed)).hexdigest()


@dataclass
class Contributor:
    """A player at its seat, with the values it draws."""

    guest: Guest
    table: Table
    seat: int
    drawn: list[bytes] = field(default_factory=list)
    """By number of the attempt."""

    def seed(self, epoch: int) -> bytes:
        while len(self.drawn) <= epoch:
            self.drawn.append(secrets.token_bytes(32))
        return self.drawn[epoch]

    def commit_to(self, epoch: int) -> str:
        return seat_commit(self.table.id, epoch, self.seat, self.seed(epoch))

    def reveal_of(self, epoch: int) -> Json:
        return {"seed": self.seed(epoch).hex(), "next_commit": self.commit_to(epoch + 1)}

    async def put(self, body: Json, **headers: str) -> httpx.Response:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        path = f"{self.table.path}/entropy"
        return await self.guest.request("PUT", path, json=body, headers=sent)

    async def does(self, body: Json, **headers: str) -> list[Json]:
        done = modelled(PLAYED, await self.put(body, **headers))
        self.table.game = done["game"]
        events: list[Json] = done["events"]
        return events

    async def commits(self, epoch: int = 0) -> list[Json]:
        return await self.does({"commit": self.commit_to(epoch)})

    async def reveals(self, epoch: int = 0) -> list[Json]:
        return await self.does(self.reveal_of(epoch))


def contributors(table: Table) -> list[Contributor]:
    """Everybody at the table, by seat."""
    return [Contributor(guest, table, seat) for seat, guest in enumerate(table.players)]
