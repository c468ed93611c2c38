"""
One server process: where it runs, what it prints, and how it ends.

Its pid is written down the moment it starts, so that the reaper can end it if this process cannot.
Output goes to a file: a pipe that nobody reads would stop the server once it is full.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.canary.canary import CANARY
from tests.servers.reaper import started_at


class ServerDidNotStart(Exception):
    """The process ended, or did not answer in time. Carries the end of its output."""


LOWEST_PORT = 10_000
CLIENT_PORTS = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_port() -> int:
    """
    A loopback port that was free a moment ago; another process may still take it first.

    Not one that the kernel gives to clients, where they leave room: while a server is down, one of
    the many that try to reach it would get its very port, and be connected with itself.
    """
    chance = random.SystemRandom()
    for _ in range(100):
        wanted = chance.randrange(LOWEST_PORT, _first_client_port())
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", wanted))
            except OSError:
                continue
            return wanted
    raise ServerDidNotStart("no free port")


def _first_client_port() -> int:
    try:
        first = int(CLIENT_PORTS.read_text().split()[0])
    except OSError:
        first = 32_768
    return max(first, LOWEST_PORT + 10_000)


class ServerProcess:
    """A child process with an output file and a pid file in `folder`."""

    def __init__(
        self,
        folder: Path,
        command: Sequence[str],
        *,
        stop_signal: signal.Signals = signal.SIGTERM,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        user: int | None = None,
        group: int | None = None,
    ) -> None:
        self.output_path = folder / "output.log"
        self._pid_path = folder / "pid"
        self._stop_signal = stop_signal
        with self.output_path.open("ab") as output:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=env,
                cwd=cwd,
                user=user,
                group=group,
                extra_groups=None if user is None else [],
                start_new_session=True,  # Ctrl-C in the terminal is for the tests alone
            )
        self.pid = self._child.pid
        draft = folder / "pid.new"
        draft.write_text(f"{self.pid}\n{int(stop_signal)}\n{started_at(self.pid)}\n")
        draft.rename(self._pid_path)

    @property
    def is_running(self) -> bool:
        return self._child.poll() is None

    @property
    def exit_status(self) -> int | None:
        """None while it runs; minus the signal's number if a signal ended it."""
        return self._child.poll()

    def output(self) -> str:
        """All that it printed so far."""
        return self.output_path.read_text(errors="replace")

    def wait_until(self, is_ready: Callable[[], bool], *, timeout_s: float) -> None:
        """
        Return once `is_ready()`.

        Raises:
            ServerDidNotStart: it ended instead, or the time is up (it is killed then).
        """
        deadline = time.monotonic() + timeout_s
        while not is_ready():
            if not self.is_running:
                self._pid_path.unlink(missing_ok=True)
                raise ServerDidNotStart(f"ended with {self.exit_status}:\n{self.output()[-4000:]}")
            if time.monotonic() > deadline:
                self.kill()
                raise ServerDidNotStart(f"not ready in {timeout_s} s:\n{self.output()[-4000:]}")
            time.sleep(0.02)

    def stop(self, how: signal.Signals | None = None, *, timeout_s: float = 20.0) -> int:
        """Send the signal, wait, return the exit status. After `timeout_s` it is killed."""
        if self.is_running:
            self._child.send_signal(self._stop_signal if how is None else how)
            try:
                self._child.wait(timeout_s)
            except subprocess.TimeoutExpired:
                self.kill()
        self._pid_path.unlink(missing_ok=True)
        status = self._child.wait()
        CANARY.look(self.output_path.read_bytes(), str(self.output_path))
        return status

    def pause(self) -> None:
        """It and its children stand still, and keep all that they hold."""
        self._tell(signal.SIGSTOP)

    def resume(self) -> None:
        self._tell(signal.SIGCONT)

    def _tell(self, number: signal.Signals) -> None:
        for pid in (self.pid, *child_pids(self.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self) -> int:
        """End it and its children at once with SIGKILL, as a crash would."""
        children = child_pids(self.pid)
        if self.is_running:
            self._child.kill()
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._pid_path.unlink(missing_ok=True)
        status = self._child.wait()
        CANARY.look(self.output_path.read_bytes(), str(self.output_path))
        return status


def child_pids(pid: int) -> list[int]:
    """The direct children of a process; empty where the kernel does not list them."""
    try:
        return [int(text) for text in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
