"""
Looks for what has fallen due, and lets it happen through the ordinary append.

Any number of processes may run one: under the lock of the game's row each decides anew what is due,
so that a clock fires once whoever saw it, and a process that dies leaves nothing half-done and
nothing taken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence

from app.clocks.due import Waits, due, heirs
from app.clocks.happening import happening
from app.clocks.pulse import Pulse
from app.clocks.rows import ClockRows
from app.errors import GameNotFound, Overloaded, StoreUnavailable
from app.log import log
from app.ports import Decision, Done, Gap, Head, Order
from app.service.deciding import Seeds
from app.service.desk import Desk
from app.service.reads import Decode
from app.service.timing import credits_of
from engine.events import GameCreated, GameStarted, HostChanged, PlayerJoined
from engine.state import Lobby, Playing
from engine.units import Seat

AT_ONCE = 50
"""Games in one transaction: one that is held up holds up no more than these."""
UNREADABLE_MS = 3_600_000
"""Before a game that cannot be read is looked at again."""

Present = Callable[[str], Awaitable[Collection[Seat]]]
"""The seats of a game with a live connection to any process."""


class Runner:
    """
    Args:
        present: who is connected.
        bots: is told of games in which a bot is to move and nobody moves it.
    """

    def __init__(
        self,
        desk: Desk,
        rows: ClockRows,
        pulse: Pulse,
        waits: Waits,
        decode: Decode,
        present: Present,
        bots: Callable[[Head], None],
    ) -> None:
        self.more = asyncio.Event()
        """Set when a round has left something: the next may come at once."""
        self._desk = desk
        self._rows = rows
        self._pulse = pulse
        self._waits = waits
        self._decode = decode
        self._present = present
        self._bots = bots

    async def poll(self) -> None:
        """One round. Raises: StoreUnavailable."""
        await self._pulse.beat()
        for gap in self._pulse.open_gaps():
            await self._credit(gap)
        ids = await self._rows.due(AT_ONCE)
        if not ids:
            return
        found = await self._desk.store.summaries(ids)
        orders: list[Order] = []
        for game_id in ids:
            if game_id not in found:
                await self._put_off(game_id, "cannot be read")
            else:
                orders.append(await self._order(game_id, found[game_id].head))
        await self._fire(orders)
        if len(ids) == AT_ONCE:
            self.more.set()

    async def _fire(self, orders: Sequence[Order]) -> None:
        for order, outcome in zip(orders, await self._desk.run_all(orders), strict=True):
            if isinstance(outcome, Done | StoreUnavailable | Overloaded):
                continue
            await self._put_off(order.game_id, repr(outcome))

    async def _put_off(self, game_id: str, why: str) -> None:
        log.error("clock_failed", game=game_id, why=why)
        await self._rows.postpone(game_id, UNREADABLE_MS)

    async def _order(self, game_id: str, head: Head) -> Order:
        """What is due now is decided again when the order runs; what it may need is read here."""
        seen = due(head, self._waits)
        heir: Seat | None = None
        if seen is not None and seen.what in ("host_left", "host_away"):
            heir = await self._heir(game_id, head)
        gaps, third = self._pulse.gaps, self._desk.seed()

        def decide(found: Head | None, seeds: Seeds) -> Decision:
            if found is None:
                raise GameNotFound
            what = happening(found, seeds, self._waits, gaps, heir, third, self._desk.reveal_ms)
            if what.bots_turn:
                self._bots(found)
            return what.decision

        return Order(game_id, decide, by_clock=True)

    async def _heir(self, game_id: str, head: Head) -> Seat | None:
        """Who has sat there longest of those who could be host; None while the host is here."""
        game = head.game
        if not isinstance(game, Lobby | Playing):
            return None
        present = await self._present(game_id) if isinstance(game, Lobby) else ()
        places = game.setup.places
        if any(places[seat].player_id == game.setup.host for seat in present):
            return None
        waiting = {places[seat].player_id: seat for seat in reversed(heirs(game))}
        here = {places[seat].player_id for seat in present} & waiting.keys()
        came, were_away = await self._arrivals(game_id)
        # Whoever is connected goes before those who may have gone too. Who was host and away does
        # not become it again unseen: where nobody is there, the role would go round for ever.
        order = [p for p in came if p in here]
        order += [p for p in came if p in waiting.keys() - here - were_away]
        return waiting[order[0]] if order else None

    async def _arrivals(self, game_id: str) -> tuple[list[str], set[str]]:
        """Players by when they last sat down; which of them the host's role has left since."""
        came: dict[str, None] = {}
        were_away: set[str] = set()
        host: str | None = None
        after = 0
        while page := await self._desk.store.events(game_id, after, 500):
            for recorded in page:
                event = self._decode(recorded.data)
                if isinstance(event, GameStarted):
                    return list(came), set()
                if isinstance(event, GameCreated):
                    host = event.host
                if isinstance(event, HostChanged):
                    if host is not None:
                        were_away.add(host)
                    host = event.player_id
                if isinstance(event, PlayerJoined):
                    came.pop(event.player_id, None)
                    came[event.player_id] = None
                    were_away.discard(event.player_id)
            after = page[-1].version
        return list(came), were_away

    async def _credit(self, gap: Gap) -> None:
        """Tells every running game of a gap."""
        after = ""
        while ids := await self._rows.games(after, AT_ONCE):
            found = await self._desk.store.summaries(ids)
            now = self._desk.now()
            concerned = [
                game_id
                for game_id, summary in found.items()
                if any(True for _ in credits_of(summary.head, [gap], now))
            ]
            await self._fire([await self._order(g, found[g].head) for g in concerned])
            after = ids[-1]
        await self._rows.credited(gap.number)
