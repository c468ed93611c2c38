"""
What makes the OpenAPI document good to generate a client from: each rule says what breaks it.

A rule takes a document and tells every place that is wrong; `RULES` has them by name, and
`unsound.json` a small document that each of them must catch.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from tests.spec.reading import (
    Document,
    Operation,
    Schema,
    operations,
    references,
    resolved,
    schemas,
)

Rule = Callable[[Document], Iterator[str]]
RULES: dict[str, Rule] = {}

INT32 = 2**31 - 1
SAFE = 2**53 - 1
"""Beyond it, readers of JSON that know doubles alone lose digits."""
LONGEST_SUMMARY = 90
_CHANGES = ("post", "put", "patch", "delete")
_WORDS = re.compile(r"[a-z]+(_[a-z]+)*")
_TYPE_NAME = re.compile(r"([A-Z][a-z0-9]+)+")
_MADE_UP = re.compile(r"Body_|Field\d|Anonymous|Inline|Model\d|Response_|Input$|Output$|__")
OPEN = frozenset({"PresetPage/rule_set_schema"})
"""It holds a JSON Schema."""
_TEXT = ("application/x-ndjson", "text/plain", "text/event-stream")


def rule(check: Rule) -> Rule:
    RULES[check.__name__] = check
    return check


@rule
def operations_have_names_of_their_own(document: Document) -> Iterator[str]:
    names = Counter(found.says.get("operationId") for found in operations(document))
    for found in operations(document):
        name = found.says.get("operationId") or ""
        if not _WORDS.fullmatch(name) or names[name] > 1 or re.search(r"_(v1|get|post)(_|$)", name):
            yield f"{found.method} {found.path}"


@rule
def summaries_are_one_line_of_prose(document: Document) -> Iterator[str]:
    """A name in capitals is none: it says what the operation's name says."""
    for found in operations(document):
        summary = found.says.get("summary", "")
        echoed = summary.replace(" ", "_").lower() == found.name
        if (
            not 0 < len(summary) <= LONGEST_SUMMARY
            or "\n" in summary
            or echoed
            or summary.endswith(".")
            or not summary[0].isupper()
        ):
            yield f"{found.name}: {summary!r}"


@rule
def every_operation_has_one_known_tag(document: Document) -> Iterator[str]:
    known = {tag["name"] for tag in document.get("tags", ()) if tag.get("description")}
    for found in operations(document):
        tags = found.says.get("tags", [])
        if len(tags) != 1 or tags[0] not in known:
            yield found.name


@rule
def paths_stand_in_the_order_of_their_tags(document: Document) -> Iterator[str]:
    order = [tag["name"] for tag in document.get("tags", ())]
    before = 0
    for path, item in document["paths"].items():
        first = next(iter(item.values()))["tags"][0]
        place = order.index(first) if first in order else -1
        if place < before:
            yield path
        before = place


@rule
def every_reference_leads_somewhere(document: Document) -> Iterator[str]:
    for ref in {*references(document)}:
        try:
            resolved(document, {"$ref": ref})
        except KeyError:
            yield ref


@rule
def every_schema_is_used(document: Document) -> Iterator[str]:
    """But for problems: some are of no operation, and one is for whoever takes them all alike."""
    used = {ref.rpartition("/")[2] for ref in references(document)}
    for name in document.get("components", {}).get("schemas", {}):
        if name not in used and not name.endswith("Problem"):
            yield name


@rule
def types_have_names_that_people_give(document: Document) -> Iterator[str]:
    for name, schema in document.get("components", {}).get("schemas", {}).items():
        if not _TYPE_NAME.fullmatch(name) or _MADE_UP.search(name):
            yield name
        elif schema.get("title", name) != name:
            yield f"{name} has the title {schema['title']!r}"
    for place, schema in schemas(document):
        if "title" in schema and place not in document["components"]["schemas"]:
            yield f"{place} has the title {schema['title']!r}"


@rule
def nothing_is_untyped(document: Document) -> Iterator[str]:
    """Neither a schema that says nothing, nor an object or a list of anything."""
    for place, schema in schemas(document):
        kinds = ("type", "$ref", "oneOf", "anyOf", "allOf", "enum", "const")
        if not any(kind in schema for kind in kinds):
            yield place
        elif schema.get("type") == "array" and not ("items" in schema or "prefixItems" in schema):
            yield f"{place}: a list of anything"
        elif schema.get("type") == "object" and place not in OPEN:
            more = schema.get("additionalProperties")
            if more is True or (not schema.get("properties") and more is None):
                yield f"{place}: an object of anything"


