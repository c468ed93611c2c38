"""
Every frame that a test receives, held against the committed AsyncAPI document.

Strictly: an object has the fields that are documented and no others, though clients are told to
pass over what they do not know.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml

FILE = Path(__file__).resolve().parents[2] / "openapi" / "asyncapi.yaml"
Json = dict[str, Any]


@functools.cache
def committed() -> Json:
    """The document; do not change it."""
    text = FILE.read_text("utf-8")
    found: Json = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    return found


def closed(schema: Any) -> Any:
    """The same schema, whose objects have no fields but those it names."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


class Undocumented(AssertionError):
    """A frame that the document does not allow."""


class Frames:
    """
    Args:
        document: the AsyncAPI document.
    """

    def __init__(self, document: Json | None = None) -> None:
        self.seen: Counter[tuple[str, str]] = Counter()
        """By channel and name of the message."""
        self._document = document
        self._kinds: dict[str, dict[str, list[tuple[str, str]]]] = {}
        self._paths: list[tuple[re.Pattern[str], str]] = []
        self._validators: dict[str, jsonschema_rs.Validator] = {}
        self._schemas: Json = {}

    def check(self, frame: Any, path: str | None = None) -> None:
        """
        A frame that came over the stream at this address, wherever None.

        Raises: Undocumented.
        """
        if not self._kinds:
            self._read()
        kind = frame.get("type") if isinstance(frame, dict) else None
        channels = (
            self._kinds if path is None else {name: self._kinds[name] for name in self._at(path)}
        )
        faults = [f"no message of this type: {kind}"]
        for channel, kinds in channels.items():
            for name, model in kinds.get(str(kind), ()):
                fault = next(self._validator(model).iter_errors(frame), None)
                if fault is None:
                    self.seen[channel, name] += 1
                    return
                faults.append(f"{name}: {fault.message[:300]} at {fault.instance_path}")
        raise Undocumented(f"{path}: {'; '.join(faults)}: {str(frame)[:300]}")

    def _at(self, path: str) -> list[str]:
        plain = path.partition("?")[0]
        found = [name for pattern, name in self._paths if pattern.fullmatch(plain)]
        return found or list(self._kinds)  # no stream is there; errors are told alike

    def _validator(self, model: str) -> jsonschema_rs.Validator:
        if model not in self._validators:
            root = {
                "$ref": f"#/components/schemas/{model}",
                "components": {"schemas": self._schemas},
            }
            self._validators[model] = jsonschema_rs.Draft202012Validator(root)
        return self._validators[model]

    def _read(self) -> None:
        document = self._document or committed()
        self._schemas = closed(document["components"]["schemas"])
        messages = document["components"]["messages"]
        for name, channel in document["channels"].items():
            pattern = re.sub(r"\{\w+\}", "[^/]+", channel["address"])
            self._paths.append((re.compile(pattern), name))
            kinds = self._kinds.setdefault(name, {})
            for message in channel["messages"]:
                model = messages[message]["payload"]["$ref"].rpartition("/")[2]
                kind = self._schemas[model]["properties"].get("type")
                if kind is not None and message not in ("ping", "auth"):
                    kinds.setdefault(kind["const"], []).append((message, model))


FRAMES = Frames()
"""Those of this process of the test run."""
