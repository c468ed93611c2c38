"""A token is looked up by its hash, and remembered for a second."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Collection

from app import tokens
from app.accounts import Caller
from app.ids import new_token
from app.ports import Player
from app.tokens import Doorkeeper, Lifetimes, hash_of
from engine.units import Millis

ANA = Caller(Player("ana", "Ana", 1), ends_at=99)


async def nothing() -> None: ...


class Book:
    """Accounts that count how often they are asked."""

    def __init__(self) -> None:
        self.callers_of: dict[bytes, Caller] = {}
        self.asked = 0
        self.asked_together: list[set[bytes]] = []
        self.meanwhile: Callable[[], Awaitable[object]] = nothing

    async def by_token(self, token_hash: bytes) -> Caller | None:
        self.asked += 1
        return self.callers_of.get(token_hash)

    async def callers(self, token_hashes: Collection[bytes]) -> dict[bytes, Caller]:
        self.asked_together.append(set(token_hashes))
        found = {key: self.callers_of[key] for key in token_hashes if key in self.callers_of}
        await self.meanwhile()
        return found

    async def create(self, player: Player, token_hash: bytes) -> None:
        self.lend(token_hash, Caller(player, 99))

    def lend(self, token_hash: bytes, caller: Caller) -> None:
        self.callers_of[token_hash] = caller

    async def live_tokens(self, token_hashes: Collection[bytes]) -> set[bytes]:
        return self.callers_of.keys() & set(token_hashes)

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
    await book.create(ANA.player, hash_of(b"t"))
    door = Doorkeeper(book, time)
    for _ in range(5):
        assert await door.caller(hash_of(b"t")) == ANA
    assert book.asked == 1


async def test_an_ended_token_ends_within_a_second() -> None:
    book, time = Book(), Time()
    await book.create(ANA.player, hash_of(b"t"))
    door = Doorkeeper(book, time)
    await door.caller(hash_of(b"t"))
    book.callers_of.clear()
    time.now += tokens.REMEMBERED_S
    assert await door.caller(hash_of(b"t")) is None


async def test_those_in_use_are_looked_up_together_before_their_second_is_over() -> None:
    book, time = Book(), Time()
    people = {token: Player(token.decode(), "Ana", 1) for token in (b"t", b"u", b"v")}
    for token, player in people.items():
        await book.create(player, hash_of(token))
    door = Doorkeeper(book, time)
    for token in (b"t", b"u", b"v", b"t", b"u"):
        await door.caller(hash_of(token))
    for _ in range(4):
        time.now += tokens.REFRESHED_S
        await door.refresh()
        for token in (b"t", b"u"):
            assert await door.caller(hash_of(token)) == Caller(people[token], 99)
    assert book.asked == 3, "once each, in two seconds"
    assert book.asked_together == [{hash_of(b"t"), hash_of(b"u")}] * 4, "who does not come is left"


async def test_an_ended_token_in_use_ends_within_a_second() -> None:
    book, time = Book(), Time()
    await book.create(ANA.player, hash_of(b"t"))
    door = Doorkeeper(book, time)
    for _ in range(2):
        await door.caller(hash_of(b"t"))
    book.callers_of.clear()
    await door.refresh()
    time.now += tokens.REMEMBERED_S
    assert await door.caller(hash_of(b"t")) is None


async def test_who_is_forgotten_while_it_is_looked_up_is_not_let_in_again() -> None:
    book, time = Book(), Time()
    await book.create(ANA.player, hash_of(b"t"))
    door = Doorkeeper(book, time)
    for _ in range(2):
        await door.caller(hash_of(b"t"))

    async def rotated() -> None:
        book.callers_of.clear()
        door.forget(ANA.player.id)

    book.meanwhile = rotated
    await door.refresh()
    assert await door.caller(hash_of(b"t")) is None


async def test_an_unknown_token_is_never_remembered() -> None:
    book = Book()
    door = Doorkeeper(book, Time())
    assert await door.caller(hash_of(b"t")) is None
    await book.create(ANA.player, hash_of(b"t"))
    assert await door.caller(hash_of(b"t")) == ANA


async def test_a_players_tokens_for_scripts_are_remembered_beside_its_own() -> None:
    book = Book()
    await book.create(ANA.player, b"own")
    for name in (b"one", b"two"):
        book.lend(name, ANA._replace(scopes=frozenset({"read"})))
    door = Doorkeeper(book, Time())
    for _ in range(3):
        for name in (b"own", b"one", b"two"):
            assert await door.caller(name)
    assert book.asked == 3
    book.callers_of.clear()
    door.forget("ana")
    for name in (b"own", b"one", b"two"):
        assert await door.caller(name) is None


def test_what_is_kept_of_a_token_is_its_sha256() -> None:
    assert hash_of(b"abc").hex() == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def test_a_token_is_256_bits_that_nobody_drew_before() -> None:
    drawn = {new_token() for _ in range(1_000)}
    assert len(drawn) == 1_000
    assert {len(base64.urlsafe_b64decode(token + "=")) for token in drawn} == {32}


def test_a_token_lives_while_it_is_used_and_young() -> None:
    lives = Lifetimes(idle=10, most=100)
    end = lives.end_of(1_000, None)
    assert end == 1_100
    assert not lives.has_expired(now=1_009, used_at=1_000, end=end)
    assert lives.has_expired(now=1_010, used_at=1_000, end=end)
    assert not lives.has_expired(now=1_099, used_at=1_095, end=end)
    assert lives.has_expired(now=1_100, used_at=1_099, end=end)
    assert lives.end_of(1_000, 1_050) == 1_050
    assert lives.end_of(1_000, 9_999) == 1_100, "no agreement makes a token older than all others"


async def test_memory_is_bounded() -> None:
    book = Book()
    door = Doorkeeper(book, Time())
    for n in range(tokens.MOST_REMEMBERED + 5):
        await book.create(ANA.player, n.to_bytes(4, "big"))
        await door.caller(n.to_bytes(4, "big"))
    assert len(door._known) <= tokens.MOST_REMEMBERED
