"""
A real Hotdice process for tests: `python -m app.cli serve` on a free port.

For what only a process can show: signals, a kill in the middle of a commit, raw bytes on a socket.
Anything else is quicker against the app in-process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from tests.canary.heard import HEARD
from tests.servers.process import ServerDidNotStart, ServerProcess, free_port
from tests.servers.rig import Rig, process_rig
from tests.servers.seeds import seeds_of

ROOT = Path(__file__).resolve().parents[2]


class HotdiceServer:
    """
    A server and its address; a context manager that ends it.

    Args:
        database_url: by default a new SQLite file in the server's own folder.
        settings: further HOTDICE_* variables; those of the test run itself are not passed on.
        folder: where it runs and writes its output, instead of a new one of the rig.
    """

    def __init__(
        self,
        database_url: str | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        rate_limits: bool = False,
        port: int | None = None,
        rig: Rig | None = None,
        folder: Path | None = None,
    ) -> None:
        self.port = free_port() if port is None else port
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = folder or (rig or process_rig()).new_folder("serve")
        self.database_url = database_url or f"sqlite+aiosqlite:///{self.folder / 'hotdice.db'}"
        self._env = {k: v for k, v in os.environ.items() if not k.startswith("HOTDICE_")}
        self._env |= {
            "HOTDICE_HOST": "127.0.0.1",
            "HOTDICE_PORT": str(self.port),
            "HOTDICE_DATABASE_URL": self.database_url,
            "HOTDICE_RATE_LIMITS": "on" if rate_limits else "off",
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            **(settings or {}),
        }
        self._process: ServerProcess | None = None

    @property
    def process(self) -> ServerProcess:
        """The process started last."""
        if self._process is None:
            raise ServerDidNotStart("start() was not called")
        return self._process

    def start(self, *, timeout_s: float = 30.0) -> HotdiceServer:
        """Start it, or start it again on the same port and database; return when it is ready."""
        command = [sys.executable, "-m", "app.cli", "serve"]
        self._process = ServerProcess(self.folder, command, env=self._env, cwd=self.folder)
        self._process.wait_until(self.is_ready, timeout_s=timeout_s)
        return self

    def is_ready(self) -> bool:
        """True if /health/ready answers 200."""
        try:
            with urllib.request.urlopen(f"{self.url}/health/ready", timeout=2) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except (OSError, urllib.error.URLError):
            return False

    def cli(self, *arguments: str, timeout_s: float = 60.0) -> str:
        """Run `hotdice …` (migrate, say) with this server's settings; what it printed."""
        command = [sys.executable, "-m", "app.cli", *arguments]
        done = subprocess.run(
            command,
            env=self._env,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=timeout_s,
        )
        if done.returncode:
            raise RuntimeError(f"{arguments} ended with {done.returncode}:\n{done.stderr[-4000:]}")
        return done.stdout

    def output(self) -> str:
        """All that the server printed, over all its starts."""
        return self.process.output()

    def terminate(self, *, timeout_s: float = 20.0) -> int:
        """Ask it to stop (SIGTERM) and return its exit status."""
        status = self.process.stop(signal.SIGTERM, timeout_s=timeout_s)
        self._looked_back()
        return status

    def kill(self) -> int:
        """End it and its workers with SIGKILL."""
        status = self.process.kill()
        self._looked_back()
        return status

    def _looked_back(self) -> None:
        """Nothing that it sent or logged told of a seed too soon."""
        HEARD.note(self.process.output_path.read_bytes())
        HEARD.look_for(seeds_of(self.database_url), self.url)

    def __enter__(self) -> HotdiceServer:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.terminate()
