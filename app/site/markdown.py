"""
Markdown of this repository -> HTML: links lead to pages, headings have anchors, code has colours.

The anchors are those that code hosts make, so that a link works there and here. What leads nowhere
is kept in `broken`, which the tests want to be empty.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

PLAIN = frozenset({"", "text", "output"})
"""Languages of blocks that are no code."""


class Found(NamedTuple):
    """Where a link to a file leads."""

    address: str
    """From this page."""
    title: str


Finder = Callable[[str], Found | None]
"""Path of a file from the root -> the page made of it; None: none is. Raises: FileNotFoundError."""


@dataclass
class Section:
    """What stands under one heading."""

    level: int
    anchor: str
    title: str
    text: str = ""


@dataclass
class Text:
    """A page, read."""

    title: str = ""
    html: str = ""
    sections: list[Section] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    """Path of a file, from the root, and anchor in its page; both may be empty."""
    broken: list[str] = field(default_factory=list)


def anchor_of(heading: str) -> str:
    """The anchor that code hosts give a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def coloured(code: str, language: str) -> str:
    """Code as HTML, its words marked by class; not marked where the language is unknown."""
    if language in PLAIN:
        return escape(code)
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return escape(code)
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))


def block(code: str, language: str) -> str:
    return f'<pre tabindex="0"><code>{coloured(code, language)}</code></pre>\n'


def read(text: str, path: str, find: Finder) -> Text:
    """
    A page from its Markdown.

    Args:
        path: of the file, from the root; links are relative to its folder.
        find: what links to files become.
    """
    page = Text()
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    rules: dict[str, Any] = {
        "fence": lambda tokens, i: block(tokens[i].content, (tokens[i].info.split() or [""])[0]),
        "code_block": lambda tokens, i: block(tokens[i].content, ""),
        "table_open": lambda tokens, i: '<div class="table" tabindex="0"><table>\n',
        "table_close": lambda tokens, i: "</table></div>\n",
        "html_block": lambda tokens, i: "",  # comments: nothing else is allowed
        "html_inline": lambda tokens, i: "",
    }
    for name, rule in rules.items():
        reader.add_render_rule(name, _plain_rule(rule))
    tokens = reader.parse(text)
    _name_headings(tokens, page)
    for token in tokens:
        if token.type in ("th_open", "td_open") and (style := token.attrs.pop("style", None)):
            token.attrSet("class", str(style).partition(":")[2])  # no inline style: the policy
        for inner in (token, *(token.children or ())):
            if inner.type in ("html_block", "html_inline") and "<!--" not in inner.content:
                page.broken.append(f"HTML: {inner.content.strip()[:40]}")
        if token.children:
            token.children = _led(token.children, path, find, page)
    page.html = reader.renderer.render(tokens, reader.options, {})
    page.title = page.sections[0].title if page.sections else ""
    return page


def _plain_rule(rule: Callable[[Sequence[Token], int], str]) -> Callable[..., str]:
    def rendered(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> str:
        return rule(tokens, index)

    return rendered


def _name_headings(tokens: list[Token], page: Text) -> None:
    """Give each heading its anchor, and collect what stands below it."""
    used: dict[str, int] = {}
    for i, token in enumerate(tokens):
        if token.type == "heading_open":
            title = _words(tokens[i + 1])
            anchor = anchor_of(title)
            before = used.get(anchor, 0)
            used[anchor] = before + 1
            anchor = f"{anchor}-{before}" if before else anchor
            token.attrSet("id", anchor)
            page.sections.append(Section(int(token.tag[1]), anchor, title))
            if token.tag != "h1":
                _add_handle(tokens[i + 1], anchor)
        elif token.type == "inline" and tokens[i - 1].type != "heading_open" and page.sections:
            page.sections[-1].text += _words(token) + " "


def _words(inline: Token) -> str:
    kept = ("text", "code_inline", "softbreak")
    parts = (t.content or " " for t in inline.children or () if t.type in kept)
    return "".join(parts)


def _add_handle(inline: Token, anchor: str) -> None:
    """A link of the heading to itself, to be copied."""
    link = Token("link_open", "a", 1, attrs={"href": f"#{anchor}", "class": "handle"})
    link.attrSet("aria-label", "Link to this section")
    text = Token("text", "", 0, content="#")
    inline.children = [*(inline.children or ()), link, text, Token("link_close", "a", -1)]


def _led(children: list[Token], path: str, find: Finder, page: Text) -> list[Token]:
    """The same, every link leading to a page; without the links to files that are none."""
    kept: list[Token] = []
    dropped = False
    for i, token in enumerate(children):
        if token.type == "link_open":
            href = str(token.attrGet("href"))
            target = _target(href, path, find, page)
            dropped = target is None
            if target is not None:
                token.attrSet("href", target.address)
                said = children[i + 1]
                if (
                    said.content == href.partition("#")[0].rpartition("/")[2]
                ):  # `streams.md` says nothing here
                    said.content = target.title
        if token.type == "image":
            page.broken.append("an image")
        if token.type == "link_close" and dropped:
            dropped = False
        elif not (token.type == "link_open" and dropped):
            kept.append(token)
    return kept


def _target(href: str, path: str, find: Finder, page: Text) -> Found | None:
    if re.match(r"[a-z]+:", href):
        return Found(href, href)
    name, _, anchor = href.partition("#")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) if name else path
    if name.startswith("/") or file.startswith(".."):
        page.broken.append(href)
        return None
    page.links.append((file, anchor))
    if not name:
        return Found(href, "")
    try:
        found = find(file)
    except FileNotFoundError:
        page.broken.append(href)
        return None
    return found._replace(address=f"{found.address}#{anchor}") if found and anchor else found
