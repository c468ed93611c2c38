"""
Match-making: a player waits at the table of those who want the same, or opens one.

A waiting table is an ordinary unlisted one, without a host, and without a join code. The store
lets one wait under a key (`app.matching`): of two that open one, one is told that another waits,
and joins it. Whoever takes the last seat starts the game, in the same order.

The queue is for speed: of a hundred who come to one process at once, one at a time tries.
"""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

from app.errors import MatchNotFound, Overloaded
from app.features import Features
from app.matching import free_seats, is_waiting, match_key
from app.ports import AnotherWaits, Answer, Decision, Head, Order
from app.service.calls import Call, MatchAsked
from app.service.deciding import Seeds, answering, decided
from app.service.desk import Desk
from app.service.members import seats_of
from app.service.opening import Opening
from app.service.starting import start
from app.service.timing import moment
from engine.commands import Command, Join, Leave
from engine.state import Bots, FairDice, Finished, Place, Setup
from engine.units import Seat

QUEUE_S = 10.0
"""How long one waits for one's turn to try."""

TRIES = 50
"""Each that fails is somebody else's that did not."""


def location(game_id: str) -> str:
    """Where a match is found."""
    return f"/v1/matchmaking/{game_id}"


class Matches:
    def __init__(self, desk: Desk, opening: Opening, features: Features) -> None:
        self._desk = desk
        self._opening = opening
        self._features = features
        self._queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def wait(self, call: Call, asked: MatchAsked) -> Answer:
        """
        A seat at a table of these settings; with the last one the game starts.

        Raises: MalformedRules, MalformedSettings, NotAvailable, TooManyBotTables, Overloaded.
        """
        setup = self._setup(call, asked)
        key = match_key(setup)
        queue = self._queues.setdefault(key, asyncio.Lock())
        try:
            async with asyncio.timeout(QUEUE_S):
                await queue.acquire()
        except TimeoutError:
            raise Overloaded from None
        try:
            return await self._wait(call, setup, key)
        finally:
            queue.release()

    def _setup(self, call: Call, asked: MatchAsked) -> Setup:
        chosen = self._opening.chosen(asked.rules)
        seats = len(chosen.places) if asked.seats is None else asked.seats
        bots = Bots(fill_after_s=asked.bots_after_s)
        self._opening.check(bots=bots, clocks=asked.clocks, advice=asked.advice)
        return Setup(
            game_id=self._desk.new_id(),
            rules=chosen.rules,
            preset=chosen.preset,
            places=(Place("human", None, call.player.id), *[Place("human")] * (seats - 1)),
            host=None,
            visibility="unlisted",
            dice=FairDice(),
            clocks=asked.clocks,
            pass_and_play=False,
            bots=bots,
            advice=self._features["advice"] if asked.advice is None else asked.advice,
            cheats=None,
            start_seat=0,
            server_commits=(),
        )

    async def _wait(self, call: Call, setup: Setup, key: str) -> Answer:
        for _ in range(TRIES):
            waits = await self._desk.store.waiting_table(key)
            order = self._opens(call, setup) if waits is None else self._joins(call, waits)
            try:
                return (await self._desk.run(order)).answer
            except (AnotherWaits, _Gone):
                continue
        raise Overloaded

    def _opens(self, call: Call, setup: Setup) -> Order:
        at = self._desk.now()
        answer = answering(call, at, 201, location(setup.game_id))
        return self._opening.order(call, setup, at, answer, has_code=False)

    def _joins(self, call: Call, game_id: str) -> Order:
        at, third = self._desk.now(), self._desk.seed()

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            if head is None:
                raise _Gone
            setup = head.game.setup
            if seats_of(setup, call.player.id):
                return Decision((), head.game, answering(call, at, 200, location(game_id)))
            if not is_waiting(head.game):
                raise _Gone
            now = moment(head, at)
            commands: list[Command] = [Join(now, call.player.id)]
            is_last = free_seats(setup) == 1
            if is_last:
                commands.append(start(setup, now, third, self._desk.reveal_ms))
            return decided(
                head,
                seeds,
                commands,
                answering(call, at, 201, location(game_id)),
                player=call.player,
                drawn=(third,) if is_last else (),
            )

        return Order(
            game_id, decide, author=call.player.id, key=call.key, fingerprint=call.fingerprint
        )

    async def cancel(self, call: Call, game_id: str) -> Answer:
        """
        Waits no longer; the last one to leave closes the table. Twice is fine.

        Raises: MatchNotFound; AlreadyStarted and GameOver, once the game runs.
        """
        await self.match(game_id, call.player.id)
        at = self._desk.now()

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            if head is None:
                raise MatchNotFound
            commands: list[Command] = [Leave(at, call.player.id)]
            if seat_of(head, call.player.id) is None:
                commands = []
            return decided(head, seeds, commands, answering(call, at), player=call.player)

        return await self._desk.change(call, game_id, decide)

    async def match(self, game_id: str, player_id: str) -> Head:
        """
        The table at which the player waits, waited or has found others.

        Raises: MatchNotFound, also for games of any other kind.
        """
        head = await self._desk.store.head(game_id)
        if head is None or head.game.setup.host is not None:
            raise MatchNotFound
        if not await self._desk.store.ever_sat(game_id, player_id):
            raise MatchNotFound
        return head


def seat_of(head: Head, player_id: str) -> Seat | None:
    """Where the player waits or plays; None once it has left, or the table has closed."""
    game = head.game
    held = seats_of(game.setup, player_id)
    closed = isinstance(game, Finished) and not game.seal
    return held[0] if held and not closed else None


class _Gone(Exception):
    """The table has filled or closed in the meantime."""
