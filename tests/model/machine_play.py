"""The commands of a game that runs: legal, combined and wrong ones."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.model.machine import (
    Machine,
    hows,
    in_play,
    people,
    picks,
    seats,
    to_select,
)
from tests.model.strolls import chosen
from tests.model.world import How

Json = dict[str, Any]

dice = st.lists(st.integers(0, 5), min_size=1, max_size=6, unique=True)
faces = st.none() | st.integers(1, 6)
verbs = st.sampled_from(("roll", "select", "bank", "take-over", "wild-roll"))
rolling = st.sampled_from(("roll", "bank", "wild-roll"))


class Play(Machine):
    @rule(how=hows)
    @precondition(in_play)
    def roll(self, how: How) -> None:
        self.w.act(self.w.mover(), "roll", None, how)

    @rule(pick=picks, how=hows)
    @precondition(to_select)
    def select(self, pick: int, how: How) -> None:
        self.w.act(self.w.mover(), "select", chosen(self.legal, pick), how)

    @rule(pick=picks, how=hows)
    @precondition(to_select)
    def select_and_bank(self, pick: int, how: How) -> None:
        self.w.act(self.w.mover(), "bank", {"select": chosen(self.legal, pick)}, how)

    @rule(pick=picks, verb=rolling, how=hows)
    @precondition(to_select)
    def both_steps_or_neither(self, pick: int, verb: str, how: How) -> None:
        self.w.act(self.w.mover(), verb, {"select": chosen(self.legal, pick)}, how)

    @rule(how=hows)
    @precondition(lambda self: in_play(self) and "bank" in self.legal["commands"])
    def bank(self, how: How) -> None:
        self.w.act(self.w.mover(), "bank", None, how)

    @rule(how=hows)
    @precondition(lambda self: in_play(self) and self.table.view(None)["take_over"] is not None)
    def take_over(self, how: How) -> None:
        self.w.act(self.w.mover(), "take-over", {}, how)

    @rule(how=hows)
    @precondition(lambda self: in_play(self) and "wild-roll" in self.legal["commands"])
    def wild_roll(self, how: How) -> None:
        self.w.act(self.w.mover(), "wild-roll", None, how)

    @rule(verb=st.sampled_from(("select", "roll", "bank", "wild-roll")), dice=dice, face=faces)
    @precondition(in_play)
    def any_dice(self, verb: str, dice: list[int], face: int | None) -> None:
        body: Json = {"dice": dice} if face is None else {"dice": dice, "wild_face": face}
        self.w.act(self.w.mover(), verb, body if verb == "select" else {"select": body})

    @rule(by=st.none() | people, verb=verbs)
    def anybody_at_any_time(self, by: int | None, verb: str) -> None:
        """Before the start, after the end, out of turn, without a seat, without a token."""
        body = {"dice": [0]} if verb == "select" else None
        self.w.act(None if by is None else self.person(by), verb, body)

    @rule(by=people, seat=seats)
    @precondition(in_play)
    def resign(self, by: int, seat: int) -> None:
        """Seats of one's own are given up less often than tried for."""
        if (
            self.table.version % 3
            and self.w.foretold(self.person(by), "resign", {"seat": seat}) is None
        ):
            return
        self.w.act(self.person(by), "resign", {"seat": seat})

    @rule(by=people, seat=seats, how=hows)
    def skip_next(self, by: int, seat: int, how: How) -> None:
        host = self.w.host if by else self.person(by)
        self.w.act(host, "skip-next", {"seat": seat}, how)
