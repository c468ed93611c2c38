"""People at tables: every call is foretold by the model, sent, and held against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.model import checks, effects
from tests.model.model import Json, Person, Table, opened
from tests.model.play import TURN
from tests.model.refusals import STATUS, refusal
from tests.model.server import Answer, Asked, Server, Store

NAMES = ("Ana", "Bo", "Cy", "Di", "Eve")
GAME_ONLY = ("join", "join-by-code", "leave", "settings", "seat", "rematch")
"""Calls answered with the game alone."""


NO_CODE = "00000000"
"""Of a table at which nobody else can sit; no code holds a zero."""


class Kept(NamedTuple):
    """An accepted call under a key, and the answer it must be given for ever."""

    asked: Asked
    answer: Answer


@dataclass(frozen=True)
class How:
    """The headers of a call."""

    keyed: bool = False
    if_match: int | None = None
    minimal: bool = False


PLAIN = How()


class World:
    def __init__(self, store: Store, chance: int, tell: Callable[[str], None]) -> None:
        self.server = Server(store, chance, tell)
        self.people = [self._person(name) for name in NAMES]
        self.tables: list[Table] = []
        self.logs: dict[str, list[Json]] = {}
        self.seen: dict[tuple[str, int], Json] = {}
        """What a reader saw of each game at each version."""
        self.kept: list[Kept] = []
        self.keys = dict.fromkeys(self.people, 0)

    def _person(self, name: str) -> Person:
        asked = Asked(None, "POST", "/v1/players", {"name": name})
        made = self.server.ask(asked).json
        return Person(made["id"], made["name"], made["token"])

    @property
    def table(self) -> Table:
        """The one that is played at: the newest."""
        return self.tables[-1]

    def holder(self, player: str) -> Person:
        return next(person for person in self.people if person.id == player)

    @property
    def host(self) -> Person:
        return self.holder(self.table.host)

    def mover(self) -> Person:
        """Who holds the seat to move; the host where nobody moves."""
        table = self.table
        player = None if table.to_move is None else table.chairs[table.to_move].player
        return self.holder(player or table.host)

    def open_table(self, host: Person, body: Json, how: How = PLAIN) -> Table:
        asked = self.asked(host, "POST", "/v1/games", body, how)
        answer = self.server.ask(asked)
        checks.equal(answer.status, 201, "the status of an opened table")
        made = answer.json
        table = opened(body, host, made["id"], made.get("join_code", NO_CODE))
        self._new(table, answer, asked, how)
        return table

    def _new(self, table: Table, answer: Answer, asked: Asked, how: How) -> None:
        checks.equal(answer.headers.get("location"), f"/v1/games/{table.id}", "the location")
        table.version = 1 + sum(chair.player is not None for chair in table.chairs)
        assert asked.by is not None
        checks.game(answer.json, table.view(asked.by.id))
        if not table.pass_and_play:
            checks.equal(len(table.join_code), 8, "the length of the join code")
        self.tables.append(table)
        self.logs[table.id] = []
        self._keep(asked, answer, how)

    def asked(
        self, by: Person | None, method: str, path: str, body: Json | None, how: How
    ) -> Asked:
        headers = {}
        if how.keyed and by is not None:
            # A player's keys are counted: other players use the same ones.
            headers["Idempotency-Key"] = f"key-{self.keys[by]}"
        if how.if_match is not None:
            headers["If-Match"] = f'"{how.if_match}"'
        if how.minimal:
            headers["Prefer"] = "return=minimal"
        return Asked(by, method, path, body, headers)

    def _keep(self, asked: Asked, answer: Answer, how: How) -> None:
        if how.keyed and asked.by is not None:
            self.keys[asked.by] += 1
            self.kept.append(Kept(asked, answer))

    def request(self, by: Person | None, verb: str, body: Json | None, how: How) -> Asked:
        """A call at the table by its name in the model."""
        path, sent = f"/v1/games/{self.table.id}", body
        match verb:
            case "settings":
                return self.asked(by, "PATCH", path, sent, how)
            case "seat":
                sent = {name: value for name, value in (body or {}).items() if name != "number"}
                return self.asked(by, "PATCH", f"{path}/seats/{(body or {})['number']}", sent, how)
            case "join-by-code":
                return self.asked(by, "POST", "/v1/join", sent, how)
        return self.asked(by, "POST", f"{path}/{verb}", sent, how)

    def foretold(
        self, by: Person | None, verb: str, body: Json | None, how: How = PLAIN
    ) -> str | None:
        """The code the call will be refused with; None: it will be accepted."""
        table, player = self.table, by.id if by else None
        stale = how.if_match not in (None, table.version)
        if stale and player and table.may_read(player) and verb != "join-by-code":
            return "version_conflict"
        return refusal(table, player, verb, body)

    def act(
        self, by: Person | None, verb: str, body: Json | None = None, how: How = PLAIN
    ) -> str | None:
        """A call, refused or accepted as it should be; the code of the refusal."""
        self.server.now_ms += 1_000
        asked = self.request(by, verb, body, how)
        code = self.foretold(by, verb, body, how)
        answer = self.server.ask(asked)
        if code is not None or by is None:
            self.refused(answer, code or "unauthenticated")
        else:
            self.accepted(asked, verb, body, how, answer)
        return code

    def refused(self, answer: Answer, code: str) -> None:
        facts: dict[str, Any] = {}
        if code == "version_conflict":
            facts["current_version"] = self.table.version
        elif code == "not_your_turn":
            facts["seat_to_move"] = self.table.to_move
        checks.refused(answer, STATUS.get(code, 409), code, facts)

    def accepted(
        self, asked: Asked, verb: str, body: Json | None, how: How, answer: Answer
    ) -> None:
        by, table = asked.by, self.table
        assert by is not None
        created = verb == "rematch" and table.rematch is None
        checks.equal(
            answer.status, 201 if created else 200, f"the status of {asked}: {answer.body!r}"
        )
        if verb == "rematch":
            self._rematch(asked, how, answer)
            return
        told = answer.json
        events = told.get("events", None)
        if events is None:
            events = self.log_after(table, self.reader(by, verb))
        effects.apply(table, by, verb, body, events)
        checks.equal(answer.headers.get("etag"), f'"{table.version}"', "the ETag")
        if how.minimal:
            checks.equal(told, {"version": table.version, "events": events}, "the minimal answer")
        else:
            checks.game(told if verb in GAME_ONLY else told["game"], table.view(by.id))
        self._keep(asked, answer, how)

    def _rematch(self, asked: Asked, how: How, answer: Answer) -> None:
        old, by = self.table, asked.by
        assert by is not None
        made = answer.json
        if old.rematch is not None:
            checks.equal(made["id"], old.rematch, "the rematch that others were told")
            self._keep(asked, answer, how)
            return
        effects.apply(old, by, "rematch", None, self.log_after(old, self.host))
        old.rematch = made["id"]
        self.check(old)
        new = effects.carried_on(old, by, made["id"], made.get("join_code", NO_CODE))
        self._new(new, answer, asked, how)

    def reader(self, by: Person, verb: str) -> Person:
        """Who may read the table after this call: its host, or who follows as host."""
        table = self.table
        stay = [c.player for c in table.chairs if c.player and c.player != by.id]
        gone = verb == "leave" and by.id == table.host and stay
        return self.holder(stay[0]) if gone else self.host

    def log_after(self, table: Table, reader: Person) -> list[Json]:
        """The events that are not known yet."""
        path = f"/v1/games/{table.id}/events?after={table.version}&limit=200"
        page = self.server.ask(Asked(reader, "GET", path)).json
        checks.equal(page["next"], None, "the next page of the log")
        found: list[Json] = page["items"]
        return found

    def check(self, table: Table | None = None) -> None:
        """Everything that must hold between two calls."""
        checks.everything(self, table or self.table)

    def may_act(self, verb: str) -> bool:
        """Whether a turn command is open to the seat to move."""
        assert verb in TURN
        legal = self.table.view(None)["legal"]
        return bool(legal) and verb in legal["commands"]
