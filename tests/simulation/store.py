"""The event store of one process, on the simulated disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby

from app.errors import Overloaded, StoreUnavailable
from app.faultpoints import passing
from app.ports import (
    AnotherWaits,
    Answer,
    Clock,
    Head,
    Order,
    Outcome,
    Recorded,
    Sitting,
    Snapshot,
    Summary,
    Tell,
)
from app.store.batch import Batch, BotRoom, Stored
from app.store.purses import Purse, Purses, owners
from app.store.rows import status_of
from engine.units import Millis
from tests.simulation.disk import Disk, Way

ATTEMPTS = 6


class SimulatedStore:
    """`app.ports.EventStore`."""

    def __init__(
        self,
        disk: Disk,
        way: Way,
        clock: Clock,
        shared_clock: Clock,
        due: Callable[[Head], Millis | None],
    ) -> None:
        self.disk = disk
        self._way = way
        self._clock = clock
        self._shared_clock = shared_clock
        self._due = due

    async def append(self, orders: Sequence[Order], tell: Tell | None = None) -> list[Outcome]:
        outcomes = await self._append(orders)
        for order, outcome in zip(orders, outcomes, strict=True):
            if tell is not None:
                tell(order, outcome)
        return outcomes

    async def _append(self, orders: Sequence[Order]) -> list[Outcome]:
        try:
            for _ in range(ATTEMPTS):
                await self._way.there()
                batch, outcomes = self._run(orders)
                await self._way.there()
                passing("before_commit")
                if self.disk.commit(batch):
                    passing("after_commit")
                    await self._way.back()
                    return outcomes
        except StoreUnavailable as error:
            return [error for _ in orders]
        except AnotherWaits as error:
            if len(orders) == 1:
                return [error]
            # One order spoils the transaction for its neighbours: each gets one of its own.
            return [outcome for order in orders for outcome in await self._append([order])]
        return [Overloaded() for _ in orders]

    def _run(self, orders: Sequence[Order]) -> tuple[Batch, list[Outcome]]:
        left: dict[str, int] = {}
        while True:
            batch = self._read(orders)
            batch.bot_room = BotRoom(self.disk.bot_tables, left)
            outcomes = [batch.run(order) for order in orders]
            if not (unknown := batch.adding.keys() - left.keys()):
                return batch, outcomes
            left |= {player: self.disk.bot_room(player) for player in sorted(unknown)}

    def _read(self, orders: Sequence[Order]) -> Batch:
        disk, ids = self.disk, {order.game_id for order in orders}
        keys = [(o.author, o.key) for o in orders if o.author and o.key]
        answers = {key: disk.answers[key] for key in keys if key in disk.answers}
        elsewhere = {s.game_id for s in answers.values() if s.game_id} - ids
        heads = {game_id: disk.heads[game_id] for game_id in ids if game_id in disk.heads}
        players = sorted(set[str]().union(*(owners(head.game) for head in heads.values())))
        return Batch(
            dict(heads),
            {game_id: disk.seeds[game_id] for game_id in ids if game_id in disk.seeds},
            answers,
            {game_id: disk.heads[game_id] for game_id in elsewhere},
            self._clock.now(),
            Purses({player: disk.purses.get(player, Purse()) for player in players}),
            read_at=self._shared_clock.now(),
            due=self._due,
        )

    async def _looked(self) -> Disk:
        await self._way.there()
        return self.disk

    async def answer_to(self, author: str, key: str, fingerprint: bytes) -> Answer | None:
        stored = (await self._looked()).answers.get((author, key))
        return stored and stored.answer

    async def remember_answer(
        self, author: str, key: str, fingerprint: bytes, answer: Answer
    ) -> Answer:
        disk = await self._looked()
        return disk.answers.setdefault((author, key), Stored(fingerprint, None, answer)).answer

    async def expire_answers(self, before: Millis) -> int:
        await self._looked()
        return 0

    async def head(self, game_id: str) -> Head | None:
        return (await self._looked()).heads.get(game_id)

    async def events(self, game_id: str, after: int, limit: int) -> list[Recorded]:
        log = (await self._looked()).log.get(game_id, [])
        return [record for record, _ in log[after : after + limit]]

    async def commands(self, game_id: str, after: int, limit: int) -> list[tuple[Recorded, ...]]:
        log = (await self._looked()).log.get(game_id, [])
        until = log[min(after + limit, len(log)) - 1][1] if after < len(log) else after
        return [
            tuple(record for record, _ in rows)
            for _, rows in groupby(log[after:until], key=lambda row: row[1])
        ]

    async def snapshot(self, game_id: str, version: int) -> Snapshot | None:
        """None is kept here: everything is folded from the log."""
        return None

    async def versions(self, game_ids: Collection[str]) -> dict[str, int]:
        heads = (await self._looked()).heads
        return {game_id: heads[game_id].version for game_id in game_ids if game_id in heads}

    async def sittings(self, player_ids: Collection[str]) -> list[Sitting]:
        disk = await self._looked()
        return [
            Sitting(player, game_id, disk.heads[game_id].version)
            for (game_id, _, player), (_, running) in disk.seats.items()
            if running and player in player_ids
        ]

    async def lobby(self, limit: int) -> dict[str, int]:
        found = await self.public_games(status="lobby", preset=None, before=None, limit=limit)
        return {row.head.game.setup.game_id: row.head.version for row in found}

    async def summaries(self, game_ids: Collection[str]) -> dict[str, Summary]:
        disk = await self._looked()
        known = [game_id for game_id in game_ids if game_id in disk.heads]
        return {game_id: Summary(disk.heads[game_id], disk.updated[game_id]) for game_id in known}

    async def seeds(self, game_id: str) -> tuple[bytes, ...]:
        return (await self._looked()).seeds.get(game_id, ())

    async def public_games(
        self,
        *,
        status: str | None,
        preset: str | None,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[Summary]:
        disk = await self._looked()
        return self._page(disk.heads, status, before, limit, lambda h: _is_listed(h, preset))

    async def games_of(
        self,
        player_id: str,
        *,
        status: str | None,
        to_move: bool | None,
        before: tuple[Millis, str] | None,
        limit: int,
    ) -> list[Summary]:
        disk = await self._looked()
        mine = {game_id for game_id, _, player in disk.seats if player == player_id}
        return self._page(mine, status, before, limit, lambda _: True)

    def _page(
        self,
        game_ids: Iterable[str],
        status: str | None,
        before: tuple[Millis, str] | None,
        limit: int,
        is_meant: Callable[[Head], bool],
    ) -> list[Summary]:
        rows = [
            ((head.created_at, game_id), Summary(head, self.disk.updated[game_id]))
            for game_id in game_ids
            if is_meant(head := self.disk.heads[game_id]) and status in (None, status_of(head.game))
        ]
        rows.sort(key=lambda row: row[0], reverse=True)
        return [row for place, row in rows if before is None or place < before][:limit]

    async def waiting_table(self, match_key: str) -> str | None:
        return (await self._looked()).waiting.get(match_key)

    async def ever_sat(self, game_id: str, player_id: str) -> bool:
        seats = (await self._looked()).seats
        return any((game, player) == (game_id, player_id) for game, _, player in seats)

    async def game_by_code(self, join_code: str) -> str | None:
        heads = (await self._looked()).heads
        return next((game_id for game_id, h in heads.items() if h.join_code == join_code), None)

    async def forget_names(self, player_id: str, name: str) -> None:
        await self._looked()


def _is_listed(head: Head, preset: str | None) -> bool:
    setup = head.game.setup
    return (
        setup.visibility == "public"
        and setup.dice.kind == "fair"
        and preset in (None, setup.preset)
    )
