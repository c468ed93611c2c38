"""When watches look, what they ask, and what they make of it; on a store of this test's own."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Collection
from typing import Any, cast

import pytest

from app.errors import StoreUnavailable
from app.live.connections import Connection
from app.live.frames import Ending, Frame, Renderer
from app.live.players import PlayersWatch
from app.live.source import Source
from app.live.watch import Watcher
from app.ports import EventStore, Head, Sitting, Summary
from app.store.codec import decode
from engine.state import Finished, Game, Lobby, Place, Playing, Result, SeatState, ToRoll, ToSelect
from tests.store.orders import NOW, StoppedClock, setup_of

ANA, BO = "ana", "bo"
SEATS = tuple(SeatState(0, False, 0, True, False, 0) for _ in range(8))


class Peer:
    """A wire whose end the test holds."""

    def __init__(self) -> None:
        self.paused = False
        self.is_owed = False
        self.on_resume: Callable[[], None] | None = None
        self.on_text: Callable[[str], bool] | None = None
        self.unsent = 0
        self.heard_at = None
        self.told: list[dict[str, Any]] = []
        self.closed: Ending | None = None

    def write(self, frame: Frame) -> None:
        self.told.append(json.loads(frame.payload))

    def close(self, ending: Ending) -> None:
        self.closed = ending

    def forgive(self) -> None: ...

    async def gone(self) -> None: ...

    def resume(self) -> None:
        self.paused = False
        assert self.on_resume is not None
        self.on_resume()

    def kinds(self) -> list[str]:
        """Of what it was told since it was last asked."""
        found = [message["type"] for message in self.told]
        self.told.clear()
        return found


class Games:
    """A store of games that the test moves; counts what it is asked."""

    def __init__(self) -> None:
        self.heads: dict[str, Head] = {}
        self.asked = 0
        self.fails: Exception | None = None

    def put(self, game: Game, version: int) -> None:
        names = (None,) * len(game.setup.places)
        self.heads[game.setup.game_id] = Head(game, version, b"", names, None, NOW)

    async def sittings(self, player_ids: Collection[str]) -> list[Sitting]:
        self.asked += 1
        await asyncio.sleep(0)
        if self.fails is not None:
            raise self.fails
        return [
            Sitting(place.player_id, game_id, head.version)
            for game_id, head in self.heads.items()
            for place in head.game.setup.places
            if place.player_id
            and place.player_id in player_ids
            and not isinstance(head.game, Finished)
        ]

    async def summaries(self, game_ids: Collection[str]) -> dict[str, Summary]:
        return {g: Summary(self.heads[g], NOW) for g in game_ids if g in self.heads}


@pytest.fixture
def games() -> Games:
    return Games()


@pytest.fixture
def watch(games: Games) -> PlayersWatch:
    store = cast(EventStore, games)
    return PlayersWatch(Source(store, decode, cast(Renderer, None), StoppedClock()))


def enter(watch: PlayersWatch, player_id: str = ANA) -> tuple[Peer, Watcher]:
    peer = Peer()
    return peer, watch.enter(Connection(peer, "", 0.0), player_id)


def lobby(*players: str) -> Lobby:
    setup = setup_of("g", ANA)
    places = tuple(Place("human", None, player) for player in players)
    return Lobby(setup._replace(places=places))


def playing(turn: ToRoll | ToSelect, rolls: int = 0) -> Playing:
    setup = lobby(ANA, BO).setup
    return Playing(setup, SEATS[:2], turn, None, None, (), rolls, (), 0, "", NOW)


def rolled(seat: int, began_at: int) -> ToSelect:
    return ToSelect(seat, began_at, (1,) * 6, 0, 63, False, 0, 0, 0, 0, 0, 0, 0, ())


async def test_one_query_for_all_and_one_look_for_many_hints(
    games: Games, watch: PlayersWatch
) -> None:
    games.put(lobby(ANA, BO), 2)
    peers = [enter(watch, player)[0] for player in (ANA, BO) for _ in range(50)]
    await watch.next()
    assert games.asked == 1
    assert all(peer.kinds() == ["games"] for peer in peers)
    for version in range(3, 200):
        games.put(lobby(ANA, BO), version)
        watch.hear("g", version)
    await asyncio.sleep(0.1)
    assert games.asked <= 3
    assert all(peer.told[-1]["version"] == 199 for peer in peers)


async def test_a_hint_of_an_unknown_game_is_looked_into_soon(
    games: Games, watch: PlayersWatch
) -> None:
    peer, _ = enter(watch)
    await watch.next()
    games.put(lobby(ANA), 1)
    for other in range(100):
        watch.hear(f"other {other}", 1)
    await asyncio.sleep(0.3)
    assert peer.kinds() == ["games", "seated"]
    assert games.asked == 2
    watch.hear("g", 1)  # nothing new in it
    await asyncio.sleep(0.05)
    assert games.asked == 2


async def test_nobody_watches_nothing_is_asked(games: Games, watch: PlayersWatch) -> None:
    _, watcher = enter(watch)
    watch.leave(watcher, ANA)
    watch.leave(watcher, ANA)
    await watch.poll()
    watch.hear("g", 7)
    await watch.next()
    assert games.asked == 0


async def test_who_is_behind_gets_the_list_again(games: Games, watch: PlayersWatch) -> None:
    peer, _ = enter(watch)
    await watch.next()
    peer.paused = True
    games.put(lobby(ANA, BO), 2)
    await watch.next()
    games.put(playing(ToRoll(0, NOW)), 3)
    await watch.next()
    assert peer.kinds() == ["games"]
    peer.resume()
    await watch.next()
    [listed] = peer.told
    assert listed["games"] == [
        {"game_id": "g", "version": 3, "status": "playing", "to_move": 0, "seats": [0]}
    ]
    peer.told.clear()
    games.put(playing(ToRoll(1, NOW + 1)), 4)
    await watch.next()
    assert peer.kinds() == ["moved"]


async def test_a_database_that_is_away_delays_and_loses_nothing(
    games: Games, watch: PlayersWatch
) -> None:
    peer, _ = enter(watch)
    await watch.next()
    games.fails = StoreUnavailable()
    games.put(playing(ToRoll(0, NOW)), 3)
    with pytest.raises(StoreUnavailable):
        await watch.poll()
    assert peer.closed is None
    games.fails = None
    await watch.poll()
    assert peer.kinds() == ["games", "seated", "started", "your_turn"]


async def test_a_fault_of_ours_ends_the_streams(games: Games, watch: PlayersWatch) -> None:
    peer, _ = enter(watch)
    games.fails = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        await watch.poll()
    assert peer.closed is not None
    assert peer.closed.close == 1011


async def test_no_turn_is_swallowed_whatever_the_clocks_say(
    games: Games, watch: PlayersWatch
) -> None:
    """Looks that see Ana to move at both ends, her turns begun in the same millisecond."""
    peer, _ = enter(watch)
    versions = itertools.count(1)

    async def told(turn: ToRoll | ToSelect, rolls: int) -> list[str]:
        games.put(playing(turn, rolls), next(versions))
        await watch.next()
        return peer.kinds()

    assert await told(ToRoll(0, NOW), 0) == ["games"]
    assert await told(ToRoll(0, NOW), 0) == ["moved"]  # a seat resigned, say
    assert await told(rolled(0, NOW), 1) == ["moved"]  # the same turn
    assert await told(ToRoll(0, NOW), 3) == ["your_turn"]
    assert await told(ToRoll(0, NOW), 5) == ["your_turn"]
    assert await told(rolled(0, NOW - 1), 6) == ["your_turn"]  # begun and rolled between looks
    assert await told(ToRoll(1, NOW), 7) == ["moved"]
    assert await told(ToRoll(0, NOW), 9) == ["your_turn"]


async def test_the_end_of_a_game_is_told(games: Games, watch: PlayersWatch) -> None:
    peer, _ = enter(watch)
    games.put(lobby(ANA, BO), 2)
    await watch.next()
    setup = lobby(ANA, BO).setup
    result = Result("ended_early", (), ())
    games.put(Finished(setup, SEATS[:2], result, 0, 0, "", NOW, NOW), 3)
    await watch.next()
    assert peer.kinds() == ["games", "ended"]
    await watch.next()
    assert peer.kinds() == []
