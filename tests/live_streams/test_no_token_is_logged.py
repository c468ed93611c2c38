"""Tokens and tickets may be sent in every way, and in wrong ones: no line of a log holds them."""

from __future__ import annotations

import base64

from tests.live.player import SOLO, Player
from tests.live.server import Live
from tests.live.wire import ask_once
from tests.live.wire import request as http
from tests.live_streams.bare import bare
from tests.live_streams.corpus.build import BINARY, CLOSE, PING, TEXT, frame, text
from tests.live_streams.corpus.handshakes import HOST, LINES, request, without


def handshakes(path: str, secret: str) -> list[bytes]:
    """With the secret where it belongs, and where it does not."""
    here, said = path.encode(), secret.encode()
    queries = ("ticket", "token", "after", "view", "access_token", secret)
    return [
        *(request(*LINES, path=here + b"?%b=%b" % (q.encode(), said)) for q in queries),
        request(*LINES, path=here + b"/" + said),
        request(*LINES, path=b"/" + said),
        *(
            request(*LINES, line + said, path=here)
            for line in (
                b"Authorization: Bearer ",
                b"Authorization: Basic ",
                b"Authorization: ",
                b"Sec-WebSocket-Protocol: bearer.",
                b"Sec-WebSocket-Protocol: ",
                b"Sec-WebSocket-Extensions: ",
                b"Sec-WebSocket-Key: ",
                b"Cookie: token=",
                b"Origin: https://",
                b"X-Request-ID: ",
                b"Host: ",
            )
        ),
        without(HOST, b"Host: " + said).replace(b"@GAME@", b"x"),
        request(*LINES, method=said, path=here),
        request(*LINES, path=here, protocol=said),
    ]


def messages(secret: str) -> list[bytes]:
    said = secret.encode()
    return [
        text(f'{{"type": "auth", "token": "{secret}"}}'),
        text(f'{{"type": "auth", "token": "{secret}"'),
        text(f'{{"type": "{secret}"}}'),
        text(said),
        frame(TEXT, said + b"\xff"),
        frame(BINARY, said),
        frame(PING, said),
        frame(CLOSE, b"\x03\xe8" + said),
        frame(CLOSE, b"\x03\xed" + said),
        said,
    ]


async def test_no_token_and_no_ticket_is_in_any_line(process: Live) -> None:
    """At the level that prints most."""
    ana = await Player.make(process.port)
    game = await ana.table(SOLO | {"visibility": "private"})
    ticket = (await ana.do("POST", "/v1/tickets"))["ticket"]
    used = (await ana.do("POST", "/v1/tickets"))["ticket"]
    path = f"/v1/games/{game['id']}/stream"
    secrets = (ana.token, ticket, used)
    for secret in secrets:
        for raw in handshakes(path, secret):
            async with bare(process.port) as line:
                if await line.shake(raw) == 101:
                    line.say(frame(CLOSE, b"\x03\xe8"))
                    await line.until()
        for said in messages(secret):
            async with bare(process.port) as line:
                await line.shake(request(*LINES, path=path.encode()))
                line.say(said)
                line.say(frame(CLOSE, b"\x03\xe8"))
                await line.until()
        for query in ("ticket", "token", "after"):
            asked = f"/v1/games/{game['id']}/events?wait=0&{query}={secret}"
            await ana.ask("GET", asked)
            raw = http("GET", asked, headers={"Accept": "text/event-stream"})
            assert (await ask_once(process.port, raw)).status >= 400
    output = process.output()
    assert '"route":"/v1/games/{game_id}/stream"' in output
    for secret in secrets:
        for shape in shapes(secret):
            assert shape not in output


def shapes(secret: str) -> list[str]:
    raw = secret.encode()
    return [secret, secret[4:20], raw.hex(), base64.b64encode(raw).decode()]
