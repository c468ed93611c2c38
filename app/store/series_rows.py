"""Rows of `series`: from a series to its columns, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, select

from app.series.model import Participant, Series
from app.store import tables
from app.store.heads import decode_setup, encode_setup

FORMAT = 1

_s = tables.series.c


def series_rows() -> Select[Any]:
    """For `series_of_row`."""
    return select(_s.id, _s.owner, _s.status, _s.join_code, _s.setup, _s.data, _s.created_at)


def series_of_row(row: Sequence[Any]) -> Series:
    series_id, owner, status, join_code, setup, data, created_at = row
    kept = json.loads(data)
    return Series(
        series_id,
        owner,
        status,
        join_code,
        decode_setup(setup),
        tuple(Participant(*side) for side in kept["participants"]),
        kept["games"],
        kept["at_once"],
        created_at,
    )


def series_values(series: Series) -> dict[str, Any]:
    """What may change, by column."""
    data = {
        "format": FORMAT,
        "participants": series.participants,
        "games": series.games,
        "at_once": series.at_once,
    }
    return {
        "owner": series.owner,
        "status": series.status,
        "join_code": series.join_code,
        "setup": encode_setup(series.setup),
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")),
    }
