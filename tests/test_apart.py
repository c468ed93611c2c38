"""Processes that compute for a server are bounded, and do not outlive it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.apart import MOST_BYTES, MOST_CPU_S
from tests.referee import rulebook

LONG = rulebook.farkle(spicy=True)
"""Takes either some seconds: longer than a server needs to be killed."""
BEGINS = """
import subprocess, sys
from app.apart import command
worker = subprocess.Popen(command(sys.argv[1]), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
worker.stdin.write(sys.argv[2].encode())
worker.stdin.close()
print(worker.pid, flush=True)
worker.wait()
"""


def state_of(pid: int) -> str:
    """As the system tells it: a letter; empty where there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""


@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="only /proc tells what another's child does"
)
@pytest.mark.parametrize("module", ["app.analysis.worker", "app.bots.worker"])
def test_what_computes_for_a_server_that_is_killed_ends_too(module: str) -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", BEGINS, module, json.dumps(LONG)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    worker = int(server.stdout.readline())
    try:
        while (limits := Path(f"/proc/{worker}/limits").read_text()).count(str(MOST_BYTES)) == 0:
            time.sleep(0.05)  # it has begun once its bounds are set
        assert f" {MOST_CPU_S} " in limits
        assert state_of(worker) not in ("", "Z")
        server.send_signal(signal.SIGKILL)
        server.wait()
        until = time.monotonic() + 30
        while state_of(worker) not in ("", "Z") and time.monotonic() < until:
            time.sleep(0.1)  # nothing tells this process of the end of another's child
        assert state_of(worker) in ("", "Z")
    finally:
        server.kill()
        server.stdout.close()
        if state_of(worker) not in ("", "Z"):
            os.kill(worker, signal.SIGKILL)
