"""
The AsyncAPI document of the streams.

    schemas      of the messages, and of what they share with the answers of calls
    channels     the streams: addresses, handshakes, close codes
    operations   who says what, seen from the server
    texts, examples
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from app import VERSION
from app.api.asyncapi import texts
from app.api.asyncapi.channels import channels, closes
from app.api.asyncapi.operations import operations, security
from app.api.asyncapi.schemas import messages, schemas
from app.live.endings import CLOSES

Json = dict[str, Any]


def document(openapi: Mapping[str, Any], public_url: str | None = None) -> Json:
    """
    Args:
        openapi: the OpenAPI document of the same application.
        public_url: where it is served; by default its `servers` have a variable for the host.
    """
    made = schemas(openapi)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Hotdice streams",
            "version": VERSION,
            "description": texts.WHOLE,
            "license": {"name": "MIT", "url": "https://spdx.org/licenses/MIT.html"},
            "tags": [{"name": "streams", "description": "Following and commanding, live."}],
        },
        "defaultContentType": "application/json",
        "servers": _servers(public_url),
        "channels": channels(),
        "operations": operations(),
        "components": {
            "schemas": made,
            "messages": messages(made),
            "securitySchemes": security(openapi),
            "correlationIds": {
                "command": {
                    "description": "The client's own number of a command.",
                    "location": "$message.payload#/id",
                }
            },
        },
        "x-close-codes": closes(CLOSES),
    }


def _servers(public_url: str | None) -> Json:
    if public_url is None:
        return {name: {"host": "{host}", "protocol": kind, **_HOST} for name, kind in _KINDS}
    where = urlsplit(public_url)
    path = {"pathname": where.path} if where.path.strip("/") else {}
    secure = "s" if where.scheme == "https" else ""
    return {
        name: {"host": where.netloc, "protocol": f"{kind}{secure}", **path} for name, kind in _KINDS
    }


_KINDS = (("websocket", "ws"), ("http", "http"))
_HOST: Json = {
    "description": "Over TLS: wss, and https.",
    "variables": {
        "host": {"description": "Host and port of a server.", "default": "127.0.0.1:8000"}
    },
}


def as_yaml(document: Json) -> str:
    """The document as text that people read: no aliases, paragraphs as they are."""
    import yaml  # costs a start nothing that way

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        def ignore_aliases(self, _: Any) -> bool:
            return True

    def text(dumper: Any, value: str) -> Any:
        style = "|" if "\n" in value else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    made: str = yaml.dump(document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100)
    return made
