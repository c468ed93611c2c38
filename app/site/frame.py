"""The page around a text: head, chapters, what is on the page, the neighbours. No inline script."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import NamedTuple

from app.site.markdown import Section

Link = Callable[[str], str]
"""Address of a page or file of the site -> what a link from this page says."""


class Entry(NamedTuple):
    address: str
    title: str


class Framed(NamedTuple):
    """What a page needs to know of the others."""

    here: Entry
    chapters: tuple[tuple[str, tuple[Entry, ...]], ...]
    before: Entry | None
    after: Entry | None


def page(text: str, sections: list[Section], around: Framed, link: Link) -> str:
    """The whole page as HTML."""
    title = around.here.title
    head, tag, rest = text.partition("</h1>")
    named = title if title == "Hotdice" else f"{title} · Hotdice"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(named)}</title>
<link rel="icon" href="{link("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="{link("style.css")}">
<script src="{link("search.js")}" data-index="{link("search.json")}" defer></script>
</head>
<body>
<a class="skip" href="#text">To the text</a>
<header>
<a class="home" href="{link("")}">Hotdice</a>
<div class="search" hidden><input type="search" aria-label="Search" placeholder="Search">
<ul></ul></div>
<label class="button" for="menu">Pages</label>
</header>
<input type="checkbox" id="menu" aria-label="Show the list of pages">
<nav class="chapters" aria-label="Pages">
{_chapters(around, link)}</nav>
<main id="text">
{head}{tag}{_on_this_page(sections)}{rest}{_neighbours(around, link)}</main>
</body>
</html>
"""


def _chapters(around: Framed, link: Link) -> str:
    lines = []
    for title, entries in around.chapters:
        lines.append(f"<h2>{escape(title)}</h2>\n<ul>")
        for each in entries:
            here = ' aria-current="page"' if each.address == around.here.address else ""
            lines.append(f'<li><a href="{link(each.address)}"{here}>{escape(each.title)}</a></li>')
        lines.append("</ul>\n")
    return "\n".join(lines)


FEW = 3


def _on_this_page(sections: list[Section]) -> str:
    found = [s for s in sections if s.level == 2]
    if len(found) < FEW:
        return ""
    items = "\n".join(f'<li><a href="#{s.anchor}">{escape(s.title)}</a></li>' for s in found)
    return (
        f"\n<details class=contents><summary>On this page</summary><ul>\n{items}\n</ul></details>\n"
    )


def _neighbours(around: Framed, link: Link) -> str:
    parts = [
        f'<a rel="{rel}" href="{link(each.address)}">{arrow.format(escape(each.title))}</a>'
        for rel, each, arrow in (
            ("prev", around.before, "← {}"),
            ("next", around.after, "{} →"),
        )
        if each is not None
    ]
    return f'<nav class="neighbours" aria-label="Neighbours">{"".join(parts)}</nav>\n'
