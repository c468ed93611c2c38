"""Every call by everybody: each cell of the tables of `docs/access.md`, asked of a server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from fastapi.routing import APIRoute
from starlette.routing import WebSocketRoute

from app.api.problems import CODES
from app.api.routing import Route
from app.main import routes
from tests.access.calls import RULED_OUT, Ids, Sent, alone, sent_with
from tests.access.matrix import VISIBILITIES, YES, Matrix, Row, read
from tests.access.stage import NOWHERE, Json, Role, Stage
from tests.live.wire import Reply

MATRIX = read()
DOORS = {"unauthenticated", "token_expired", "scope_missing"} | {
    code.strip("`")
    for cells in MATRIX.answers.values()
    for cell in cells.values()
    for part in cell.split("; ")
    for code in [part.rpartition(": ")[2]]
    if code != YES
}
"""Codes that say who may; all others are the rules'."""


class Cell(NamedTuple):
    call: str
    row: Row
    name: str
    role: Role
    visibility: str

    def __str__(self) -> str:
        return f"{self.call} × {self.name} × {self.visibility}"


def answer(matrix: Matrix, row: Row, role: Role, visibility: str) -> str:
    """What a cell says: `yes`, or the code of the refusal."""
    if row.who == "an operator":
        return YES if role.column == "operator" else "unauthenticated"
    if row.scope is None:
        return YES
    if role.column in ("bad", "operator"):
        return "unauthenticated"
    if role.column == "expired":
        return "token_expired"
    if role.scopes is not None and row.scope not in role.scopes:
        return "scope_missing"
    return matrix.answer(row.who, role.column, visibility)


def cells(stage: Stage) -> Iterator[Cell]:
    for call, row in MATRIX.calls.items():
        for visibility in VISIBILITIES if "{game_id}" in call else VISIBILITIES[:1]:
            for name, role in stage.roles.items():
                yield Cell(call, row, name, role, visibility)


async def ask(stage: Stage, cell: Cell, sent: Sent, role: Role, table: Json, ids: Ids) -> Reply:
    method, template = cell.call.split(" ")
    path = template.format(**{**stage.ids, "game_id": table.get("id", ""), **ids})
    return await stage.send(method, path, sent.body_at(table), role.headers)


def test_every_route_stands_in_the_table_with_its_scope() -> None:
    """A new route: write who may into `docs/access.md`, and what it is sent into `calls.py`."""
    found = {
        f"{method} {route.path_format}": route
        for route in routes()
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert set(found) == set(MATRIX.calls)
    scopes = {call: route.scope for call, route in found.items() if isinstance(route, Route)}
    assert scopes == {call: row.scope for call, row in MATRIX.calls.items()}
    streams = {route.path for route in routes() if isinstance(route, WebSocketRoute)}
    assert streams == set(MATRIX.streams)
    kinds = {row.who for row in (*MATRIX.calls.values(), *MATRIX.streams.values())}
    assert kinds == set(MATRIX.answers)


async def refuse_everybody_who_may_not(stage: Stage) -> None:
    wrong, asked, before = [], 0, await tables_now(stage)
    for cell in cells(stage):
        expected = answer(MATRIX, cell.row, cell.role, cell.visibility)
        if expected == YES:
            continue
        asked += 1
        sent = sent_with(cell.call)
        table = stage.tables[cell.visibility, sent.state]
        reply = await ask(stage, cell, sent, cell.role, table, {})
        if (reply.status, reply.code) != (CODES[expected][0], expected):
            wrong.append(f"{cell}: {expected}, not {reply.status} {reply.code}")
        elif expected == "scope_missing" and reply.json()["needed"] != cell.row.scope:
            wrong.append(f"{cell}: needs {reply.json()['needed']}")
        elif expected.endswith("_not_found"):
            nowhere = dict.fromkeys(("match_id", "token_id"), NOWHERE)
            other = await ask(stage, cell, sent, cell.role, {**table, "id": NOWHERE}, nowhere)
            if (other.status, other.body) != (reply.status, reply.body):
                wrong.append(f"{cell}: what is not there is answered otherwise")
    assert not wrong, "\n".join(wrong)
    assert asked > 900
    assert await tables_now(stage) == before


async def let_in_everybody_who_may(stage: Stage) -> None:
    wrong, done = [], set()
    for cell in sorted(cells(stage), key=lambda cell: sent_with(cell.call).turn):
        if answer(MATRIX, cell.row, cell.role, cell.visibility) != YES:
            continue
        sent = sent_with(cell.call)
        role, table, ids = cell.role, stage.tables[cell.visibility, sent.state], Ids()
        if sent.wears:
            role, table, ids = await alone(stage, cell.call, role, cell.visibility)
        reply = await ask(stage, cell, sent, role, table, ids)
        while reply.code == "advice_not_ready":  # it is let in, and comes again as it is told to
            await asyncio.sleep(1)
            reply = await ask(stage, cell, sent, role, table, ids)
        if reply.status == sent.status:
            done.add(cell.call)
        if reply.status >= 500 or (reply.status in (401, 403, 404) and reply.code in DOORS):
            wrong.append(f"{cell}: {reply.status} {reply.code}")
    assert not wrong, "\n".join(wrong)
    assert set(MATRIX.calls) - done == RULED_OUT


async def tables_now(stage: Stage) -> list[Json]:
    host = stage.cast["host"]
    found = [
        await stage.do(host, "GET", f"/v1/games/{table['id']}") for table in stage.tables.values()
    ]
    return [{**game, "now": None} for game in found]


async def test_whoever_may_not_is_refused_with_the_right_code(stage: Stage) -> None:
    await refuse_everybody_who_may_not(stage)


@pytest.mark.wide
async def test_whoever_may_is_let_in(own_stage: Stage) -> None:
    await let_in_everybody_who_may(own_stage)


@pytest.mark.wide
async def test_whoever_may_not_is_refused_on_postgres(stage_on_postgres: Stage) -> None:
    await refuse_everybody_who_may_not(stage_on_postgres)


@pytest.mark.wide
async def test_whoever_may_is_let_in_on_postgres(stage_on_postgres: Stage) -> None:
    await let_in_everybody_who_may(stage_on_postgres)
