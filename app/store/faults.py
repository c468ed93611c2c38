"""
What a database's error means for the one who waits: try again here, tell the caller to, or a bug.
"""

from __future__ import annotations

import sqlite3
from enum import Enum

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.errors import AppError, Overloaded, StoreUnavailable
from app.ports import AnotherWaits


class LostRace(Exception):
    """A row was not as it was read, although it was locked."""


class StaleLane(Exception):
    """A connection had broken while idle; nothing was written on it."""


class Fault(Enum):
    CONFLICT = "lost a race: run the whole transaction again, from fresh state"
    ANOTHER_WAITS = "a table waits under this match key"
    OVERLOADED = "waited too long: nothing was changed"
    UNAVAILABLE = "the database is away"
    OTHER = "a mistake of ours"


_UNIQUE = "23505"
_STATES = {
    "40001": Fault.CONFLICT,  # serialization_failure
    "40P01": Fault.CONFLICT,  # deadlock_detected
    _UNIQUE: Fault.CONFLICT,  # unique_violation: the key is the judge
    "55P03": Fault.OVERLOADED,  # lock_not_available
    "57014": Fault.OVERLOADED,  # query_canceled, by statement_timeout
    "25006": Fault.UNAVAILABLE,  # read_only_sql_transaction: a standby
    "42501": Fault.OTHER,  # insufficient_privilege
    "3D000": Fault.UNAVAILABLE,  # invalid_catalog_name: the database is not there (yet)
    "55000": Fault.UNAVAILABLE,  # object_not_in_prerequisite_state: it takes no connections now
}
_STATE_CLASSES = {
    "08": Fault.UNAVAILABLE,  # connection
    "28": Fault.UNAVAILABLE,  # authorization: a password that is being changed
    "25": Fault.UNAVAILABLE,  # idle_in_transaction_session_timeout ends the session
    "53": Fault.UNAVAILABLE,  # out of disk, memory or connections
    "57": Fault.UNAVAILABLE,  # shutting down, starting up
    "58": Fault.UNAVAILABLE,  # I/O
}
_SQLITE_CODES = {
    sqlite3.SQLITE_BUSY: Fault.CONFLICT,
    sqlite3.SQLITE_LOCKED: Fault.CONFLICT,
    sqlite3.SQLITE_FULL: Fault.UNAVAILABLE,
    sqlite3.SQLITE_IOERR: Fault.UNAVAILABLE,
    sqlite3.SQLITE_CANTOPEN: Fault.UNAVAILABLE,
    sqlite3.SQLITE_READONLY: Fault.UNAVAILABLE,
}
_THERE_ALREADY = ": this is there already"
"""How the triggers of the logs end that refuse a second row of the same key."""
_SQLITE_UNIQUE = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)


def fault_of(error: BaseException) -> Fault:
    if isinstance(error, LostRace | StaleLane):
        return Fault.CONFLICT
    if isinstance(error, PoolTimeout):
        return Fault.OVERLOADED
    if isinstance(error, OSError):  # refused, reset, timed out
        return Fault.UNAVAILABLE
    cause: object = error
    if isinstance(error, DBAPIError):
        if error.connection_invalidated:
            return Fault.UNAVAILABLE
        cause = error.orig
    if isinstance(cause, sqlite3.Error):
        # Not every sqlite3.Error comes from the library, and only those carry a code.
        code = getattr(cause, "sqlite_errorcode", 0)
        if code in _SQLITE_UNIQUE:
            waits = str(cause).endswith(": games.match_key")
            return Fault.ANOTHER_WAITS if waits else Fault.CONFLICT
        if code == sqlite3.SQLITE_CONSTRAINT_TRIGGER and str(cause).endswith(_THERE_ALREADY):
            return Fault.CONFLICT
        return _SQLITE_CODES.get(code & 0xFF, Fault.OTHER)
    state = getattr(cause, "sqlstate", None)
    if not isinstance(state, str):
        return Fault.UNAVAILABLE if _says_closed(cause) else Fault.OTHER
    if state == _UNIQUE and getattr(cause, "constraint_name", None) == "games_match_key":
        return Fault.ANOTHER_WAITS
    return _STATES.get(state) or _STATE_CLASSES.get(state[:2], Fault.OTHER)


def _says_closed(cause: object) -> bool:
    """asyncpg's own word, with no state of the server's, that its connection is gone."""
    if not type(cause).__module__.startswith("asyncpg."):
        return False  # and on SQLite asyncpg is not even loaded
    from asyncpg import InterfaceError, InternalClientError

    # It calls a parameter of the wrong type an InterfaceError too, and a ValueError.
    closed = isinstance(cause, InterfaceError | InternalClientError)
    return closed and not isinstance(cause, ValueError)


def as_app_error(error: Exception) -> Exception:
    """What the caller is told; the error itself where it is a mistake of ours."""
    if isinstance(error, AppError):
        return error
    match fault_of(error):
        case Fault.UNAVAILABLE:
            return StoreUnavailable()
        case Fault.OVERLOADED | Fault.CONFLICT:
            return Overloaded()
        case Fault.ANOTHER_WAITS:
            return AnotherWaits()
        case Fault.OTHER:
            return error
