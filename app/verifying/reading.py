"""
An export's lines, read strictly, and their chain: step 1 of docs/fairness.md.

No key stands twice, numbers are whole and within ±(2⁵³ − 1), and an event written out again gives
the bytes that were hashed.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

from app.store.chain import ORIGIN, link
from app.store.parts import canonical
from app.verifying.report import Fault, NoExport
from engine.dice import PROTOCOL

MOST = 2**53 - 1
HEX = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[\x21-\x7e]+")
LARGEST = 1 << 28
"""Bytes of the largest file that is read, once it is unpacked."""
_FORMAT = 1
_GZIP = b"\x1f\x8b"


class Line(NamedTuple):
    version: int
    data: bytes
    """The event's canonical bytes."""
    hash: bytes
    told: dict[str, Any]
    """What they say, as JSON has it."""


class Log(NamedTuple):
    game_id: str
    lines: tuple[Line, ...]


def opened(data: bytes) -> tuple[str, list[str]]:
    """
    The game's id and the lines after the header, not yet read.

    Args:
        data: may be packed, as `hotdice archive` keeps it.
    Raises: NoExport, where the file does not begin as an export does.
    """
    try:
        text = unpacked(data).decode("utf-8")
    except UnicodeDecodeError as error:
        raise NoExport("the file is not UTF-8") from error
    if not text:
        raise NoExport("the file is empty")
    header, *rest = text.removesuffix("\n").split("\n")
    return _game_id(header), rest


def unpacked(data: bytes) -> bytes:
    """Raises: NoExport, for a gzip that is damaged, and for what is too large."""
    if data.startswith(_GZIP):
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(LARGEST + 1)
        except (EOFError, OSError, zlib.error) as error:
            raise NoExport("the gzip is damaged") from error
    if len(data) > LARGEST:
        raise NoExport("the file is too large")
    return data


def read_log(game_id: str, lines: Sequence[str]) -> Log:
    """The log, its chain not yet checked. Raises: Fault, at the line to blame."""
    if not lines:
        raise Fault("the log is empty", incomplete=True)
    return Log(game_id, tuple(_line(line, version) for version, line in enumerate(lines, 1)))


def _game_id(header: str) -> str:
    try:
        fields = strictly(header)
    except Fault as fault:
        raise NoExport(f"the first line is no header of an export: {fault.reason}") from fault
    if not _is_header(fields):
        raise NoExport("the first line is no header of an export")
    if fields["protocol"] != PROTOCOL or fields["format"] != _FORMAT:
        raise NoExport("an export of another protocol or format")
    game_id: str = fields["game_id"]
    if not _ID.fullmatch(game_id):
        raise NoExport("the game's id is not ASCII")
    return game_id


def _line(text: str, version: int) -> Line:
    try:
        fields = strictly(text)
        if _is_header(fields):
            raise Fault("another export begins here: a file holds one game")
        if not _has(fields, version=int, bytes=str, hash=str) or not HEX.fullmatch(fields["hash"]):
            raise Fault("the line is no event of an export")
        if fields["version"] != version:
            raise Fault(f"version {fields['version']} stands where {version} belongs")
        return line_of(version, fields["bytes"].encode(), bytes.fromhex(fields["hash"]))
    except Fault as fault:
        raise Fault(fault.reason, version) from fault


def line_of(version: int, data: bytes, hashed: bytes) -> Line:
    """A line from an event's bytes. Raises: Fault, where they are no event in canonical JSON."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault("the bytes are not UTF-8", version) from error
    try:
        told = strictly(text)
    except Fault as fault:
        raise Fault(fault.reason, version) from fault
    if type(told) is not dict or type(told.get("type")) is not str or not told["type"]:
        raise Fault("the bytes are no event", version)
    if canonical(told) != text:
        raise Fault("the bytes are not canonical", version)
    return Line(version, data, hashed, told)


def check_chain(game_id: str, lines: Iterable[Line]) -> None:
    """Every hash follows from the event and the hash before it. Raises: Fault."""
    before = ORIGIN
    for line in lines:
        before = link(game_id, line.version, before, line.data)
        if before != line.hash:
            reason = "the hash does not follow from the event and the hash before it"
            raise Fault(reason, line.version)


def strictly(text: str) -> Any:
    """A JSON value, spelled in the only way but for spaces and escapes. Raises: Fault."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_not_whole,
            parse_constant=_not_whole,
        )
        text.encode()
        canonical(value).encode()
    except Fault:
        raise
    except RecursionError as error:
        raise Fault("JSON nested too deeply") from error
    except UnicodeEncodeError as error:
        raise Fault("half of a surrogate pair") from error
    except ValueError as error:
        raise Fault("not JSON") from error
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Fault(f"the key {json.dumps(key)} stands there twice")
        found[key] = value
    return found


def _integer(digits: str) -> int:
    if digits == "-0":
        _not_whole(digits)
    if len(digits) > len(str(-MOST)) or abs(number := int(digits)) > MOST:
        raise Fault("a number out of range")
    return number


def _not_whole(_: str) -> NoReturn:
    raise Fault("not JSON with whole numbers")


def _is_header(fields: Any) -> bool:
    return _has(fields, protocol=str, game_id=str, format=int)


def _has(fields: Any, **kinds: type) -> bool:
    """Whether it is an object of exactly these members."""
    return (
        type(fields) is dict
        and fields.keys() == kinds.keys()
        and all(type(fields[name]) is kind for name, kind in kinds.items())
        and all(fields[name] for name, kind in kinds.items() if kind is str)
    )
