"""
The site: every page by its address, made when it is first asked for and kept.

An address is what follows `/docs/`: `rules`, `errors/not_your_turn`; the first page has none. Links
between pages are relative, so that the site works below any path. As files, for any web server that
knows no more than files, pages end in `.html`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.api.asyncapi import document as streams
from app.site import messages, refusals
from app.site.assets import ASSETS, INDEX
from app.site.frame import Entry, Framed, page
from app.site.markdown import Found, Text, block, read
from app.site.sources import (
    API,
    CODE,
    ERRORS,
    HOME,
    MESSAGES,
    address_of,
    chapters,
    files,
    pages_in,
)


class Site:
    """
    Args:
        document: gives the OpenAPI document; asked for with the first page that needs it.
        root: the folder with docs/ and examples/.
        ending: of the addresses of pages in links.
    """

    def __init__(
        self, document: Callable[[], dict[str, Any]], root: Path | None = None, ending: str = ""
    ) -> None:
        self._document = document
        self._root = root or files()
        self._ending = ending
        self._sources = pages_in(self._root)
        self._words = refusals.told(self._root / "docs" / "errors.toml")
        self._texts: dict[str, Text] = {}
        self._pages: dict[str, bytes] = {}
        self._calls: dict[str, list[str]] | None = None
        self._chapters: tuple[tuple[str, tuple[Entry, ...]], ...] | None = None

    def addresses(self) -> list[str]:
        """Of every page, in no order that means anything; the reference of calls is not ours."""
        codes = [f"{ERRORS}/{code}" for code in self._words]
        return sorted({*self._sources, ERRORS, MESSAGES, *codes})

    def page(self, address: str) -> bytes | None:
        """A page as HTML; None where there is none."""
        if (kept := self._pages.get(address)) is None and self._is_page(address):
            kept = self._pages[address] = self._framed(address).encode()
        return kept

    def text(self, address: str) -> Text:
        """A page, read; of one that exists."""
        if (kept := self._texts.get(address)) is None:
            kept = self._texts[address] = self._read(address)
        return kept

    def index(self) -> bytes:
        """What the search looks through: of each section address, page, heading and words."""
        found = [
            {
                "to": self._link("", address) + (f"#{part.anchor}" if n else ""),
                "page": self.text(address).title,
                "title": part.title,
                "text": " ".join(part.text.split()),
            }
            for address in self.addresses()
            for n, part in enumerate(self.text(address).sections)
        ]
        return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()

    def _is_page(self, address: str) -> bool:
        folder, _, code = address.rpartition("/")
        return (
            address in self._sources
            or address in (ERRORS, MESSAGES)
            or (folder == ERRORS and code in self._words)
        )

    def _read(self, address: str) -> Text:
        folder, _, name = address.rpartition("/")
        if address == ERRORS:
            return self._from(refusals.index(self._words), f"docs/{ERRORS}.md", address)
        if address == MESSAGES:
            text = messages.page(streams(self._document()))
            return self._from(text, f"docs/{MESSAGES}.md", address)
        if folder == ERRORS:
            return self._from(self._refusal(name), f"docs/{ERRORS}/{name}.md", address)
        source = self._sources[address]
        text = source.read_text("utf-8")
        if (language := CODE.get(source.suffix)) is not None:
            made = self._from(f"# {name}\n", f"examples/{name}", address)
            made.html += block(text, language)
            return made
        return self._from(text, source.relative_to(self._root).as_posix(), address)

    def _refusal(self, code: str) -> str:
        if self._calls is None:
            document = self._document()
            self._calls = refusals.answered_by(document)
            self._of_all = sum(
                "responses" in each for path in document["paths"].values() for each in path.values()
            )
        return refusals.page(code, self._words[code], self._calls[code], self._of_all)

    def _from(self, text: str, path: str, address: str) -> Text:
        return read(text, path, lambda file: self._found(file, address))

    def _found(self, file: str, here: str) -> Found | None:
        """Where a link to a file leads. Raises: FileNotFoundError."""
        address = address_of(file)
        if address is not None and (self._is_page(address) or address == API):
            return Found(self._link(here, address), self._first_line(address))
        if not (self._root / file).exists():
            raise FileNotFoundError(file)
        return None

    def _first_line(self, address: str) -> str:
        """A page's title, without reading the page: two may link to each other."""
        source = self._sources.get(address)
        if source is None or source.suffix != ".md":
            return address
        with source.open(encoding="utf-8") as lines:
            return next(lines, "").removeprefix("# ").strip()

    def _link(self, here: str, address: str) -> str:
        """From one page to another, or to a file of the site."""
        up = "../" * here.count("/")
        if address == HOME:
            return f"{up}index{self._ending}" if self._ending else up or "./"
        is_file = address in ASSETS or address == INDEX
        return f"{up}{address}{'' if is_file else self._ending}"

    def _framed(self, address: str) -> str:
        if self._chapters is None:
            self._chapters = tuple(
                (each.title, tuple(Entry(a, self._title(a)) for a in each.pages))
                for each in chapters(self._root)
            )
        order = [
            entry for _, entries in self._chapters for entry in entries if entry.address != API
        ]
        text = self.text(address)
        here = Entry(address, text.title)
        place = order.index(here) if here in order else None
        around = Framed(
            here,
            self._chapters,
            order[place - 1] if place else None,
            order[place + 1] if place is not None and place + 1 < len(order) else None,
        )
        return page(text.html, text.sections, around, lambda to: self._link(address, to))

    def _title(self, address: str) -> str:
        return "Every call" if address == API else self.text(address).title
