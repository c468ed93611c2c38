"""
Finding a route by its path in one walk, and naming operations after their functions.

The framework tries one route after the other, twice where routers are nested, which would cost a
command more than its rules do. Routes therefore sit on the app itself, behind an index.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.convertors import StringConvertor
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Receive, Scope, Send


def api_router(tag: str) -> APIRouter:
    """A router for one module; its routes have whole paths, `/v1/games/{game_id}`."""
    return APIRouter(tags=[tag], generate_unique_id_function=operation_id, redirect_slashes=False)


def operation_id(route: APIRoute) -> str:
    return route.name


class _Node:
    __slots__ = ("any", "methods", "names", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.any: _Node | None = None
        self.methods: dict[str, APIRoute] = {}
        self.names: dict[str, tuple[str, ...]] = {}


class Index(BaseRoute):
    """A tree of path segments over some routes; a literal segment goes before a parameter."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        self._root = _Node()
        for route in routes:
            if isinstance(route, APIRoute) and all(
                isinstance(c, StringConvertor) for c in route.param_convertors.values()
            ):
                self._add(route)

    def _add(self, route: APIRoute) -> None:
        node = self._root
        names = []
        for segment in route.path_format.split("/"):
            if segment.startswith("{"):
                names.append(segment[1:-1])
                node.any = node.any or _Node()
                node = node.any
            else:
                node = node.next.setdefault(segment, _Node())
        for method in route.methods or ():
            if method in node.methods:
                raise ValueError(f"two routes for {method} {route.path_format}")
            node.methods[method] = route
            node.names[method] = tuple(names)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != "http":
            return Match.NONE, {}
        node = self._root
        values = []
        for segment in scope["path"].split("/"):
            if (literal := node.next.get(segment)) is not None:
                node = literal
            elif node.any is not None and segment:
                values.append(segment)
                node = node.any
            else:
                return Match.NONE, {}
        if not node.methods:
            return Match.NONE, {}
        method = scope["method"]
        route = node.methods.get(method)
        if route is None:
            scope["allow"] = ", ".join(sorted(node.methods))
            return Match.FULL, {"endpoint": None}
        return Match.FULL, {
            "endpoint": route.endpoint,
            "path_params": dict(zip(node.names[method], values, strict=True)),
            "route": route,
        }

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if "allow" in scope:
            raise HTTPException(405, headers={"Allow": scope["allow"]})
        await scope["route"].app(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:
        raise NoMatchFound(name, path_params)
