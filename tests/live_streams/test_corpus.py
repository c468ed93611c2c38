"""Whatever bytes arrive: each ends as it should, none without a code, nothing is repeated."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import pytest

from tests.live.player import SOLO, Player
from tests.live.server import Live
from tests.live_streams.bare import Bare, bare
from tests.live_streams.corpus import commands, frames, handshakes, messages, queries
from tests.live_streams.corpus.build import MARK, OPEN, Case, text
from tests.live_streams.corpus.handshakes import PLAIN, Handshake
from tests.live_streams.metrics import comes_down, metric

AT_ONCE = 16
BELOW = (1002, 1007, 1008, 1009)
"""Counted too where the application never sees the reason."""
T = TypeVar("T")

GAME = b"/v1/games/@GAME@/stream"
OTHERS = MINE, LOBBY = b"/v1/players/me/stream", b"/v1/lobby/stream"
STREAMS = {
    "a game": GAME,
    "one's own games": MINE,
    "the lobby": LOBBY,
    "a private game": b"/v1/games/@PRIVATE@/stream",
}
SILENT = {"a private game"}
"""Where nothing comes before the token."""


@dataclass(frozen=True)
class Arena:
    port: int
    words: dict[bytes, str]

    @classmethod
    async def open(cls, process: Live) -> Arena:
        ana = await Player.make(process.port)
        game, ahead = await ana.table(SOLO), await ana.table(SOLO)
        await ana.do("POST", f"/v1/games/{ahead['id']}/roll")
        private = await ana.table(SOLO | {"visibility": "private"})
        words = {
            b"@GAME@": game["id"],
            b"@PRIVATE@": private["id"],
            b"@TOKEN@": ana.token,
            b"@VERSION@": str(game["version"]),
            b"@PAST@": str(game["version"] + 1),
            b"@OTHER@": str(game["version"] + 2),
        }
        return cls(process.port, words)

    def filled(self, raw: bytes) -> bytes:
        for word, value in self.words.items():
            raw = raw.replace(word, value.encode())
        return raw

    async def sends(self, path: bytes, case: Case, *, is_silent: bool, token: str = "") -> str:
        """What is wrong with how it ends; empty for nothing."""
        async with bare(self.port) as line:
            lines = [b"Authorization: Bearer " + token.encode()] if token else []
            await line.shake(self.filled(handshakes.request(*handshakes.LINES, *lines, path=path)))
            if not is_silent:
                await line.next()
            begun = len(line.frames)
            line.say(case.sent)
            if case.code == OPEN:
                line.say(text('{"type": "ping"}'))
            code = await ending(line, "pong")
            return wrong(line, begun, code, case.code, case.error)


async def ending(line: Bare, *answers: str) -> int | None:
    """The close code, or that it goes on: it has answered."""
    return OPEN if await line.until(*answers) else line.code


def wrong(line: Bare, begun: int, code: int | None, wanted: int, error: str | None) -> str:
    errors = [frame["code"] for frame in line.frames[begun:] if frame["type"] == "error"]
    if (code, errors) != (wanted, [error] if error else []):
        return f"{code} {errors}, not {wanted} {error}"
    if MARK.lower().encode() in line.received.lower():
        return f"repeats what was sent: {line.received[:300]!r}"
    return ""


async def faults(cases: Iterable[T], play: Callable[[T], Awaitable[str]]) -> dict[T, str]:
    """Those that end wrongly, a few at a time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(case: T) -> tuple[T, str]:
        async with gate:
            return case, await play(case)

    found = await asyncio.gather(*map(one, cases))
    return {case: fault for case, fault in found if fault}


@pytest.mark.parametrize("stream", STREAMS)
async def test_whatever_a_client_says(process: Live, stream: str) -> None:
    arena = await Arena.open(process)
    token = arena.words[b"@TOKEN@"] if stream == "one's own games" else ""

    async def play(case: Case) -> str:
        return await arena.sends(STREAMS[stream], case, is_silent=stream in SILENT, token=token)

    assert not await faults(messages.CASES, play)
    if not token:
        assert not await faults(messages.TOKENS, play)
    assert MARK not in process.output()


