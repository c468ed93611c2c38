"""Node, and the packages of the peers at the versions of package.json, in build/peers."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from benchmarks.servers import ROOT

SOURCE = Path(__file__).parent
FOLDER = ROOT / "build" / "peers"
INSTALL = (
    *("install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"),
    "--loglevel=error",
)
TIMEOUT_S = 300.0


class Absent(Exception):
    """The peers cannot run here; one sentence says why."""


def installed() -> Path:
    """
    A folder with the scripts and all that they import; the first time, npm fills it.

    Raises: Absent.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise Absent("node and npm are not both at hand")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for script in SOURCE.glob("*.js"):
        shutil.copy(script, FOLDER)
    wanted = (SOURCE / "package.json").read_text("utf-8")
    stamp = FOLDER / ".installed"
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        shutil.rmtree(FOLDER / "node_modules", ignore_errors=True)
        (FOLDER / "package.json").write_text(wanted, "utf-8")
        done = subprocess.run(
            [npm, *INSTALL],
            cwd=FOLDER,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        if done.returncode:
            raise Absent(f"npm could not install them: {done.stderr.strip()[-300:]}")
        stamp.write_text(wanted, "utf-8")
    return FOLDER


def versions() -> str:
    """Of node and of what is compared, for a note."""
    wanted = json.loads((SOURCE / "package.json").read_text("utf-8"))["dependencies"]
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    named = ", ".join(f"{name} {wanted[name]}" for name in ("boardgame.io", "@colyseus/core"))
    return f"node {node.stdout.strip().removeprefix('v')}, {named}"
