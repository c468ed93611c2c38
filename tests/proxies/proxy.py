"""A real proxy in front of a real server, set up by the file that is shipped."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from tests.servers.hotdice import ROOT
from tests.servers.process import ServerProcess, free_port
from tests.servers.rig import process_rig

DEPLOY = ROOT / "deploy"
KINDS = ("caddy", "nginx")


def binary(kind: str) -> str | None:
    """Caddy comes with the test tools; nginx is used where there is one."""
    beside = Path(sys.executable).parent / kind
    places = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
    return str(beside) if beside.exists() else shutil.which(kind, path=places)


class Proxy:
    """Running, in front of these ports, until it is stopped."""

    def __init__(self, kind: str, *upstream: int) -> None:
        self.port = free_port()
        self._folder = process_rig().new_folder(kind)
        command = self._caddy if kind == "caddy" else self._nginx
        asked, env = command(upstream)
        self._process = ServerProcess(self._folder, asked, env={**os.environ, **env})
        self._process.wait_until(self._listens, timeout_s=20)

    def _caddy(self, upstream: tuple[int, ...]) -> tuple[list[str], dict[str, str]]:
        env = {
            "HOTDICE_SITE": f"http://:{self.port}",
            "HOTDICE_UPSTREAM": " ".join(f"127.0.0.1:{port}" for port in upstream),
            "XDG_DATA_HOME": str(self._folder),
            "XDG_CONFIG_HOME": str(self._folder),
        }
        file = str(DEPLOY / "Caddyfile")
        return [_there("caddy"), "run", "--adapter", "caddyfile", "--config", file], env

    def _nginx(self, upstream: tuple[int, ...]) -> tuple[list[str], dict[str, str]]:
        text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
        one = "server 127.0.0.1:8000 max_fails=0;"
        assert one in text
        servers = "".join(one.replace("8000", str(port)) for port in upstream)
        text = text.replace(one, servers)
        text = text.replace("listen 8080;", f"listen 127.0.0.1:{self.port};")
        file = self._folder / "nginx.conf"
        file.write_text(text, encoding="utf-8")
        folder = str(self._folder)
        here = "".join(
            f"{name}_temp_path {folder}/{name};"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        file.write_text(
            text.replace("server_tokens", f"{here}\n    server_tokens"), encoding="utf-8"
        )
        said = f"daemon off; pid {folder}/nginx.pid; error_log stderr;"
        return [_there("nginx"), "-p", folder, "-c", str(file), "-g", said], {}

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        self._process.stop()


def is_valid(kind: str) -> tuple[bool, str]:
    """Whether the proxy itself takes the file of deploy/, and what it says."""
    if kind == "caddy":
        file = str(DEPLOY / "Caddyfile")
        asked = [_there(kind), "validate", "--adapter", "caddyfile", "--config", file]
    else:
        asked = [_there(kind), "-t", "-c", str(DEPLOY / "nginx.conf"), "-g", "pid /dev/null;"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode == 0, done.stderr


def _there(kind: str) -> str:
    found = binary(kind)
    if found is None:
        raise FileNotFoundError(kind)
    return found
