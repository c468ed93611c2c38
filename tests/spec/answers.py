"""
Every answer that any test gets is held against the document: nothing is sent that it does not say.

The status is one of the operation's; the body is of a media type given for it and of its schema,
in which objects have no fields but those that are told; headers that are promised are there, and
those that are there are told. What a problem says are sentences. What is found fails the test that
was running.

An answer costs 0.1 to 0.3 ms to look at, some percent of the tests' time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from jsonschema_rs import Draft202012Validator, Registry, Validator

from tests.spec.reading import Document, operations, resolved

FILE = Path(__file__).parents[2] / "openapi" / "openapi.json"

_TOLD = frozenset(
    {
        *("content-type", "content-length", "content-encoding", "transfer-encoding", "vary"),
        *("cache-control", "content-security-policy", "x-content-type-options", "referrer-policy"),
        *("x-accel-buffering", "date", "connection"),
        *("access-control-allow-origin", "access-control-expose-headers"),
        "access-control-allow-credentials",
    }
)
"""Headers of HTTP itself, of browsers' safety, and of CORS: not an operation's."""
_SENTENCE = re.compile(r"[A-Z].*\.", re.DOTALL)
_SEGMENT = re.compile(r"\{[^}]+\}")


class Answered(NamedTuple):
    """One answer, as it went over the wire."""

    method: str
    path: str
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    """Unpacked."""


class Spec:
    """A document that answers are held against."""

    def __init__(self, document: Document) -> None:
        self.faults: list[str] = []
        self.seen = 0
        self.document = _closed(document)
        self._registry = Registry([("urn:spec", self.document)])
        self._validators: dict[str, Validator] = {}
        self._paths: list[tuple[re.Pattern[str], dict[str, Any]]] = []
        found: dict[str, dict[str, Any]] = {}
        for operation in operations(self.document):
            found.setdefault(operation.path, {})[operation.method.upper()] = operation.says
        for path, methods in sorted(found.items(), key=lambda item: "{" in item[0]):
            pattern = _SEGMENT.sub("[^/]+", re.escape(path).replace(r"\{", "{").replace(r"\}", "}"))
            self._paths.append((re.compile(pattern), methods))
        self._find = lru_cache(4096)(self._methods_of)

    def look(self, answered: Answered) -> None:
        """Whatever is wrong is kept in `faults`."""
        self.seen += 1
        method = "GET" if answered.method == "HEAD" else answered.method
        said = (self._find(answered.path) or {}).get(method)
        if said is None:
            return  # no operation: a page, a stream, an address where nothing is
        for fault in self._wrong(said, answered):
            self.faults.append(f"{answered.method} {answered.path}, {answered.status}: {fault}")

    def _methods_of(self, path: str) -> dict[str, Any] | None:
        return next((found for way, found in self._paths if way.fullmatch(path)), None)

    def _wrong(self, said: dict[str, Any], answered: Answered) -> Iterable[str]:
        told = said["responses"].get(str(answered.status))
        if told is None:
            yield "the status is not told"
            return
        told = resolved(self.document, told)
        yield from self._wrong_headers(told, answered)
        media = answered.headers.get("content-type", "").split(";")[0].strip()
        content = told.get("content", {})
        if answered.method == "HEAD":
            return
        if not content:
            if answered.body:
                yield "there is a body"
        elif media not in content:
            yield f"the type {media} is not told"
        elif media == "application/json" or media.endswith("+json"):
            yield from self._wrong_body(content[media]["schema"], answered.body)

    def _wrong_headers(self, told: dict[str, Any], answered: Answered) -> Iterable[str]:
        promised = {name.lower(): header for name, header in told.get("headers", {}).items()}
        for name in {*answered.headers} - _TOLD - {*promised}:
            yield f"the header {name} is not told"
        for name, promise in promised.items():
            header = resolved(self.document, promise)
            value = answered.headers.get(name)
            if value is None:
                if header.get("required"):
                    yield f"the header {name} is missing"
                continue
            schema = header["schema"]
            data = int(value) if schema.get("type") == "integer" and value.isdigit() else value
            yield from self.faults_of(schema, data, f"the header {name}")

    def _wrong_body(self, schema: dict[str, Any], body: bytes) -> Iterable[str]:
        try:
            data = json.loads(body)
        except ValueError:
            yield "the body is no JSON"
            return
        named = schema.get("discriminator")
        if named and isinstance(data, dict):  # of one problem among many: clearer words, sooner
            chosen = named["mapping"].get(str(data.get(named["propertyName"])))
            if chosen is None:
                yield f"{named['propertyName']} {data.get(named['propertyName'])!r} is not told"
                return
            schema = {"$ref": chosen}
        yield from self.faults_of(schema, data, "the body")
        if isinstance(data, dict) and "detail" in data:
            for part in (data, *data.get("errors", ())):
                if not _SENTENCE.fullmatch(str(part.get("detail"))):
                    yield f"no sentence: {part['detail']!r}"

    def faults_of(self, schema: dict[str, Any], data: Any, where: str) -> Iterable[str]:
        validator = self._validator(json.dumps(schema))
        if not validator.is_valid(data):
            for error in list(validator.iter_errors(data))[:3]:
                place = "/".join(map(str, error.instance_path))
                yield f"{where} at /{place}: {error.message[:300]}"

    def _validator(self, schema: str) -> Validator:
        if (found := self._validators.get(schema)) is None:
            whole = json.loads(schema.replace('"#/', '"urn:spec#/'))
            found = self._validators[schema] = Draft202012Validator(
                whole, registry=self._registry, validate_formats=True
            )
        return found


def _closed(document: Document) -> Document:
    """The document with every object closed: clients pass over new fields, tests do not."""
    copied: Document = json.loads(json.dumps(document))

    def close(node: Any) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object" and "properties" in node:
                node.setdefault("additionalProperties", False)
            for part in node.values():
                close(part)
        elif isinstance(node, list):
            for part in node:
                close(part)

    close(copied["components"]["schemas"])
    return copied


def looked(answer: httpx.Response) -> None:
    """Of a server on a real port or one without `Watched`, by the client that asked."""
    path = answer.request.url.raw_path.decode().partition("?")[0]
    if "%" not in path:  # an escape leads nowhere, whatever the path would be without it
        told = answer.status_code, dict(answer.headers), answer.read()
        spec().look(Answered(answer.request.method, path, *told))


async def alooked(answer: httpx.Response) -> None:
    """The same, as a hook of an asynchronous client."""
    await answer.aread()
    looked(answer)


@cache
def spec() -> Spec:
    """The committed document, for this process of the test run."""
    return Spec(json.loads(FILE.read_text("utf-8")))
