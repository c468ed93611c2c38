"""What a database's refusal means for the one who waits."""

from __future__ import annotations

import pytest

from app.errors import Overloaded, StoreUnavailable
from app.store.faults import as_app_error


class Said(Exception):
    """As the driver says it."""

    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate
        super().__init__()


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("55000", StoreUnavailable),  # the database takes no connections now
        ("3D000", StoreUnavailable),  # there is none of that name
        ("28P01", StoreUnavailable),  # the password has been changed
        ("57P01", StoreUnavailable),  # shutting down
        ("53300", StoreUnavailable),  # too many connections
        ("55P03", Overloaded),
        ("40P01", Overloaded),
        ("42P01", Said),  # a table that is missing is our mistake
    ],
)
def test_what_the_database_says_is_told_in_our_words(state: str, told: type[Exception]) -> None:
    assert type(as_app_error(Said(state))) is told
