"""Rate limits, and the guard against guessing join codes."""

from __future__ import annotations

import asyncio

import pytest

from app.errors import CodeNotFound
from app.limits import JoinCodeGuard, Kind, RateLimited, RateLimits, TicketGuard
from app.settings import Settings
from app.tally.counts import MemoryTally, Standing
from tests.api.conftest import Launch

A, B = ("reads", "a"), ("reads", "b")


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_tally_counts_up_to_the_limit() -> None:
    time = Time()
    tally = MemoryTally(time)
    assert [tally.hit(A, 2) for _ in range(2)] == [
        Standing(2, left=1, reset_s=120, wait_s=0),
        Standing(2, left=0, reset_s=120, wait_s=0),
    ]
    # One of the two has to fade: half of the next minute.
    assert tally.hit(A, 2) == Standing(2, left=0, reset_s=120, wait_s=90)
    assert tally.blocked(A, 2) == 90
    assert tally.hit(B, 2).wait_s == 0
    time.now += 90
    assert tally.hit(A, 2) == Standing(2, left=0, reset_s=90, wait_s=0)
    time.now += 90
    assert tally.hit(A, 2).left == 1, "what was counted counts no more"


def test_the_turn_of_a_minute_lets_no_burst_through() -> None:
    time = Time()
    time.now = 59.9
    tally = MemoryTally(time)
    for _ in range(10):
        tally.hit(A, 10)
    time.now = 60.1
    assert tally.hit(A, 10).wait_s > 0
    time.now = 90.0
    assert [tally.hit(A, 10).wait_s > 0 for _ in range(6)] == [False] * 5 + [True]
    time.now = 300.0
    assert tally.hit(A, 1).wait_s == 0


@pytest.mark.parametrize("begin", [0.0, 30.0, 59.99])
@pytest.mark.parametrize("limit", [1, 2, 10])
def test_who_waits_as_told_is_served(begin: float, limit: int) -> None:
    time = Time()
    time.now = begin
    tally = MemoryTally(time)
    for _ in range(50):
        if wait := tally.hit(A, limit).wait_s:
            time.now += wait
            assert tally.hit(A, limit).wait_s == 0


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


async def test_a_player_with_twenty_tokens_has_one_share(launch: Launch) -> None:
    async with launch(rate_limits=True, limit_reads=30, limit_commands=200) as live:
        ana, bo = await live.guest("Ana"), await live.guest("Bo")
        asked = {"scopes": ["read"]}
        lent = [(await ana.post("/v1/players/me/tokens", asked)).json() for _ in range(20)]
        statuses = []
        for _ in range(4):
            for token in lent:
                async with live.client(token["token"]) as script:
                    statuses.append((await script.get("/v1/players/me")).status_code)
        # The first call with each token is counted before anybody knows whose it is.
        assert statuses.count(200) == 20 + 30
        assert statuses[50:] == [429] * 30
        assert (await ana.get("/v1/players/me")).status_code == 429, "its own token has no more"
        assert (await bo.get("/v1/players/me")).status_code == 200


async def test_answers_say_where_one_stands(launch: Launch) -> None:
    async with launch(rate_limits=True, limit_reads=3) as live:
        ana = await live.guest("Ana")
        answers = [await ana.get("/v1") for _ in range(4)]
        assert [a.headers["ratelimit-limit"] for a in answers] == ["3"] * 4
        assert [a.headers["ratelimit-remaining"] for a in answers] == ["2", "1", "0", "0"]
        assert all(60 <= int(a.headers["ratelimit-reset"]) <= 120 for a in answers)
        assert [a.status_code for a in answers] == [200, 200, 200, 429]
        assert 1 <= int(answers[3].headers["retry-after"]) <= 120
        guests = await live.client().post("/v1/players", json={"name": "Cy"})
        assert guests.headers["ratelimit-limit"] == "120"
        health = await ana.get("/health/live")
        assert "ratelimit-limit" not in health.headers, "health is not limited"
    async with launch() as live:
        assert "ratelimit-limit" not in (await (await live.guest()).get("/v1")).headers


def test_an_address_that_is_nearer_its_limit_is_what_one_is_told_of() -> None:
    limits = RateLimits(Settings(limit_reads=3), MemoryTally(Time()))
    callers = [*range(4)] * 3 + [4, 5, 6, 7]
    told = [limits.count("reads", bytes([n]), "home") for n in callers]
    assert [(s.limit, s.left) for s in told[0:12:4]] == [(3, 2), (3, 1), (3, 0)]
    assert [(s.limit, s.left) for s in told[12:]] == [(3, 2), (15, 1), (15, 0), (15, 0)]
    assert [s.wait_s > 0 for s in told] == [False] * 15 + [True]


