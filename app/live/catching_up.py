"""
How a follower that is behind catches up: from the ring, or from the log, as fast as it reads.

It joins the channel in the loop step in which it has everything, so nothing falls between.
"""

from __future__ import annotations

import asyncio

from app.errors import GameArchived
from app.live.channel import Follower
from app.live.frames import Step
from app.live.source import Source, head_at
from engine.errors import BrokenHistory
from engine.state import Game

READ_AT_ONCE = 128
"""Events."""

FRAMES_AT_ONCE = 4
"""Full ones, before others have their turn: about a millisecond."""


async def catch_up(follower: Follower, after: int, source: Source) -> None:
    """
    Sends every step after a version; returns once the follower is live, or its stream has ended.

    Raises: StoreUnavailable, Overloaded, GameArchived, BrokenHistory.
    """
    channel, outbox = follower.channel, follower.connection.outbox
    folded: tuple[Game | None, int] = (None, 0)
    asked = after
    while True:
        await outbox.clear()
        if outbox.ended is not None:
            return
        steps = channel.since(after)
        if steps is None:
            after, folded = await _from_log(follower, after, folded, source, after > asked)
        elif steps:
            for step in steps:
                if not outbox.is_clear:
                    break
                outbox.send(step.frame(follower.view, after))
                after = step.version
        else:
            channel.go_live(follower)
            return


async def _from_log(
    follower: Follower,
    after: int,
    folded: tuple[Game | None, int],
    source: Source,
    is_an_end: bool,
) -> tuple[int, tuple[Game | None, int]]:
    """
    Sends a few commands; the version sent last, and the game at it where it is needed.

    Args:
        is_an_end: a command ended with `after`; else what follows may be the rest of one.
    """
    channel, outbox = follower.channel, follower.connection.outbox
    async with source.behind:
        found = await source.store.commands(channel.game_id, after, READ_AT_ONCE)
    if not found:
        raise GameArchived
    if found[0][0].version != after + 1:
        raise BrokenHistory(f"a gap in {channel.game_id} after version {after}")
    is_full = follower.view == "full"
    game = await source.state_at(channel.game_id, after, folded) if is_full else None
    for number, records in enumerate(found, 1):
        await outbox.clear()
        if outbox.ended is not None or records[-1].version > channel.version:
            break  # what the channel has not read yet, it will hand on itself
        version, now = records[-1].version, source.now()
        step = source.replayed.find(channel.game_id, follower.view, version, now)
        if step is None:
            head = channel.head
            if is_full:
                head = head_at(head, source.fold(game, records), records[-1])
            else:
                head = head._replace(version=version)
            step = Step(source.render, records, head, now)
            if is_an_end or number > 1:
                source.replayed.keep(channel.game_id, follower.view, step)
        if is_full:
            game = step.head.game
        outbox.send(step.frame(follower.view, after))
        after = version
        if number % FRAMES_AT_ONCE == 0:
            await asyncio.sleep(0)
    return after, (game, after)
