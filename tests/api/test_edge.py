"""What every request passes through: sizes, hosts, headers, logs, and clients that leave."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from app.api.edge.address import client_address
from app.log import set_up_logging
from tests.api.conftest import Launch
from tests.api.live import Live
from tests.servers.hotdice import HotdiceServer

SMALL = 16_384


@pytest.fixture(scope="module")
def server() -> Iterator[HotdiceServer]:
    with HotdiceServer() as server:
        yield server


def sent(server: HotdiceServer, raw: bytes, *, finish: bool = True) -> bytes:
    """All that comes back for these bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(raw)
        if finish:
            line.shutdown(socket.SHUT_WR)
        answer = b""
        while part := line.recv(65536):
            answer += part
    return answer


async def test_every_answer_has_its_headers(client: httpx.AsyncClient) -> None:
    seen = set()
    for path in ("/v1", "/", "/nope", "/health/live", "/v1/players/me"):
        headers = (await client.get(path, headers={"X-Request-ID": "mine"})).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "server" not in headers
        seen.add(headers["x-request-id"])
    assert len(seen) == 5
    assert "mine" not in seen


@pytest.mark.parametrize(("size", "status"), [(SMALL, 422), (SMALL + 1, 413), (50 << 20, 413)])
async def test_a_declared_length_has_a_limit(
    client: httpx.AsyncClient, size: int, status: int
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = await client.post("/v1/players", content=b" " * size, headers=headers)
    assert answer.status_code == status
    if status == 413:
        assert answer.json()["code"] == "body_too_large"
        assert answer.json()["limit"] == SMALL


async def test_chunks_are_counted(client: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 1000

    answer = await client.post(
        "/v1/players", content=endless(), headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


HOSTS = [
    b"", b"a b", b"a/b", b"a@b", b"a:b", b"a:123456", b"-a", b"http://a", b"a\\b", b"[::1", b"a?b",
    b"a#", b"a,b", b"\xff", b"..", b"x" * 300,
]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
async def test_a_malformed_host_is_refused(client: httpx.AsyncClient, host: bytes) -> None:
    answer = await client.get("/v1", headers=[(b"Host", host)])
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_host")


@pytest.mark.parametrize("host", ["a", "EXAMPLE.com:80", "127.0.0.1:8000", "[::1]:8000", "a.b."])
async def test_a_sound_host_is_answered(client: httpx.AsyncClient, host: str) -> None:
    assert (await client.get("/v1", headers={"Host": host})).status_code == 200


async def test_only_allowed_hosts_are_served(launch: Launch) -> None:
    async with launch(allowed_hosts="dice.example") as live, live.client() as client:
        for host, status in [
            ("dice.example", 200),
            ("DICE.example:8000", 200),
            ("dice.example.evil", 400),
            ("evildice.example", 400),
            ("127.0.0.1", 400),
        ]:
            assert (await client.get("/v1", headers={"Host": host})).status_code == status
        probe = await client.get("/health/live", headers={"Host": "127.0.0.1"})
        assert probe.status_code == 200, "a probe knows the address, not the name"


async def test_head_is_get_without_its_body(client: httpx.AsyncClient) -> None:
    get, head = await client.get("/"), await client.head("/")
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == get.headers["content-length"]


async def test_large_answers_are_gzipped_where_accepted(client: httpx.AsyncClient) -> None:
    plain = await client.get("/openapi.json", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    async with client.stream("GET", "/openapi.json", headers={"Accept-Encoding": "gzip"}) as packed:
        raw = b"".join([part async for part in packed.aiter_raw()])
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "Accept-Encoding"
    assert int(packed.headers["content-length"]) == len(raw) < len(plain.content) / 4
    assert gzip.decompress(raw) == plain.content
    small = await client.get("/", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in small.headers
    unwanted = await client.get("/openapi.json", headers={"Accept-Encoding": "gzip; q=0"})
    assert "content-encoding" not in unwanted.headers


async def test_no_page_may_call_unless_its_origin_is_named(launch: Launch, live: Live) -> None:
    page = {"Origin": "https://play.example"}
    async with live.client(headers=page) as client:
        assert "access-control-allow-origin" not in (await client.get("/v1")).headers
        asks = {"Access-Control-Request-Method": "POST"}
        assert (await client.options("/v1/players", headers=asks)).status_code == 405
    async with launch(cors_origins="https://play.example") as own:
        async with own.client(headers=page) as client:
            answer = await client.get("/v1")
            assert answer.headers["access-control-allow-origin"] == "https://play.example"
            assert "access-control-allow-credentials" not in answer.headers
            refused = await client.post("/v1/players", content=b" " * (SMALL + 1))
            assert refused.headers["access-control-allow-origin"] == "https://play.example"
            asked = await client.options("/v1/players", headers=asks)
            assert asked.status_code == 200
            assert "POST" in asked.headers["access-control-allow-methods"]
            assert asked.headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in asked.headers["content-security-policy"]
            odd = await client.options(
                "/v1/players", headers={"Access-Control-Request-Method": "PUSH"}
            )
            assert (odd.status_code, odd.json()["code"]) == (405, "method_not_allowed")
        async with own.client(headers={"Origin": "https://play.example.evil"}) as client:
            assert "access-control-allow-origin" not in (await client.get("/v1")).headers
            refused = await client.options("/v1/players", headers=asks)
            assert (refused.status_code, refused.json()["code"]) == (405, "method_not_allowed")
            assert "access-control-allow-origin" not in refused.headers


async def test_a_request_is_one_line_without_its_token(
    launch: Launch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logging("info")
    try:
        async with launch() as live:
            guest = await live.guest()
            await asyncio.sleep(0)  # lines go out with the end of a turn of the loop
            capsys.readouterr()
            await guest.get("/v1/players/me?evil=%0a%7b")
            await guest.get(f"/v1/players/{guest.token}")
    finally:
        set_up_logging("warning")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(x["method"], x["route"], x["status"]) for x in lines] == [
        ("GET", "/v1/players/me", 200),
        ("GET", "/v1/players/{player_id}", 404),
    ]
    assert lines[1]["code"] == "player_not_found"
    assert all(x["request_id"] and x["ms"] >= 0 and x["time"].endswith("Z") for x in lines)
    assert guest.token not in json.dumps(lines)


async def test_the_line_of_a_command_names_its_own_seat(
    launch: Launch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not that of another command with which it shares a transaction."""
    bust, hot = [2, 2, 3, 4, 6, 6], [1, 1, 1, 5, 2, 3]
    rules = {"rules": {"preset": "farkle"}, "pass_and_play": True}
    set_up_logging("info")
    try:
        async with launch() as live:
            ana, seats = await live.guest(), dict[str, int]()
            for seat, rolls in enumerate(((hot,), (bust, hot)) * 3):
                asked_for = rules | {"dice": {"kind": "scripted", "rolls": rolls}}
                game = (await ana.post("/v1/games", asked_for)).json()["id"]
                await ana.post(f"/v1/games/{game}/start")
                for _ in rolls[1:]:
                    await ana.post(f"/v1/games/{game}/roll")
                seats[game] = seat % 2
            await asyncio.sleep(0)
            capsys.readouterr()
            await asyncio.gather(*(ana.post(f"/v1/games/{game}/roll") for game in seats))
    finally:
        set_up_logging("warning")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["game"]: line.get("seat") for line in lines} == seats


def asked(peer: str, *forwarded: str) -> dict[str, Any]:
    return {"client": (peer, 1), "headers": [(b"x-forwarded-for", f.encode()) for f in forwarded]}


def test_the_address_is_the_peers_unless_a_proxy_is_trusted() -> None:
    assert client_address(asked("192.0.2.9", "1.1.1.1"), 0) == "192.0.2.9"
    assert client_address(asked("10.0.0.1", "evil, 1.1.1.1"), 1) == "1.1.1.1"
    assert client_address(asked("10.0.0.1", "6.6.6.6", "1.1.1.1, 10.0.0.2"), 2) == "1.1.1.1"
    assert client_address(asked("10.0.0.1", "1.1.1.1"), 2) == "10.0.0.1"
    assert client_address(asked("10.0.0.1", "not an address"), 1) == "10.0.0.1"
    assert client_address(asked("2001:db8::1:2:3:4"), 0) == "2001:db8::/64"
    assert client_address({"client": None, "headers": []}, 0) == "unknown"


POST = b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
STREAM = (
    b"GET /v1/lobby/stream HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
)
RAW: list[tuple[bytes, int]] = [
    (b"GET /v1 HTTP/1.1\r\n\r\n", 400),
    (b"GET /v1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    (b"GET /v1 HTTP/1.0\r\n\r\n", 400),
    (b"nonsense\r\n\r\n", 400),
    (POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}", 400),
    (POST + b"Content-Length: 99999\r\n\r\n{", 413),
    (POST + b"Transfer-Encoding: chunked\r\n\r\n5001\r\n" + b" " * 0x5001 + b"\r\n0\r\n\r\n", 413),
    (b"GET /v1/players/%ff%00 HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    (b"GET /v1/../v1 HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    (b"GET //v1 HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    (b"GET http://evil.example/v1 HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    (STREAM + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: evil\r\n\r\n", 400),
    (b"BREW /v1 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
]


@pytest.mark.parametrize(("raw", "status"), RAW)
def test_raw_bytes_get_a_plain_answer(server: HotdiceServer, raw: bytes, status: int) -> None:
    answer = sent(server, raw)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:200]
    assert b"evil" not in answer


def test_who_leaves_in_the_middle_leaves_no_trace(server: HotdiceServer) -> None:
    for cut in (
        b"Content-Length: 100\r\n\r\n{",
        b'Content-Length: 15\r\n\r\n{"name": "Ana"}',
    ):
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", server.port)) as line:
                line.sendall(POST + cut)
    deadline = time.monotonic() + 5
    while server.output().count('"status":499') < 5 and time.monotonic() < deadline:
        time.sleep(0.05)
    output = server.output()
    assert output.count('"status":499') == 5
    assert "Traceback" not in output
    assert '"level":"error"' not in output
