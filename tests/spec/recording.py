"""
A run of the real server in which every call is kept as an example of its operation.

Time, chance and the ids of games are handed in; what the server draws for itself (ids of players,
tokens) is replaced by made-up values of the same form, in the order of their coming, and so are the
times that the database's clock gives where seats contribute to the dice. So a second run gives the
same bytes.
"""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import httpx

from app.clock import rfc3339
from app.store.chain import ORIGIN, link
from tests.api.live import OPERATOR, Live, running
from tests.spec.reading import Document, operations

Json = dict[str, Any]
BEGIN = 1_780_315_200_000
"""2026-06-01, noon: far from any day on which this is run."""

_MILLIS = re.compile(r"\b[0-9]{13}\b")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
A_WHILE_S = 86_400
_SECRETS = ("token", "ticket")
_CURSORS = ("next", "cursor")


class Clock:
    def __init__(self) -> None:
        self.millis = BEGIN

    def now(self) -> int:
        return self.millis


class Recorder:
    """Calls operations by their names, and keeps what was asked and answered."""

    def __init__(self, live: Live, document: Document, clock: Clock) -> None:
        self.examples: dict[str, list[Json]] = {}
        self.now = clock.now
        self._live = live
        self._clock = clock
        self._operations = {found.name: found for found in operations(document)}
        self._ids: dict[str, str] = {}
        self._tokens: dict[str, str] = {}

    async def call(
        self,
        operation: str,
        by: str | None = None,
        summary: str | None = None,
        body: Json | None = None,
        *,
        query: Json | None = None,
        headers: dict[str, str] | None = None,
        expect: int | None = None,
        seconds: int = 1,
        **path: Any,
    ) -> Any:
        """
        The data of the answer.

        Args:
            by: whose token is sent; `operator` for that of the operator.
            summary: of the example; without one the call is none.
            expect: the status, where it is not one of success.
            seconds: that pass before; none where one asks until something is so.
        """
        self._clock.millis += 1000 * seconds
        found = self._operations[operation]
        token = OPERATOR if by == "operator" else by
        async with self._live.client(token) as client:
            options: Json = {} if body is None else {"json": body}
            answer = await client.request(
                found.method.upper(),
                found.path.format(**path),
                params=query,
                headers=headers,
                **options,
            )
        success = answer.status_code < 400 if expect is None else answer.status_code == expect
        assert success, (operation, answer.status_code, answer.text)
        if summary is not None:
            self._keep(operation, summary, path, query, headers, body, answer)
        media = answer.headers.get("content-type", "")
        return answer.json() if is_json(media) else answer.text

    def _keep(
        self,
        operation: str,
        summary: str,
        path: Json,
        query: Json | None,
        headers: dict[str, str] | None,
        body: Json | None,
        answer: httpx.Response,
    ) -> None:
        media = answer.headers.get("content-type", "").split(";")[0]
        kept: Json = {"summary": summary, "status": answer.status_code}
        for name, value in (("path", path), ("query", query), ("headers", headers)):
            if value:
                kept[name] = value
        if body is not None:
            kept["body"] = body
        if answer.content:
            kept["media"] = media
            kept["answer"] = answer.json() if is_json(media) else answer.text
        if operation == "list_rules":  # its references would be taken for the document's
            kept["answer"]["rule_set_schema"] = {"title": "RuleSet", "type": "object"}
        if operation == "metrics":  # the first of its counters; others are never the same twice
            kept["answer"] = "# HELP" + kept["answer"].split("# HELP", 2)[1]
        self.examples.setdefault(operation, []).append(self._made_up(kept))

    def _made_up(self, kept: Json) -> Json:
        """The same, with made-up values for what the server drew."""
        text = _ID.sub(lambda found: self._id(found[0]), json.dumps(kept))
        text = _MILLIS.sub(lambda found: str(self._time(int(found[0]))), text)
        text = _MOMENT.sub(lambda found: rfc3339(self._time(_millis(found[0]))), text)
        made: Json = json.loads(text, object_hook=self._without_secrets)
        if made.get("media") == "application/x-ndjson":
            made["answer"] = _chained(made["answer"])
        return made

    def _id(self, real: str) -> str:
        if real.startswith(f"{BEGIN:012x}"[:8]):  # made here: it is the same in every run
            return real
        return self._ids.setdefault(real, made_id(0x1000 + len(self._ids)))

    def _time(self, millis: int) -> int:
        """The run's time for one of the machine's, by how many seconds it is from now."""
        seconds = round((millis - time.time() * 1000) / 1000)
        return self.now() + 1000 * seconds if abs(seconds) < A_WHILE_S else millis

    def _without_secrets(self, told: Json) -> Json:
        for name in _SECRETS:
            if isinstance(told.get(name), str) and len(told[name]) == 43:
                number = self._tokens.setdefault(told[name], f"{len(self._tokens)}")
                digest = sha256(f"made up {number}".encode()).digest()
                told[name] = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        for name in _CURSORS:
            cursor = told.get(name)
            if isinstance(cursor, str) and not (cursor.isdigit() or _ID.fullmatch(cursor)):
                told[name] = self._cursor(cursor)
        return told

    def _cursor(self, real: str) -> str:
        """It holds the ids of what stands where a page ends."""
        place = base64.urlsafe_b64decode(real + "=" * (-len(real) % 4)).decode()
        made = _ID.sub(lambda found: self._id(found[0]), place)
        return base64.urlsafe_b64encode(made.encode()).decode().rstrip("=")


def _millis(moment: str) -> int:
    return round(datetime.fromisoformat(moment).timestamp() * 1000)


def is_json(media: str) -> bool:
    return media.endswith(("/json", "+json"))


def _chained(log: str) -> str:
    """A log whose ids were replaced, with the hashes that belong to it now."""
    header, *lines = log.splitlines()
    game_id = json.loads(header).get("game_id")
    hash_, made = ORIGIN, [header]
    for line in map(json.loads, lines):
        hash_ = link(game_id, line["version"], hash_, line["bytes"].encode())
        made.append(json.dumps({**line, "hash": hash_.hex()}, ensure_ascii=False))
    return "\n".join(made) + "\n"


def made_id(number: int) -> str:
    """A UUIDv7 of the run's first moment."""
    time = f"{BEGIN:012x}"
    return f"{time[:8]}-{time[8:]}-7000-8000-{number:012x}"


@asynccontextmanager
async def recorder(folder: Path, document: Document) -> AsyncIterator[Recorder]:
    """On a SQLite file in a folder, where nothing happens at a table by itself."""
    clock, random, numbers = Clock(), Random(20261130), iter(range(1, 0x1000))

    def draw(count: int) -> bytes:
        return random.randbytes(count)

    async with running(
        f"sqlite+aiosqlite:///{folder / 'hotdice.db'}",
        runs_tables=False,
        clock=clock,
        entropy=draw,
        ids=lambda: made_id(next(numbers)),
        quick_s=0,  # whatever is asked for first is not done yet
        operator_token=(OPERATOR,),
        reveal_after=60,
        wild_roll_packs="small:5,large:25",
    ) as live:
        yield Recorder(live, document, clock)
