"""
What the HTTP layer itself refuses, before any service is asked.

    AppError
      HttpRefusal
        BadHost 400, RouteNotFound 404, MethodNotAllowed 405, BodyTooLarge 413,
        UnsupportedMediaType 415, InvalidRequest 422, UpgradeRequired 426, InternalError 500
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from app.errors import AppError

FaultCode = Literal[
    "missing",
    "unknown_field",
    "wrong_type",
    "not_allowed",
    "too_small",
    "too_large",
    "too_short",
    "too_long",
    "bad_format",
    "bad_text",
    "not_utf8",
    "not_json",
    "duplicate_key",
    "too_deep",
    "repeated",
]
"""The kinds of faults found by reading."""

RuleFaultCode = Literal[
    "above_maximum",
    "above_target",
    "bad_label",
    "below_smaller_set",
    "duplicate",
    "missing",
    "no_set_of_three",
    "not_a_boolean",
    "not_a_list",
    "not_a_multiple",
    "not_an_integer",
    "not_an_object",
    "not_applicable",
    "not_ascending",
    "out_of_range",
    "out_of_reach",
    "too_many_dice",
    "unknown_field",
    "unknown_preset",
    "unknown_value",
    "wrong_length",
]
"""Those of rule sets and options, as the engine's checks call them."""

SettingsFaultCode = Literal[
    "bad_seed",
    "no_such_seat",
    "not_applicable",
    "out_of_range",
    "out_of_reach",
    "wrong_length",
]
"""Those of a table's settings."""


class BadPart(NamedTuple):
    """One thing wrong with a request. Never carries what was sent."""

    code: str
    detail: str
    pointer: str | None = None
    """JSON pointer into the body; None where a parameter is at fault."""
    parameter: str | None = None
    """Name of the query parameter or header."""


class HttpRefusal(AppError):
    """Root of this module's tree."""

    code = "http_refusal"


class InvalidRequest(HttpRefusal):
    """The request cannot be understood; carries every fault found."""

    code = "invalid_request"
    says = "The request is malformed; errors names each fault."

    def __init__(self, parts: tuple[BadPart, ...]) -> None:
        self.parts = parts
        super().__init__()


class BadHost(HttpRefusal):
    code = "bad_host"
    says = "The Host header is missing, malformed, doubled or not served here."


class RouteNotFound(HttpRefusal):
    code = "route_not_found"
    says = "There is nothing at this address."


class MethodNotAllowed(HttpRefusal):
    code = "method_not_allowed"
    says = "This address does not answer that method."


class UpgradeRequired(HttpRefusal):
    code = "upgrade_required"
    says = "This address is for WebSockets: connect with ws:// or wss://."


class BodyTooLarge(HttpRefusal):
    """Fact: `limit`, bytes."""

    code = "body_too_large"
    says = "A request body may have {limit} bytes."


class UnsupportedMediaType(HttpRefusal):
    code = "unsupported_media_type"
    says = "Bodies are JSON: Content-Type: application/json, not compressed."


class InternalError(HttpRefusal):
    code = "internal_error"
    says = "Something went wrong on our side; it has been logged."


class NotReady(HttpRefusal):
    code = "not_ready"
    says = "The server cannot serve yet or at the moment."
