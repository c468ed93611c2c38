"""Names: whoever may be called what, on both stores the same."""

from __future__ import annotations

import json
import unicodedata

from tests.live.conftest import Served
from tests.live.corpus.names import BAD, GOOD
from tests.live.player import Player
from tests.live.server import healthy
from tests.live.wire import Line, Reply, request

Verdict = tuple[int, str | None]
"""The status, and the name as it is kept or the code of the fault."""


async def _verdicts(line: Line, names: tuple[str, ...]) -> dict[str, Verdict]:
    found = {}
    for name in names:
        body = json.dumps({"name": name}).encode()
        reply = await line.ask(request("POST", "/v1/players", body))
        found[name] = reply.status, await _kept(line, reply)
    return found


async def _kept(line: Line, reply: Reply) -> str | None:
    if not reply.ok:
        parts = reply.json()["errors"]
        return f"{parts[0]['pointer']} {parts[0]['code']}"
    made = reply.json()
    stored = (await line.ask(request("GET", f"/v1/players/{made['id']}"))).json()["name"]
    assert stored == made["name"]
    return str(stored)


async def test_names_get_the_same_verdict_on_both_stores(
    on_sqlite: Served, on_postgres: Served
) -> None:
    assert len({*GOOD, *BAD}) >= 200
    verdicts = {}
    for served in (on_sqlite, on_postgres):
        [server] = served.up()
        line = await Line.open(server.port)
        verdicts[served.store] = await _verdicts(line, (*GOOD, *BAD))
        await line.close()
        healthy(server)
    assert verdicts["sqlite"] == verdicts["postgres"]
    found = verdicts["sqlite"]
    turned_away = [ascii(n) for n in GOOD if found[n] != (201, unicodedata.normalize("NFC", n))]
    let_in = [ascii(n) for n in BAD if found[n][0] != 422]
    assert (turned_away, let_in) == ([], [])


async def test_a_name_at_a_table_is_the_one_that_was_kept(
    on_sqlite: Served, on_postgres: Served
) -> None:
    for served in (on_sqlite, on_postgres):
        [server] = served.up()
        for name in ("Zoe\u0308", "\U00020000\U0001d400", "O\u2019Brien #1"):
            player = await Player.make(server.port, name)
            game = await player.table()
            shown = {seat["name"] for seat in game["seats"]}
            assert shown == {unicodedata.normalize("NFC", name)}
