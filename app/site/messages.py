"""The page of every message of the streams, from the AsyncAPI document: in Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from app.api.problem_schemas import schema_name
from app.api.problems import CODES
from app.site.markdown import anchor_of

Json = dict[str, Any]

_CODES = {schema_name(code): code for code in CODES}


def page(document: Json) -> str:
    """Streams, messages both ways, types, close codes."""
    parts = document["components"]
    lines = ["# Every message", "", document["info"]["description"].strip(), "", _ABOUT, ""]
    for name, channel in document["channels"].items():
        lines += _stream(name, channel, document["operations"].values(), parts["messages"])
    lines += ["## Messages", ""]
    payloads = {name: _last(each["payload"]) for name, each in parts["messages"].items()}
    for name, message in parts["messages"].items():
        lines += [f"### {name}", "", message["summary"], ""]
        lines += _fields(parts["schemas"][payloads[name]])
        for example in message.get("examples", ())[:1]:
            lines += ["```json", json.dumps(example["payload"], indent=2), "```", ""]
    lines += ["## Types", ""]
    for name, schema in parts["schemas"].items():
        if name not in payloads.values() and name not in _CODES:
            lines += [f"### Type {name}", "", _flat(schema.get("description", "")), ""]
            lines += _fields(schema) if "properties" in schema else [_type(schema), ""]
    lines += ["## Close codes", "", "| code | words | meaning | what to do |", "|---|---|---|---|"]
    for each in document["x-close-codes"]:
        words = ", ".join(f"`{word}`" for word in each.get("words", ())) or "–"
        lines.append(f"| {each['code']} | {words} | {each['meaning']} | {each['remedy']} |")
    return "\n".join([*lines, ""])


_ABOUT = """
How streams behave, and how to resume one, is in [Streams](streams.md); what events carry is told in
[Events](events.md). For programs this page is at `/asyncapi.yaml` and `/asyncapi.json`.
""".strip()


def _stream(name: str, channel: Json, operations: Iterable[Json], messages: Json) -> list[str]:
    lines = [f"## {channel['title']}", "", f"`{channel['address']}`", ""]
    lines += [channel["description"], "", "| | message | |", "|---|---|---|"]
    for operation in operations:
        if _last(operation["channel"]) == name:
            who = "server" if operation["action"] == "send" else "client"
            for message in map(_last, operation["messages"]):
                summary = _flat(messages[message]["summary"])
                lines.append(f"| {who} | [{message}](#{anchor_of(message)}) | {summary} |")
    return [*lines, ""]


def _fields(schema: Json) -> list[str]:
    if not schema.get("properties"):
        return []
    lines = ["| field | type | |", "|---|---|---|"]
    for name, each in schema["properties"].items():
        optional = "" if name in schema.get("required", ()) else " (may be missing)"
        lines.append(f"| `{name}` | {_type(each)}{optional} | {_flat(_says(each))} |")
    return [*lines, ""]


def _says(schema: Json) -> str:
    """Its description, or that of the first choice that has one."""
    choices = (*schema.get("anyOf", ()), *schema.get("oneOf", ()))
    texts = (schema, *choices)
    return next((each["description"] for each in texts if "description" in each), "")


def _type(schema: Json) -> str:
    """A schema in a few words, with links to the types it names."""
    if "$ref" in schema:
        name = _last(schema)
        if (code := _CODES.get(name)) is not None:
            return f"[{code}](errors/{code}.md)"
        return f"[{name}](#{anchor_of(f'Type {name}')})"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    for key in ("allOf", "anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(map(_type, schema[key])))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return " or ".join(kind) if isinstance(kind, list) else str(schema.get("format", kind))


def _last(reference: Json) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def _flat(text: str) -> str:
    """In one line, fit for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
