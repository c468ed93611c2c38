"""Validation faults in our own words: where and what kind, never what was sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from app.api.known import known_fields
from app.api.refusals import BadPart

# Pydantic's kinds -> (code, sentence). A sentence may use facts of the schema, none of the input.
_KINDS: dict[str, tuple[str, str]] = {
    "missing": ("missing", "This is required."),
    "extra_forbidden": ("unknown_field", "Only these fields are known here: {known}."),
    "union_tag_not_found": ("missing", "This is required: it says which kind this is."),
    "union_tag_invalid": ("not_allowed", "Must be {expected}."),
    "literal_error": ("not_allowed", "Must be {expected}."),
    "enum": ("not_allowed", "Must be {expected}."),
    "greater_than_equal": ("too_small", "Must be {ge} or more."),
    "greater_than": ("too_small", "Must be more than {gt}."),
    "less_than_equal": ("too_large", "Must be {le} or less."),
    "less_than": ("too_large", "Must be less than {lt}."),
    "string_too_short": ("too_short", "Must have {min_length} characters or more."),
    "string_too_long": ("too_long", "Must have {max_length} characters or less."),
    "too_short": ("too_short", "Must have {min_length} items or more."),
    "too_long": ("too_long", "Must have {max_length} items or less."),
    "string_pattern_mismatch": ("bad_format", "Must be of the form that is documented for it."),
    "bad_format": ("bad_format", "Must be of the form that is documented for it."),
    "bad_text": ("bad_text", "Has characters or marks that are not allowed here."),
    "bad_length": ("too_long", "Must have 1 to {most} characters."),
    "repeated": ("repeated", "Names the same thing twice."),
    "int_type": ("wrong_type", "Must be a whole number."),
    "bool_type": ("wrong_type", "Must be true or false."),
    "string_type": ("wrong_type", "Must be a text."),
    "list_type": ("wrong_type", "Must be a list."),
    "dict_type": ("wrong_type", "Must be an object."),
    "model_type": ("wrong_type", "Must be an object."),
    "model_attributes_type": ("wrong_type", "Must be an object."),
}
_WRONG_TYPE = ("wrong_type", "Is of the wrong type.")
_OF_A_UNION = frozenset({"union_tag_not_found", "union_tag_invalid"})
"""Told of the object; what is wrong is the field that says which kind it is."""

Loc = Sequence[int | str]


def body_parts(faults: Iterable[Any], data: object, kind: Any) -> tuple[BadPart, ...]:
    """
    Faults found in a JSON body, by pointer.

    Args:
        faults: pydantic's.
        data: the body; it tells fields from the labels that pydantic puts among them.
        kind: the model it was read by, or a union of models.
    """
    found = list(faults)
    bad_keys = [tuple(f["loc"][:-1]) for f in found if f["loc"] and f["loc"][-1] == "[key]"]
    parts: dict[tuple[str, str], BadPart] = {}
    for fault in found:
        loc: Loc = tuple(fault["loc"])
        facts = dict(fault.get("ctx") or {})
        unknown = fault["type"] == "extra_forbidden"
        if unknown:
            loc = loc[:-1]
            facts["known"] = ", ".join(known_fields(kind, loc)) or "none"
        elif fault["type"] in _OF_A_UNION and "discriminator" in facts:
            loc = (*loc, facts["discriminator"].strip("'"))
            facts["expected"] = " or ".join(facts.get("expected_tags", "").rsplit(", ", 1))
        code, detail = _words(fault["type"], facts)
        for bad in bad_keys:
            if loc[: len(bad)] == bad:  # a key of the client's own making is not repeated
                loc, code, detail = bad[:-1], "not_allowed", "Has a key that is not allowed here."
        part = BadPart(code, detail, pointer=_pointer(loc, data, missing=not unknown))
        parts.setdefault((part.pointer or "", code), part)
    return tuple(parts.values())


def parameter_parts(faults: Iterable[Any]) -> tuple[BadPart, ...]:
    """Faults found in query parameters and headers."""
    parts: dict[tuple[str | None, str], BadPart] = {}
    for fault in faults:
        code, detail = _words(fault["type"], fault.get("ctx") or {})
        name = None if fault["type"] == "extra_forbidden" else str(fault["loc"][1])
        parts.setdefault((name, code), BadPart(code, detail, parameter=name))
    return tuple(parts.values())


def _words(kind: str, facts: dict[str, Any]) -> tuple[str, str]:
    code, says = _KINDS.get(kind, _WRONG_TYPE)
    return code, says.format_map(facts)


def _pointer(loc: Loc, data: object, *, missing: bool) -> str:
    """`missing`: the last part may be a field that is not there."""
    pointer = ""
    here: Any = data
    for i, part in enumerate(loc):
        is_item = isinstance(here, list) and isinstance(part, int) and part < len(here)
        if is_item or (isinstance(here, dict) and part in here):
            here = here[part]
        elif not (missing and isinstance(here, dict) and i == len(loc) - 1):
            continue  # a label, such as the tag of a union
        pointer += "/" + str(part).replace("~", "~0").replace("/", "~1")
    return pointer
