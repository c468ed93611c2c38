"""
A disk that can be full: a small file system in memory, or a limit on the size of files.

Mounting needs rights that not every machine gives. The limit is one of the kernel for one process:
what it writes beyond fails, as on a disk with quotas.
"""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pytest

from tests.live.server import Live

SIZE_MIB = 256
"""SQLite's write-ahead log alone grows to 80 before it is worked into the database."""
BLOCK = bytes(1 << 12)


class Disk(Protocol):
    folder: Path

    def fill(self, server: Live) -> None:
        """From here on nothing more can be written."""
        ...

    def clear(self, server: Live) -> None:
        """There is space again."""
        ...


class Mounted:
    """Full because of another file on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self, server: Live) -> None:
        with self._ballast.open("ab", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(BLOCK)
            except OSError:
                return

    def clear(self, server: Live) -> None:
        self._ballast.unlink(missing_ok=True)


class Limited:
    """Files of the process must not grow beyond what the largest has now."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, server: Live) -> None:
        most = max(file.stat().st_size for file in self.folder.iterdir() if file.is_file())
        self._limit(server, most)

    def clear(self, server: Live) -> None:
        self._limit(server, resource.RLIM_INFINITY)

    def _limit(self, server: Live, most: int) -> None:
        pid = server.process.pid
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, hard))


@contextmanager
def mounted(folder: Path) -> Iterator[Disk]:
    """Skips the test where nothing may be mounted."""
    folder.mkdir()
    size = f"size={SIZE_MIB}m,mode=0700"
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("nothing may be mounted here: the limit on files stands for it")
    try:
        yield Mounted(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def limited(folder: Path) -> Iterator[Disk]:
    folder.mkdir()
    yield Limited(folder)


DISKS = {"mounted": mounted, "limited": limited}
