"""Commands that have an id, and are wrong: each is answered, and the stream goes on."""

from __future__ import annotations

from typing import NamedTuple

from tests.live_streams.corpus.build import MARK


class Wrong(NamedTuple):
    name: str
    text: str
    faults: frozenset[tuple[str, str]]
    """JSON pointer and code of each fault."""


_FAULTS: dict[str, tuple[str, tuple[str, str]]] = {
    "no such command": ('"command": "cheat"', ("/command", "not_allowed")),
    "a mark as command": (f'"command": "{MARK}"', ("/command", "not_allowed")),
    "a number as command": ('"command": 7', ("/command", "not_allowed")),
    "null as command": ('"command": null', ("/command", "not_allowed")),
    "a list as command": ('"command": ["roll"]', ("/command", "not_allowed")),
    "an object as command": ('"command": {"roll": 1}', ("/command", "not_allowed")),
    "upper case": ('"command": "ROLL"', ("/command", "not_allowed")),
    "an underscore": ('"command": "take_over"', ("/command", "not_allowed")),
    "a path": ('"command": "../roll"', ("/command", "not_allowed")),
    "a prototype beside it": ('"command": "roll", "__proto__": {}', ("", "unknown_field")),
    "a type": ('"command": "roll", "type": "command"', ("", "unknown_field")),
    "a ping too": ('"type": "ping", "command": "roll"', ("", "unknown_field")),
    "a mark as field": (f'"command": "roll", "{MARK}": 1', ("", "unknown_field")),
    "fields of another": ('"command": "roll", "dice": [0]', ("", "unknown_field")),
    "a game": ('"command": "roll", "game_id": "x"', ("", "unknown_field")),
    "a token": (f'"command": "roll", "token": "{MARK}"', ("", "unknown_field")),
    "nothing selected": ('"command": "select"', ("/dice", "missing")),
    "no dice": ('"command": "select", "dice": []', ("/dice", "too_short")),
    "seven dice": ('"command": "select", "dice": [0,1,2,3,4,5,0]', ("/dice", "too_long")),
    "a die twice": ('"command": "select", "dice": [1,1]', ("/dice", "repeated")),
    "a seventh die": ('"command": "select", "dice": [6]', ("/dice/0", "too_large")),
    "half a die": ('"command": "select", "dice": [0.5]', ("/dice/0", "wrong_type")),
    "a die as text": ('"command": "select", "dice": ["0"]', ("/dice/0", "wrong_type")),
    "true as a die": ('"command": "select", "dice": [true]', ("/dice/0", "wrong_type")),
    "2^63 as a die": (f'"command": "select", "dice": [{2**63}]', ("/dice/0", "too_large")),
    "a wild seven": (
        '"command": "select", "dice": [0], "wild_face": 7',
        ("/wild_face", "too_large"),
    ),
    "a list to select": ('"command": "roll", "select": []', ("/select", "wrong_type")),
    "nothing to select": ('"command": "bank", "select": {}', ("/select/dice", "missing")),
    "more to select": (
        '"command": "roll", "select": {"dice": [0], "x": 1}',
        ("/select", "unknown_field"),
    ),
    "a ninth seat": ('"command": "resign", "seat": 8', ("/seat", "too_large")),
    "no seat": ('"command": "skip-next"', ("/seat", "missing")),
    "a word": (
        '"command": "start", "server_committed_only": "yes"',
        ("/server_committed_only", "wrong_type"),
    ),
    "an empty idempotency key": (
        '"command": "roll", "idempotency_key": ""',
        ("/idempotency_key", "too_short"),
    ),
    "a long key": (
        '"command": "roll", "idempotency_key": "' + "x" * 256 + '"',
        ("/idempotency_key", "too_long"),
    ),
    "a key with a blank": (
        f'"command": "roll", "idempotency_key": "{MARK} x"',
        ("/idempotency_key", "bad_format"),
    ),
    "a key with a line break": (
        '"command": "roll", "idempotency_key": "x\\n"',
        ("/idempotency_key", "bad_format"),
    ),
    "a key beyond ASCII": (
        '"command": "roll", "idempotency_key": "zo\u00eb"',
        ("/idempotency_key", "bad_format"),
    ),
    "a number as key": (
        '"command": "roll", "idempotency_key": 7',
        ("/idempotency_key", "wrong_type"),
    ),
    "a version as text": ('"command": "roll", "if_match": "3"', ("/if_match", "wrong_type")),
    "a version below none": ('"command": "roll", "if_match": -1', ("/if_match", "too_small")),
    "a version past all": (f'"command": "roll", "if_match": {2**31}', ("/if_match", "too_large")),
    "half a version": ('"command": "roll", "if_match": 1.5', ("/if_match", "wrong_type")),
    "another answer": (f'"command": "roll", "answer": "{MARK}"', ("/answer", "not_allowed")),
}

WRONG = tuple(
    Wrong(name, f'{{"id": {number}, {said}}}', frozenset({fault}))
    for number, (name, (said, fault)) in enumerate(_FAULTS.items())
)

IDS = (
    *("0", "7", str(2**53 - 1), '"x"', '"7"', '" "', '"zo\u00eb"', '"\U0001f3b2"'),
    *('"' + "x" * 64 + '"', '"\\u0000\\n\\""', '"\\ud83c\\udfb2"'),
)
"""What may be one, as JSON; it comes back as it was."""
