"""Small documents, each with one thing wrong, by the rule that must catch it."""

from __future__ import annotations

from typing import Any

from tests.spec.reading import Document

REQUEST_ID: dict[str, Any] = {"X-Request-ID": {"schema": {"type": "string", "maxLength": 9}}}
LIMITS: dict[str, Any] = {
    f"RateLimit-{what}": {"schema": {"type": "string", "maxLength": 9}}
    for what in ("Limit", "Remaining", "Reset")
}
PATH = {"schema": {"type": "string", "format": "uri-reference"}}
HEADERS = {**REQUEST_ID, **LIMITS}


def sound() -> Document:
    """One operation that makes a thing, one that shows it, and nothing wrong."""
    thing = {"schema": {"$ref": "#/components/schemas/Thing"}}
    identity = {"name": "thing_id", "in": "path", "required": True, "description": "Which."}
    return {
        "openapi": "3.1.0",
        "tags": [{"name": "things", "description": "Things."}, {"name": "others"}],
        "paths": {
            "/things": {
                "post": {
                    "operationId": "create_thing",
                    "summary": "Make a thing",
                    "tags": ["things"],
                    "security": [],
                    "requestBody": {"content": {"application/json": dict(thing)}},
                    "responses": {
                        "201": {
                            "description": "Made.",
                            "headers": {
                                **HEADERS,
                                "Location": {"schema": {"type": "string", "format": "uri"}},
                            },
                            "content": {"application/json": dict(thing)},
                            "links": {
                                "show_thing": {
                                    "operationId": "show_thing",
                                    "parameters": {"thing_id": "$response.body#/id"},
                                }
                            },
                        }
                    },
                }
            },
            "/things/{thing_id}": {
                "get": {
                    "operationId": "show_thing",
                    "summary": "The thing",
                    "tags": ["things"],
                    "security": [{"bearer": []}],
                    "parameters": [{**identity, "schema": {"type": "string", "maxLength": 9}}],
                    "responses": {
                        "200": {
                            "description": "There.",
                            "headers": dict(HEADERS),
                            "content": {"application/json": thing},
                        }
                    },
                }
            },
        },
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": {
                "Thing": {
                    "title": "Thing",
                    "type": "object",
                    "properties": {"id": {"type": "string", "maxLength": 9}},
                    "additionalProperties": False,
                }
            },
        },
    }


POST = ("paths", "/things", "post")
GET = ("paths", "/things/{thing_id}", "get")
FIELD = ("components", "schemas", "Thing", "properties", "id")
MADE = (*POST, "responses", "201")

