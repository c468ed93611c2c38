"""The page of limits: each setting that bounds anything, its value, and a test that exists."""

from __future__ import annotations

from app.settings import Settings, settings_table
from tests.docs.test_docs import page, tables
from tests.docs.test_stream_faults import marks_in, named

NO_CAPS = {
    *("port", "trusted_proxy_hops", "gzip_from"),
    *("answers_kept_h", "notices_kept_h", "token_idle_days", "token_max_days"),
    *("lobby_after", "host_after", "absent_after", "abandon_after", "reveal_after"),
}
"""Numbers that bound nothing a caller could have more of: addresses, and times of the server's."""


def test_every_setting_that_bounds_something_is_on_the_page_with_a_test() -> None:
    rows = [row for found in tables(page("limits.md")) for row in found]
    caps = {
        f"HOTDICE_{name.upper()}"
        for name, field in Settings.model_fields.items()
        if field.annotation is int and name not in NO_CAPS
    }
    assert {row["setting"].strip("`") for row in rows} == caps
    shipped = {row.variable: row.default for row in settings_table()}
    for row in rows:
        assert row["as shipped"] == shipped[row["setting"].strip("`")], row
        assert row["one more"], row
        assert named(row["test"]), row
        for file, test, is_wide in named(row["test"]):
            assert marks_in(file).get(test) is is_wide, (file, test)
