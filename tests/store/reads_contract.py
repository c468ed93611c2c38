"""What the store tells: lists, codes, remembered answers, names."""

from __future__ import annotations

import pytest

from app.errors import KeyReused
from app.ports import Answer, Summary
from app.store.queries import JOIN_CODE_LIVES_MS, SqlEventStore
from engine.state import ScriptedDice, SeededDice
from tests.store import orders
from tests.store.orders import NOW, StoppedClock, new_id, open_lobby, play


def ids(found: list[Summary]) -> list[str]:
    return [row.head.game.setup.game_id for row in found]


class ReadsContract:
    async def test_public_games_are_listed_newest_first(self, store: SqlEventStore) -> None:
        made = [new_id() for _ in range(5)]
        for number, game_id in enumerate(made):
            # Two of a kind in time: the id decides.
            at = NOW + number // 2
            await play(store, orders.opens(orders.setup_of(game_id, new_id()), at=at))
        await open_lobby(store, visibility="unlisted")
        await open_lobby(store, visibility="private")
        await open_lobby(store, dice=SeededDice("seed"))
        await open_lobby(store, dice=ScriptedDice(()))
        everything = await store.public_games(status=None, preset=None, before=None, limit=10)
        assert ids(everything) == made[::-1]
        first = await store.public_games(status=None, preset=None, before=None, limit=2)
        last = first[-1].head
        rest = await store.public_games(
            status=None,
            preset=None,
            before=(last.created_at, last.game.setup.game_id),
            limit=10,
        )
        assert ids(first) + ids(rest) == made[::-1]

    async def test_public_games_by_status_and_preset(self, store: SqlEventStore) -> None:
        farkle, jester = await open_lobby(store), await open_lobby(store, preset="jester")
        await play(store, orders.starts(jester))

        async def found(status: str | None, preset: str | None) -> list[str]:
            return ids(await store.public_games(status=status, preset=preset, before=None, limit=9))

        assert await found("lobby", None) == [farkle]
        assert await found("playing", None) == [jester]
        assert await found("finished", None) == []
        assert await found(None, "farkle") == [farkle]
        assert await found("lobby", "jester") == []

    async def test_a_players_games(self, store: SqlEventStore) -> None:
        player = new_id()
        joined = await open_lobby(store, visibility="private")
        left = await open_lobby(store)
        await open_lobby(store)
        await store.append(
            [
                orders.joins(joined, player, seat=1),
                orders.joins(joined, player, seat=2, at=NOW + 7),
                orders.joins(left, player),
                orders.leaves(left, player, 1),
            ]
        )
        found = await store.games_of(player, status=None, to_move=None, before=None, limit=9)
        assert ids(found) == [left, joined]
        assert [row.updated_at for row in found] == [NOW, NOW + 7]
        before = (found[0].head.created_at, left)
        found = await store.games_of(player, status=None, to_move=None, before=before, limit=9)
        assert ids(found) == [joined]

    async def test_the_games_a_player_is_to_move_in(self, store: SqlEventStore) -> None:
        host, player = new_id(), new_id()
        game_id = new_id()
        await play(store, orders.opens(orders.setup_of(game_id, host)))
        await play(store, orders.joins(game_id, player))

        async def found(who: str, to_move: bool) -> list[str]:
            return ids(
                await store.games_of(who, status=None, to_move=to_move, before=None, limit=9)
            )

        assert await found(host, True) == []
        assert await found(host, False) == [game_id]
        await play(store, orders.starts(game_id))
        assert await found(host, True) == [game_id]
        assert await found(host, False) == []
        assert await found(player, True) == []
        assert await found(player, False) == [game_id]

    async def test_a_join_code_dies_at_the_start(self, store: SqlEventStore) -> None:
        setup = orders.setup_of(new_id(), new_id())
        await play(store, orders.opens(setup, code="ABCD2345"))
        assert await store.game_by_code("ABCD2345") == setup.game_id
        assert await store.game_by_code("ABCD2346") is None
        started = await play(store, orders.starts(setup.game_id))
        assert started.head.join_code is None
        assert await store.game_by_code("ABCD2345") is None
        # The code is free again.
        again = orders.setup_of(new_id(), new_id())
        await play(store, orders.opens(again, code="ABCD2345"))
        assert await store.game_by_code("ABCD2345") == again.game_id

    async def test_a_join_code_dies_after_a_day(
        self, store: SqlEventStore, clock: StoppedClock
    ) -> None:
        setup = orders.setup_of(new_id(), new_id())
        await play(store, orders.opens(setup, code="ABCD2345"))
        clock.at = NOW + JOIN_CODE_LIVES_MS - 1
        assert await store.game_by_code("ABCD2345") == setup.game_id
        clock.at += 1
        assert await store.game_by_code("ABCD2345") is None

    async def test_answers_of_calls_without_a_game(self, store: SqlEventStore) -> None:
        author, answer = new_id(), Answer(200, '{"name":"Zoë"}'.encode())
        assert await store.answer_to(author, "k", b"rename") is None
        assert await store.remember_answer(author, "k", b"rename", answer) == answer
        assert await store.answer_to(author, "k", b"rename") == answer
        other = Answer(200, b"{}", 3, "/v1/players/me")
        assert await store.remember_answer(author, "k", b"rename", other) == answer
        assert await store.remember_answer(author, "l", b"rename", other) == other
        assert await store.answer_to(author, "l", b"rename") == other
        with pytest.raises(KeyReused):
            await store.answer_to(author, "k", b"forget")
        with pytest.raises(KeyReused):
            await store.remember_answer(author, "k", b"forget", answer)

    async def test_such_a_key_opens_no_game(self, store: SqlEventStore) -> None:
        game_id, player = await open_lobby(store), new_id()
        await store.remember_answer(player, "k", b"rename", Answer(200, b"{}"))
        with pytest.raises(KeyReused):
            await play(store, orders.joins(game_id, player, key="k"))

    async def test_answers_expire(self, store: SqlEventStore, clock: StoppedClock) -> None:
        game_id, player = await open_lobby(store), new_id()
        await play(store, orders.joins(game_id, player, key="old"))
        clock.at += 10
        await play(store, orders.joins(game_id, player, key="new"))
        assert await store.expire_answers(clock.at) == 1
        assert (await play(store, orders.joins(game_id, player, key="new"))).repeated
        assert not (await play(store, orders.joins(game_id, player, key="old"))).repeated

    async def test_a_name_is_forgotten_wherever_it_sat(self, store: SqlEventStore) -> None:
        player, other = new_id(), new_id()
        games = [await open_lobby(store) for _ in range(3)]
        for game_id in games:
            await play(store, orders.joins(game_id, player, seat=2))
        await play(store, orders.leaves(games[2], player, 2))
        await play(store, orders.joins(games[2], other, seat=2))
        await store.forget_names(player, "deleted player")
        names = [head.names[2] for g in games if (head := await store.head(g))]
        assert names == ["deleted player", "deleted player", f"player {other[-4:]}"]
        joined = await play(store, orders.joins(games[0], other, seat=3))
        assert joined.head.names[:4] == ("Ana", None, "deleted player", f"player {other[-4:]}")