@rule
def bodies_refuse_unknown_fields(document: Document) -> Iterator[str]:
    """As the server does: whoever reads the document alone learns of a slip before it is sent."""
    seen: set[str] = set()
    waiting = [
        ref
        for found in operations(document)
        for ref in references(found.says.get("requestBody", {}).get("content", {}))
    ]
    while waiting:
        ref = waiting.pop()
        if ref in seen or not ref.startswith("#/components/schemas/"):
            continue
        seen.add(ref)
        schema = resolved(document, {"$ref": ref})
        waiting += references(schema)
        if schema.get("type") == "object" and "additionalProperties" not in schema:
            yield ref.rpartition("/")[2]


@rule
def unions_are_told_apart_by_a_field(document: Document) -> Iterator[str]:
    """Or, where the shape is older than that, by the fields that one of them alone requires."""
    for place, schema in schemas(document):
        objects = [
            part
            for word in ("anyOf", "oneOf")
            for part in schema.get(word, ())
            if resolved(document, part).get("type") == "object"
        ]
        if len(objects) < 2:
            continue
        says = schema.get("discriminator")
        if says is None:
            required = [set(resolved(document, part).get("required", ())) for part in objects]
            closed = all(
                resolved(document, p).get("additionalProperties") is False for p in objects
            )
            if not closed or any(
                not mine - set().union(*(r for r in required if r is not mine)) for mine in required
            ):
                yield place
            continue
        mapped = says.get("mapping", {})
        for part in objects:
            name = resolved(document, part).get("properties", {}).get(says["propertyName"], {})
            words = name.get("enum") or [name.get("const")]
            if not all(mapped.get(str(word)) == part.get("$ref") for word in words):
                yield f"{place}: {part.get('$ref', part)}"


@rule
def whole_numbers_have_bounds_and_a_width(document: Document) -> Iterator[str]:
    """`int64` where 32 bits are not enough: generators take the narrow type unless told."""
    for place, schema in schemas(document):
        if schema.get("type") != "integer" or "enum" in schema or "const" in schema:
            continue
        least, most = schema.get("minimum"), schema.get("maximum")
        if least is None or most is None or not -SAFE <= least <= most <= SAFE:
            yield place
        elif schema.get("format") != ("int32" if least >= -INT32 and most <= INT32 else "int64"):
            yield f"{place}: {schema.get('format')}"


@rule
def other_numbers_say_how_wide_they_are(document: Document) -> Iterator[str]:
    for place, schema in schemas(document):
        if schema.get("type") == "number" and schema.get("format") != "double":
            yield place


@rule
def texts_have_a_form_or_a_length(document: Document) -> Iterator[str]:
    for place, schema in schemas(document):
        bounds = ("enum", "const", "format", "pattern", "maxLength")
        bare = schema.get("type") == "string" and not any(bound in schema for bound in bounds)
        if bare and not place.endswith(_TEXT):
            yield place


@rule
def lists_have_a_length(document: Document) -> Iterator[str]:
    for place, schema in schemas(document):
        if schema.get("type") == "array" and "maxItems" not in schema:
            yield place


@rule
def closed_lists_of_words_are_types(document: Document) -> Iterator[str]:
    """An enum in place would be another type in each generated model that has it."""
    components = document.get("components", {}).get("schemas", {})
    for place, schema in schemas(document):
        if len(schema.get("enum", ())) > 1 and place not in components:
            yield place


@rule
def unions_of_many_are_types(document: Document) -> Iterator[str]:
    """One of several objects has a name too; those of problems are of an answer alone."""
    components = document.get("components", {}).get("schemas", {})
    for place, schema in schemas(document):
        mapped = schema.get("discriminator", {}).get("mapping", {})
        if mapped and place not in components and "problem+json" not in place:
            yield place


