"""Methods that an address does not have are refused, whoever asks."""

from __future__ import annotations

from fastapi.routing import APIRoute

from app.main import routes
from tests.access.stage import NOWHERE, Stage

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"}


async def test_every_other_method_is_405_and_says_which_there_are(stage: Stage) -> None:
    known: dict[str, set[str]] = {}
    for route in routes():
        if isinstance(route, APIRoute):
            known.setdefault(route.path_format, set()).update(route.methods or ())
    wrong = []
    for template, methods in known.items():
        allowed = methods | ({"HEAD"} if "GET" in methods else set())
        path = template.format(**dict.fromkeys(stage.ids, NOWHERE), game_id=NOWHERE)
        for method in METHODS - allowed:
            reply = await stage.send(method, path, None, stage.roles["host"].headers)
            told = set((reply.header("allow") or "").split(", "))
            if (reply.status, told) != (405, allowed):
                wrong.append(f"{method} {template}: {reply.status}, {told}")
    assert not wrong, "\n".join(wrong)
