"""
Operations that are on their way out: said in one place, where the route is declared.

    @router.get(path, **operation(…, deprecated=Deprecated(date(2027, 1, 1), date(2027, 7, 1))))

The document then says `deprecated: true` and lists the headers, and every answer of the operation
carries them, refusals too: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to the page
that says what to do.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from typing import NamedTuple

PAGE = "/docs/versioning"
SHORTEST = timedelta(days=180)
"""From when an operation is deprecated until it may go."""


class Deprecated(NamedTuple):
    """When an operation was deprecated, and when it goes; both at the beginning of the day, UTC."""

    since: date
    sunset: date

    def headers(self) -> list[tuple[bytes, bytes]]:
        """Raises: ValueError, where the time between is shorter than docs/versioning.md says."""
        if self.sunset - self.since < SHORTEST:
            raise ValueError(f"an operation stays for {SHORTEST.days} days after it is deprecated")
        since, sunset = _moment(self.since), _moment(self.sunset)
        return [
            (b"deprecation", b"@%d" % since.timestamp()),
            (b"sunset", format_datetime(sunset, usegmt=True).encode()),
            (b"link", f'<{PAGE}>; rel="deprecation"; type="text/html"'.encode()),
        ]


def _moment(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