UNSOUND: list[tuple[str, tuple[str, ...], Any]] = [
    ("operations_have_names_of_their_own", (*POST, "operationId"), "show_thing"),
    ("operations_have_names_of_their_own", (*POST, "operationId"), "createThing"),
    ("operations_have_names_of_their_own", (*POST, "operationId"), "create_thing_v1_things_post"),
    ("summaries_are_one_line_of_prose", (*POST, "summary"), "Create Thing"),
    ("summaries_are_one_line_of_prose", (*POST, "summary"), ""),
    ("summaries_are_one_line_of_prose", (*POST, "summary"), "Make a thing."),
    ("summaries_are_one_line_of_prose", (*POST, "summary"), "Make " + "a thing" * 20),
    ("every_operation_has_one_known_tag", (*POST, "tags"), ["stuff"]),
    ("every_operation_has_one_known_tag", (*POST, "tags"), ["others"]),
    ("every_operation_has_one_known_tag", (*POST, "tags"), []),
    ("paths_stand_in_the_order_of_their_tags", (*POST, "tags"), ["others"]),
    (
        "every_reference_leads_somewhere",
        (*MADE, "content", "application/json", "schema"),
        {"$ref": "#/components/schemas/Nothing"},
    ),
    ("every_schema_is_used", ("components", "schemas", "Other"), {"type": "boolean"}),
    ("types_have_names_that_people_give", ("components", "schemas", "Field1"), {"type": "boolean"}),
    ("types_have_names_that_people_give", ("components", "schemas", "Body_x"), {"type": "boolean"}),
    ("types_have_names_that_people_give", ("components", "schemas", "Thing", "title"), "Any"),
    ("types_have_names_that_people_give", (*FIELD, "title"), "Id"),
    ("nothing_is_untyped", FIELD, {"description": "anything"}),
    ("nothing_is_untyped", FIELD, {"type": "object"}),
    ("nothing_is_untyped", FIELD, {"type": "object", "additionalProperties": True}),
    ("nothing_is_untyped", FIELD, {"type": "array", "maxItems": 3}),
    ("nothing_is_untyped", FIELD, {"anyOf": [{"type": "null"}, {}]}),
    (
        "bodies_refuse_unknown_fields",
        ("components", "schemas", "Thing"),
        {"type": "object", "properties": {"id": {"type": "string"}}},
    ),
    (
        "unions_are_told_apart_by_a_field",
        FIELD,
        {"anyOf": [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["a"]}]},
    ),
    (
        "unions_are_told_apart_by_a_field",
        FIELD,
        {
            "oneOf": [
                {"$ref": "#/components/schemas/Thing"},
                {"type": "object", "properties": {"id": {"const": "b"}}},
            ],
            "discriminator": {"propertyName": "id", "mapping": {"a": "#/components/schemas/Thing"}},
        },
    ),
    ("whole_numbers_have_bounds_and_a_width", FIELD, {"type": "integer"}),
    ("whole_numbers_have_bounds_and_a_width", FIELD, {"type": "integer", "minimum": 0}),
    (
        "whole_numbers_have_bounds_and_a_width",
        FIELD,
        {"type": "array", "maxItems": 1, "items": {"type": "integer", "maximum": 6}},
    ),
    (
        "whole_numbers_have_bounds_and_a_width",
        FIELD,
        {"type": "integer", "minimum": 0, "maximum": 2**40, "format": "int32"},
    ),
    (
        "whole_numbers_have_bounds_and_a_width",
        FIELD,
        {"type": "integer", "minimum": 0, "maximum": 2**60, "format": "int64"},
    ),
    ("other_numbers_say_how_wide_they_are", FIELD, {"type": "number"}),
    ("texts_have_a_form_or_a_length", FIELD, {"type": "string"}),
    ("texts_have_a_form_or_a_length", FIELD, {"type": "array", "items": {"type": "string"}}),
    ("lists_have_a_length", FIELD, {"type": "array", "items": {"type": "boolean"}}),
    ("closed_lists_of_words_are_types", FIELD, {"type": "string", "enum": ["a", "b"]}),
    (
        "unions_of_many_are_types",
        FIELD,
        {"oneOf": [], "discriminator": {"propertyName": "kind", "mapping": {"a": "#/b"}}},
    ),
    ("answers_say_which_headers_they_have", (*MADE, "headers"), {"Location": {}}),
    ("answers_say_which_headers_they_have", (*GET, "responses", "429"), {"headers": HEADERS}),
    ("answers_say_which_headers_they_have", (*GET, "responses", "401"), {"headers": HEADERS}),
    ("answers_say_which_headers_they_have", (*GET, "responses", "304"), {"headers": HEADERS}),
    ("what_is_made_says_where_it_is", (*MADE, "headers"), dict(HEADERS)),
    ("changing_calls_take_their_headers", (*POST, "security"), [{"bearer": []}]),
    (
        "changing_calls_take_their_headers",
        (*POST, "parameters"),
        [{"name": "If-Match", "in": "header"}],
    ),
    (
        "parameters_are_told_in_a_sentence",
        (*POST, "parameters"),
        [{"name": "x", "in": "query", "schema": {"type": "boolean"}}],
    ),
    ("every_operation_says_who_may", (*POST, "security"), None),
    ("every_operation_says_who_may", (*POST, "security"), [{"key": []}]),
    ("links_lead_to_operations_and_their_parameters", (*MADE, "links", "x"), {"operationId": "x"}),
    (
        "links_lead_to_operations_and_their_parameters",
        (*MADE, "links", "x"),
        {"operationId": "show_thing", "parameters": {"game_id": "$response.body#/id"}},
    ),
    (
        "links_lead_to_operations_and_their_parameters",
        (*MADE, "links", "x"),
        {"operationId": "show_thing", "parameters": {"thing_id": "$response.body#/name"}},
    ),
    (
        "links_lead_to_operations_and_their_parameters",
        (*MADE, "links", "x"),
        {"operationId": "show_thing", "parameters": {"thing_id": "$request.path.thing_id"}},
    ),
    ("what_is_made_leads_on", (*MADE, "links"), {}),
]
"""A rule, a place in the sound document, and what to put there."""


def with_one_fault(place: tuple[str, ...], wrong: Any) -> Document:
    document = sound()
    node: Any = document
    for part in place[:-1]:
        node = node[part]
    node[place[-1]] = wrong
    return document
