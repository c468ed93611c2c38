"""Two AsyncAPI documents: what changed for clients that follow and command by the old one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.releases.compatibility.findings import Document, Findings, Way
from tests.releases.compatibility.schemas import Comparison

_WAYS: dict[str, Way] = {"send": "told", "receive": "sent"}
"""What the server sends is told to clients."""


def compare_asyncapi(old: dict[str, Any], new: dict[str, Any]) -> Findings:
    """All that changed: addresses, messages of each way, close codes, names of schemas."""
    before, now = Document(old), Document(new)
    schemas, found = Comparison(before, now), Findings()
    for name, channel in old["channels"].items():
        if name not in new["channels"]:
            found.breaking(name, "the channel is gone")
        elif channel["address"] != new["channels"][name]["address"]:
            found.breaking(name, f"is at {new['channels'][name]['address']} now")
    for name in new["channels"].keys() - old["channels"].keys():
        found.added(name, "a new channel")
    olds, news = dict(_messages(before)), dict(_messages(now))
    for key, message in olds.items():
        where = " ".join(key)
        if key not in news:
            found.breaking(where, "the message is gone")
            continue
        found += schemas.compare(message, news[key], _WAYS[key[1]], where)
    for key in news.keys() - olds.keys():
        found.added(" ".join(key), "a new message")
    _compare_codes(old, new, found)
    kept = new.get("components", {}).get("schemas", {})
    for name in old.get("components", {}).get("schemas", {}).keys() - kept.keys():
        found.breaking(name, "no schema is called so any more: generated types are")
    return found


def _messages(document: Document) -> Iterator[tuple[tuple[str, str, str], Any]]:
    """(channel, `send` or `receive`, name) -> the schema of the payload."""
    for operation in document.data["operations"].values():
        channel = operation["channel"]["$ref"].rpartition("/")[2]
        for ref in operation.get("messages", ()):
            message = document.whole(ref)
            name = ref["$ref"].rpartition("/")[2]
            yield (channel, operation["action"], name), message.get("payload", {})


def _compare_codes(old: dict[str, Any], new: dict[str, Any], found: Findings) -> None:
    for name in old["channels"].keys() & new["channels"].keys():
        before, now = (
            {each["code"] for each in document["channels"][name].get("x-close-codes", ())}
            for document in (old, new)
        )
        for code in before - now:
            found.breaking(name, f"close code {code} is gone")
        for code in now - before:
            found.added(name, f"close code {code} is new")
