"""
A server with everybody on it: tables in each state and visibility, and every kind of token.

Seats of a table: 0 the player to move, 1 the host, 2 another seat, 3 the former host, 4 a bot
account; whoever sat on 5 was removed. The former host opened the table, left it, and sat down anew.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tests.access.matrix import VISIBILITIES
from tests.live.player import Player
from tests.live.wire import Line, Reply, request
from tests.live_streams.server import Serving

Json = dict[str, Any]
OPERATOR = "an-operators-token-of-the-access-matrix"
NOWHERE = "01936f2e-7b1c-7000-8000-000000000000"
STATES = ("lobby", "running", "finished")
ALL_SCOPES = ("read", "play", "create")
OPEN: Json = {
    "rules": {"preset": "jester"},
    "seats": [{"kind": "human"}] * 6,
    "cheats": {},
    "dice": {"kind": "scripted", "rolls": [[1, 1, 5, 2, 3]]},
}


class ShiftedClock:
    """The machine's clock, and what it is put forward by."""

    def __init__(self) -> None:
        self.ahead_ms = 0

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead_ms


class Role(NamedTuple):
    """Somebody who calls, as the tables of the page see them."""

    column: str
    """Of the table of answers; or `bad`, `expired`, `operator`."""
    headers: tuple[bytes, ...]
    scopes: tuple[str, ...] | None = None
    """None: whatever its token opens."""
    player: Player | None = None

    @property
    def token(self) -> str | None:
        return self.player.token if self.player else None


