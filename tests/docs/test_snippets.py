"""Every snippet of every page runs, and prints what the page says it prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.snippets import PLAIN, RECIPES, Reader, blocks_of, is_like, pages, pattern_of
from tests.servers.hotdice import ROOT, HotdiceServer

FIRST = "README.md"
"""Read by everybody, so run with every `make test`; the others in CI."""


def runs(page: Path) -> bool:
    return any(block.language != "text" for block in blocks_of(page))


RUN = [
    pytest.param(
        page,
        id=page.relative_to(ROOT).as_posix(),
        marks=[] if page.name == FIRST and page.parent == ROOT else pytest.mark.wide,
    )
    for page in pages()
    if runs(page)
]


@pytest.fixture(scope="module")
def server() -> Iterator[HotdiceServer]:
    with HotdiceServer() as running:
        yield running


def test_no_block_is_forgotten() -> None:
    """Each is run, or compared with what ran before it, or says that it is text."""
    for page in pages():
        before = ""
        for block in blocks_of(page):
            place = f"{page.relative_to(ROOT)}:{block.line}"
            assert block.language == "text" or block.kind in RECIPES, f"{place}: {block.kind!r}"
            if block.kind in ("output", "json answer"):
                assert before not in ("", "text"), f"{place}: nothing ran before it"
            before = block.kind
    assert {"sh", "python", "json"} <= {b.language for page in pages() for b in blocks_of(page)}
    assert "text" in PLAIN


@pytest.mark.parametrize("page", RUN)
def test_the_snippets_of_a_page_do_what_it_says(
    page: Path, server: HotdiceServer, tmp_path: Path
) -> None:
    reader = Reader(server.url, tmp_path)
    for block in blocks_of(page):
        if block.language != "text":
            try:
                reader.does(block)
            except Exception as error:
                error.add_note(f"{page.relative_to(ROOT)}:{block.line}")
                raise


def test_a_page_that_says_something_else_is_found() -> None:
    assert pattern_of("a … c\n").fullmatch("a b c")
    assert not pattern_of("a … c").fullmatch("a b c d")
    found = {"a": [1, {"b": 2}], "c": 3}
    assert is_like(found, {"a": [1, {"b": "…"}]})
    assert not is_like(found, {"a": [1, {"b": 3}]})
    assert not is_like(found, {"d": "…"})
