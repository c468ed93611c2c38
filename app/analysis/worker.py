"""
A process that works out one analysis: `python -m app.analysis.worker`, a rule set on standard
input, a line of JSON for each step on standard output.

    {"progress": 0.4}   …   {"report": {…}}   or   {"too_large": true}

See `app.apart`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from app.analysis.view import report_view
from app.apart import settle
from engine.odds.report import Report, TooLong, report
from engine.rules_text import rules_from_data


def main() -> None:
    """Reads, works, tells."""
    settle()
    rules = rules_from_data(json.load(sys.stdin))
    try:
        for step in report(rules):
            if isinstance(step, Report):
                _tell({"report": report_view(step)})
            else:
                _tell({"progress": step})
    except TooLong:
        _tell({"too_large": True})


def _tell(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
