"""When a command counts as given, and what goes in front of it because time went by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.ports import Gap, Head
from engine.commands import Command, End, EndOnClock, ExtendClocks, Return
from engine.deadlines import game_deadline, has_deadline, has_run_out, running_since
from engine.state import Lobby, Playing, Sealing
from engine.units import Millis, Seat


def moment(head: Head, at: Millis) -> Millis:
    """Where clocks run, the clock that all processes share decides; else this process' own."""
    game = head.game
    is_shared = game.setup.clocks is not None
    if not isinstance(game, Playing) and not is_shared:
        is_shared = isinstance(game, Sealing) or (isinstance(game, Lobby) and bool(game.commits))
    return head.read_at if is_shared and head.read_at else at


def credits_of(head: Head, gaps: Sequence[Gap], at: Millis) -> Iterable[ExtendClocks]:
    """The times without service that this game's clocks have yet to be told of."""
    game = head.game
    if not gaps or not isinstance(game, Sealing | Playing) or gaps[-1].number <= game.gap:
        return
    if not has_deadline(game):
        return
    for gap in gaps:
        if gap.number > game.gap and gap.ended > running_since(game):
            yield ExtendClocks(at, gap.number, gap.began, gap.ended)


def closing(head: Head, at: Millis) -> End | EndOnClock:
    """What ends a game before its end, whoever may do so; once its clock has run out, that does."""
    play, now = head.game, moment(head, at)
    if isinstance(play, Playing) and has_run_out(game_deadline(play), now):
        return EndOnClock(now)
    return End(now)


def returns(head: Head, held: Iterable[Seat], at: Millis) -> Sequence[Command]:
    """The player of these seats is back, where bots stood in."""
    play = head.game
    if not isinstance(play, Playing):
        return ()
    return [Return(at, seat) for seat in held if play.seats[seat].stand_in is not None]
