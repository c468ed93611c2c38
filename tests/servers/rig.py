"""
The folder that a run's servers live in, and the promise that they end with the run.

A `Rig` holds a lock for as long as its process lives; a reaper waits for that lock. Closing the rig
and being killed therefore end in the same clean-up. The rig of a whole pytest run belongs to the
xdist controller: workers find it through the environment and add servers to it, so that one
Postgres serves them all and outlives whichever worker asked for it first.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.servers import reaper

RUN_FOLDER = "HOTDICE_TEST_RUN_FOLDER"
"""Set by the pytest process that owns the run; the folder of its rig."""


class Rig:
    """A folder for servers. Only the process that opened it may close it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._alive: int | None = None
        self._reaper: subprocess.Popen[bytes] | None = None

    @classmethod
    def open(cls) -> Rig:
        """A new rig, which ends with this process at the latest."""
        # Not pytest's tmp_path: Postgres runs as another user there when the tests run as root,
        # and the parents of tmp_path are closed to it. The name is short for the sake of sockets.
        rig = cls(Path(tempfile.mkdtemp(prefix="hotdice-")))
        rig.folder.chmod(0o711)
        rig._alive = os.open(rig.folder / "alive", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(rig._alive, fcntl.LOCK_EX)
        rig._reaper = subprocess.Popen(
            [sys.executable, "-I", "-S", reaper.__file__, str(rig.folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the tests, not for who cleans up after them
        )
        atexit.register(rig.close)
        return rig

    def close(self) -> None:
        """Stop every server of this rig and remove its folder. Twice is fine."""
        if self._alive is None or self._reaper is None:
            return
        os.close(self._alive)
        self._alive = None
        self._reaper.wait(timeout=30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_folder(self, name: str) -> Path:
        """An empty folder in the rig, unique by a suffix."""
        folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder))
        folder.chmod(0o711)
        return folder

    @contextlib.contextmanager
    def locked(self, name: str) -> Iterator[None]:
        """Hold a lock that every process of the run respects."""
        with (self.folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


@functools.cache
def process_rig() -> Rig:
    """The rig of this process alone."""
    return Rig.open()


def run_rig() -> Rig:
    """The rig of the whole test run, or this process's own outside of a run."""
    folder = os.environ.get(RUN_FOLDER)
    return Rig(Path(folder)) if folder else process_rig()
