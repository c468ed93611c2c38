"""
Before the first roll the dice are sealed: seats commit, the host starts, all reveal; or not.

Each function is one command of pf1's steps 2 to 5. A seal holds exactly the seats of its attempt;
where one of them stays away the attempt has failed, and the others go on to the next without it.
Source: docs/fairness.md, "Steps and events".
"""

from __future__ import annotations

from engine import commands as co
from engine import events as ev
from engine.bots.versions import VERSIONS
from engine.deadlines import has_run_out
from engine.dice import NO_SEAL, seal, seat_commit
from engine.errors import (
    AlreadyRevealed,
    ContributesNoMore,
    NoSuchSeat,
    NothingToReveal,
    RevealDoesNotMatch,
    SealingFailed,
    SeatNotActive,
    SeatsContribute,
    SeatsEmpty,
    TimeIsUp,
    TooFewSeats,
)
from engine.guards import in_lobby, in_sealing
from engine.lobby import close, leave
from engine.seating import first_seat, opening_seats
from engine.state import Lobby, Policy, Sealing, Setup
from engine.turns import Flow, pass_on
from engine.units import Millis


def commit_entropy(flow: Flow, command: co.CommitEntropy) -> None:
    """A seat's commitment, in the place of an earlier one. The same one again changes nothing."""
    lobby = in_lobby(flow.game)
    places, seat = lobby.setup.places, command.seat
    if not 0 <= seat < len(places):
        raise NoSuchSeat(seats=len(places))
    if places[seat].player_id is None:
        raise SeatNotActive(seat=seat)
    if seat in lobby.failed:
        raise ContributesNoMore(seat=seat)
    if dict(lobby.commits).get(seat) != command.commit:
        flow.emit(ev.EntropyCommitted(flow.at, seat, lobby.epoch, command.commit))


def start(flow: Flow, command: co.Start) -> None:
    """Closes the attempt. Where nobody contributes, the seal follows, and the first turn."""
    lobby = in_lobby(flow.game)
    setup = lobby.setup
    empty = [s for s, p in enumerate(setup.places) if p.kind == "human" and not p.player_id]
    if empty:
        raise SeatsEmpty(seats=empty)
    playing = sum(place.kind != "closed" for place in setup.places)
    if playing < setup.rules.seats_min or playing < 1:
        raise TooFewSeats(needed=max(setup.rules.seats_min, 1), seats=playing)
    if lobby.commits and command.server_committed_only:
        raise SeatsContribute(seats=[seat for seat, _ in lobby.commits])
    if not lobby.commits and lobby.epoch and not command.server_committed_only:
        raise SealingFailed(failed_attempts=lobby.epoch)
    _close_attempt(flow, command.server_commit, command.reveal_ms)


def _close_attempt(flow: Flow, server_commit: str, reveal_ms: Millis) -> None:
    lobby = in_lobby(flow.game)
    reveal_by = flow.at + reveal_ms if lobby.commits else None
    flow.emit(ev.EntropyClosed(flow.at, lobby.epoch, lobby.commits, server_commit, reveal_by))
    if not lobby.commits:
        _seal(flow)


def reveal_entropy(flow: Flow, command: co.RevealEntropy) -> None:
    """A seat's contribution; with the last one the dice are sealed, and the first turn begins."""
    sealing, seat = in_sealing(flow.game), command.seat
    commit = dict(sealing.commits).get(seat)
    if commit is None:
        raise NothingToReveal(seat=seat, epoch=sealing.epoch)
    if seat in sealing.revealed:
        raise AlreadyRevealed(seat=seat)
    if has_run_out(sealing.reveal_by, flow.at):
        raise TimeIsUp()
    seed = bytes.fromhex(command.seed)
    if seat_commit(sealing.setup.game_id, sealing.epoch, seat, seed).hex() != commit:
        raise RevealDoesNotMatch(seat=seat, epoch=sealing.epoch)
    flow.emit(ev.EntropyRevealed(flow.at, seat, sealing.epoch, command.seed, command.next_commit))
    if not in_sealing(flow.game).missing:
        _seal(flow)


def _seal(flow: Flow) -> None:
    """Every seat of the attempt has revealed: the dice are fixed, and play begins."""
    sealing = in_sealing(flow.game)
    setup, epoch = sealing.setup, sealing.epoch
    commit = bytes.fromhex(setup.server_commits[epoch])
    mixed = [(each.seat, bytes.fromhex(each.seed)) for each in sealing.reveals]
    sealed = seal(setup.game_id, epoch, NO_SEAL, commit, mixed).hex()
    flow.emit(ev.EntropySealed(flow.at, epoch, sealed, sealing.revealed))
    flow.emit(ev.GameStarted(flow.at, first_seat(setup, sealing.resigned), _policies(setup)))
    pass_on(flow)


def _policies(setup: Setup) -> tuple[Policy, ...]:
    seated = {place.character for place in setup.places if place.kind == "bot"}
    return tuple(Policy(name, version) for name, version in VERSIONS.items() if name in seated)


def fail_sealing(flow: Flow, command: co.FailSealing) -> None:
    """
    The clock of the reveals is at zero. What is not due changes nothing.

    Who did not reveal contributes no more. The others go on; where nobody is left, the host is
    asked, and where there is no host, strangers play with what the server has committed to.
    """
    sealing = in_sealing(flow.game)
    if not has_run_out(sealing.reveal_by, flow.at):
        return
    flow.emit(ev.EntropyFailed(flow.at, sealing.epoch, sealing.missing))
    if in_lobby(flow.game).commits or sealing.setup.host is None:
        _close_attempt(flow, command.server_commit, command.reveal_ms)
        return
    for player_id in _gone(sealing):
        if isinstance(flow.game, Lobby):
            leave(flow, co.Leave(flow.at, player_id))


def _gone(sealing: Sealing) -> list[str]:
    """Players who have given up every seat they held."""
    places = list(enumerate(sealing.setup.places))
    stay = {place.player_id for seat, place in places if seat not in sealing.resigned}
    held = {place.player_id: None for _, place in places if place.player_id is not None}
    return [player_id for player_id in held if player_id not in stay]


def resign(flow: Flow, command: co.Resign) -> None:
    """
    A seat is given up before the first roll. What it has committed to stays in the attempt.

    With fewer than two seats left the table closes: nothing was played, nobody wins.
    """
    sealing, seat = in_sealing(flow.game), command.seat
    places = sealing.setup.places
    if not 0 <= seat < len(places):
        raise NoSuchSeat(seats=len(places))
    if places[seat].kind == "closed" or seat in sealing.resigned:
        raise SeatNotActive(seat=seat)
    total = opening_seats(sealing.setup)[seat].score
    flow.emit(ev.SeatResigned(flow.at, seat, 0, 0, total))
    if len(active(in_sealing(flow.game))) < 2:
        close(flow)


def active(sealing: Sealing) -> tuple[int, ...]:
    """The seats that will play."""
    return tuple(
        seat
        for seat, place in enumerate(sealing.setup.places)
        if place.kind != "closed" and seat not in sealing.resigned
    )
