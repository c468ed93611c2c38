"""
The image, proven without a container engine.

The Dockerfile's own instructions are carried out one by one in a folder that stands for the
image's root: the environment is built, the files that .dockerignore lets through are copied, the
start command runs, the health check is asked, SIGTERM ends it. Left out is only what needs root
of a machine of its own: making the user.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.servers.process import ServerProcess, free_port
from tests.servers.rig import process_rig

ROOT = Path(__file__).resolve().parents[1]
IMAGE_FOLDERS = re.compile(r"/(?:opt/hotdice|srv/hotdice|build|data)(?![\w-])")

Instruction = tuple[str, str]


def instructions() -> list[Instruction]:
    """The Dockerfile as (keyword, rest), comments dropped and lines joined."""
    lines = [
        line for line in (ROOT / "Dockerfile").read_text().splitlines() if not line.startswith("#")
    ]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    split = (line.split(maxsplit=1) for line in joined.splitlines() if line.strip())
    return [(keyword, rest) for keyword, rest in split]


def stages() -> list[list[Instruction]]:
    """One list a stage, each from its FROM."""
    found: list[list[Instruction]] = []
    for keyword, rest in instructions():
        if keyword == "FROM":
            found.append([])
        found[-1].append((keyword, rest))
    return found


def command(keyword: str, of: list[Instruction]) -> list[str]:
    """The exec form of the last ENTRYPOINT, CMD or HEALTHCHECK."""
    rest = [text for word, text in of if word == keyword][-1]
    parsed: list[str] = json.loads(rest[rest.index("[") :])
    return parsed


def environment(of: list[Instruction]) -> dict[str, str]:
    """What the stage's ENV lines set."""
    pairs = " ".join(rest for keyword, rest in of if keyword == "ENV").split()
    return dict(pair.split("=", 1) for pair in pairs)


def copy_context(target: Path) -> None:
    """COPY . . as .dockerignore has it: everything is out but what a `!` line names."""
    lines = (ROOT / ".dockerignore").read_text().split()
    assert "*" in lines
    for name in (line[1:].rstrip("/") for line in lines if line.startswith("!")):
        source, to = ROOT / name, target / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__", "*.db"))
        elif source.exists():
            shutil.copy2(source, to)


class Image:
    """A folder that stands for the image's root."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def translated(self, text: str) -> str:
        """The text with the image's absolute paths below `root`."""
        return IMAGE_FOLDERS.sub(lambda found: f"{self.root}{found[0]}", text)

    def build(self, stage: list[Instruction]) -> Path:
        """Carry out a stage; returns its last working directory."""
        here = self.root
        for keyword, rest in stage:
            if keyword == "WORKDIR":
                here = Path(self.translated(rest))
                here.mkdir(parents=True, exist_ok=True)
            elif keyword == "VOLUME":
                Path(self.translated(rest)).mkdir()
            elif keyword == "RUN" and not rest.startswith("useradd "):
                self._run(rest, here)
            elif keyword == "COPY" and rest == ". .":
                copy_context(here)
            elif keyword == "COPY" and "--from=" not in rest:
                source, to = rest.split()
                (here / to).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / source, here / to)
        return here

    def _run(self, shell_line: str, here: Path) -> None:
        env = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.defpath}"}
        subprocess.run(["sh", "-ec", self.translated(shell_line)], check=True, cwd=here, env=env)


def test_the_final_image_is_small_and_its_user_is_not_root() -> None:
    first, final = stages()
    assert "-slim" in final[0][1]
    assert first[0][1].removesuffix(" AS build") == final[0][1], "else the venv's python is missing"
    assert not any("pip" in rest or "apt" in rest for word, rest in final if word == "RUN")
    keywords = [word for word, _ in final]
    assert keywords.index("USER") < keywords.index("ENTRYPOINT")
    assert [rest for word, rest in final if word == "USER"] == ["hotdice"]
    assert ("EXPOSE", "8000") in final
    assert ("VOLUME", "/data") in final


def test_the_container_listens_to_the_outside_and_keeps_its_data_in_the_volume() -> None:
    env = environment(stages()[-1])
    assert env["HOTDICE_HOST"] == "0.0.0.0"  # noqa: S104
    assert env["HOTDICE_PORT"] == "8000"
    assert env["HOTDICE_DATABASE_URL"] == "sqlite+aiosqlite:////data/hotdice.db"


@pytest.mark.wide
@pytest.mark.timeout(180)
def test_its_steps_make_a_server_that_starts_answers_and_stops() -> None:
    image = Image(process_rig().new_folder("image"))
    *first, final = stages()
    for stage in first:
        image.build(stage)
    here = image.build(final)
    env = {name: image.translated(value) for name, value in environment(final).items()}
    env |= {"HOTDICE_HOST": "127.0.0.1", "HOTDICE_PORT": str(free_port())}
    python = f"{image.root}/opt/hotdice/bin/python"

    start = command("ENTRYPOINT", final) + command("CMD", final)
    assert start[0] == "python"
    process = ServerProcess(image.root, [python, *start[1:]], env=env, cwd=here)
    check = command("HEALTHCHECK", final)

    def is_healthy() -> bool:
        return subprocess.run([python, *check[1:]], env=env, capture_output=True).returncode == 0

    process.wait_until(is_healthy, timeout_s=30)
    assert (image.root / "data" / "hotdice.db").exists()
    for path in ("docs/", "docs/errors/game_over", "docs/examples/bot.py", "docs/changelog"):
        with urllib.request.urlopen(f"http://127.0.0.1:{env['HOTDICE_PORT']}/{path}") as page:
            assert page.status == 200, path
    assert process.stop(signal.SIGTERM) in {0, -signal.SIGTERM}, process.output()
    shutil.rmtree(image.root)
