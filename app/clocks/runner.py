"""
Looks for what has fallen due, and lets it happen through the ordinary append.

Any number of processes may run one: under the lock of the game's row each decides anew what is due,
so that a clock fires once whoever saw it, and a process that dies leaves nothing half-done and
nothing taken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence

from app.clocks.due import MISSED, Due, Waits, all_due, due, heirs
from app.clocks.pulse import Pulse
from app.clocks.rows import ClockRows
from app.errors import GameNotFound, Overloaded, StoreUnavailable
from app.log import log
from app.ports import Answer, Decision, Done, Gap, Head, Order
from app.service.deciding import Seeds, decided
from app.service.desk import Desk
from app.service.reads import Decode
from app.service.starting import start
from app.service.timing import credits_of
from engine.commands import BotTakesSeat, Command, End, EndOnClock, PassHost, SetSeat, TimeOut
from engine.events import GameStarted, PlayerJoined
from engine.state import Game, Lobby, Playing
from engine.units import Millis, Seat

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
            return self._decide(found, seeds, gaps, heir, third)

        return Order(game_id, decide, by_clock=True)

    def _decide(
        self, head: Head, seeds: Seeds, gaps: Sequence[Gap], heir: Seat | None, third: bytes
    ) -> Decision:
        now = head.read_at
        known = decided(head, seeds, credits_of(head, gaps, now), _silent)
        after = head._replace(game=known.game, version=head.version + len(known.events))
        found = [each for each in all_due(after, self._waits) if each.at <= now]
        if not found:
            return known
        first = min(found, key=lambda each: each.at)
        if first.what == "bot":
            self._bots(after)
            return known
        if first.what == "host_away" and heir is None:
            return known._replace(look_again_at=self._next_but_host(after, now))
        if first.what == "fill":
            filled = _filled(after, now, third)
            return decided(head, seeds, filled, _silent, drawn=(third,))
        commands = [*credits_of(head, gaps, now), *_commands(first, after, heir, now)]
        decision = decided(head, seeds, commands, _silent)
        if first.what == "turn" and (gone := _gone(after.game, decision.game)) is not None:
            commands.append(BotTakesSeat(now, gone))
            decision = decided(head, seeds, commands, _silent)
        return decision

    def _next_but_host(self, head: Head, now: Millis) -> Millis:
        """The host is here after all: when to look again."""
        rest = [each.at for each in all_due(head, self._waits) if each.what != "host_away"]
        return min([now + self._waits.host, *rest])

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
        came = [p for p in await self._arrivals(game_id) if p in waiting]
        # Whoever is connected goes before those who may have gone too.
        order = [p for p in came if p in here] + [p for p in came if p not in here]
        return waiting[order[0]] if order else None

    async def _arrivals(self, game_id: str) -> list[str]:
        """Players by when they last sat down."""
        came: dict[str, None] = {}
        after = 0
        while page := await self._desk.store.events(game_id, after, 500):
            for recorded in page:
                event = self._decode(recorded.data)
                if isinstance(event, GameStarted):
                    return list(came)
                if isinstance(event, PlayerJoined):
                    came.pop(event.player_id, None)
                    came[event.player_id] = None
            after = page[-1].version
        return list(came)

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


def _commands(first: Due, head: Head, heir: Seat | None, now: Millis) -> Iterable[Command]:
    game = head.game
    if first.what in ("host_left", "host_away"):
        if isinstance(game, Lobby | Playing) and heir in heirs(game):
            yield PassHost(now, heir)
    elif first.what == "game":
        yield EndOnClock(now)
    elif first.what == "turn":
        yield TimeOut(now)
    elif first.what == "absent" and isinstance(game, Playing):
        yield BotTakesSeat(now, game.turn.seat)
    else:
        yield End(now)


def _filled(head: Head, now: Millis, third: bytes) -> Iterable[Command]:
    """Bots take the free seats, and the game starts."""
    setup = head.game.setup
    for seat, place in enumerate(setup.places):
        if place.kind == "human" and place.player_id is None:
            yield SetSeat(now, seat, "bot")
    yield start(setup, now, third)


def _gone(before: Game, after: Game) -> Seat | None:
    """The seat whose turn has just run out, where a bot may take it."""
    if not isinstance(before, Playing) or not isinstance(after, Playing):
        return None
    seat = before.turn.seat
    away = after.setup.bots.take_absent_seats and after.seats[seat].missed >= MISSED
    return seat if away else None


def _silent(*_: object) -> Answer:
    return Answer(200, b"")
