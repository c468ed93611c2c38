"""What everybody is told of the lobby: the public tables that wait for players."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from app.clock import rfc3339
from app.live.connections import Connection
from app.live.frames import Frame
from app.live.source import Source
from app.live.watch import Watch, Watcher
from app.ports import Summary
from engine.state import Lobby, Playing, Sealing, Setup

MOST_TABLES = 500
"""The newest; what stays open for longer than that must not make every look dearer."""


class Table(NamedTuple):
    """A table as it is told of."""

    version: int
    is_full: bool
    body: bytes
    """A row of a list of games, as JSON."""


class LobbyWatch(Watch):
    """The lobby, read once for all who watch it from here."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._watchers: set[Watcher] = set()
        self._tables: dict[str, Table] = {}
        """As of the last look, the newest first."""

    def enter(self, connection: Connection) -> Watcher:
        """A new watcher: told the list by the next look. Call `leave` in the end."""
        watcher = Watcher(connection, self.looks)
        self._watchers.add(watcher)
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """It has gone. Twice is fine."""
        self._watchers.discard(watcher)

    def watchers(self) -> list[Watcher]:
        return list(self._watchers)

    def known(self, game_id: str) -> int | None:
        table = self._tables.get(game_id)
        return None if table is None else table.version

    async def look(self) -> None:
        if not self._watchers:
            self._tables = {}
            return
        store, look = self.source.store, self.looks
        async with self.source.live:
            listed = await store.lobby(MOST_TABLES)
        told = self._tables
        gone = told.keys() - listed.keys()
        moved = {g for g, version in listed.items() if g not in told or told[g].version < version}
        found: dict[str, Summary] = {}
        if gone or moved:
            async with self.source.live:
                found = await store.summaries(gone | moved)
        stamp = rfc3339(self.source.now()).encode()
        news = [_left(g, found.get(g), stamp) for g in sorted(gone)]
        tables: dict[str, Table] = {}
        for number, game_id in enumerate(reversed(listed), 1):
            before, row = told.get(game_id), found.get(game_id)
            if row is None:  # as it was, or nobody can read it
                if before is not None:
                    tables[game_id] = before
            elif not _is_open(row):  # since the list was read
                if before is not None:
                    news.append(_left(game_id, row, stamp))
            else:
                setup, body = row.head.game.setup, self.source.render.summary(row)
                table = tables[game_id] = Table(row.head.version, _is_full(setup), body)
                news += [_about(kind, table, stamp) for kind in kinds(before, table)]
            if number % 50 == 0:
                await asyncio.sleep(0)
        self._tables = dict(reversed(tables.items()))
        await self._tell(news, stamp, look)

    async def _tell(self, news: list[Frame], stamp: bytes, look: int) -> None:
        lists: list[Frame] = []

        def whole() -> Frame:
            if not lists:
                bodies = b",".join(table.body for table in self._tables.values())
                payload = b'{"type":"tables","tables":[%b],"now":"%b"}' % (bodies, stamp)
                lists.append(Frame("tables", payload))
            return lists[0]

        for number, watcher in enumerate(self.watchers(), 1):
            watcher.tell(news, whole, look)
            if number % 50 == 0:
                await asyncio.sleep(0)


def kinds(told: Table | None, now: Table) -> tuple[str, ...]:
    """What is told of a table that is there, in this order."""
    if told is None:
        return ("opened", "filled") if now.is_full else ("opened",)
    return ("filled",) if now.is_full and not told.is_full else ("changed",)


def _is_open(row: Summary) -> bool:
    game = row.head.game
    public, fair = game.setup.visibility == "public", game.setup.dice.kind == "fair"
    return isinstance(game, Lobby) and public and fair


def _is_full(setup: Setup) -> bool:
    return all(place.kind != "human" or place.player_id for place in setup.places)


def _about(kind: str, table: Table, stamp: bytes) -> Frame:
    payload = b'{"type":"%b","table":%b,"now":"%b"}' % (kind.encode(), table.body, stamp)
    return Frame(kind, payload)


def _left(game_id: str, row: Summary | None, stamp: bytes) -> Frame:
    """It is not in the lobby any more: it runs, or has gone."""
    runs = row is not None and isinstance(row.head.game, Sealing | Playing)
    kind = "started" if runs else "closed"
    payload = b'{"type":"%b","game_id":"%b","now":"%b"}' % (
        kind.encode(),
        game_id.encode(),
        stamp,
    )
    return Frame(kind, payload)
