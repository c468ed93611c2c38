"""A refused token is a line in the log: why, and from where; never what was sent."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from tests.live.player import SOLO, Player
from tests.live.server import Live, log_lines
from tests.live.wire import ask_once, request
from tests.live_streams.conftest import OPERATOR
from tests.live_streams.follower import code_of
from tests.live_streams.server import until

WRONG = OPERATOR.replace("operators", "0perators")
UNKNOWN = "a-token-that-nobody-has-and-nobody-ever-had"


async def test_a_refused_token_is_logged_with_its_reason(process: Live) -> None:
    ana = await Player.make(process.port)
    game = await ana.table(SOLO)
    made = await ana.do("POST", "/v1/players/me/tokens", {"scopes": ["play"]})
    script = replace(ana, token=made["token"])
    stranger = replace(ana, token=UNKNOWN)
    seen = len(log_lines(process))
    for who, path in ((stranger, "/v1/players/me"), (script, "/v1/players/me")):
        assert (await who.ask("GET", path)).status in (401, 403)
    for who in (stranger, script):
        assert await code_of(process.port, game["id"], token=who.token) in (4401, 4403)

    def of(event: str) -> list[dict[str, Any]]:
        return [line for line in log_lines(process)[seen:] if line["event"] == event]

    await until(lambda: len(of("stream")) >= 2)  # a line is written behind its close
    requests = of("request")
    told = [(line["code"], line["why"], line["address"]) for line in requests if "why" in line]
    assert told == [
        ("unauthenticated", "unknown", "127.0.0.1"),
        ("scope_missing", "scope", "127.0.0.1"),
    ]
    assert [(line["code"], line["why"], line["address"]) for line in of("stream")] == [
        (4401, "unauthenticated", "127.0.0.1"),
        (4403, "scope_missing", "127.0.0.1"),
    ]
    output = process.output()
    for secret in (UNKNOWN, UNKNOWN[:16], ana.token, script.token, script.token[:16]):
        assert secret not in output


async def test_every_call_of_an_operator_is_logged_with_which_one(process: Live) -> None:
    seen = len(log_lines(process))
    for token, status in ((OPERATOR, 200), (WRONG, 401)):
        for path in ("/v1/operator/journal", "/v1/operator/notices"):
            reply = await ask_once(process.port, request("GET", path, token=token))
            assert reply.status == status

    def lines() -> list[dict[str, object]]:
        return [line for line in log_lines(process)[seen:] if line["event"] == "request"]

    await until(lambda: len(lines()) >= 4)  # a line is written behind its answer
    mark = hashlib.sha256(OPERATOR.encode()).hexdigest()[:8]
    assert [line.get("operator") for line in lines()] == [mark, mark, None, None]
    assert [line.get("why") for line in lines()] == [None, None, "operator", "operator"]
    for secret in (OPERATOR, WRONG):
        assert secret not in process.output()