def test_of_a_thousand_that_are_made_in_a_minute_most_are_refused() -> None:
    """Guests from one address; tables of one player; tables of ten behind one address."""
    limits = RateLimits(Settings(), MemoryTally(Time()))

    def made(*callers: bytes | None, each: int) -> int:
        kind: Kind = "games" if callers[0] else "guests"
        asked = (limits.count(kind, caller, "home") for caller in callers for _ in range(each))
        return sum(standing.wait_s == 0 for standing in asked)

    assert made(None, each=1_000) == 120
    assert made(b"ana", each=1_000) == 600
    assert made(*(bytes([n]) for n in range(10)), each=1_000) == 5 * 600 - 600


async def test_a_wrong_token_is_never_somebodys_share(launch: Launch) -> None:
    async with launch(rate_limits=True, limit_reads=3) as live:
        ana = await live.guest("Ana")
        assert (await ana.get("/v1/players/me")).status_code == 200
        new = (await ana.post("/v1/players/me/token")).json()["token"]
        async with live.client(new) as client:
            assert (await client.get("/v1/players/me")).status_code == 200
            old = [(await ana.get("/v1/players/me")).status_code for _ in range(6)]
            assert set(old) <= {401, 429}
            assert (await client.get("/v1/players/me")).status_code == 200


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


def wrong(codes: JoinCodeGuard, player: str, address: str) -> None:
    """A wrong code is looked up."""
    with pytest.raises(CodeNotFound), codes.guess(player, address):
        raise CodeNotFound


def refused_unseen(codes: JoinCodeGuard, player: str, address: str) -> bool:
    """Whether no code is looked up."""
    try:
        with codes.guess(player, address):
            return False
    except RateLimited:
        return True


def test_ten_wrong_codes_stop_a_player() -> None:
    codes = guard()
    for _ in range(10):
        assert not refused_unseen(codes, "ana", "home"), "right ones do not count"
        wrong(codes, "ana", "home")
    assert refused_unseen(codes, "ana", "home")
    assert not refused_unseen(codes, "bo", "home")


def test_guesses_that_are_looked_up_at_once_count_as_wrong_until_it_is_known() -> None:
    codes = guard(limit_codes_player=3)
    wrong(codes, "ana", "home")
    with codes.guess("ana", "home"), codes.guess("ana", "home"):
        assert refused_unseen(codes, "ana", "home")
        assert not refused_unseen(codes, "bo", "home")
    assert not refused_unseen(codes, "ana", "home"), "both were right"


def test_a_hundred_wrong_codes_stop_guessing_from_an_address_but_not_joining() -> None:
    codes = guard()
    for n in range(100):
        wrong(codes, f"player {n}", "home")
    assert not refused_unseen(codes, "bo", "home"), "a right code opens"
    with pytest.raises(RateLimited), codes.guess("bo", "home"):
        raise CodeNotFound
    wrong(codes, "bo", "elsewhere")


def test_the_guard_can_be_switched_off() -> None:
    codes = guard(rate_limits=False)
    for _ in range(200):
        wrong(codes, "ana", "home")


async def test_guessing_all_at_once_is_no_way_around(launch: Launch) -> None:
    async with launch(rate_limits=True) as live:
        ana = await live.guest()
        answers = await asyncio.gather(
            *(ana.post("/v1/join", {"join_code": f"{n:08}"}) for n in range(40))
        )
        assert sorted(a.status_code for a in answers) == [404] * 10 + [429] * 30


def test_wrong_tickets_of_an_address_are_slowed() -> None:
    tickets = TicketGuard(Settings(limit_codes_address=5), MemoryTally(Time()))
    for _ in range(5):
        tickets.wrong("home")
    with pytest.raises(RateLimited):
        tickets.wrong("home")
    tickets.wrong("elsewhere")


async def test_a_party_behind_one_address_gets_in_with_typos(launch: Launch) -> None:
    async with launch(rate_limits=True) as live:
        host = await live.guest("Host")
        codes = []
        for _ in range(7):
            made = await host.post(
                "/v1/games",
                {
                    "rules": {"preset": "farkle"},
                    "visibility": "unlisted",
                    "seats": [{"kind": "human"}] * 8,
                },
            )
            codes.append(made.json()["join_code"])
        statuses = []
        for n in range(49):
            guest = await live.guest(f"Guest {n}")
            for _ in range(3):
                wrong = await guest.post("/v1/join", {"join_code": "00000000"})
                statuses.append(wrong.status_code)
            joined = await guest.post("/v1/join", {"join_code": codes[n // 7]})
            assert joined.status_code == 200, (n, joined.text)
        assert statuses == [404] * 100 + [429] * 47
