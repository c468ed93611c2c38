"""
The snippets of a page, run as a reader would: in order, in one folder, against a live server.

The words after a block's language say what is done with it:

    sh                    run by bash; variables and functions last to the end of the page
    sh make               `make …` lines, of which only `make -n` is run: they would not end
    python                run by itself; `python continued` goes on with the block before
    js                    run by node, as a module
    output                what the block before must have printed; … stands for anything
    json answer           the same where it is JSON: fields that are left out may be there
    json METHOD /path     a body: sent, and accepted; the answer is for a `json answer` after it
    json stream /path     the first message of a stream
    json custom           a rule set, which is valid
    json commands         lines to and from a game's stream: what has a `command` is sent
    json events           lines of a log, in the spelling that is hashed

Text and drawings are `text`. A block without a language is an error.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from markdown_it import MarkdownIt
from websockets.sync.client import ClientConnection, connect

from app.store.codec import decode, encode
from tests.asyncapi.checked import FRAMES
from tests.servers.hotdice import ROOT
from tests.spec.answers import looked
from tests.verify.javascript import node

READER = "127.0.0.1:8000"
"""Where the pages say the server is."""
PLAIN = frozenset({"text", "output"})
WITHIN_S = 100


class Block(NamedTuple):
    line: int
    language: str
    words: tuple[str, ...]
    text: str

    @property
    def kind(self) -> str:
        """Language and first word, where a recipe is named by both."""
        first = "METHOD" if self.words and self.words[0].isupper() else "".join(self.words[:1])
        return f"{self.language} {first}".strip()


def pages() -> list[Path]:
    """Every page of the repository that people read."""
    found = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    folders = ("docs", "examples", "benchmarks")
    return [*found, *(path for name in folders for path in sorted((ROOT / name).rglob("*.md")))]


def blocks_of(page: Path) -> list[Block]:
    """Its blocks of code, indented ones too: those have no language."""
    found = []
    for token in MarkdownIt("commonmark").parse(page.read_text("utf-8")):
        if token.type in ("fence", "code_block"):
            language, *words = token.info.split() or [""]
            found.append(Block((token.map or [0])[0] + 1, language, tuple(words), token.content))
    return found


def pattern_of(text: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in text.strip().split("…")), re.DOTALL)


def is_like(found: Any, said: Any) -> bool:
    """Whether JSON has at least what a page says of it; "…" says nothing."""
    if said == "…":
        return True
    if isinstance(said, dict):
        return isinstance(found, dict) and all(
            key == "…" or (key in found and is_like(found[key], each)) for key, each in said.items()
        )
    if isinstance(said, list):
        return (
            isinstance(found, list)
            and len(found) >= len(said)
            and all(is_like(one, each) for one, each in zip(found, said, strict=False))
        )
    return bool(found == said)


def _frame(socket: ClientConnection) -> Any:
    """The next message of a stream."""
    found = json.loads(socket.recv(timeout=20))
    FRAMES.check(found)
    return found


class Reader:
    """Somebody with a terminal, who types one page's snippets."""

    def __init__(self, url: str, folder: Path) -> None:
        self._host = url.removeprefix("http://")
        self._url = url
        self._folder = folder
        self._printed = ""
        self._python = ""
        self._token = ""
        commands = folder / "bin"
        commands.mkdir()
        (commands / "hotdice").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m app.cli "$@"\n')
        (commands / "hotdice").chmod(0o755)
        (folder / ".venv").symlink_to(sys.prefix)
        for name in ("engine", "examples"):
            (folder / name).symlink_to(ROOT / name)
        self._environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("HOTDICE_")},
            "PATH": f"{commands}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def does(self, block: Block) -> None:
        """Run a block, or compare it; what does not hold is an AssertionError."""
        RECIPES[block.kind](self, block)

    def _run(self, command: list[str], text: str) -> None:
        done = subprocess.run(
            command,
            input=text,
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
        )
        assert done.returncode == 0, f"{done.stdout[-2_000:]}\n{done.stderr[-2_000:]}"
        self._printed = done.stdout

    def shell(self, block: Block) -> None:
        keeps = "declare -p >.declared; declare -f >>.declared"
        before = "touch .declared; source .declared 2>.ignored || true; set -euo pipefail"
        self._run(["bash", "-s"], f"{before}\n{self._here(block.text)}\n{keeps}\n")

    def make(self, block: Block) -> None:
        for line in block.text.splitlines():
            command = shlex.split(line, comments=True)
            words = [word for word in command if not re.fullmatch(r"HOTDICE_[A-Z_]+=\S+", word)]
            if words not in ([], ["export"]):
                assert words[0] == "make", line
                self._run(["make", "-C", str(ROOT), "-n", *words[1:]], "")

    def python(self, block: Block) -> None:
        goes_on = block.words == ("continued",)
        self._python = (self._python if goes_on else "") + self._here(block.text)
        self._run([sys.executable, "-W", "error", "-"], self._python)

    def javascript(self, block: Block) -> None:
        self._run([node(), "--input-type=module", "-"], self._here(block.text))

    def output(self, block: Block) -> None:
        assert pattern_of(self._here(block.text)).fullmatch(self._printed.strip()), self._printed

    def answer(self, block: Block) -> None:
        found = json.loads(self._printed)
        assert is_like(found, json.loads(block.text)), found

    def body(self, block: Block) -> None:
        method, path = block.words
        self._send(method, path, json.loads(block.text))

    def custom(self, block: Block) -> None:
        self._send("POST", "/v1/rules/validate", {"rules": {"custom": json.loads(block.text)}})

    def stream(self, block: Block) -> None:
        self._token = ""  # a player with this one game
        headers = {"Authorization": f"Bearer {self._guest()}"}
        self._send("POST", "/v1/games", {"rules": {"preset": "farkle"}, "pass_and_play": True})
        address = f"ws://{self._host}{block.words[1]}"
        with connect(address, additional_headers=headers, proxy=None) as socket:
            first = _frame(socket)
        assert is_like(first, json.loads(block.text)), first

    def commands(self, block: Block) -> None:
        rolls = [[1, 5, 2, 3, 4, 4], [1, 2, 3, 6, 6]]
        asked = {
            "rules": {"preset": "farkle"},
            "pass_and_play": True,
            "dice": {"kind": "scripted", "rolls": rolls},
        }
        self._send("POST", "/v1/games", asked)
        path = f"/v1/games/{json.loads(self._printed)['id']}"
        self._send("POST", f"{path}/start", {})
        headers = {"Authorization": f"Bearer {self._guest()}"}
        address = f"ws://{self._host}{path}/stream"
        with connect(address, additional_headers=headers, proxy=None) as socket:
            for line in block.text.splitlines():
                said = json.loads(line)
                if "command" in said:
                    socket.send(line)
                    continue
                while (found := _frame(socket)).get("id") != said["id"]:
                    pass
                assert is_like(found, said), found

    def events(self, block: Block) -> None:
        for line in block.text.splitlines():
            version, _, rest = line.removeprefix('{"version":').partition(",")
            data = ("{" + rest).encode()
            assert version.isdecimal(), line
            assert encode(decode(data)) == data

    def _guest(self) -> str:
        if not self._token:
            made = httpx.post(f"{self._url}/v1/players", json={"name": "Reader"})
            self._token = made.json()["token"]
        return self._token

    def _send(self, method: str, path: str, body: Any) -> None:
        headers = {"Authorization": f"Bearer {self._guest()}"}
        sent = httpx.request(method, self._url + path, json=body, headers=headers)
        looked(sent)
        assert sent.is_success, sent.text
        self._printed = sent.text

    def _here(self, text: str) -> str:
        return text.replace(READER, self._host)


RECIPES: dict[str, Callable[[Reader, Block], None]] = {
    "sh": Reader.shell,
    "sh make": Reader.make,
    "python": Reader.python,
    "python continued": Reader.python,
    "js": Reader.javascript,
    "output": Reader.output,
    "json answer": Reader.answer,
    "json METHOD": Reader.body,
    "json stream": Reader.stream,
    "json custom": Reader.custom,
    "json commands": Reader.commands,
    "json events": Reader.events,
}
