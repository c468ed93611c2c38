"""The life of a table before its first roll: settings, seats, joining, leaving, starting."""

from __future__ import annotations

from collections.abc import Callable

from app.errors import CodeNotFound, GameNotFound
from app.limits import JoinCodeGuard
from app.ports import Answer, Decision, Head
from app.service.calls import Call, ChangesAsked, Unchanged
from app.service.codes import as_read, opens
from app.service.deciding import Seeds, answering, decided
from app.service.desk import Desk
from app.service.members import hosted, is_member, seated, seats_of
from app.service.opening import Opening
from app.service.starting import start
from app.service.timing import moment, returns
from engine.commands import ChangeSettings, Command, Join, Leave, SetSeat
from engine.state import Character, Lobby, Place, SeatKind, Setup
from engine.units import Millis, Seat


class Tables:
    def __init__(self, desk: Desk, opening: Opening, guard: JoinCodeGuard) -> None:
        self._desk = desk
        self._opening = opening
        self._guard = guard

    async def change(self, call: Call, game_id: str, asked: ChangesAsked) -> Answer:
        """
        The host changes settings in the lobby.

        Raises: MalformedRules, MalformedSettings, NotAvailable.
        """
        chosen = None
        if not isinstance(asked.rules, Unchanged):
            chosen = self._opening.chosen(asked.rules)

        def command(at: Millis, setup: Setup) -> Command:
            after = ChangeSettings(
                at,
                chosen.rules if chosen else setup.rules,
                chosen.preset if chosen else setup.preset,
                setup.visibility if isinstance(asked.visibility, Unchanged) else asked.visibility,
                setup.dice if isinstance(asked.dice, Unchanged) else asked.dice,
                setup.clocks if isinstance(asked.clocks, Unchanged) else asked.clocks,
                setup.bots if isinstance(asked.bots, Unchanged) else asked.bots,
                setup.advice if isinstance(asked.advice, Unchanged) else asked.advice,
                setup.cheats if isinstance(asked.cheats, Unchanged) else asked.cheats,
            )
            self._opening.check(
                dice=after.dice, clocks=after.clocks, bots=after.bots, advice=after.advice
            )
            return after

        return await self._as_host(call, game_id, command)

    async def set_seat(
        self, call: Call, game_id: str, seat: Seat, kind: SeatKind, character: Character | None
    ) -> Answer:
        """
        The host makes a seat human, bot or closed; whoever sat there is removed.

        Raises: NotAvailable, TooManyBotTables.
        """
        self._opening.check(places=(Place(kind, character),))
        return await self._as_host(call, game_id, lambda at, _: SetSeat(at, seat, kind, character))

    async def _as_host(
        self, call: Call, game_id: str, command: Callable[[Millis, Setup], Command]
    ) -> Answer:
        at = self._desk.now()

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            found = hosted(head, call.player.id)
            asked = command(at, found.game.setup)
            return decided(found, seeds, (asked,), answering(call, at), player=call.player)

        return await self._desk.change(call, game_id, decide)

    async def start(self, call: Call, game_id: str, server_committed_only: bool = False) -> Answer:
        """The host starts: the dice are sealed, at once where no seat contributes to them."""
        at, third = self._desk.now(), self._desk.seed()

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            found = hosted(head, call.player.id)
            asked = start(
                found.game.setup,
                moment(found, at),
                third,
                self._desk.reveal_ms,
                server_committed_only,
            )
            return decided(found, seeds, (asked,), answering(call, at), drawn=(third,))

        return await self._desk.change(call, game_id, decide)

    async def join(
        self, call: Call, game_id: str, join_code: str | None, seat: Seat | None
    ) -> Answer:
        """
        A seat at a table: a public one takes no code, any other its own.

        Raises: CodeNotFound (at a private table GameNotFound), RateLimited after too many guesses.
        """
        if join_code is None:
            return await self._join(call, game_id, None, seat)
        # Counted at tables that are not there too: what the counter shows tells them not apart.
        with self._guard.guess(call.player.id, call.address):
            return await self._join(call, game_id, join_code, seat)

    async def join_by_code(self, call: Call, join_code: str, seat: Seat | None) -> Answer:
        """A seat by the code alone. Raises: CodeNotFound, RateLimited."""
        if call.key is not None:
            # A retry finds its answer, also when the code has died since.
            known = await self._desk.store.answer_to(call.player.id, call.key, call.fingerprint)
            if known is not None:
                return known
        with self._guard.guess(call.player.id, call.address):
            code = as_read(join_code)
            game_id = code and await self._desk.store.game_by_code(code)
            if not game_id:
                raise CodeNotFound
            try:
                return await self._join(call, game_id, code, seat)
            except GameNotFound:
                raise CodeNotFound from None

    async def _join(
        self, call: Call, game_id: str, join_code: str | None, seat: Seat | None
    ) -> Answer:
        at = self._desk.now()

        def joinable(head: Head | None, player_id: str) -> Head:
            return _joinable(head, player_id, join_code)

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            found = joinable(head, call.player.id)
            held = seats_of(found.game.setup, call.player.id)
            # Who sits down again where a bot stood in is back.
            asked = [*returns(found, held, moment(found, at))] or [Join(at, call.player.id, seat)]
            return decided(found, seeds, asked, answering(call, at), player=call.player)

        return await self._desk.change(call, game_id, decide, joinable)

    async def leave(self, call: Call, game_id: str) -> Answer:
        """A player leaves the lobby; a host's role passes on, the last one closes the table."""
        at = self._desk.now()

        def decide(head: Head | None, seeds: Seeds) -> Decision:
            found, _ = seated(head, call.player.id)
            asked = Leave(at, call.player.id)
            return decided(found, seeds, (asked,), answering(call, at), player=call.player)

        return await self._desk.change(call, game_id, decide)


def _joinable(head: Head | None, player_id: str, join_code: str | None) -> Head:
    """
    The game, for one who may sit down; the rules say whether there is a seat.

    Raises: CodeNotFound; at a private table GameNotFound, as if there were none.
    """
    if head is None:
        raise GameNotFound
    setup = head.game.setup
    if setup.visibility == "public" or is_member(setup, player_id):
        return head
    if opens(join_code, head.join_code):
        return head
    if setup.visibility == "private":
        raise GameNotFound
    if isinstance(head.game, Lobby):
        raise CodeNotFound
    return head
