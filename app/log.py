"""
JSON logs, one record a line, on standard output.

What a request learns about itself on the way (game, seat, code of a refusal) is noted in one
mutable record that all tasks of the request share. Commands of many requests are carried out in one
task: what they learn there goes to their own request's record by `noting`.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from app.clock import rfc3339

# It draws tracebacks for terminals with rich where there is one: 8 MiB that no line of ours needs.
_is_free = "rich" not in sys.modules
if _is_free:
    sys.modules["rich"] = None  # type: ignore[assignment]
import structlog  # noqa: E402

if _is_free:
    del sys.modules["rich"]

Notes = dict[str, Any]

FRAMES = 12
"""The innermost frames of an error that are logged."""

_level = logging.CRITICAL  # silent until set up
_notes: ContextVar[Notes | None] = ContextVar("request_notes", default=None)


def begin_notes(request_id: str) -> Notes:
    """A fresh record for the request that starts here."""
    notes: Notes = {"request_id": request_id}
    _notes.set(notes)
    return notes


def note(**facts: str | int | None) -> None:
    """Add what is not None to the request's log lines: `note(game=game_id, seat=2)`. Cheap."""
    _add(_notes.get(), facts)


def noting() -> Callable[..., None]:
    """`note` for the request that calls this, also where many requests are worked at together."""
    notes = _notes.get()

    def noted(**facts: str | int | None) -> None:
        _add(notes, facts)

    return noted


def _add(notes: Notes | None, facts: Mapping[str, str | int | None]) -> None:
    if notes is not None:
        for name, fact in facts.items():
            if fact is not None:
                notes[name] = fact


def _with_notes(_: Any, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    for name, fact in (_notes.get() or {}).items():
        event.setdefault(name, fact)
    return event


def _with_time(_: Any, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    event["time"] = _now()
    return event


def _now() -> str:
    return rfc3339(time.time_ns() // 1_000_000)


def _with_trace(_: Any, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Frames and the kind of error; not its text, which may quote what a client sent."""
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()
    if isinstance(error, BaseException):
        error = (type(error), error, error.__traceback__)
    if isinstance(error, tuple) and error[0] is not None:
        event["error"] = f"{error[0].__module__}.{error[0].__qualname__}"
        event["trace"] = [
            f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(error[2])[-FRAMES:]
        ]
    return event


_encoder = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), default=str)


def _as_json(_: Any, __: str, event: structlog.typing.EventDict) -> str:
    return _encoder.encode(event)


_SHARED: list[structlog.typing.Processor] = [
    _with_notes,
    structlog.stdlib.add_log_level,
    _with_time,
    _with_trace,
]


_waiting: list[str] = []


def _write(line: str) -> None:
    """
    What one turn of the event loop has to say goes out with its end, in one call of the kernel.

    A call for each line lets go of the interpreter, and has to wait for it.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        if threading.current_thread() is threading.main_thread():
            _let_go()  # what was said before comes before
        _out(line)
        return
    if not _waiting:
        loop.call_soon(_let_go)
    _waiting.append(line)


def _let_go() -> None:
    if _waiting:
        lines = "\n".join(_waiting)
        _waiting.clear()
        _out(lines)


def _out(lines: str) -> None:
    try:
        sys.stdout.write(lines + "\n")
        sys.stdout.flush()
    except OSError:  # whoever read it has gone, and there is nowhere to say so
        pass


atexit.register(_let_go)  # a loop that ended in the middle of a turn


class _Lines:
    """Where structlog's records end."""

    def __init__(self, *_: Any) -> None:
        self.debug = self.info = self.warning = self.error = self.critical = _write
        self.msg = self.exception = _write


class _Handler(logging.Handler):
    """Where everybody else's do."""

    def emit(self, record: logging.LogRecord) -> None:
        _write(self.format(record))


def set_up_logging(level: str) -> None:
    """Route structlog's and everybody else's records into one stream. Called by the entry point."""
    global _level
    number = _level = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*_SHARED, structlog.processors.EventRenamer("event"), _as_json],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=_Lines,
        cache_logger_on_first_use=True,
    )
    handler = _Handler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _as_json],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(number, logging.WARNING))
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    logging.getLogger("uvicorn").setLevel(max(number, logging.WARNING))


def access(method: str, route: str, status: int, seconds: float, notes: Notes) -> None:
    """
    One line for a request. Written by hand: structlog takes as long as a whole route does.

    Args:
        method, route: of closed lists, so that nothing in them needs an escape.
    """
    if _level <= logging.INFO:
        _write(
            f'{{"event":"request","level":"info","time":"{_now()}","method":"{method}",'
            f'"route":"{route}","status":{status},"ms":{seconds * 1000:.2f},'
            f"{_encoder.encode(notes)[1:]}"
        )


def commanded(command: str, status: int, seconds: float, notes: Notes) -> None:
    """
    One line for a command that came over a stream.

    Args:
        command: of a closed list.
    """
    if _level <= logging.INFO:
        _write(
            f'{{"event":"command","level":"info","time":"{_now()}","command":"{command}",'
            f'"status":{status},"ms":{seconds * 1000:.2f},{_encoder.encode(notes)[1:]}'
        )


log: structlog.typing.FilteringBoundLogger = structlog.get_logger()
