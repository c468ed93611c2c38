"""A log folded anew on the command line: does it say what is stored?"""

from __future__ import annotations

import json
from typing import Any

from app.clock import SystemClock
from app.ports import Head
from app.store.archive import found
from app.store.database import open_existing
from app.store.heads import encode_play, encode_setup
from app.store.queries import SqlEventStore
from app.store.rebuild import replay


class NoSuchGame(Exception):
    """Neither a log nor a stored head has this id."""


class Differs(Exception):
    """The stored head is not what the log leads to; one sentence says where."""


async def replayed(database_url: str, game_id: str) -> str:
    """
    The state a game's log leads to, as JSON, after a comparison with the stored head.

    Raises: NoSuchGame, BrokenHistory, Differs, StoreUnavailable, UnfitDatabase.
    """
    database = open_existing(database_url)
    try:
        store = SqlEventStore(database, SystemClock())
        stored = await store.head(game_id)
        fold = await replay(store, game_id)
        in_archive = fold.game is None and await found(database, game_id) is not None
    finally:
        await database.dispose()
    if in_archive:
        raise NoSuchGame("The log of this game is in an archive; hotdice restore brings it back.")
    if stored is None and fold.game is None:
        raise NoSuchGame("There is no such game in this database.")
    if stored is None:
        raise Differs(f"The log has {fold.version} events, but no head is stored.")
    folded = fold.head(stored.names, stored.join_code)
    if places := _differences(stored, folded):
        raise Differs(f"The stored head differs from the log in: {', '.join(places)}.")
    return json.dumps(_shown(folded), indent=2, ensure_ascii=False)


def _differences(stored: Head, folded: Head) -> list[str]:
    if stored.version != folded.version:
        return [f"version ({stored.version} stored, {folded.version} in the log)"]
    places = [
        name
        for name in ("hash", "created_at", "join_code")
        if getattr(stored, name) != getattr(folded, name)
    ]
    if type(stored.game) is not type(folded.game):
        return [*places, "phase"]
    return places + [
        name
        for name in folded.game._fields
        if getattr(stored.game, name) != getattr(folded.game, name)
    ]


def _shown(head: Head) -> dict[str, Any]:
    play = encode_play(head.game)
    return {
        "game": head.game.setup.game_id,
        "version": head.version,
        "hash": head.hash.hex(),
        "phase": type(head.game).__name__.lower(),
        "setup": json.loads(encode_setup(head.game.setup)),
        "play": None if play is None else json.loads(play),
    }