@rule
def answers_say_which_headers_they_have(document: Document) -> Iterator[str]:
    for found in operations(document):
        limited = found.says["tags"] != ["operations"]
        for status, answer in found.says["responses"].items():
            headers = {*answer.get("headers", {})}
            wanted = {"X-Request-ID"}
            if limited:
                wanted |= {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}
            if status in ("429", "503"):
                wanted.add("Retry-After")
            if status in ("401", "403"):
                wanted.add("WWW-Authenticate")
            if status == "304" or (status < "300" and _has_a_version(found)):
                wanted.add("ETag")
            if missing := sorted(wanted - headers):
                yield f"{found.name} {status}: {', '.join(missing)}"


def _has_a_version(found: Operation) -> bool:
    names = {parameter.get("name") for parameter in found.says.get("parameters", ())}
    return bool(names & {"If-Match", "If-None-Match"})


@rule
def what_is_made_says_where_it_is(document: Document) -> Iterator[str]:
    """201 has a Location, but for what is told once and can never be asked for again."""
    for found in operations(document):
        answer = found.says["responses"].get("201")
        if answer is None or "Location" in answer.get("headers", {}):
            continue
        kinds = answer.get("content", {}).values()
        shapes = [resolved(document, kind.get("schema", {})) for kind in kinds]
        if not all({"token", "ticket"} & {*shape.get("properties", {})} for shape in shapes):
            yield found.name


@rule
def changing_calls_take_their_headers(document: Document) -> Iterator[str]:
    """Every one takes a key, but for those that hand out a token, ask without changing, or ack."""
    for found in operations(document):
        names = {parameter.get("name") for parameter in found.says.get("parameters", ())}
        secured = found.says.get("security")
        made = found.says["responses"].get("201", {}).get("content", {}).values()
        tells = [resolved(document, kind.get("schema", {})).get("properties", {}) for kind in made]
        hands_out = any({"token", "ticket"} & {*told} for told in tells)
        acknowledges = found.path.endswith("/ack")
        needs = found.method in _CHANGES and secured and not hands_out and not acknowledges
        if needs and "Idempotency-Key" not in names:
            yield f"{found.name}: Idempotency-Key"
        if {"If-Match"} & names and "412" not in found.says["responses"]:
            yield f"{found.name}: 412"


@rule
def parameters_are_told_in_a_sentence(document: Document) -> Iterator[str]:
    for found in operations(document):
        for parameter in found.says.get("parameters", ()):
            if not resolved(document, parameter).get("description"):
                yield f"{found.name}: {parameter.get('name')}"


@rule
def every_operation_says_who_may(document: Document) -> Iterator[str]:
    """`security`, with schemes that exist; an empty list where no token is looked at."""
    known = document.get("components", {}).get("securitySchemes", {})
    for found in operations(document):
        ways = found.says.get("security")
        if ways is None or any(scheme not in known for way in ways for scheme in way):
            yield found.name


@rule
def links_lead_to_operations_and_their_parameters(document: Document) -> Iterator[str]:
    by_name = {found.name: found for found in operations(document)}
    for found in operations(document):
        for status, answer in found.says["responses"].items():
            for name, told in answer.get("links", {}).items():
                link = resolved(document, told)
                target = by_name.get(link.get("operationId", ""))
                if target is None:
                    yield f"{found.name} {status} {name}: no such operation"
                    continue
                takes = {p["name"] for p in target.says.get("parameters", ())}
                if not {*link.get("parameters", {})} <= takes:
                    yield f"{found.name} {status} {name}: {sorted(link['parameters'])}"
                for said in link.get("parameters", {}).values():
                    if not _is_there(document, found, status, said):
                        yield f"{found.name} {status} {name}: {said}"


def _is_there(document: Document, found: Operation, status: str, said: str) -> bool:
    """Whether a runtime expression leads to a field of the answer or of the request."""
    if said.startswith("$request.path."):
        return said.removeprefix("$request.path.") in found.path
    if not said.startswith("$response.body#/"):
        return False
    content = found.says["responses"][status]["content"]["application/json"]
    schema: Schema | None = content["schema"]
    for part in said.removeprefix("$response.body#/").split("/"):
        if schema is None:
            return False
        schema = resolved(document, schema).get("properties", {}).get(part)
    return schema is not None


@rule
def what_is_made_leads_on(document: Document) -> Iterator[str]:
    """Whoever is answered with an id in a body finds links to what may be done with it."""
    for found in operations(document):
        for status, answer in found.says["responses"].items():
            made = status in ("201", "202") and "Location" in answer.get("headers", {})
            if made and not answer.get("links"):
                yield f"{found.name} {status}"
