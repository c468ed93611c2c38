"""What a newcomer reads first leads somewhere; the page of settings is the server's own table."""

from __future__ import annotations

import re
from pathlib import Path

from app.settings import settings_table

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_table_of_settings_is_that_of_the_server() -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    table = [
        f"| `{row.variable}` | {f'`{row.default}`' if row.default else ''} | {row.meaning} |"
        for row in settings_table()
    ]
    listed = [line for line in page.splitlines() if line.startswith("| `HOTDICE_")]
    assert listed == table


def test_every_page_the_readme_names_is_there() -> None:
    for page in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / page).exists(), page


def test_the_readme_is_read_in_five_minutes() -> None:
    assert len(README.splitlines()) <= 120
