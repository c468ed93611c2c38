"""A server process under test, and what must hold of it whatever was done to it."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

from tests.servers.hotdice import HotdiceServer

CRIES = ("Traceback (most recent call last)", '"level":"error"', '"level":"critical"', "unforeseen")
"""What a server prints when something happened that nobody foresaw."""


class Live(HotdiceServer):
    """A server and what it holds of the machine."""

    def cries(self) -> list[str]:
        """Lines that nobody should ever read."""
        lines = self.output().splitlines()
        return [line[:2_000] for line in lines if any(cry in line for cry in CRIES)]

    def open_files(self) -> int:
        return len(self._files())

    def _files(self) -> list[Path]:
        return list(Path(f"/proc/{self.process.pid}/fd").iterdir())

    def open_sockets(self) -> int:
        found = 0
        for path in self._files():
            with suppress(FileNotFoundError):  # closed since they were listed
                found += "socket:" in str(path.readlink())
        return found

    def resident_mib(self) -> float:
        """Memory that it holds."""
        [kib] = re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())
        return int(kib) / 1024

    def requests_logged(self) -> int:
        return sum('"event":"request"' in line for line in self.output().splitlines())


def healthy(server: Live) -> None:
    """It runs, it answers, and nothing unforeseen happened to it."""
    assert server.process.is_running, server.output()[-4_000:]
    assert server.is_ready()
    cries = server.cries()
    assert not cries, "\n".join(cries[:5])


def log_lines(server: Live) -> list[dict[str, object]]:
    """Every record it wrote: each line that starts like one is one."""
    return [json.loads(line) for line in server.output().splitlines() if line.startswith("{")]
