"""A token is looked up by its hash, and remembered for a second."""

from __future__ import annotations

from collections.abc import Collection

from app import tokens
from app.ports import Player
from app.tokens import Doorkeeper, hash_of
from engine.units import Millis

ANA = Player("ana", "Ana", 1)


class Book:
    """Accounts that count how often they are asked."""

    def __init__(self) -> None:
        self.players: dict[bytes, Player] = {}
        self.asked = 0

    async def by_token(self, token_hash: bytes) -> Player | None:
        self.asked += 1
        return self.players.get(token_hash)

    async def create(self, player: Player, token_hash: bytes) -> None:
        self.players[token_hash] = player

    async def live_tokens(self, token_hashes: Collection[bytes]) -> set[bytes]:
        return self.players.keys() & set(token_hashes)

    async def rotate(self, player_id: str, token_hash: bytes, now: Millis) -> None: ...
    async def get(self, player_id: str) -> Player | None: ...
    async def rename(self, player_id: str, name: str) -> None: ...
    async def unseat(self, player_id: str, now: Millis) -> None: ...
    async def forget(self, player_id: str) -> None: ...


class Time:
    now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_a_burst_of_commands_costs_one_look_up() -> None:
    book, time = Book(), Time()
    await book.create(ANA, hash_of(b"t"))
    door = Doorkeeper(book, time)
    for _ in range(5):
        assert await door.player_of(hash_of(b"t")) == ANA
    assert book.asked == 1


async def test_an_ended_token_ends_within_a_second() -> None:
    book, time = Book(), Time()
    await book.create(ANA, hash_of(b"t"))
    door = Doorkeeper(book, time)
    await door.player_of(hash_of(b"t"))
    book.players.clear()
    time.now += tokens.REMEMBERED_S
    assert await door.player_of(hash_of(b"t")) is None


async def test_an_unknown_token_is_never_remembered() -> None:
    book = Book()
    door = Doorkeeper(book, Time())
    assert await door.player_of(hash_of(b"t")) is None
    await book.create(ANA, hash_of(b"t"))
    assert await door.player_of(hash_of(b"t")) == ANA


async def test_memory_is_bounded() -> None:
    book = Book()
    door = Doorkeeper(book, Time())
    for n in range(tokens.MOST_REMEMBERED + 5):
        await book.create(ANA, n.to_bytes(4, "big"))
        await door.player_of(n.to_bytes(4, "big"))
    assert len(door._known) <= tokens.MOST_REMEMBERED
