"""
Finding a route by its path in one walk, and calling it without detours.

The framework tries one route after the other, twice where routers are nested, and solves
dependencies where there are none; that would cost a command more than its rules do. Routes
therefore sit on the app itself, behind an index, and one that takes nothing but the request and
parts of the path, and makes its answer itself, is called directly. The document is the same.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter
from fastapi._compat import ModelField
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.convertors import StringConvertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import ASGIApp, Receive, Scope, Send

from app.accounts import Scope as TokenScope
from app.api.operations import ANSWERS
from app.api.refusals import BadPart, InvalidRequest

MOST_PARTS = 1_024
"""Values of a part of a path that each route remembers as sound: a game's commands share one."""


def api_router(tag: str) -> APIRouter:
    """A router for one module; its routes have whole paths, `/v1/games/{game_id}`."""
    return APIRouter(
        tags=[tag],
        route_class=Route,
        generate_unique_id_function=operation_id,
        redirect_slashes=False,
    )


def operation_id(route: APIRoute) -> str:
    return route.name


class Route(APIRoute):
    """A route that may be direct: `direct` is then what runs it, an ASGI application."""

    direct: ASGIApp | None = None
    scope: TokenScope | None = None
    """What a token must open to be sent here, as the document says it; None: it takes none."""
    farewell: list[tuple[bytes, bytes]] | None = None
    """Headers of each answer where the operation is deprecated."""
    parameters: frozenset[str] = frozenset()
    """What the query of an address may say here, each once."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        makes = inspect.signature(endpoint, eval_str=True).return_annotation
        makes_its_answer = isinstance(makes, type) and issubclass(makes, Response)
        self._told = options
        super().__init__(path, endpoint, **(_unmodelled(options) if makes_its_answer else options))
        for way in (self.openapi_extra or {}).get("security", ()):
            for needed in way.get("bearer", ()):
                self.scope = needed
        carries = (self.openapi_extra or {}).get(ANSWERS, {})
        self.farewell = carries.get("deprecated")
        takes = self.dependant
        self.parameters = frozenset(field.alias for field in takes.query_params)
        if (
            takes.request_param_name == "request"
            and not (takes.query_params or takes.header_params or takes.cookie_params)
            and not (takes.body_params or takes.dependencies or self.dependencies)
            and makes_its_answer
        ):
            self.direct = self._run
            self._read = [(f.name, f.alias, _reader(f)) for f in takes.path_params]

    def told(self) -> APIRoute:
        """The same with the models of its answers, for the document."""
        return APIRoute(self.path, self.endpoint, **self._told)

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        values: dict[str, Any] = scope["path_params"]
        for name, alias, read in self._read:
            values[name] = read(values[alias])
        answer: Response = await self.endpoint(request=Request(scope, receive, send), **values)
        await answer(scope, receive, send)


def _reader(field: ModelField) -> Callable[[str], Any]:
    """A part of a path -> its value. Raises: RequestValidationError."""

    @lru_cache(maxsize=MOST_PARTS)
    def read(part: str) -> Any:
        value, faults = field.validate(part, {}, loc=("path", field.alias))
        if faults:
            raise RequestValidationError(faults)
        return value

    return read


def _check_once(parameters: frozenset[str], query: bytes) -> None:
    """
    Who reads a parameter that is given twice takes the first or the last, and others the other.

    Raises: InvalidRequest.
    """
    found = Counter(name for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True))
    parts = tuple(
        BadPart("repeated", "Is given more than once.", parameter=name)
        for name in sorted(parameters)
        if found[name] > 1
    )
    if parts:
        raise InvalidRequest(parts)


def _unmodelled(options: dict[str, Any]) -> dict[str, Any]:
    """
    Without the models of answers. Where a route makes its answers itself they serve the document
    alone, and building what would check them takes a start a second and 10 MiB.
    """
    answers: dict[int | str, dict[str, Any]] = options.get("responses") or {}
    bare = {
        status: {name: told for name, told in answer.items() if name != "model"}
        for status, answer in answers.items()
    }
    return {**options, "response_model": None, "responses": bare}


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
        if "route" in scope:  # found on the way in
            return Match.FULL, {}
        return (Match.FULL, {}) if self.find(scope) else (Match.NONE, {})

    def find(self, scope: Scope) -> bool:
        """Put the route and its parameters into the scope, or `allow` for another method's."""
        node = self._root
        values = []
        for segment in scope["path"].split("/"):
            if (literal := node.next.get(segment)) is not None:
                node = literal
            elif node.any is not None and segment:
                values.append(segment)
                node = node.any
            else:
                return False
        if not node.methods:
            return False
        method = scope["method"]
        route = node.methods.get(method)
        if route is None:
            heads = {"HEAD"} if "GET" in node.methods else set()  # the edge answers it as a GET
            scope["allow"] = ", ".join(sorted(node.methods.keys() | heads))
            return True
        scope["endpoint"] = route.endpoint
        scope["path_params"] = dict(zip(node.names[method], values, strict=True))
        scope["route"] = route
        return True

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if "allow" in scope:
            raise HTTPException(405, headers={"Allow": scope["allow"]})
        route = scope["route"]
        if b"&" in scope["query_string"] and isinstance(route, Route):
            _check_once(route.parameters, scope["query_string"])
        await route.app(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:
        raise NoMatchFound(name, path_params)
