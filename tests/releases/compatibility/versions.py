"""Which version a change demands, by docs/versioning.md."""

from __future__ import annotations

from tests.releases.compatibility.findings import Level

Version = tuple[int, int, int]


def version_of(text: str) -> Version:
    """`1.2.3` as numbers."""
    major, minor, patch = map(int, text.split("."))
    return major, minor, patch


def demanded(last: Version, level: Level) -> Version:
    """
    The lowest version that may have this change since the last release.

    Before 1.0.0 the second number stands for breaks, and the third for all else.
    """
    major, minor, patch = last
    if level == Level.NONE:
        return last
    if major == 0:
        return (0, minor + 1, 0) if level == Level.BREAKING else (0, minor, patch + 1)
    return (major + 1, 0, 0) if level == Level.BREAKING else (major, minor + 1, 0)
