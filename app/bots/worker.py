"""
A process that works out what the strategist needs to know: `python -m app.bots.worker`, a rule set
as JSON on standard input, the knowledge, pickled, on standard output.

See `app.apart`.
"""

from __future__ import annotations

import json
import pickle
import sys

from app.apart import settle
from engine.bots.knowledge import Knowledge
from engine.rules_text import rules_from_data


def main() -> None:
    """Reads, works, writes."""
    settle()
    rules = rules_from_data(json.load(sys.stdin))
    pickle.dump(Knowledge(rules), sys.stdout.buffer)


if __name__ == "__main__":
    main()
