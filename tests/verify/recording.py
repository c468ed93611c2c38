"""A game as the server would keep it, without a server: commands in, an export out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from app.service.deciding import entropy_of, revealed
from app.store.chain import ORIGIN, link
from app.store.codec import encode
from engine.commands import Command, Create, Entropy
from engine.decide import transition
from engine.dice import seat_commit, server_commit
from engine.events import Event
from engine.state import Game, Setup
from engine.units import Millis


class Recording:
    """
    One game and its log, with secrets that follow from its id.

    Args:
        setup: without commitments; they are put in.
    """

    def __init__(self, setup: Setup, at: Millis, rematch_of: str | None = None) -> None:
        self.id = setup.game_id
        self.seeds: tuple[bytes, ...] = ()
        commits = (self.server_commit(0), self.server_commit(1))
        self.events: list[Event] = []
        self.steps: list[tuple[Event, ...]] = []
        """The events by the command they came from; none where nothing happened."""
        self.game: Game | None = None
        self.do(Create(at, setup._replace(server_commits=commits), rematch_of))

    def do(self, command: Command) -> tuple[Event, ...]:
        """Its events. Raises: Refusal, Malformed; nothing has happened then."""
        step = transition(self.game, command)
        events = list(step.events)
        drawn = len(step.game.setup.server_commits)
        self.seeds = tuple(self._secret(e) for e in range(drawn))
        self.game = revealed(self.game, step.game, events, self.seeds)
        self.events += events
        if events:
            self.steps.append(tuple(events))
        return tuple(events)

    def next_server_commit(self) -> str:
        """For whatever closes an attempt."""
        return self.server_commit(len(self.seeds))

    def server_commit(self, e: int) -> str:
        return server_commit(self.id, e, self._secret(e)).hex()

    def value(self, e: int, seat: int) -> str:
        """What a seat contributes to an attempt, as hex."""
        return sha256(f"{self.id} {e} {seat}".encode()).hexdigest()

    def seat_commit(self, e: int, seat: int) -> str:
        return seat_commit(self.id, e, seat, bytes.fromhex(self.value(e, seat))).hex()

    @property
    def entropy(self) -> Entropy:
        assert self.game is not None
        return entropy_of(self.game, self.seeds)

    def export(self) -> bytes:
        return exported(self.id, [encode(event).decode() for event in self.events])

    def _secret(self, e: int) -> bytes:
        return sha256(f"{self.id} {e}".encode()).digest()


def exported(game_id: str, events: Sequence[str]) -> bytes:
    """An export with these bytes as its events, correctly chained."""
    lines = [json.dumps({"protocol": "pf1", "game_id": game_id, "format": 1})]
    last = ORIGIN
    for version, text in enumerate(events, 1):
        last = link(game_id, version, last, text.encode("utf-8", "surrogatepass"))
        line = {"version": version, "bytes": text, "hash": last.hex()}
        lines.append(json.dumps(line, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
