"""
Outlives a test run to clean up after it, however the run ended.

Run as `python reaper.py FOLDER`. It waits until the lock on FOLDER/alive is free, which the kernel
sees to even when the owner was killed with -9; then it stops every process named by a pid file in
FOLDER's sub-folders and removes FOLDER. It imports nothing but the standard library, so that it
starts in a few milliseconds and works without the test environment.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time
from pathlib import Path

GRACE_S = 5.0


def is_running(pid: int) -> bool:
    """True while the process exists and is no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return not Path("/proc/self").exists()
    return stat.rpartition(")")[2].split()[0] != "Z"


def started_at(pid: int) -> str:
    """A mark that tells this process from a later one with the same pid; empty where unknown."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def stop_all(folder: Path) -> None:
    """Stop what the pid files name: first with the signal each asks for, then with SIGKILL."""
    pids: list[int] = []
    for pid_file in folder.glob("*/pid"):
        try:
            pid_text, signal_text, mark = pid_file.read_text().split("\n")[:3]
        except (OSError, ValueError):
            continue
        pid = int(pid_text)
        if is_running(pid) and started_at(pid) == mark:
            pids.append(pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, int(signal_text))
    deadline = time.monotonic() + GRACE_S
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid in filter(is_running, pids):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def main() -> None:
    """Wait for the owner to go, then tidy up."""
    folder = Path(sys.argv[1])
    with (folder / "alive").open("rb") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        stop_all(folder)
    for _ in range(5):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.2)


if __name__ == "__main__":
    main()
