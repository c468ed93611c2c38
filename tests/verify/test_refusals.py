"""How a file may be wrong before a rule is asked, and what a player kept."""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
from functools import lru_cache
from pathlib import Path

import pytest

from app.verifying.examining import verify
from app.verifying.reading import LARGEST
from app.verifying.report import words
from tests.test_cli import hotdice, one_line
from tests.verify.games import any_game
from tests.verify.javascript import VERIFIER, JavaScript, node
from tests.verify.mutations import events_of, one_event
from tests.verify.recording import exported
from tests.verify.verdicts import python_report, report_of


@lru_cache
def game() -> bytes:
    return any_game(30, most=60).export()


def with_first(text: str) -> bytes:
    """A log of this one event."""
    return exported("g_1", [text])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"at":1,"at":1,"type":"x"}', 'the key "at" stands there twice'),
        ('{"at":1, "type":"x"}', "the bytes are not canonical"),
        ('{"type":"x","at":1}', "the bytes are not canonical"),
        ('{"at":1,"type":"\\u0078"}', "the bytes are not canonical"),
        ('{"at":1.0,"type":"x"}', "not JSON with whole numbers"),
        ('{"at":1e3,"type":"x"}', "not JSON with whole numbers"),
        ('{"at":-0,"type":"x"}', "not JSON with whole numbers"),
        ('{"at":01,"type":"x"}', "not JSON with whole numbers"),
        ('{"at":NaN,"type":"x"}', "not JSON with whole numbers"),
        ('{"at":9007199254740992,"type":"x"}', "a number out of range"),
        ('{"at":"\\ud800","type":"x"}', "half of a surrogate pair"),
        ('{"at":1,"type":"x"} ', "the bytes are not canonical"),
        ('{"at":1,"type":"x"}{}', "something follows the JSON"),
        ('{"at":1,"type":"x",}', "not JSON"),
        ('{"at":' + "[" * 900 + "]" * 900 + ',"type":"x"}', "JSON nested too deeply"),
        ('["x"]', "the bytes are no event"),
        ('{"at":1,"type":7}', "the bytes are no event"),
        ('{"at":{},"type":"x"}', "the bytes are no event"),
        ('{"at":null,"type":"x"}', "the bytes are no event"),
        ('{"__proto__":{"type":"x"},"at":1}', "the bytes are no event"),
        ('{"at":1,"seat":null,"type":"__proto__"}', "__proto__ cannot stand here"),
        ('{"at":1,"seat":null,"type":"game_started"}', "game_started cannot stand here"),
    ],
)
def test_bytes_that_are_no_event(js: JavaScript, text: str, reason: str) -> None:
    report = report_of(js, with_first(text))
    assert (report["verdict"], report["version"], report["reason"]) == ("invalid", 1, reason)


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (lambda data: data, "valid"),
        (lambda data: data.rstrip(b"\n"), "valid"),
        (lambda data: data.replace(b"\n", b"\r\n"), "valid"),
        (lambda data: b"", "invalid"),
        (lambda data: data.split(b"\n")[0], "incomplete"),
        (lambda data: b"\xef\xbb\xbf" + data, "invalid"),
        (lambda data: data.replace(b"dice_rolled", b"dice_r\xf6lled", 1), "invalid"),
        (lambda data: data.decode().encode("utf-16"), "invalid"),
        (lambda data: data.replace(b'"pf1"', b'"pf2"', 1), "invalid"),
        (lambda data: data.replace(b'"format": 1', b'"format": 2', 1), "invalid"),
        (lambda data: data.replace(b'"format": 1', b'"format": 1, "more": 1', 1), "invalid"),
        (lambda data: data.replace(b"\n", b"\n\n", 1), "invalid"),
        (lambda data: data + b"\n", "invalid"),
        (lambda data: b"\n".join(data.split(b"\n")[:-3]) + b"\n", "incomplete"),
        (lambda data: b'{"a":"' + b"a" * 3_000_000, "invalid"),
        (lambda data: b"[" * 3_000_000, "invalid"),
    ],
)
def test_files_that_are_no_export(js: JavaScript, change: object, verdict: str) -> None:
    assert callable(change)
    assert report_of(js, change(game()))["verdict"] == verdict


def test_of_several_exports_in_one_file_it_is_said_so(js: JavaScript) -> None:
    report = report_of(js, game() + game())
    assert report["verdict"] == "invalid"
    assert report["reason"] == "another export begins here: a file holds one game"
    assert verify(game() + game()).reason == report["reason"]


