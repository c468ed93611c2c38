"""The faults of input on their page: each is shown by a test that exists."""

from __future__ import annotations

from tests.docs.test_docs import page, tables
from tests.docs.test_stream_faults import FAULTS, marks_in, named


def test_every_fault_has_a_guard_and_tests_that_exist() -> None:
    rows = [row for found in tables(page("input-faults.md")) for row in found]
    assert len(rows) >= 20
    for row in rows:
        assert tuple(row) == FAULTS
        assert all(row.values()), row
        assert named(row["test"]), row
        for file, test, is_wide in named(row["test"]):
            assert marks_in(file).get(test) is is_wide, (file, test)
