"""`python -m tests.spec.record FILE`: plays the scenario, and writes the examples it gives."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from app.api.openapi import document as served
from app.main import routes
from tests.spec.reading import Document
from tests.spec.recording import recorder
from tests.spec.scenario import play

FILE = Path(__file__).parents[2] / "app" / "api" / "examples.json"


async def recorded(folder: Path, document: Document) -> dict[str, Any]:
    """Examples by operation, in the order of the document."""
    async with recorder(folder, document) as found:
        await play(found)
    return found.examples


def written(examples: dict[str, Any]) -> str:
    """As the file has them."""
    return json.dumps(examples, indent=1, ensure_ascii=False) + "\n"


def main(file: Path) -> None:
    document: Document = served(routes())
    with tempfile.TemporaryDirectory() as folder:
        file.write_text(written(asyncio.run(recorded(Path(folder), document))), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
