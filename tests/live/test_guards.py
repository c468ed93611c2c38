"""Rate limits and the guard of join codes, at a server that has them switched on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live.player import Player
from tests.live.server import Live, healthy
from tests.live.wire import Reply, ask_once, request

WRONG = "00000000"
READS = 40


@pytest.fixture
def guarded() -> Iterator[Live]:
    server = Live(settings={"HOTDICE_LIMIT_READS": str(READS)}, rate_limits=True)
    server.start()
    yield server
    healthy(server)
    server.terminate()


def limited(answer: Reply) -> bool:
    """Whether it was too much; then it says when it may be tried again."""
    if answer.status != 429:
        return False
    assert answer.code == "rate_limited"
    wait = answer.header("retry-after")
    assert wait is not None
    assert 1 <= int(wait) <= 120
    assert answer.json()["retry_after_s"] == int(wait)
    return True


async def guess(player: Player, code: str = WRONG, path: str = "/v1/join") -> Reply:
    return await player.ask("POST", path, {"join_code": code})


async def test_guessing_join_codes_ends_and_locks_nobody_out(guarded: Live) -> None:
    async def newcomer() -> Player:
        return await Player.make(guarded.port)

    host = await newcomer()
    lobby = await host.table(
        {"rules": {"preset": "farkle"}, "seats": [{"kind": "human"}] * 8}, start=False
    )
    code, path = lobby["join_code"], f"/v1/games/{lobby['id']}/join"

    guesser = await newcomer()
    for n in range(10):
        answer = await guess(guesser, path="/v1/join" if n % 2 else path)
        assert (answer.status, answer.code) == (404, "join_code_wrong")
    assert limited(await guess(guesser))
    assert limited(await guess(guesser, path=path))
    assert limited(await guess(guesser, code)), "a right one is refused too: it may be a guess"
    assert (await guess(await newcomer(), code)).status == 200

    for _ in range(9):
        guesser = await newcomer()
        for _ in range(10):
            assert (await guess(guesser)).status == 404
    fresh = await newcomer()
    assert limited(await guess(fresh)), "the hundred and first of this address"
    assert limited(await guess(fresh, path=path))
    assert (await guess(fresh, code)).status == 200
    assert (await guess(await newcomer(), code, path)).status == 200


async def test_reads_and_guests_are_limited(guarded: Live) -> None:
    port = guarded.port
    first, second = await Player.make(port), await Player.make(port, "Bo")

    async def read(player: Player | None, **headers: str) -> Reply:
        token = player.token if player else None
        return await ask_once(port, request("GET", "/v1", token=token, headers=headers))

    answers = [await read(first) for _ in range(READS + 5)]
    assert [limited(a) for a in answers] == [False] * READS + [True] * 5
    assert (await read(second)).status == 200, "another player is not concerned"
    made = [await read(None, **{"X-Forwarded-For": f"203.0.113.{n}"}) for n in range(READS + 5)]
    assert sum(map(limited, made)) >= 5, "no header makes an address another one"
    assert guarded.is_ready(), "the health of a server may always be asked"

    raw = request("POST", "/v1/players", {"name": "Ana"})
    answers = [await ask_once(port, raw) for _ in range(125)]
    assert sum(map(limited, answers)) >= 5, "so many guests does an address make in a minute"
