"""
A table and everything people may do at it, in any order.

What a rule draws never depends on what the server answered: choices are numbers, and stand for one
of whatever is open then.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, TypeVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from tests.model import strolls
from tests.model.model import Person, Table
from tests.model.server import Store
from tests.model.tables import tables
from tests.model.world import How, World

T = TypeVar("T")
Json = dict[str, Any]

people = st.integers(0, 4)
seats = st.integers(0, 4)
picks = st.integers(0, 10_000)
hows = st.builds(How, keyed=st.booleans(), minimal=st.booleans())
begun = st.sampled_from((True, True, False))
keyed = st.builds(How, keyed=st.booleans())


def one_of(options: Sequence[T], pick: int) -> T:
    return options[pick % len(options)]


def in_lobby(machine: Machine) -> bool:
    return machine.table.status == "lobby"


def in_play(machine: Machine) -> bool:
    return machine.table.status == "playing"


def over(machine: Machine) -> bool:
    return machine.table.status == "finished"


def to_select(machine: Machine) -> bool:
    return in_play(machine) and bool(machine.legal["selections"])


class Machine(RuleBasedStateMachine):
    """The rules of a table's life; `play.py`'s and `http.py`'s come on top."""

    store: ClassVar[Store]

    def __init__(self) -> None:
        super().__init__()
        self.world: World | None = None

    @initialize(body=tables(), chance=picks, host=people, how=keyed, started=begun)
    def open(self, body: Json, chance: int, host: int, how: How, started: bool) -> None:
        self.world = World(self.store, chance, note)
        self.world.open_table(self.world.people[host], body, how)
        if started:
            self.all_sit_down_and_start(chance)

    def teardown(self) -> None:
        if self.world is not None:
            self.world.server.close()

    @property
    def w(self) -> World:
        assert self.world is not None
        return self.world

    @property
    def table(self) -> Table:
        return self.w.table

    @property
    def legal(self) -> Json:
        found: Json = self.table.view(None)["legal"]
        return found

    def person(self, number: int) -> Person:
        return self.w.people[number]

    @invariant()
    def all_is_well(self) -> None:
        if self.world is not None:
            self.world.check()

    @rule(body=tables(), host=people, how=keyed, started=begun, pick=picks)
    @precondition(over)
    def open_another(self, body: Json, host: int, how: How, started: bool, pick: int) -> None:
        self.w.open_table(self.person(host), body, how)
        if started:
            self.all_sit_down_and_start(pick)

    @rule(by=people, how=keyed, started=begun, pick=picks)
    @precondition(over)
    def play_again(self, by: int, how: How, started: bool, pick: int) -> None:
        self.w.act(self.person(by), "rematch", None, how)
        if started and in_lobby(self):
            self.all_sit_down_and_start(pick)

    @rule(
        by=people,
        seat=st.none() | seats,
        code=st.sampled_from(("right", "typed", "none", "wrong")),
        how=hows,
    )
    @precondition(in_lobby)
    def join(self, by: int, seat: int | None, code: str, how: How) -> None:
        body = self.joining(seat, code)
        self.w.act(self.person(by), "join", body or None, how)

    @rule(
        by=people,
        seat=st.none() | seats,
        code=st.sampled_from(("right", "typed", "wrong")),
        how=hows,
    )
    @precondition(in_lobby)
    def join_by_code(self, by: int, seat: int | None, code: str, how: How) -> None:
        self.w.act(self.person(by), "join-by-code", self.joining(seat, code), how)

    def joining(self, seat: int | None, code: str) -> Json:
        right = self.table.join_code
        typed = {
            "right": right,
            "typed": f"{right[:4]}-{right[4:]}".lower().replace("0", "o").replace("1", "l"),
            "wrong": right[:-1] + ("A" if right[-1] != "A" else "B"),
        }.get(code)
        body: Json = {} if typed is None else {"join_code": typed}
        return body if seat is None else {**body, "seat": seat}

    @rule(
        by=people, verb=st.sampled_from(("leave", "start", "rematch", "end", "resign")), how=keyed
    )
    def come_go_or_end_it(self, by: int, verb: str, how: How) -> None:
        """By anybody, at any time; a game is ended less often than that is tried."""
        if verb in ("end", "resign") and in_play(self) and self.table.version % 3:
            return
        self.w.act(self.person(by), verb, None, how)

    @rule(by=people, seat=seats, kind=st.sampled_from(("human", "human", "closed")), how=hows)
    @precondition(in_lobby)
    def change_a_seat(self, by: int, seat: int, kind: str, how: How) -> None:
        """Closes, opens, kicks."""
        self.w.act(self.person(by), "seat", {"number": seat, "kind": kind}, how)

    @rule(
        wanted=tables(),
        parts=st.sets(st.sampled_from(("rules", "dice", "cheats", "visibility"))),
        by=people,
        how=hows,
    )
    @precondition(in_lobby)
    def change_settings(self, wanted: Json, parts: set[str], by: int, how: How) -> None:
        host = self.w.host if by else self.person(by)
        body = {name: wanted.get(name) for name in sorted(parts)}
        self.w.act(host, "settings", body, how)

    @rule(by=people)
    def seats_and_settings_after_the_start(self, by: int) -> None:
        if in_lobby(self):
            return
        self.w.act(self.person(by), "settings", {"visibility": "public"})
        self.w.act(self.person(by), "seat", {"number": 0, "kind": "human"})
        self.w.act(self.person(by), "join", {"join_code": self.table.join_code})
        self.w.act(self.person(by), "join-by-code", {"join_code": self.table.join_code})

    @rule(pick=picks)
    @precondition(in_lobby)
    def all_sit_down_and_start(self, pick: int) -> None:
        order = self.w.people[:]
        Random(pick).shuffle(order)
        strolls.fill_and_start(self.w, order)

    @rule(pick=picks, many=st.integers(2, 8))
    @precondition(in_lobby)
    def people_come_and_go(self, pick: int, many: int) -> None:
        chance = Random(pick)
        for _ in range(many):
            if in_lobby(self):
                strolls.in_the_lobby(self.w, chance)
                self.all_is_well()

    @rule(pick=picks, many=st.integers(1, 12))
    @precondition(in_play)
    def play_on(self, pick: int, many: int) -> None:
        self.stroll(pick, many, banks=0.4, quits=0.02)

    @rule(pick=picks)
    @precondition(in_play)
    def play_to_the_end(self, pick: int) -> None:
        """Or nearly."""
        self.stroll(pick, 120, banks=0.8, quits=0.02)

    def stroll(self, pick: int, many: int, banks: float, quits: float) -> None:
        """Some moves in a row; each answer is compared whole, and now and then all the rest."""
        chance = Random(pick)
        for number in range(many):
            if not in_play(self) or not strolls.move(self.w, chance, banks, quits):
                return
            if number % 4 == 0:
                self.all_is_well()
