"""
What generated clients call the operations and the values of enums: committed, so that no change of
the document renames them unseen. `make client-names` writes the lists anew.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.clients.tools import DOCUMENT, GENERATED, HERE, generate, read

NAMES = HERE / "names"


def listing(seen: dict[str, Any]) -> str:
    """The names of a client, as a text of sorted lines: operations first, then enums."""
    operations = [f"{api}.{name}()" for api, names in seen["operations"].items() for name in names]
    enums = [f"{name}: {', '.join(values)}" for name, values in seen["enums"].items()]
    return "\n".join([*sorted(operations), "", *sorted(enums)]) + "\n"


def renew() -> None:
    """Write the lists of the document as it is."""
    with tempfile.TemporaryDirectory() as folder:
        for language, client in generate(DOCUMENT, Path(folder)).items():
            (NAMES / f"{language}.txt").write_text(listing(read(language, client)))
    sys.stdout.write(f"written: {', '.join(GENERATED)}; review the diff as API users would\n")


if __name__ == "__main__":
    renew()
