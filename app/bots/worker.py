"""
A process that works out what the strategist needs to know: `python -m app.bots.worker`, a rule set
as JSON on standard input, the knowledge, pickled, on standard output.

Apart from the server, for seconds of pure computing would hold up every request of its process. It
leaves the processor to whoever else wants it.
"""

from __future__ import annotations

import json
import os
import pickle
import sys

from engine.bots.knowledge import Knowledge
from engine.rules_text import rules_from_data

NICE = 10


def main() -> None:
    """Reads, works, writes."""
    os.nice(NICE)
    rules = rules_from_data(json.load(sys.stdin))
    pickle.dump(Knowledge(rules), sys.stdout.buffer)


if __name__ == "__main__":
    main()