async def test_however_wrong_a_command_is(process: Live) -> None:
    """It is answered, by its id, with each fault where it is; nothing is repeated, all goes on."""
    arena = await Arena.open(process)
    token = b"Authorization: Bearer " + arena.words[b"@TOKEN@"].encode()
    async with bare(arena.port) as line:
        await line.shake(arena.filled(handshakes.request(*handshakes.LINES, token)))
        for case in commands.WRONG:
            line.say(text(case.text))
            assert await line.until("refused"), (case.name, line.frames[-1])
            told = line.frames[-1]
            faults = frozenset((f["pointer"], f["code"]) for f in told["problem"]["errors"])
            assert (told["status"], faults) == (422, case.faults), (case.name, told)
            assert told["id"] == json.loads(case.text)["id"]
        for number in commands.IDS:
            line.say(text(f'{{"id": {number}, "command": "select", "dice": [0]}}'))
            assert await line.until("refused"), number
            assert line.frames[-1]["id"] == json.loads(number)
            assert line.frames[-1]["problem"]["code"] == "roll_first"
        assert MARK.lower().encode() not in line.received.lower()
    assert MARK not in process.output()


async def test_whatever_frames_it_makes(process: Live) -> None:
    arena = await Arena.open(process)

    async def play(case: Case) -> str:
        return await arena.sends(GAME, case, is_silent=False)

    before = {code: await ended_with(process, code) for code in BELOW}
    assert not await faults(frames.CASES, play)
    await comes_down(process, "streams")
    for code, count in before.items():
        said = sum(
            case.code == code and not case.name.startswith("goodbye") for case in frames.CASES
        )
        assert await ended_with(process, code) >= count + said


async def ended_with(process: Live, code: int) -> int:
    return await metric(process, f'streams_ended_total{{code="{code}"}}', or_none=True)


ALIKE = (1008, 4401)
"""Told on every stream in the same way."""


@pytest.mark.parametrize("path", [GAME, *OTHERS])
async def test_whatever_it_asks_for(process: Live, path: bytes) -> None:
    arena = await Arena.open(process)

    async def play(case: tuple[str, int, str | None]) -> str:
        query, code, error = case
        async with bare(arena.port) as line:
            await line.shake(arena.filled(PLAIN.replace(GAME, path + query.encode())))
            return wrong(line, 0, await ending(line, "state", "resumed"), code, error)

    asked = [case for case in queries.CASES if path == GAME or case[1] in ALIKE]
    assert not await faults(asked, play)
    assert MARK not in process.output()
    assert arena.words[b"@TOKEN@"] not in process.output()


@pytest.mark.parametrize("path", [GAME, *OTHERS])
async def test_however_it_begins(process: Live, path: bytes) -> None:
    arena = await Arena.open(process)

    async def play(case: Handshake) -> str:
        async with bare(arena.port) as line:
            status = await line.shake(arena.filled(case.raw.replace(GAME, path)))
            code = await ending(line, "state") if status == 101 else OPEN
            if (status, code) != (case.status, case.code):
                return f"{status} {code}, not {case.status} {case.code}"
            if MARK.lower().encode() in line.received.lower():
                return f"repeats what was sent: {line.received[:300]!r}"
            return ""

    begun = [case for case in handshakes.CASES if path == GAME or case.code in ALIKE]
    assert not await faults(begun, play)
    assert MARK.lower() not in process.output().lower()


async def test_a_handshake_that_comes_byte_by_byte(process: Live) -> None:
    arena = await Arena.open(process)
    async with bare(arena.port) as line:
        raw = arena.filled(PLAIN)
        for at in range(len(raw) - 1):
            line.say(raw[at : at + 1])
            await asyncio.sleep(0)
        assert await line.shake(raw[-1:]) == 101
        assert await line.until("state")


async def test_a_handshake_behind_a_question_that_is_not_answered_yet(process: Live) -> None:
    """The answer would land among the frames."""
    arena = await Arena.open(process)
    poll = arena.filled(b"/v1/games/@GAME@/events?wait=20&after=@VERSION@")
    async with bare(arena.port) as line:
        line.say(b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % poll)
        assert await line.shake(arena.filled(PLAIN)) == 0


def test_the_corpus_is_large() -> None:
    cases = [*messages.CASES, *messages.TOKENS, *frames.CASES]
    names = [*(case.name for case in cases), *(case.name for case in handshakes.CASES)]
    names += [case.name for case in commands.WRONG]
    assert len(names) == len(set(names))
    assert len(names) + len(queries.CASES) >= 300
