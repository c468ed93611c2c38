"""Whatever bytes arrive: refused by their own fault, nothing repeated, nothing changed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.live.conftest import Served
from tests.live.corpus import framing, headers, numbers, paths, shapes, text
from tests.live.corpus.build import MARK, Case, Expect
from tests.live.player import SOLO, Player
from tests.live.server import Live, healthy, log_lines
from tests.live.wire import Line, NoAnswer, Reply

GROUPS = {
    "framing": framing.CASES,
    "headers": headers.CASES,
    "numbers": numbers.CASES,
    "paths": paths.CASES,
    "shapes": shapes.CASES,
    "text": text.CASES,
}
MOST_BYTES = 4_096
MOST_FLOOD = 4 << 20


@dataclass(frozen=True)
class Arena:
    """A running game and a lobby, and somebody who sits at neither."""

    server: Live
    seated: Player
    stranger: Player
    game: str
    lobby: str

    @classmethod
    async def open(cls, server: Live) -> Arena:
        seated = await Player.make(server.port)
        stranger = await Player.make(server.port, "Bo")
        game = await seated.table(SOLO)
        lobby = await seated.table({"rules": {"preset": "farkle"}}, start=False)
        await seated.do("PATCH", "/v1/players/me", {"name": "Ana"}, key="used")
        return cls(server, seated, stranger, game["id"], lobby["id"])

    async def logs(self) -> list[bytes]:
        """Both games as they stand in the log, byte for byte."""
        paths = (f"/v1/games/{game}/export" for game in (self.game, self.lobby))
        return [(await self.seated.ask("GET", path)).body for path in paths]

    def filled(self, raw: bytes) -> bytes:
        for name, value in (
            (b"@TOKEN@", self.seated.token),
            (b"@OTHER@", self.stranger.token),
            (b"@GAME@", self.game),
            (b"@LOBBY@", self.lobby),
        ):
            raw = raw.replace(name, value.encode())
        return raw


async def play(arena: Arena, case: Case) -> Reply | None:
    """What is answered; None where the connection ends without an answer."""
    line = await Line.open(arena.server.port)
    try:
        try:
            line.write(arena.filled(case.raw))
            await line.flushed()
            for _ in range(MOST_FLOOD // len(case.flood) if case.flood else 0):
                if line.is_answered:
                    break
                line.write(case.flood)
                await line.flushed()
            if case.ends:
                line.say_no_more()
        except OSError:
            pass  # closed by the server; it may have answered before
        return await line.read(has_body=not case.raw.startswith(b"HEAD"))
    except NoAnswer:
        return None
    finally:
        line.cut()


def fault(case: Case, reply: Reply | None) -> str | None:
    """What is wrong with an answer; None for nothing."""
    if reply is None:
        return None if case.expect is Expect.UNFRAMED else "no answer"
    if reply.status >= 500:
        return f"a fault of the server's: {reply.body[:200]!r}"
    if case.status is not None and reply.status != case.status:
        return f"answered with {reply.status}: {reply.body[:200]!r}"
    if reply.status < 400:
        return f"accepted: {reply.body[:200]!r}" if case.expect is Expect.REFUSED else None
    if reply.size > MOST_BYTES:
        return f"an answer of {reply.size} bytes"
    sent = b"".join((reply.body, *(f"{k}: {v}\n".encode("latin-1") for k, v in reply.headers)))
    if MARK.lower().encode() in sent.lower():
        return f"repeats what was sent: {sent[:400]!r}"
    if not reply.body and case.raw.startswith(b"HEAD"):
        return None
    if case.expect is not Expect.UNFRAMED and not reply.code:
        return f"no problem with a code: {reply.headers} {reply.body[:200]!r}"
    return None


@pytest.mark.parametrize("group", GROUPS)
async def test_no_bytes_do_harm(served: Served, group: str) -> None:
    [server] = served.up()
    arena = await Arena.open(server)
    before = await arena.logs()
    faults = {}
    for case in GROUPS[group]:
        found = fault(case, await play(arena, case))
        if found is not None:
            faults[case.name] = found
    listed = "\n".join(f"{name}: {found}" for name, found in faults.items())
    assert not faults, f"{len(faults)} of {len(GROUPS[group])}:\n{listed[:20_000]}"
    assert await arena.logs() == before
    healthy(server)
    assert MARK not in str(log_lines(server))
    await arena.seated.do("POST", f"/v1/games/{arena.game}/roll")


def test_the_corpus_is_as_large_as_was_promised() -> None:
    cases = [case for group in GROUPS.values() for case in group]
    assert len(cases) >= 300
    assert len({case.raw for case in cases}) >= 0.99 * len(cases)


@pytest.mark.parametrize("origin", headers.ORIGINS)
async def test_pages_of_other_origins_may_not_read(served: Served, origin: bytes) -> None:
    [server] = served.up()
    line = await Line.open(server.port)
    reply = await line.ask(
        b"GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: " + origin + b"\r\n\r\n"
    )
    await line.close()
    assert reply.status == 200
    assert reply.header("access-control-allow-origin") is None
