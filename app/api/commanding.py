"""
Commands that come over the stream of a game: read, carried out one after the other, answered.

They go the way of the same calls over HTTP, through the same service, and what one way has stored
under a key answers the other. Whatever has an id is answered, in the order in which it came.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import ValidationError

from app.accounts import Scope
from app.api import commands, games, render
from app.api.auth import admitted, admitted_at_once, reason_of
from app.api.faults import body_parts
from app.api.problems import problem_of
from app.api.refusals import InternalError, InvalidRequest
from app.api.routing import Route
from app.api.schemas.commands import ENVELOPE, MOST_ID, MOST_NUMBER, READER, AnyCommand
from app.api.strict import canonical_of, fingerprint
from app.api.verbs import VERBS
from app.errors import AppError, ScopeMissing, TokenExpired, Unauthenticated
from app.limits import RateLimited, check
from app.live import frames
from app.live.connections import Connection
from app.live.endings import RESTART
from app.live.frames import Frame
from app.log import begin_notes, commanded, log, note
from app.metrics import Meter
from app.parts import Parts
from app.service.calls import Call
from engine.errors import GameError

MOST_WAITING = 16
"""Of one socket: what it sends beyond is read when some have been answered."""

_ROUTES = [*commands.router.routes, *games.router.routes]
_SCOPES: dict[str, Scope | None] = {
    route.path.removeprefix("/v1/games/{game_id}/"): route.scope
    for route in _ROUTES
    if isinstance(route, Route) and "POST" in (route.methods or ())
}
"""What a token must open, as the routes of the same calls say."""

_process = secrets.token_hex(5)
_numbers = itertools.count(1)


class Sender(Protocol):
    """Whose socket it is."""

    parts: Parts
    connection: Connection
    meter: Meter

    @property
    def is_settled(self) -> bool:
        """Its stream has begun, and it is known whose it is, if it has said so."""
        ...

    async def settled(self) -> None:
        """Returns once it is."""
        ...


@dataclass(slots=True)
class _Command:
    number: bytes
    """Its id, as JSON."""
    data: dict[str, Any]
    text: str
    """The JSON of `data`."""
    refusal: RateLimited | None


class Commanding:
    """
    The commands of one socket.

    Args:
        game_id: of the game that its stream follows.
    """

    def __init__(self, sender: Sender, game_id: str) -> None:
        self._sender = sender
        self._game_id = game_id
        self._waiting: deque[_Command] = deque()
        self._task: asyncio.Task[None] | None = None
        self._room: asyncio.Future[None] | None = None

    @property
    def is_full(self) -> bool:
        """No more may come before one has been answered."""
        return len(self._waiting) >= MOST_WAITING

    def take(self, data: dict[str, Any], text: str) -> bool | None:
        """
        A message that names a command.

        Args:
            text: the JSON of it, read strictly.
        Returns:
            Whether it is within the rate limits; None where its id is none, so that it could not
            be answered.
        """
        number = _number(data.get("id"))
        if number is None:
            return None
        limits, connection = self._sender.parts.limits, self._sender.connection
        refusal: RateLimited | None = None
        try:
            if limits.on:
                check(limits.count("commands", connection.token_hash, connection.address))
        except RateLimited as limited:
            refusal = limited
        self._waiting.append(_Command(number, data, text, refusal))
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        return refusal is None

    async def room(self) -> None:
        """Returns when one more may come."""
        while self.is_full:
            self._room = asyncio.get_running_loop().create_future()
            await self._room

    def close(self) -> None:
        """The socket has gone: what has begun goes on, and whoever retries it by its key learns."""
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        """One after the other, until none waits."""
        connection = self._sender.connection
        outbox, wire = connection.outbox, connection.outbox.wire
        try:
            if not self._sender.is_settled:
                await self._sender.settled()
            wire.is_owed = True
            while self._waiting and outbox.ended is None:
                command = self._waiting.popleft()
                if command.refusal is None:
                    wire.forgive()
                outbox.send(await self._answer(command))
                if self._sender.parts.live.connections.stopping:
                    outbox.end(RESTART)
                self._make_room()
        finally:
            wire.is_owed = False
            self._task = None
            self._waiting.clear()
            self._make_room()

    def _make_room(self) -> None:
        room, self._room = self._room, None
        if room is not None and not room.done():
            room.set_result(None)

    async def _answer(self, command: _Command) -> Frame:
        """Carries it out. Never raises."""
        began = time.perf_counter()
        notes = begin_notes(f"{_process}-ws{next(_numbers):06x}")
        name, meter = command.data["command"], self._sender.meter
        known = name if isinstance(name, str) and name in VERBS else "-"
        clock = self._sender.parts.clock
        try:
            answer = await self._carry_out(command)
        except Exception as error:
            if isinstance(error, AppError | GameError):
                problem = problem_of(error)
            else:
                log.exception("unforeseen")
                problem = problem_of(InternalError())
            note(code=problem["code"])
            meter.refused(problem["code"])
            status: int = problem["status"]
            frame = frames.refused(command.number, problem, clock.now())
        else:
            status = answer.status
            meter.commanded(known.replace("-", "_"))
            frame = frames.answered(command.number, answer, clock.now())
        commanded(known, status, time.perf_counter() - began, notes)
        return frame

    async def _carry_out(self, command: _Command) -> Any:
        """Raises: whatever it is refused with."""
        if command.refusal is not None:
            raise command.refusal
        data = command.data
        try:
            asked: Any = READER.validate_json(command.text)
        except ValidationError as error:
            faults = error.errors(include_url=False, include_input=False)
            raise InvalidRequest(body_parts(faults, data, AnyCommand)) from None
        parts, connection, name = self._sender.parts, self._sender.connection, asked.command
        try:
            if connection.token_hash is None:
                raise Unauthenticated
            brought = parts.doorkeeper, connection.token_hash, _SCOPES[name]
            caller = admitted_at_once(*brought) or await admitted(*brought)
        except (Unauthenticated, TokenExpired, ScopeMissing) as refusal:
            note(why=reason_of(refusal), address=connection.address)
            raise
        key: str | None = asked.idempotency_key
        printed = b""
        if key is not None:  # as the same call over HTTP
            path = f"/v1/games/{self._game_id}/{name}"
            body = {k: v for k, v in data.items() if k not in ENVELOPE}
            printed = fingerprint({"method": "POST", "path": path}, canonical_of(body))
        shape = render.played if asked.answer == "full" else render.minimal
        call = Call(caller.player, shape, key, printed, asked.if_match, connection.address)
        return await VERBS[name].run(parts.games, call, self._game_id, asked)


def _number(found: object) -> bytes | None:
    """The JSON of an id; None for what is none."""
    if isinstance(found, str):
        return json.dumps(found).encode() if 0 < len(found) <= MOST_ID else None
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MOST_NUMBER:
        return b"%d" % found
    return None
