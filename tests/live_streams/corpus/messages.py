"""Texts: what is no JSON as bodies are read, what is no message, and what is one after all."""

from __future__ import annotations

from tests.live_streams.corpus.build import MARK, OPEN, Case, text

_NOT_JSON = {
    "nothing": "",
    "blank": " \t\r\n",
    "half": '{"type": "ping"',
    "trailing": '{"type": "ping"} x',
    "two": '{"type": "ping"}{"type": "ping"}',
    "two lines": '{"type": "ping"}\n{"type": "ping"}',
    "trailing comma": '{"type": "ping",}',
    "comment": '{"type": "ping" /* so */}',
    "single quotes": "{'type': 'ping'}",
    "no quotes": "{type: ping}",
    "a mark": MARK,
    "byte order mark": '\ufeff{"type": "ping"}',
    "another byte order mark": '\ufffe{"type": "ping"}',
    "a form": "type=ping",
    "a function": 'ping({"type": "ping"})',
    "XML": "<ping/>",
    "NaN": "NaN",
    "NaN inside": '{"type": "ping", "n": NaN}',
    "infinity": '{"n": Infinity}',
    "minus infinity": '{"n": -Infinity}',
    "infinite": '{"type": 1e400}',
    "minus infinite": '{"type": -1e400}',
    "a plus": '{"n": +1}',
    "a leading zero": '{"n": 01}',
    "a point at the end": '{"n": 1.}',
    "a hexadecimal": '{"n": 0x1}',
    "an underscore": '{"n": 1_000}',
    "5 000 digits": "9" * 5_000,
    "5 000 digits inside": '{"type": ' + "9" * 5_000 + "}",
    "half a surrogate": '{"type": "\\ud800"}',
    "the other half": '{"type": "\\udfff"}',
    "halves in the wrong order": '{"type": "\\udc00\\ud800"}',
    "half a surrogate as key": '{"\\ud800": 1}',
    "a key twice": '{"type": "ping", "type": "ping"}',
    "a key twice, one escaped": '{"type": "ping", "t\\u0079pe": "ping"}',
    "a key twice inside": '{"type": "ping", "x": {"a": 1, "a": 2}}',
    "a control": '{"type": "pi\x01ng"}',
    "a line break": '{"type": "pi\nng"}',
    "a zero": '{"type": "ping"}\x00',
    "an escape that is none": '{"type": "\\x70ing"}',
    "half an escape": '{"type": "\\u70"}',
    "16 000 brackets": "[" * 16_000,
    "900 levels": "[" * 900 + "]" * 900,
    "13 levels": "[" * 13 + "]" * 13,
    "2 000 objects": '{"a":' * 2_000 + "1" + "}" * 2_000,
}

_NO_MESSAGE = {
    "null": "null",
    "true": "true",
    "a list": "[]",
    "a list of messages": '[{"type": "ping"}]',
    "nothing inside": "{}",
    "a string": '"ping"',
    "a number": "1",
    "minus zero": "-0",
    "hardly anything": "1e-400",
    "2^53 + 1": "9007199254740993",
    "2^63": "9223372036854775808",
    "25 digits": "9" * 25,
    "4 000 digits": "9" * 4_000,
    "12 levels": "[" * 12 + "]" * 12,
    "1 000 keys": "{" + ",".join(f'"{n}":{n}' for n in range(1_000)) + "}",
    "no type": '{"ping": 1}',
    "an empty key": '{"": "ping"}',
    "a prototype": '{"type": "ping", "__proto__": {}}',
    "more than asked": '{"type": "ping", "more": 1}',
    "another type": '{"type": "' + MARK + '"}',
    "what servers say": '{"type": "pong"}',
    "a state of its own": '{"type": "state", "version": 1, "game": {}}',
    "upper case": '{"type": "PING"}',
    "a blank behind": '{"type": "ping "}',
    "a zero behind": '{"type": "ping\\u0000"}',
    "a look-alike": '{"type": "p\u0456ng"}',
    "right to left": '{"type": "\u202egnip"}',
    "type as a list": '{"type": ["ping"]}',
    "type as null": '{"type": null}',
    "type as true": '{"type": true}',
    "auth alone": '{"type": "auth"}',
    "auth with a number": '{"type": "auth", "token": 7}',
    "auth with null": '{"type": "auth", "token": null}',
    "auth with more": '{"type": "auth", "token": "x", "id": 1}',
    "a command without id": '{"command": "roll"}',
    "a command with null as id": '{"id": null, "command": "roll"}',
    "a command with an empty id": '{"id": "", "command": "roll"}',
    "a command with a long id": '{"id": "%s", "command": "roll"}' % ("x" * 65),
    "a command with true as id": '{"id": true, "command": "roll"}',
    "a command with half an id": '{"id": 0.5, "command": "roll"}',
    "a command with whole half an id": '{"id": 1.0, "command": "roll"}',
    "a command with an id below zero": '{"id": -1, "command": "roll"}',
    "a command with 2^53 as id": '{"id": 9007199254740992, "command": "roll"}',
    "a command with a list as id": '{"id": [1], "command": "roll"}',
    "a command with an object as id": '{"id": {}, "command": "roll"}',
    "commands in a list": '[{"id": 1, "command": "roll"}]',
    "auth with a long token": '{"type": "auth", "token": "%s"}' % ("x" * 257),
}

_PINGS = {
    "a ping": '{"type":"ping"}',
    "with blanks": ' \t\r\n{ "type" :\n"ping" } ',
    "escaped": '{"\\u0074ype": "\\u0070ing"}',
}

BROKEN = tuple(Case(f"not JSON: {n}", text(t), 1007, "not_json") for n, t in _NOT_JSON.items())
UNKNOWN = tuple(
    Case(f"no message: {n}", text(t), 1008, "unknown_message") for n, t in _NO_MESSAGE.items()
)
PINGS = tuple(Case(n, text(t), OPEN) for n, t in _PINGS.items())

_TOKENS = {
    "empty": "",
    "a blank": " ",
    "a mark": MARK,
    "not ASCII": "zo\u00eb",
    "escaped": "\\u0000\\n",
    "a scheme before it": "Bearer x",
    "256 long": "x" * 256,
    "right to left": "\u202ex",
}
TOKENS = tuple(
    Case(f"token: {name}", text(f'{{"type": "auth", "token": "{token}"}}'), 4401, "unauthenticated")
    for name, token in _TOKENS.items()
)
"""Where nobody has said who it is."""

CASES = (*BROKEN, *UNKNOWN, *PINGS)