def test_what_a_player_kept_must_stand_there(js: JavaScript) -> None:
    lines = [json.loads(line) for line in game().splitlines()[1:]]
    created = json.loads(lines[0]["bytes"])
    heads = [(line["version"], line["hash"]) for line in lines[2:6]]
    commits = list(enumerate(created["server_commits"]))
    assert js.verify(game(), heads=heads, commits=commits)["verdict"] == "valid"
    other = [(3, "00" * 32)]
    assert js.verify(game(), heads=other)["reason"] == "the hash you kept of version 3 is another"
    assert js.verify(game(), commits=[(1, "00" * 32)])["verdict"] == "invalid"
    assert js.verify(game(), own=[(0, 0, "00" * 32)])["verdict"] == "invalid"
    for version in (len(lines) + 1, 0):
        heads = [(version, "00" * 32)]
        assert js.verify(game(), heads=heads)["verdict"] == "incomplete"
        assert python_report(game(), heads=heads)["verdict"] == "incomplete"


def on_terminal(*arguments: str | Path) -> tuple[int, list[str]]:
    ran = subprocess.run(
        [node(), str(VERIFIER), *map(str, arguments)], capture_output=True, text=True, timeout=60
    )
    assert ran.stderr == "" or ran.returncode == 64
    return ran.returncode, ran.stdout.splitlines()


def test_the_terminal_says_it_by_its_exit_status(tmp_path: Path) -> None:
    names = ("valid", "invalid", "incomplete")
    kinds = [event["type"] for event in events_of(game())[1]]
    changed = game().replace(b'\\"roll\\":0,', b'\\"roll\\":7,')
    cut = one_event(game(), kinds.index("fairness_revealed"), "drop").export
    for status, (name, data) in enumerate(zip(names, (game(), changed, cut), strict=True)):
        (tmp_path / name).write_bytes(data)
        found, lines = on_terminal(tmp_path / name)
        assert found == status
        assert lines[0].split()[0].rstrip(":") == name
    assert "hash" in on_terminal(tmp_path / "invalid")[1][0]
    status, [line] = on_terminal("--json", tmp_path / "valid")
    assert (status, json.loads(line)["verdict"]) == (0, "valid")
    assert on_terminal("--kept", f"3:{'00' * 32}", tmp_path / "valid")[0] == 1
    (tmp_path / "packed").write_bytes(gzip.compress(game()))
    assert on_terminal(tmp_path / "packed")[0] == 0
    (tmp_path / "damaged").write_bytes(gzip.compress(game())[:-9])
    kept = "00" * 32
    for wrong in (
        *((), ("--what", tmp_path / "valid"), (tmp_path / "nowhere",), (tmp_path / "damaged",)),
        *(("--kept", number, tmp_path / "valid") for number in ("3", f":{kept}", f"1e0:{kept}")),
    ):
        assert on_terminal(*wrong)[0] == 64


@pytest.mark.soak
def test_a_file_that_is_too_large_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    """A gzip of a megabyte may unpack to more than a machine has; a device never ends."""
    (tmp_path / "bomb").write_bytes(gzip.compress(bytes(LARGEST + 1), 1))
    assert on_terminal(tmp_path / "bomb")[0] == 64
    assert on_terminal("/dev/zero") == (1, ["invalid: the file is too large"])
    for name in ("bomb", "/dev/zero"):
        done = hotdice("verify", name, folder=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "the file is too large" in one_line(done.stderr)


def test_both_say_it_in_the_same_words(js: JavaScript) -> None:
    """But of bots, of which one of them knows more."""
    for seed in range(200, 212):
        export = any_game(seed, most=60).export()
        told = js.ask("words", base64=base64.b64encode(export).decode())
        lines = [line for line in told if not line.startswith("bots at")]
        assert lines == [line for line in words(verify(export)) if not line.startswith("bots at")]


def test_the_report_says_what_is_known_and_what_is_not_checked(js: JavaScript) -> None:
    found = (any_game(seed, most=60).export() for seed in range(200, 260))
    data = next(x for x in found if (of := js.verify(x))["cheats"] and of["bots"])
    told = js.ask("words", base64=base64.b64encode(data).decode())
    assert told[0] == "valid"
    assert any(line.startswith("dice committed to by the server only") for line in told)
    assert any(line.startswith("cheats on: ") for line in told)
    assert any("why they made them is not checked" in line for line in told)
