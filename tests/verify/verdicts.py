"""One verdict of both verifiers: they share no code, and must agree on every export."""

from __future__ import annotations

from typing import Any

from app.verifying.examining import verify
from app.verifying.report import Kept
from tests.verify.javascript import JavaScript


def report_of(js: JavaScript, export: bytes) -> dict[str, Any]:
    """
    What the one in JavaScript reports, once the one in Python has said the same.

    Why a bot made a move only that in Python knows, so there it alone may refuse.
    """
    report, other = js.verify(export), verify(export).as_json()
    if judges_a_bot(other):
        return report
    assert other["verdict"] == report["verdict"], (other, report)
    if report["verdict"] == "valid":
        assert {**report, "bots_checked": None} == {
            **{key: other[key] for key in report},
            "bots_checked": None,
        }
    return report


def judges_a_bot(report: dict[str, Any]) -> bool:
    """Whether it refuses a bot's decision."""
    return str(report["reason"]).startswith("the bot at seat ")


def python_report(export: bytes, **kept: Any) -> dict[str, Any]:
    """That of the one in Python; `kept` as in JavaScript."""
    facts = {name: tuple(map(tuple, values)) for name, values in kept.items()}
    return verify(export, Kept(**facts)).as_json()
