"""One file for each log: its export, packed; there as a whole, or not at all."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from app import exporting
from app.ports import Recorded

ENDS = ".ndjson.gz"
_ID = re.compile(r"[0-9a-f-]{36}")


def path_of(folder: Path, game_id: str) -> Path:
    """Raises: ValueError, for an id that is none of ours: it becomes the name of a file."""
    if not _ID.fullmatch(game_id):
        raise ValueError(f"no id of a game: {game_id!r}")
    return folder / f"{game_id}{ENDS}"


def export_of(game_id: str, records: Sequence[Recorded]) -> bytes:
    return exporting.header(game_id) + exporting.lines(records)


def read(path: Path) -> bytes:
    """As it is on the disk. Raises: OSError."""
    return path.read_bytes()


def of(folder: Path) -> Callable[[str], bytes | None]:
    """The file of a game by its id; None where there is none. Raises of its own: OSError."""

    def file_of(game_id: str) -> bytes | None:
        try:
            return read(path_of(folder, game_id))
        except (FileNotFoundError, ValueError):  # or an id that names no file
            return None

    return file_of


def write(path: Path, export: bytes) -> None:
    """
    Returns when the file would survive a power cut. One that is there already is replaced.

    The same export makes the same bytes, so that copies can be compared.
    """
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        file.write(gzip.compress(export, 9, mtime=0))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
