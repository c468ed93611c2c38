"""Rate limits, and the guard against guessing join codes."""

from __future__ import annotations

import pytest

from app.limits import JoinCodeGuard, MemoryTally, RateLimited
from app.settings import Settings
from tests.api.conftest import Launch

A, B = ("reads", "a"), ("reads", "b")


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_tally_counts_up_to_the_limit() -> None:
    time = Time()
    tally = MemoryTally(time)
    assert [await tally.hit(A, 3) for _ in range(3)] == [0, 0, 0]
    wait = await tally.hit(A, 3)
    assert 0 < wait <= 120
    assert await tally.hit(B, 3) == 0
    time.now += wait
    assert await tally.hit(A, 3) == 0


async def test_the_turn_of_a_minute_lets_no_burst_through() -> None:
    time = Time()
    time.now = 59.9
    tally = MemoryTally(time)
    for _ in range(10):
        await tally.hit(A, 10)
    time.now = 60.1
    assert await tally.hit(A, 10) > 0
    time.now = 90.0
    assert [await tally.hit(A, 10) > 0 for _ in range(6)] == [False] * 5 + [True]
    time.now = 300.0
    assert await tally.hit(A, 1) == 0


@pytest.mark.parametrize("begin", [0.0, 30.0, 59.99])
@pytest.mark.parametrize("limit", [1, 2, 10])
async def test_who_waits_as_told_is_served(begin: float, limit: int) -> None:
    time = Time()
    time.now = begin
    tally = MemoryTally(time)
    for _ in range(50):
        if wait := await tally.hit(A, limit):
            time.now += wait
            assert await tally.hit(A, limit) == 0


async def test_a_refusal_says_when_to_come_again(launch: Launch) -> None:
    async with launch(rate_limits=True, limit_guests=2) as live, live.client() as client:
        answers = [await client.post("/v1/players", json={"name": "A"}) for _ in range(3)]
        assert [a.status_code for a in answers] == [201, 201, 429]
        answer = answers[-1]
        problem = answer.json()
        assert problem["code"] == "rate_limited"
        assert problem["limit"] == 2
        assert answer.headers["retry-after"] == str(problem["retry_after_s"])
        async with live.client(peer=("198.51.100.7", 1)) as elsewhere:
            assert (await elsewhere.post("/v1/players", json={"name": "A"})).status_code == 201


async def test_limits_are_each_tokens_and_wider_for_an_address(launch: Launch) -> None:
    async with launch(rate_limits=True, limit_reads=2) as live:
        statuses = []
        for _ in range(6):
            guest = await live.guest()
            statuses.append([(await guest.get("/v1")).status_code for _ in range(3)])
        assert statuses[:4] == [[200, 200, 429]] * 4
        assert statuses[5] == [429] * 3, "ten from one address"


async def test_a_forged_address_does_not_help(launch: Launch) -> None:
    async with launch(rate_limits=True, limit_reads=1) as live, live.client() as client:
        statuses = [
            (await client.get("/v1", headers={"X-Forwarded-For": f"203.0.113.{i}"})).status_code
            for i in range(3)
        ]
        assert statuses == [200, 429, 429]


async def test_a_trusted_proxy_tells_addresses_apart(launch: Launch) -> None:
    behind = {"trusted_proxy_hops": 1, "allowed_hosts": "hotdice.test"}
    async with launch(rate_limits=True, limit_reads=1, **behind) as live, live.client() as client:
        statuses = [
            (await client.get("/v1", headers={"X-Forwarded-For": f"6.6.6.{i}, {who}"})).status_code
            for i, who in enumerate(["203.0.113.1", "203.0.113.2", "203.0.113.1"])
        ]
        assert statuses == [200, 200, 429]


def guard(**settings: object) -> JoinCodeGuard:
    return JoinCodeGuard(Settings(**settings), MemoryTally(Time()))  # type: ignore[arg-type]


async def test_ten_wrong_codes_stop_a_player() -> None:
    codes = guard()
    for _ in range(10):
        await codes.admit("ana")
        await codes.wrong("ana", "home")
    with pytest.raises(RateLimited):
        await codes.admit("ana")
    await codes.admit("bo")


async def test_a_hundred_wrong_codes_stop_guessing_from_an_address_but_not_joining() -> None:
    codes = guard()
    for n in range(100):
        await codes.wrong(f"player {n}", "home")
    await codes.admit("bo")  # a right code would open now
    with pytest.raises(RateLimited):
        await codes.wrong("bo", "home")
    await codes.wrong("bo", "elsewhere")


async def test_the_guard_can_be_switched_off() -> None:
    codes = guard(rate_limits=False)
    for _ in range(200):
        await codes.admit("ana")
        await codes.wrong("ana", "home")
