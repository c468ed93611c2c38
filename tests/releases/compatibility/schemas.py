"""
Two schemas, the old and the new one: what changed for who sends such values, or is told them.

What is sent must be accepted as before: the new schema may only be wider. What is told must be
understood as before: it may only be narrower, but for what clients have to tolerate: members they
do not know, and kinds they do not know in a union whose kinds are told apart by a member.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.releases.compatibility.bounds import compare_bounds
from tests.releases.compatibility.findings import Document, Findings, Level, Way

TAGS = ("code", "kind", "type")
"""Members by which the kinds of a union are told apart."""
GROWING = ("code",)
"""Members whose lists of words grow: clients take a word they do not know for the general case."""
_UNIONS = ("anyOf", "oneOf")
_TYPES = {str: "string", int: "integer", bool: "boolean", float: "number", type(None): "null"}


class Comparison:
    """Compares schemas of two documents; each pair of objects once for each way."""

    def __init__(self, old: Document, new: Document) -> None:
        self._old, self._new = old, new
        self._known: dict[tuple[int, int, Way], Findings] = {}

    def compare(self, old: Any, new: Any, way: Way, where: str) -> Findings:
        """What changed from the old schema to the new one."""
        if "$ref" in old and "$ref" in new:
            where = str(new["$ref"]).rpartition("/")[2]
        return self._unions(old, new, way, where)

    def _unions(self, old: Any, new: Any, way: Way, where: str) -> Findings:
        olds, news = alternatives(self._old, old), alternatives(self._new, new)
        if len(olds) == len(news) == 1:
            return self._single(olds[0], news[0], way, where)
        found = Findings()
        for alternative in news if way == "told" else olds:
            if way == "told":
                pairs = [(before, alternative) for before in olds]
            else:
                pairs = [(alternative, now) for now in news]
            same = [pair for pair in pairs if tag_of(pair[0]) == tag_of(pair[1])]
            if way == "told" and not same and tagged(olds):
                found.added(where, f"may be of the new kind {tag_of(alternative)}")
                continue
            best = min(
                (self._single(*pair, way, f"{where}/{tag_of(pair[1])}") for pair in same or pairs),
                key=lambda each: (each.level, len(each)),
            )
            if same or best.level < Level.BREAKING:
                found += best
            elif way == "sent":
                found.breaking(where, f"{tag_of(alternative)} is not accepted any more")
            else:
                found.breaking(where, f"may be {tag_of(alternative)}, which it never was")
        if len(olds) != len(news) and not found:
            found.added(where, f"{len(news)} alternatives, not {len(olds)}")
        return found

    def _single(self, old: Any, new: Any, way: Way, where: str) -> Findings:
        """Of two schemas without unions. What was compared before says the same again."""
        if "properties" not in old or "properties" not in new:
            return self._told(old, new, way, where)
        key = id(old["properties"]), id(new["properties"]), way
        if key not in self._known:
            self._known[key] = Findings()  # for a schema that holds itself
            self._known[key] = self._told(old, new, way, where)
        return self._known[key]

    def _told(self, old: Any, new: Any, way: Way, where: str) -> Findings:
        found = Findings()
        narrower, wider = types(new) - types(old), types(old) - types(new)
        if (way == "told" and narrower) or (way == "sent" and wider):
            found.breaking(where, f"the type was {named(types(old))} and is {named(types(new))}")
            return found
        if old.get("format") != new.get("format"):
            was, is_ = old.get("format"), new.get("format")
            found.breaking(where, f"the format was {was} and is {is_}: clients hold another type")
        if way == "sent" and old.get("default") != new.get("default"):
            found.breaking(where, "what it means to leave it out has changed")
        if new.get("deprecated") and not old.get("deprecated"):
            found.added(where, "is deprecated")
        self._words(old, new, way, where, found)
        compare_bounds(old, new, way, where, found)
        self._members(old, new, way, where, found)
        for part in ("items", "additionalProperties", "propertyNames"):
            before, now = old.get(part), new.get(part)
            if isinstance(before, dict) and isinstance(now, dict):
                found += self.compare(before, now, way, f"{where}/{part}")
            elif isinstance(now, dict) and before is not False and way == "sent":
                found.breaking(f"{where}/{part}", "is restricted now")
        return found

    def _words(self, old: Any, new: Any, way: Way, where: str, found: Findings) -> None:
        before, now = words(old), words(new)
        if before == now:
            return
        if before is None or now is None:
            narrowed = before is None
            more, fewer = set(now or ()), set(before or ())
        else:
            more, fewer = now - before, before - now
            narrowed = bool(fewer) if way == "sent" else not more
        grows = where.rpartition("/")[2] in GROWING
        if way == "sent" and narrowed:
            found.breaking(where, f"not accepted any more: {named(fewer) or 'other words'}")
        elif way == "told" and not narrowed and not grows:
            found.breaking(where, f"new words are told: {named(more) or 'any'}")
        else:
            found.added(where, f"words: {named(more | fewer)}")

    def _members(self, old: Any, new: Any, way: Way, where: str, found: Findings) -> None:
        before, now = old.get("properties", {}), new.get("properties", {})
        needed_before, needed_now = set(old.get("required", ())), set(new.get("required", ()))
        for name, schema in before.items():
            place = f"{where}/{name}"
            if name not in now:
                found.breaking(place, "is gone")
                continue
            if way == "told" and name in needed_before - needed_now:
                found.breaking(place, "was always there and may be missing")
            elif way == "sent" and name in needed_now - needed_before:
                found.breaking(place, "may not be left out any more")
            elif (name in needed_before) != (name in needed_now):
                found.added(place, "is required otherwise than before")
            found += self.compare(schema, now[name], way, place)
        for name in now.keys() - before.keys():
            if way == "sent" and name in needed_now:
                found.breaking(f"{where}/{name}", "is new and may not be left out")
            else:
                found.added(f"{where}/{name}", "is new")


def alternatives(document: Document, schema: Any) -> list[dict[str, Any]]:
    """What a value may be, each without unions."""
    whole = document.whole(schema)
    for union in _UNIONS:
        if union in whole:
            beside = {n: v for n, v in whole.items() if n not in (union, "discriminator")}
            return [
                {**beside, **each} for part in whole[union] for each in alternatives(document, part)
            ]
    if isinstance(whole.get("type"), list):
        return [{**whole, "type": each} for each in whole["type"]]
    if len(whole.get("allOf", ())) == 1:
        [part] = whole["allOf"]
        beside = {name: value for name, value in whole.items() if name != "allOf"}
        return [{**each, **beside} for each in alternatives(document, part)]
    return [whole]


def tag_of(schema: Mapping[str, Any]) -> str:
    """What a kind is called: by the member that tells it apart, or else by its type."""
    for name in TAGS:
        told = words(schema.get("properties", {}).get(name, {}))
        if told is not None and len(told) == 1:
            return named(told)
    return named(types(schema))


def tagged(schemas: list[dict[str, Any]]) -> bool:
    """Whether all kinds are told apart by a member, null aside; one alone may be one of codes."""
    kinds = [schema.get("properties", {}) for schema in schemas if schema.get("type") != "null"]
    names = TAGS if len(kinds) > 1 else GROWING
    return bool(kinds) and all(
        any(len(words(kind.get(name, {})) or ()) == 1 for name in names) for kind in kinds
    )


def words(schema: Mapping[str, Any]) -> set[Any] | None:
    """The values there may be; None: any."""
    if "const" in schema:
        return {schema["const"]}
    return set(schema["enum"]) if "enum" in schema else None


def types(schema: Mapping[str, Any]) -> set[str]:
    """The types of values there may be, every one where none is said; numbers hold integers."""
    said = schema.get("type")
    if said is None:
        told = words(schema)
        every = {"null", "boolean", "integer", "number", "string", "array", "object"}
        return every if told is None else {_TYPES[type(word)] for word in told}
    return {"integer", "number"} if said == "number" else {said}


def named(values: set[Any]) -> str:
    return ", ".join(sorted(map(str, values)))
