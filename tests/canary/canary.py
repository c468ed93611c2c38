"""
Secrets of the run, and a look for them in all that is sent and logged.

The servers of the tests draw their seeds here (for those in processes of their own: heard.py);
tokens and tickets are known from the answer that shows them. From then on each byte that goes out
is searched: for the secret itself, as hexadecimal and as base64, cut short too. A seed may be said
once its game is over; tokens never again.

Looking costs a pattern over the bytes and a dictionary for what it finds: no secret is searched for
by itself.
"""

from __future__ import annotations

import base64
import json
import re
import secrets
from collections.abc import Iterator

from app.ports import Head
from engine.state import Finished

PART = 24
STRIDE = 8
ENOUGH = PART + STRIDE - 1
"""Symbols of a secret, from its first on, by which it is known: every eighth place is looked at."""
RUN = re.compile(rb"[A-Za-z0-9_+/\-]{%d,}" % ENOUGH)
_SHOWN = (b'"token":"', b'"ticket":"')


class Canary:
    def __init__(self) -> None:
        self._parts: dict[bytes, str] = {}
        """The first parts of each secret, in each spelling, and what it is."""
        self._raw: dict[bytes, str] = {}
        self.hits: list[str] = []
        self.looks = self.known = 0

    def draw(self, count: int) -> bytes:
        """The port `RandomBytes`: as the product's, and remembered where it is a seed."""
        drawn = secrets.token_bytes(count)
        if count == 32:
            self._know(drawn, "a seed")
        return drawn

    def know(self, token: str, what: str = "a token") -> None:
        """It has been shown to who asked for it, and is never shown again."""
        self._know(token.encode(), what)
        padded = token + "=" * (-len(token) % 4)
        if re.fullmatch(r"[A-Za-z0-9_-]{43}", token):
            self._know(base64.urlsafe_b64decode(padded), what)

    def _know(self, secret: bytes, what: str) -> None:
        self.known += 1
        for part in parts_of(secret):
            self._parts[part] = what
        if not secret.isascii():
            self._raw[secret] = what

    def moved(self, head: Head) -> None:
        """A game has: what its end reveals is no secret any more."""
        if isinstance(head.game, Finished):
            for seed in head.game.seeds:
                raw = bytes.fromhex(seed)
                self._raw.pop(raw, None)
                for part in parts_of(raw):
                    self._parts.pop(part, None)

    def look(self, data: bytes, where: str) -> None:
        """Whatever is found is kept in `hits`."""
        self.looks += 1
        for run in RUN.findall(data):
            for at in range(0, len(run) - PART + 1, STRIDE):
                if (what := self._parts.get(run[at : at + PART])) is not None:
                    self._found(what, where)
        if self._raw and not data.isascii():
            try:
                data.decode()
            except UnicodeDecodeError:
                for secret, what in self._raw.items():
                    if secret in data:
                        self._found(what, where)

    def answered(self, body: bytes, where: str) -> None:
        """A body is looked at; the secret that it may show is known from then on."""
        self.look(body, where)
        if body.startswith(b"{") and any(name in body for name in _SHOWN):
            shown = json.loads(body)
            for name in ("token", "ticket"):
                if isinstance(shown.get(name), str):
                    self.know(shown[name], f"a {name}")

    def _found(self, what: str, where: str) -> None:
        self.hits.append(f"{what} in {where}")


def parts_of(secret: bytes) -> Iterator[bytes]:
    for spelling in {*_spellings(secret)}:
        for at in range(STRIDE):
            yield spelling[at : at + PART]


def _spellings(secret: bytes) -> Iterator[bytes]:
    if secret.isascii():
        yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    yield base64.b64encode(secret)
    yield base64.urlsafe_b64encode(secret)


CANARY = Canary()
"""That of this process of the test run."""
