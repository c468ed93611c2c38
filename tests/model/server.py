"""
The server under test: real parts on a real database, in a loop of its own, with time and chance
pinned, so that a run can be told by its choices alone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import httpx

from tests.api.live import BASE, running
from tests.model.model import Person
from tests.spec.answers import alooked

T = TypeVar("T")
Json = dict[str, Any]
BEGIN = 1_800_000_000_000


@dataclass(frozen=True)
class Store:
    """A database: its address, and how it is emptied."""

    url: str
    wipe: Callable[[], Awaitable[None]]


class Asked(NamedTuple):
    """A request, so that it can be sent again."""

    by: Person | None
    method: str
    path: str
    body: Json | None = None
    headers: Mapping[str, str] = MappingProxyType({})

    def __str__(self) -> str:
        name = self.by.name if self.by else "nobody"
        body = "" if self.body is None else f" {json.dumps(self.body)}"
        headers = "".join(f" [{key}: {value}]" for key, value in self.headers.items())
        return f"{name}: {self.method} {self.path}{body}{headers}"


class Answer(NamedTuple):
    status: int
    body: bytes
    headers: httpx.Headers

    @property
    def json(self) -> Json:
        found: Json = json.loads(self.body)
        return found


class Server:
    """Opened on an emptied database; `close` it."""

    def __init__(self, store: Store, chance: int, tell: Callable[[str], None]) -> None:
        self.now_ms = BEGIN
        self._url = store.url
        self._tell = tell
        self._random = Random(chance)
        self._ids = 0
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._stack = AsyncExitStack()
        self._run(store.wipe())
        self._run(self._open())

    def close(self) -> None:
        try:
            self._run(self._stack.aclose())
        finally:
            self._runner.close()

    def reload(self) -> None:
        """Ends the application and opens another one on the same database."""
        self._tell("-- the server stops and starts")
        self._run(self._reload())

    async def _reload(self) -> None:
        await self._stack.aclose()
        await self._open()

    async def _open(self) -> None:
        live = await self._stack.enter_async_context(
            running(
                self._url,
                runs_tables=False,
                clock=self,
                entropy=self.drawn,
                ids=self.new_id,
                log_level="error",
            )
        )
        self._client = await self._stack.enter_async_context(
            httpx.AsyncClient(
                transport=httpx.ASGITransport(live.app),
                base_url=BASE,
                event_hooks={"response": [alooked]},
            )
        )

    def now(self) -> int:
        """As the server's clock."""
        return self.now_ms

    def drawn(self, count: int) -> bytes:
        """As the server's chance: the same for the same calls in the same order."""
        return self._random.randbytes(count)

    def new_id(self) -> str:
        """As the server's next id of a game: a UUIDv7."""
        self._ids += 1
        time = f"{self.now_ms:012x}"
        return f"{time[:8]}-{time[8:]}-7000-8000-{self._ids:012x}"

    def ask(self, asked: Asked) -> Answer:
        [answer] = self.at_once([asked])
        return answer

    def at_once(self, many: Sequence[Asked]) -> list[Answer]:
        """Requests that are under way at the same time."""
        answers = self._run(self._gather(many))
        for asked, answer in zip(many, answers, strict=True):
            self._tell(f"{asked} -> {answer.status} {_code(answer)}")
        return answers

    async def _gather(self, many: Sequence[Asked]) -> list[Answer]:
        return list(await asyncio.gather(*(self._send(asked) for asked in many)))

    async def _send(self, asked: Asked) -> Answer:
        headers = dict(asked.headers)
        if asked.by is not None:
            headers["Authorization"] = f"Bearer {asked.by.token}"
        got = await self._client.request(asked.method, asked.path, headers=headers, json=asked.body)
        assert got.status_code < 500, f"{asked} -> {got.status_code} {got.text}"
        return Answer(got.status_code, got.content, got.headers)

    def cut_off(self, asked: Asked, ticks: int, reload: bool) -> None:
        """The client goes away so many turns of the loop after it has asked."""
        self._tell(f"{asked} -> cut off after {ticks}")
        self._run(self._cut_off(asked, ticks))
        if reload:
            self.reload()

    async def _cut_off(self, asked: Asked, ticks: int) -> None:
        task = asyncio.create_task(self._send(asked))
        for _ in range(ticks):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    def _run(self, work: Awaitable[T]) -> T:
        async def done() -> T:
            return await work

        coroutine: Coroutine[Any, Any, T] = done()
        return self._runner.run(coroutine)


def _code(answer: Answer) -> str:
    """Of a refusal."""
    return str(answer.json.get("code", "")) if answer.status >= 400 else ""
