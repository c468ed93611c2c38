"""Contributions to the dice: who is in the seal, what fails an attempt, and what that leads to."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from typing import Any

import pytest

from engine import Game, Lobby, transition
from engine import commands as co
from engine import events as ev
from engine.bots import VERSIONS
from engine.dice import NO_SEAL, block, bot_block, seal, server_commit
from engine.figures import counted
from engine.state import Finished, Playing, Policy, Sealing
from tests.api.contributing import lp, seat_commit, u32
from tests.engine.spec import Given, T, given, opened, roll, rules, table

FARKLE = rules("farkle")
GAME = "g_spec"
LATE = T + 5_000 + 501
BOTS = (Policy("cautious", VERSIONS["cautious"]),)
C2, C3, C4 = "c2" * 32, "c3" * 32, "c4" * 32


def value(epoch: int, seat: int) -> bytes:
    """What a seat contributes to an attempt."""
    return bytes([16 * epoch + seat + 1]) * 32


def commit_of(epoch: int, seat: int) -> str:
    return seat_commit(GAME, epoch, seat, value(epoch, seat))


def commit(seat: int, epoch: int = 0) -> co.CommitEntropy:
    return co.CommitEntropy(T, seat, commit_of(epoch, seat))


def reveal(seat: int, epoch: int = 0, at: int = T) -> co.RevealEntropy:
    return co.RevealEntropy(at, seat, value(epoch, seat).hex(), commit_of(epoch + 1, seat))


def revealed(seat: int, epoch: int = 0, at: int = T) -> ev.EntropyRevealed:
    return ev.EntropyRevealed(at, seat, epoch, value(epoch, seat).hex(), commit_of(epoch + 1, seat))


def lobby(seats: str = "hh", *commits: int, **settings: Any) -> Given:
    return given(opened(table(FARKLE, seats, **settings))).after(*map(commit, commits))


def sealing(seats: str = "hh", *commits: int, **settings: Any) -> Given:
    return lobby(seats, *commits, **settings).after(co.Start(T, C2))


def sealed(epoch: int, server: str, *seats: int) -> str:
    """G of an attempt, written out: docs/fairness.md, "Formulas"."""
    data = lp(b"pf1/seal") + lp(GAME.encode()) + u32(epoch) + lp(bytes(32))
    data += lp(bytes.fromhex(server)) + u32(len(seats))
    data += b"".join(u32(seat) + lp(value(epoch, seat)) for seat in seats)
    return sha256(data).hexdigest()


def test_the_seal_holds_exactly_the_seats_that_committed() -> None:
    found = lobby("hhhb").when(commit(2)).then(ev.EntropyCommitted(T, 2, 0, commit_of(0, 2)))
    found = found.after(commit(0))
    commits = ((0, commit_of(0, 0)), (2, commit_of(0, 2)))
    found = found.when(co.Start(T, C2)).then(ev.EntropyClosed(T, 0, commits, C2, T + 5_000))
    assert isinstance(found.game, Sealing)
    found = found.when(reveal(2)).then(revealed(2))
    found = found.when(reveal(0, at=T + 9)).then(
        revealed(0, at=T + 9),
        ev.EntropySealed(T + 9, 0, sealed(0, "a0" * 32, 0, 2), (0, 2)),
        ev.GameStarted(T + 9, 0, BOTS),
    )
    assert (found.play.mixed, found.play.epoch) == ((0, 2), 0)


def test_a_seat_that_does_not_reveal_fails_the_attempt_and_is_out() -> None:
    found = sealing("hhh", 0, 1, 2).after(reveal(0), reveal(2))
    found.when(co.FailSealing(LATE - 1, C3)).then()
    closed = ((0, commit_of(1, 0)), (2, commit_of(1, 2)))
    found = found.when(co.FailSealing(LATE, C3)).then(
        ev.EntropyFailed(LATE, 0, (1,)), ev.EntropyClosed(LATE, 1, closed, C3, LATE + 5_000)
    )
    found.when(reveal(1, 1, LATE)).refused("nothing_to_reveal", seat=1, epoch=1)
    found.when(reveal(0, 0, LATE)).refused("reveal_does_not_match", seat=0, epoch=1)
    found = found.after(reveal(0, 1, LATE))
    found = found.when(reveal(2, 1, LATE)).then(
        revealed(2, 1, LATE),
        ev.EntropySealed(LATE, 1, sealed(1, "b1" * 32, 0, 2), (0, 2)),
        ev.GameStarted(LATE, 0, ()),
    )
    assert (found.play.epoch, found.play.mixed) == (1, (0, 2))
    assert found.play.setup.server_commits == ("a0" * 32, "b1" * 32, C2, C3)


def test_where_nobody_is_left_the_host_has_to_say_so() -> None:
    found = sealing("hhh", 0, 1).after(reveal(0), co.FailSealing(LATE, C3))
    again = LATE + 5_000 + 501
    found = found.when(co.FailSealing(again, C4)).then(ev.EntropyFailed(again, 1, (0,)))
    assert isinstance(found.game, Lobby)
    assert (found.game.epoch, found.game.failed, found.game.commits) == (2, (0, 1), ())
    found.when(co.Start(again, C4)).refused("sealing_failed", failed_attempts=2)
    found.when(commit(0, 2)).refused("contributes_no_more", seat=0)
    openly = found.when(co.Start(again, C4, server_committed_only=True)).then(
        ev.EntropyClosed(again, 2, (), C4, None),
        ev.EntropySealed(again, 2, sealed(2, C2), ()),
        ev.GameStarted(again, 0, ()),
    )
    assert (openly.play.epoch, openly.play.mixed) == (2, ())
    # A seat that has not failed may try; its commitment is to attempt 2.
    tried = found.after(commit(2, 2), co.Start(again, C4))
    done = tried.after(reveal(2, 2, again))
    assert (done.play.epoch, done.play.mixed) == (2, (2,))


def test_strangers_play_on_without_contributions() -> None:
    found = sealing("hh", 1, host=None)
    found = found.when(co.FailSealing(LATE, C3)).then(
        ev.EntropyFailed(LATE, 0, (1,)),
        ev.EntropyClosed(LATE, 1, (), C3, None),
        ev.EntropySealed(LATE, 1, sealed(1, "b1" * 32), ()),
        ev.GameStarted(LATE, 0, ()),
    )
    assert found.play.mixed == ()


@pytest.mark.parametrize("reveals", list(product([False, True], repeat=3)), ids=str)
def test_attempts_end_after_as_many_as_seats_contribute(reveals: tuple[bool, ...]) -> None:
    """Each failed attempt costs a contributor, whoever stays away."""
    found, at, attempts = sealing("hhh", 0, 1, 2), T, 0
    while isinstance(found.game, Sealing):
        epoch = found.game.epoch
        waiting = found.game.missing
        for seat in waiting[:-1] if not reveals[epoch] else waiting:
            found = found.after(reveal(seat, epoch, at))
        if isinstance(found.game, Sealing):
            at += 5_000 + 501
            found = found.after(co.FailSealing(at, f"{epoch + 3:064x}"))
            attempts += 1
    assert attempts <= 3
    assert isinstance(found.game, Lobby | Playing)
    assert found.game.epoch == attempts


def test_a_reveal_after_the_deadline_does_not_count() -> None:
    found = sealing("hh", 0, 1)
    found.when(reveal(0, at=LATE)).refused("time_is_up")
    found.when(reveal(0, at=LATE - 1)).then(revealed(0, at=LATE - 1))


def test_downtime_moves_the_deadline_once() -> None:
    found = sealing("hh", 0, 1)
    gap = co.ExtendClocks(T + 60_000, 7, T + 1_000, T + 60_000)
    found = found.when(gap).then(ev.ClockExtended(T + 60_000, 7, T + 1_000, T + 60_000, 59_000))
    found.when(gap).then()
    found.when(co.FailSealing(LATE + 58_999, C3)).then()
    found.when(reveal(0, at=T + 60_000)).then(revealed(0, at=T + 60_000))
    begun = sealing("hh", 0).after(gap, reveal(0, at=T + 60_000))
    assert begun.play.gap == 7, "the game does not count it again"


def test_a_seat_given_up_while_sealing_stays_in_the_attempt() -> None:
    found = sealing("hhh", 0, 1)
    found = found.when(co.Resign(T, 0)).then(ev.SeatResigned(T, 0, 0, 0, 0))
    found.when(co.Resign(T, 0)).refused("seat_not_active", seat=0)
    found.when(co.Resign(T, 9)).refused("no_such_seat", seats=3)
    found = found.after(reveal(1), co.FailSealing(LATE, C3))
    assert isinstance(found.game, Sealing)
    assert (found.game.resigned, found.game.commits) == ((0,), ((1, commit_of(1, 1)),))
    begun = found.after(reveal(1, 1, LATE))
    assert begun.to_roll == 1
    assert [seat.active for seat in begun.play.seats] == [False, True, True]


def test_who_gave_up_is_not_in_the_lobby_a_failed_sealing_leads_to() -> None:
    found = sealing("hhh", 0).after(co.Resign(T, 0))
    found = found.when(co.FailSealing(LATE, C3)).then(
        ev.EntropyFailed(LATE, 0, (0,)),
        ev.PlayerLeft(LATE, 0, "p0", False),
        ev.HostChanged(LATE, 1, "p1"),
    )
    assert isinstance(found.game, Lobby)
    assert found.game.resigned == ()


def test_the_end_while_sealing_is_that_of_a_lobby() -> None:
    for command in (co.End(T), co.Resign(T, 1)):
        game = sealing("hh", 0).after(command).game
        assert isinstance(game, Finished)
        assert (game.result.reason, game.result.winners) == ("ended_early", ())
        assert game.seal == ""
    voided = sealing("hh", 0).after(co.VoidGame(T)).game
    assert isinstance(voided, Finished)
    assert voided.result.reason == "voided"


def test_play_does_not_mix_with_sealing() -> None:
    found = sealing("hh", 0)
    found.when(roll(0, 1)).refused("not_started")
    found.when(co.Join(T, "p9")).refused("already_started")
    found.when(commit(1)).refused("already_started")
    found.when(co.Start(T, C3)).refused("already_started")


# What an alliance can do


SECRETS = tuple(bytes([e]) * 32 for e in range(9))


def outcomes(allied: frozenset[int], honest: frozenset[int]) -> Iterator[tuple[int, str]]:
    """
    Every (failed attempts, seal) that an alliance of the server and these seats can bring about.

    It knows the server's secrets and sees honest reveals first; whether its own seats reveal is
    all that is left to choose.
    """
    commits = tuple(server_commit(GAME, e, secret).hex() for e, secret in enumerate(SECRETS))
    seats = sorted(allied | honest)
    start = lobby("h" * len(seats), *seats, server_commits=commits[:2])

    def play(game: Game | None, epoch: int, at: int) -> Iterator[tuple[int, str]]:
        if isinstance(game, Playing):
            yield game.epoch, game.seal
            return
        if not isinstance(game, Sealing):
            return  # the lobby again: everybody of the alliance is out
        mine = [seat for seat in game.missing if seat in allied]
        for chosen in product([True, False], repeat=len(mine)):
            shows = [seat for seat, yes in zip(mine, chosen, strict=True) if yes]
            found = given(game).after(
                *(reveal(seat, epoch, at) for seat in (*sorted(honest), *shows))
            )
            if isinstance(found.game, Sealing):
                found = found.after(co.FailSealing(at + 5_501, commits[epoch + 3]))
            yield from play(found.game, epoch + 1, at + 5_501)

    yield from play(start.after(co.Start(T, commits[2])).game, 0, T)


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_an_alliance_has_one_seal_more_for_each_failed_attempt(k: int) -> None:
    """Within one way of giving up its seats it sees at most f + 1 seals, and f is in the log."""
    allied, honest = frozenset(range(k)), frozenset([k])
    found = set(outcomes(allied, honest))
    assert {failed for failed, _ in found} == set(range(k + 1))
    assert len([s for failed, s in found if failed == 0]) == 1, "no choice without a failure"
    # Who gives up its seats one after the other gets the most: k failures, k + 1 seals.
    path = sorted(allied)
    seals = []
    for failures in range(k + 1):
        left = path[failures:]
        mixed = [(seat, value(failures, seat)) for seat in (*left, *honest)]
        commit_ = server_commit(GAME, failures, SECRETS[failures])
        seals.append((failures, seal(GAME, failures, NO_SEAL, commit_, sorted(mixed)).hex()))
    assert set(seals) <= found
    assert len(set(seals)) == k + 1


# Leaving before the first roll


def log_of(*commands: co.Command) -> list[ev.Event]:
    game: Game | None = None
    log: list[ev.Event] = []
    for command in commands:
        step = transition(game, command)
        log += step.events
        game = step.game
    return log


def create(seats: str) -> co.Create:
    return co.Create(T, table(FARKLE, seats))


CONTRIBUTED: list[co.Command] = [commit(0), co.Start(T, C2), reveal(0)]
ALONE: list[co.Command] = [co.Start(T, C2)]


@pytest.mark.parametrize(
    ("before", "resigns", "counts"),
    [
        (CONTRIBUTED, 1, None),
        (CONTRIBUTED, 0, [0, 1]),
        (ALONE, 0, None),
        (ALONE, 1, None),
        ([commit(0), co.Start(T, C2)], 1, None),
    ],
)
def test_a_seat_that_is_not_mixed_leaves_without_loss(
    before: list[co.Command], resigns: int, counts: list[int] | None
) -> None:
    game = counted(log_of(create("hh"), *before, co.Resign(T, resigns)))
    assert (None if game is None else [row.seat for row in game.seats]) == counts


def test_after_the_first_roll_it_is_a_resignation_like_any_other() -> None:
    game = counted(log_of(create("hh"), *ALONE, roll(0, 1, 2, 3, 4, 6, 6), co.Resign(T, 1)))
    assert game is not None
    assert [(row.seat, row.won) for row in game.seats] == [(0, True), (1, False)]


def test_the_others_play_on_for_their_figures() -> None:
    commands: list[co.Command] = [
        *CONTRIBUTED,
        co.Resign(T, 2),
        roll(0, 1, 2, 3, 4, 6, 6),
        co.Resign(T, 1),
    ]
    game = counted(log_of(create("hhh"), *commands))
    assert game is not None
    assert [(row.seat, row.won) for row in game.seats] == [(0, True), (1, False)]


# The bots' chance


def test_the_chance_of_bots() -> None:
    """The vector was computed with Python's hmac, from two SHA-256 by hand, and with openssl."""
    expected = "d50605860d6f4d05197f8cd73165e84b7bc6e644bc49fe330b3e0b1c679938b4"
    assert bot_block(bytes(range(32)), "g_test_0001", 2, 5).hex() == expected


def test_bots_and_dice_share_no_block() -> None:
    blocks = {bot_block(bytes(range(32)), "g_test_0001", s, k) for s in range(8) for k in range(9)}
    assert len(blocks) == 72
    rolled = {block(bytes(range(32)), "g_test_0001", 0, i, NO_SEAL, 0) for i in range(99)}
    assert not blocks & rolled
