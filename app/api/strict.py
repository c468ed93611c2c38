"""
Requests, read strictly: one reading of every byte, no guessing.

A body is UTF-8 JSON without a byte order mark, duplicate keys, NaN or deep nesting, and then
validated without coercion. Two programs that read a request here and elsewhere see the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache, lru_cache
from typing import Any, NoReturn, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.types import Scope

from app.api.faults import body_parts
from app.api.fields import MOST_VERSION
from app.api.refusals import BadPart, InvalidRequest, UnsupportedMediaType

MOST_KEY = 255
MOST_DEPTH = 12
"""A custom rule set is 7 deep."""

_BODY_HEADERS = (b"content-length", b"transfer-encoding")
_KEY = re.compile(rb"[\x21-\x7e]{1,%d}" % MOST_KEY)
_ETAG = re.compile(rb'"(0|[1-9][0-9]{0,9})"')
_JSON_TYPE = re.compile(rb'application/json(?:\s*;\s*charset="?utf-8"?)?', re.IGNORECASE)


class StrictModel(BaseModel):
    """A request body or a part of one."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NoFields(StrictModel):
    """The body of a call that takes nothing: {} or none at all."""


M = TypeVar("M", bound=BaseModel)


async def parse_body(
    request: Request, model: type[M], *, may_be_empty: bool = False, recurs: bool = False
) -> tuple[M, bytes]:
    """
    The body as a model, and the request's fingerprint: SHA-256 of method, path and body. Without
    an Idempotency-Key nobody asks for that, and it is empty.

    Args:
        may_be_empty: no body counts as {}.
        recurs: the same few bodies come again and again, and hold nobody's secrets.
    Raises:
        InvalidRequest, with every fault; UnsupportedMediaType.
    """
    scope = request.scope
    raw = await _read(request)
    if not raw and may_be_empty:
        return _nothing(model), _asked_for(scope, b"{}")
    _require_json(scope, empty=not raw)
    parse = _parsed_before if recurs and len(raw) <= MOST_RECURRING else _parsed
    parsed, canonical = parse(model, raw)
    return cast(M, parsed), _asked_for(scope, canonical)


def _parsed(model: type[BaseModel], raw: bytes) -> tuple[BaseModel, bytes]:
    """A body and its canonical form. Raises: InvalidRequest."""
    data, canonical = read_json(raw)
    try:
        return model.model_validate_json(canonical), canonical
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        raise InvalidRequest(body_parts(faults, data, model)) from None


MOST_RECURRING = 64
"""Bytes: `{"dice":[0,1,2,3,4,5]}` and its like."""
_parsed_before = lru_cache(maxsize=1_024)(_parsed)
"""What is refused is not remembered; bodies are frozen, so one serves all."""


def _asked_for(scope: Scope, canonical: bytes) -> bytes:
    """The fingerprint where there is a key to hold it against."""
    named: dict[bytes, bytes] | None = scope.get("hotdice.headers")
    if named is not None and b"idempotency-key" not in named:
        return b""
    return fingerprint(scope, canonical)


@cache
def _nothing(model: type[M]) -> M:
    """What {} says; bodies are frozen, so one serves all."""
    return model.model_validate_json(b"{}")


async def _read(request: Request) -> bytes:
    if not scope_has_body(request.scope):
        return b""
    parts = []
    more = True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


def scope_has_body(scope: Scope) -> bool:
    named: dict[bytes, bytes] | None = scope.get("hotdice.headers")
    if named is not None:
        return b"content-length" in named or b"transfer-encoding" in named
    return any(k in _BODY_HEADERS for k, _ in scope["headers"])


def fingerprint(scope: Scope, canonical: bytes = b"") -> bytes:
    """What makes two requests the same one, for idempotency keys."""
    route = f"{scope['method']} {scope['path']}\n".encode("utf-8", "surrogatepass")
    return hashlib.sha256(route + canonical).digest()


