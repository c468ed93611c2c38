"""What a command line says of rules -> the rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from app.rulebook import Chosen, Rulebook
from engine.errors import Malformed


class WronglyAsked(Exception):
    """Says what is wrong with the command line, or with a file that it names."""


def given_options(options: Sequence[str]) -> dict[str, object]:
    """
    `name=value`, the value in JSON or a plain word; a name alone switches on.

    Raises: WronglyAsked.
    """
    found: dict[str, object] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not name:
            raise WronglyAsked(f"--option {option}: it goes name=value.")
        if name in found:
            raise WronglyAsked(f"--option {name} is given twice.")
        found[name] = _value(value) if equals else True
    return found


def _value(text: str) -> object:
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value


def rules_in_file(book: Rulebook, path: Path) -> Chosen:
    """
    What `rules` of a table may be in the API, or a rule set alone.

    Raises: WronglyAsked; MalformedRules, with pointers into the file.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise WronglyAsked(f"{path} cannot be read ({error.strerror}).") from None
    except (ValueError, RecursionError) as error:
        raise WronglyAsked(f"{path} is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise WronglyAsked(f"{path} holds no rules: an object is needed.")
    if "preset" in data:
        options = data.get("options", {})
        if set(data) - {"preset", "options"} or not isinstance(options, dict):
            raise WronglyAsked(f'{path}: beside "preset" stands "options" alone, an object.')
        return book.preset(str(data["preset"]), options, "")
    if set(data) == {"custom"}:
        return book.custom(data["custom"], "/custom")
    return book.custom(data, "")


def faults_of(wrong: Malformed) -> str:
    """Every fault with its pointer, in one line."""
    return "; ".join(f"{fault.pointer or 'rules'}: {fault.detail}" for fault in wrong.faults)
