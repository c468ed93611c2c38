"""Series on the simulated disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.errors import KeyReused, SeriesNotFound, TooManyBotTables, TooManySeries
from app.faultpoints import passing
from app.ports import Answer
from app.series.model import Recorded, Series, SeriesGame
from app.series.store import SeriesChange
from app.store.batch import Stored
from app.store.rows import status_of
from engine.units import Millis
from tests.simulation.disk import Disk, Way


class SimulatedSeries:
    """`app.series.store.SeriesStore`."""

    def __init__(self, disk: Disk, way: Way) -> None:
        self._disk = disk
        self._way = way

    async def create(
        self,
        series: Series,
        game_ids: Sequence[str],
        answer: Answer,
        *,
        most: int,
        key: str | None,
        fingerprint: bytes,
    ) -> Answer:
        await self._way.there()
        if (known := self._known(series.owner, key, fingerprint)) is not None:
            return known
        disk = self._disk
        mine = [s for s in disk.series.values() if s.owner == series.owner]
        if sum(s.status in ("open", "running") for s in mine) >= most:
            raise TooManySeries(limit=most)
        if series.bot_tables > disk.bot_room(series.owner):
            raise TooManyBotTables(limit=disk.bot_tables)
        passing("before_commit")
        disk.series[series.id] = series
        disk.series_games[series.id] = list(game_ids)
        self._keep(series.owner, key, fingerprint, answer)
        passing("after_commit")
        await self._way.back()
        return answer

    async def change(
        self,
        series_id: str,
        decide: SeriesChange,
        *,
        author: str = "",
        key: str | None = None,
        fingerprint: bytes = b"",
    ) -> Answer:
        await self._way.there()
        if (known := self._known(author, key, fingerprint)) is not None:
            return known
        if series_id not in self._disk.series:
            raise SeriesNotFound
        after, answer = decide(self._disk.series[series_id])
        passing("before_commit")
        self._disk.series[series_id] = after
        self._keep(author, key, fingerprint, answer)
        passing("after_commit")
        await self._way.back()
        return answer

    def _known(self, author: str, key: str | None, fingerprint: bytes) -> Answer | None:
        stored = None if key is None else self._disk.answers.get((author, key))
        if stored is not None and stored.fingerprint != fingerprint:
            raise KeyReused
        return stored and stored.answer

    def _keep(self, author: str, key: str | None, fingerprint: bytes, answer: Answer) -> None:
        if key is not None:
            self._disk.answers[author, key] = Stored(fingerprint, None, answer)

    async def get(self, series_id: str) -> Series | None:
        await self._way.there()
        return self._disk.series.get(series_id)

    async def games(self, series_id: str, first: int, limit: int) -> list[SeriesGame]:
        await self._way.there()
        return self._all(series_id)[first : first + limit]

    async def unrecorded(self, series_id: str, limit: int) -> list[SeriesGame]:
        await self._way.there()
        return [game for game in self._all(series_id) if game.result is None][:limit]

    def _all(self, series_id: str) -> list[SeriesGame]:
        found = []
        for number, game_id in enumerate(self._disk.series_games[series_id]):
            head = self._disk.heads.get(game_id)
            is_over = head is not None and status_of(head.game) == "finished"
            result = self._disk.series_results.get((series_id, number))
            found.append(SeriesGame(number, game_id, head is not None, is_over, result))
        return found

    async def results(self, series_id: str) -> dict[int, Recorded]:
        await self._way.there()
        found = self._disk.series_results.items()
        return {number: result for (of, number), result in found if of == series_id}

    async def record(self, series_id: str, results: Mapping[int, Recorded]) -> None:
        await self._way.there()
        passing("before_commit")
        for number, result in results.items():
            self._disk.series_results.setdefault((series_id, number), result)

    async def series_of(self, game_id: str) -> str | None:
        await self._way.there()
        for series_id, ids in self._disk.series_games.items():
            if game_id in ids:
                return series_id
        return None

    async def unfinished(self, before: Millis, limit: int) -> list[str]:
        await self._way.there()
        return [
            s.id
            for s in self._disk.series.values()
            if s.status in ("running", "stopping") or (s.status == "open" and s.created_at < before)
        ][:limit]

    async def of_player(self, player_id: str) -> list[str]:
        await self._way.there()
        return [s.id for s in self._disk.series.values() if s.is_member(player_id)]
