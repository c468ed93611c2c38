"""A game as the server would keep it, without a server: commands in, an export out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from app.service.deciding import entropy_of, revealed
from app.store.chain import ORIGIN, link
from app.store.codec import encode
from engine.commands import Command, Create, Entropy, Start
from engine.decide import transition
from engine.dice import NO_SEAL, seal, server_commit
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
        self.seeds = tuple(self._secret(e) for e in (0, 1))
        commits = tuple(self._commit(e) for e in (0, 1))
        self.events: list[Event] = []
        self.game: Game | None = None
        self.do(Create(at, setup._replace(server_commits=commits), rematch_of))

    def do(self, command: Command) -> tuple[Event, ...]:
        """Its events. Raises: Refusal, MalformedRules; nothing has happened then."""
        step = transition(self.game, command)
        events = list(step.events)
        self.game = revealed(self.game, step.game, events, self.seeds)
        self.events += events
        return tuple(events)

    def start(self, at: Millis) -> None:
        sealed = seal(self.id, 0, NO_SEAL, bytes.fromhex(self._commit(0)))
        seeds, self.seeds = self.seeds, (*self.seeds, self._secret(2))
        try:
            self.do(Start(at, sealed.hex(), self._commit(2)))
        except Exception:
            self.seeds = seeds
            raise

    @property
    def entropy(self) -> Entropy:
        assert self.game is not None
        return entropy_of(self.game, self.seeds)

    def export(self) -> bytes:
        return exported(self.id, [encode(event).decode() for event in self.events])

    def _secret(self, e: int) -> bytes:
        return sha256(f"{self.id} {e}".encode()).digest()

    def _commit(self, e: int) -> str:
        return server_commit(self.id, e, self._secret(e)).hex()


def exported(game_id: str, events: Sequence[str]) -> bytes:
    """An export with these bytes as its events, correctly chained."""
    lines = [json.dumps({"protocol": "pf1", "game_id": game_id, "format": 1})]
    last = ORIGIN
    for version, text in enumerate(events, 1):
        last = link(game_id, version, last, text.encode("utf-8", "surrogatepass"))
        line = {"version": version, "bytes": text, "hash": last.hex()}
        lines.append(json.dumps(line, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
