"""A page as a browser reads it."""

from __future__ import annotations

from html.parser import HTMLParser


class Page(HTMLParser):
    """What a page loads, where it leads, and which anchors it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.anchors: list[str] = []
        self.inline: list[str] = []
        self._script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self._script = tag == "script"
        if tag == "a":
            self.links.add(told["href"])
        if tag in ("script", "img"):
            self.loads |= {told.get("src", "")} | {told[k] for k in told if k.startswith("data-")}
        if tag == "link":
            self.loads.add(told["href"])
        if "id" in told:
            self.anchors.append(told["id"])
        self.inline += [name for name in told if name.startswith("on") or name == "style"]

    def handle_data(self, data: str) -> None:
        if self._script and data.strip():
            self.inline.append("script")