@dataclass
class Stage:
    server: Serving
    clock: ShiftedClock
    line: Line
    roles: dict[str, Role] = field(default_factory=dict)
    cast: dict[str, Player] = field(default_factory=dict)
    tables: dict[tuple[str, str], Json] = field(default_factory=dict)
    """By visibility and state; as the host sees them."""
    ids: dict[str, str] = field(default_factory=dict)
    """For the parameters of paths: `match_id`, `series_id`, `token_id`, `player_id`."""

    async def send(
        self, method: str, path: str, body: object, headers: tuple[bytes, ...] = ()
    ) -> Reply:
        """A request with these header lines, on a connection that stays open."""
        head, _, rest = request(method, path, body).partition(b"\r\n")
        lines = b"".join(line + b"\r\n" for line in headers)
        if (
            self.line.is_answered
        ):  # to nothing: it was idle for so long that the server has closed it
            await self.line.close()
            self.line = await Line.open(self.server.port)
        return await self.line.ask(head + b"\r\n" + lines + rest)

    async def do(self, who: Player, method: str, path: str, body: object = None) -> Json:
        """A call that is accepted."""
        reply = await self.send(method, path, body, (bearer(who.token),))
        assert reply.ok, (method, path, reply)
        return reply.json() if reply.body else {}

    async def guest(self, name: str = "Ana", **how: Any) -> Player:
        made = (await self.send("POST", "/v1/players", {"name": name, **how})).json()
        return Player(made["id"], made["token"], self.server.port)

    async def table(self, visibility: str, state: str) -> Json:
        """A new table with the whole cast."""
        cast = self.cast
        asked = {**OPEN, "visibility": visibility}
        game = await self.do(cast["former host"], "POST", "/v1/games", asked)
        path, code = f"/v1/games/{game['id']}", game["join_code"]

        async def sit(name: str, seat: int) -> None:
            await self.do(cast[name], "POST", f"{path}/join", {"join_code": code, "seat": seat})

        await sit("host", 1)
        await self.do(cast["former host"], "POST", f"{path}/leave")
        for seat, name in ((0, "player"), (2, "other seat"), (3, "former host")):
            await sit(name, seat)
        await sit("bot account", 4)
        await sit("removed", 5)
        host = cast["host"]
        game = await self.do(host, "PATCH", f"{path}/seats/5", {"kind": "human"})
        assert game["seats"][5]["player_id"] is None
        assert game["host"] == host.id
        if state != "lobby":
            await self.do(host, "PATCH", f"{path}/seats/5", {"kind": "closed"})
            game = (await self.do(host, "POST", f"{path}/start"))["game"]
            assert game["turn"]["seat"] == 0
        if state == "finished":
            game = (await self.do(host, "POST", f"{path}/end"))["game"]
        return game

    async def scoped(self, of: Player, *scopes: str, **how: Any) -> Json:
        return await self.do(of, "POST", "/v1/players/me/tokens", {"scopes": scopes, **how})

    async def lay(self) -> None:
        """Everybody, and a table of each kind."""
        for name in ("player", "host", "other seat", "former host", "removed", "spectator"):
            self.cast[name] = await self.guest("Ana")
        self.cast["bot account"] = await self.guest("Robo", bot=True)
        for name in ("another host", "spare"):
            self.cast[name] = await self.guest("Bo")
        await self.do(self.cast["another host"], "POST", "/v1/games", OPEN)
        await self._hand_out()
        for visibility in VISIBILITIES:
            for state in STATES:
                self.tables[visibility, state] = await self.table(visibility, state)
        await self._lay_what_the_host_has()

    async def _hand_out(self) -> None:
        cast, host = self.cast, self.cast["host"]
        old = host
        new = await self.do(old, "POST", "/v1/players/me/token")
        host = cast["host"] = replace(old, token=new["token"])
        await self.do(host, "GET", "/v1/players/me")
        short = await self.scoped(host, *ALL_SCOPES, expires_in_s=60)
        self.clock.ahead_ms += 60_000
        revoked = await self.scoped(host, *ALL_SCOPES)
        await self.do(host, "DELETE", f"/v1/players/me/tokens/{revoked['id']}")
        forgotten, banned = await self.guest(), await self.guest()
        await self.do(forgotten, "DELETE", "/v1/players/me")
        path = f"/v1/operator/players/{banned.id}/ban"
        assert (await self.send("POST", path, None, (bearer(OPERATOR),))).ok
        bad = {
            "a token nobody has": (bearer(secrets.token_urlsafe(32)),),
            "another scheme": (b"Authorization: Basic YTpi",),
            "no token in the header": (b"Authorization: Bearer",),
            "a token that is not ASCII": (b"Authorization: Bearer \xe9\xff",),
            "two tokens": (bearer(host.token), bearer(host.token)),
            "a token that was replaced": (bearer(old.token),),
            "a token that was revoked": (bearer(revoked["token"]),),
            "a forgotten player": (bearer(forgotten.token),),
            "a banned player": (bearer(banned.token),),
        }
        roles = {name: Role("bad", headers) for name, headers in bad.items()}
        roles["nobody"] = Role("no token", ())
        roles["a token that expired"] = Role("expired", (bearer(short["token"]),))
        roles["an operator"] = Role("operator", (bearer(OPERATOR),))
        columns = {
            **dict.fromkeys(("removed", "spectator", "another host"), "a stranger"),
            **dict.fromkeys(("other seat", "bot account", "former host"), "a member"),
            "player": "to move",
            "host": "the host",
        }
        for name, column in columns.items():
            who = cast[name]
            roles[name] = Role(column, (bearer(who.token),), None, who)
        for scope in ALL_SCOPES:
            lent = await self.scoped(host, scope)
            who = replace(host, token=lent["token"])
            roles[f"host, {scope}"] = Role("the host", (bearer(who.token),), (scope,), who)
        self.roles = roles

    async def _lay_what_the_host_has(self) -> None:
        host = self.cast["host"]
        match = await self.do(host, "POST", "/v1/matchmaking", {"rules": {"preset": "farkle"}})
        series = await self.do(host, "POST", "/v1/series", SERIES)
        token = await self.scoped(host, "read")
        self.ids = {
            "match_id": match["id"],
            "series_id": series["id"],
            "token_id": token["id"],
            "player_id": host.id,
            "preset": "farkle",
            "analysis_id": "0" * 32,
            "folder": "nowhere",
            "name": "nothing.js",
            "version": "1",
            "seat": "5",
        }


SERIES: Json = {
    "rules": {"preset": "farkle"},
    "participants": [{"kind": "me"}, {"kind": "player"}],
    "games": 1,
}


def bearer(token: str) -> bytes:
    return b"Authorization: Bearer " + token.encode()
