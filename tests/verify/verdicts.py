"""One verdict of all verifiers there are: they must agree on every export."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.verify.javascript import JavaScript

OTHERS: tuple[Callable[[bytes], str], ...] = ()
"""Beside that in JavaScript: an export in; `valid`, `invalid` or `incomplete` out."""


def report_of(js: JavaScript, export: bytes) -> dict[str, Any]:
    """What the one in JavaScript reports, once the others have said the same."""
    report = js.verify(export)
    for other in OTHERS:
        assert other(export) == report["verdict"], report
    return report