def read_json(raw: bytes) -> tuple[Any, bytes]:
    """Data and their canonical form. Raises: InvalidRequest."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        _refuse("not_utf8", "Bodies are UTF-8.")
    data = read_text(text)
    return data, canonical_of(data)


def read_text(text: str) -> Any:
    """Data. Raises: InvalidRequest."""
    try:
        data = _decoder.decode(text)
        if "\\u" in text or not text.isascii():
            canonical_of(data)  # which half of a surrogate pair has none of
    except _DuplicateKey:
        _refuse("duplicate_key", "An object has the same key twice.")
    except RecursionError:
        _refuse("too_deep", f"Nesting is limited to {MOST_DEPTH} levels.")
    except UnicodeEncodeError:
        _refuse("bad_text", "A string holds half of a surrogate pair.")
    except ValueError:  # not JSON, NaN, a number of thousands of digits
        _refuse("not_json", "This is not JSON.")
    if text.count("{") + text.count("[") > MOST_DEPTH and _depth(data) > MOST_DEPTH:
        _refuse("too_deep", f"Nesting is limited to {MOST_DEPTH} levels.")
    return data


def canonical_of(data: object) -> bytes:
    """The canonical form of data that were read here."""
    return _encoder.encode(data).encode()


def idempotency_key(scope: Scope) -> str | None:
    """The Idempotency-Key: 1 to 255 visible ASCII characters, or None. Raises: InvalidRequest."""
    value = header(scope, b"idempotency-key", "Idempotency-Key")
    if value is None:
        return None
    if not _KEY.fullmatch(value):
        _refuse(
            "bad_format", "Must be 1 to 255 visible ASCII characters.", parameter="Idempotency-Key"
        )
    return value.decode("ascii")


def if_match(scope: Scope) -> int | None:
    """The version a call expects, from `If-Match: "42"`; None without. Raises: InvalidRequest."""
    value = header(scope, b"if-match", "If-Match")
    if value is None or value == b"*":
        return None
    found = _ETAG.fullmatch(value)
    if not found or (version := int(found[1])) > MOST_VERSION:
        _refuse(
            "bad_format",
            'Must be one version in double quotes, such as "42".',
            parameter="If-Match",
        )
    return version


def header(scope: Scope, name: bytes, shown: str) -> bytes | None:
    """The value of a header that may occur once. Raises: InvalidRequest."""
    named: dict[bytes, bytes] | None = scope.get("hotdice.headers")
    if named is not None:
        return named.get(name)
    found: bytes | None = None
    for key, value in scope["headers"]:
        if key == name:
            if found is not None:
                _refuse("repeated", "The header occurs twice.", parameter=shown)
            found = value
    return found


class _DuplicateKey(Exception):
    """Not a ValueError: it must not be taken for a syntax error."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _DuplicateKey
    return made


def _finite(text: str) -> float:
    value = float(text)
    if value - value != 0:
        raise ValueError
    return value


def _no_constant(_: str) -> NoReturn:
    raise ValueError


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_finite, parse_constant=_no_constant
)
_encoder = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False
)


def _depth(data: object) -> int:
    level = [data]
    depth = 0
    while level := [x for x in level if isinstance(x, dict | list)]:
        depth += 1
        level = [y for x in level for y in (x.values() if isinstance(x, dict) else x)]
    return depth


def _require_json(scope: Scope, *, empty: bool) -> None:
    named: dict[bytes, bytes] | None = scope.get("hotdice.headers")
    if (
        named is not None
        and not empty
        and named.get(b"content-type") == b"application/json"  # as nearly everybody says it
        and b"content-encoding" not in named
    ):
        return
    types = [v for k, v in scope["headers"] if k == b"content-type"]
    encoded = any(k == b"content-encoding" for k, _ in scope["headers"])
    if empty and not types:
        _refuse("missing", "A JSON body is required.")
    if encoded or len(types) != 1 or not _JSON_TYPE.fullmatch(types[0].strip()):
        raise UnsupportedMediaType


def _refuse(code: str, detail: str, *, parameter: str | None = None) -> NoReturn:
    pointer = "" if parameter is None else None
    raise InvalidRequest((BadPart(code, detail, pointer, parameter),))
