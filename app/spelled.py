"""How settings are spelled: switches, lists, packs, hosts and origins."""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator
from pydantic_settings import NoDecode

_SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}


def _switch(value: object) -> object:
    return _SWITCH.get(value.lower(), value) if isinstance(value, str) else value


def _listed(value: object) -> object:
    """Comma separated, spaces around the commas allowed."""
    if isinstance(value, str):
        return tuple(part for part in (p.strip() for p in value.split(",")) if part)
    return value


Switch = Annotated[bool, BeforeValidator(_switch)]
Listed = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)]


class Pack(NamedTuple):
    """Wild Rolls for sale."""

    name: str
    wild_rolls: int


MOST_IN_PACK = 1_000


def _packs(value: object) -> object:
    """`name:wild rolls`, comma separated."""
    if not isinstance(value, str):
        return value
    found = []
    for text in _listed(value):  # type: ignore[attr-defined]  # of a text it makes a tuple
        pack = re.fullmatch(r"([a-z0-9_-]{1,32}):([1-9][0-9]{0,3})", text)
        if pack is None or int(pack[2]) > MOST_IN_PACK:
            raise ValueError(f"a pack is name:wild-rolls, such as small:5, up to {MOST_IN_PACK}")
        found.append(Pack(pack[1], int(pack[2])))
    if len({pack.name for pack in found}) != len(found):
        raise ValueError("two packs have one name")
    return tuple(found)


Packs = Annotated[tuple[Pack, ...], NoDecode, BeforeValidator(_packs)]


_HOST = r"(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])"
_ORIGIN = re.compile(rf"https?://{_HOST}(?::[1-9][0-9]{{0,4}})?")
_USUAL = {"http": ":80", "https": ":443"}


def is_host(text: str) -> bool:
    """Whether a Host header can say it, its port aside."""
    return re.fullmatch(_HOST, text, re.IGNORECASE) is not None


def is_origin(text: str) -> bool:
    """Whether a browser says it of a page: in lower case, without the port that goes without."""
    scheme = text.partition(":")[0]
    return _ORIGIN.fullmatch(text) is not None and not text.endswith(_USUAL[scheme])
