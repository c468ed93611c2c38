"""Purses on the simulated disk, beside the games that spend from them."""

from __future__ import annotations

from app.errors import ReferenceReused
from app.faultpoints import passing
from app.purses import Credited, Purchase, PurseHeld
from app.store import purses
from app.store.purses import JOURNAL, journal_row, put
from engine.units import Millis
from tests.simulation.disk import Disk, Way


class SimulatedPurseBook:
    """`app.purses.PurseBook`."""

    def __init__(self, disk: Disk, way: Way) -> None:
        self._disk = disk
        self._way = way

    async def held(self, player_id: str) -> PurseHeld:
        await self._way.there()
        purse = self._disk.purses.get(player_id, purses.Purse())
        return PurseHeld(purse.balance, tuple(world for world, _ in purse.worlds))

    async def repeated(self, purchase: Purchase) -> Credited | None:
        await self._way.there()
        return self._known(purchase)

    def _known(self, purchase: Purchase) -> Credited | None:
        for entry in self._disk.journal:
            row = dict(zip(JOURNAL, entry, strict=True))
            if (row["kind"], row["reference"]) == ("credited", purchase.reference):
                if (row["player_id"], row["delta"]) != (purchase.player_id, purchase.wild_rolls):
                    raise ReferenceReused
                return Credited(purchase, row["balance"], row["at"])
        return None

    async def credit(self, purchase: Purchase, now: Millis) -> Credited:
        await self._way.there()
        passing("before_commit")
        if (known := self._known(purchase)) is None:
            disk, player = self._disk, purchase.player_id
            entry = purses.Entry(player, "credited", purchase.wild_rolls, purchase.reference)
            after = disk.purses[player] = put(disk.purses.get(player, purses.Purse()), entry)
            disk.journal.append(journal_row(entry, after, now))
            known = Credited(purchase, after.balance, now)
        passing("after_commit")
        await self._way.back()
        return known
