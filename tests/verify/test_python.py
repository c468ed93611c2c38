"""What only the verifier in Python does: bots decide again; and `hotdice verify` on a terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.store.parts import canonical
from app.verifying.examining import verify
from app.verifying.report import words
from engine import commands as co
from engine.bots import VERSIONS, BotLuck, move_of
from engine.bots.gambler import gambler
from engine.events import EntropySealed
from engine.rules_text import rules_from_data
from engine.state import Bots, FairDice, Place, Playing, Setup
from tests.referee import rulebook
from tests.test_cli import hotdice, one_line
from tests.verify.games import START, any_game
from tests.verify.javascript import JavaScript
from tests.verify.mutations import events_of, one_event
from tests.verify.recording import Recording, exported
from tests.verify.verdicts import judges_a_bot, python_report, report_of


def two_bots(*, second_follows_its_policy: bool) -> Recording:
    """Two cautious bots at farkle; or the second one plays as a gambler would."""
    places = (Place("bot", "cautious"), Place("bot", "cautious"))
    setup = Setup(
        game_id="g_bots",
        rules=rules_from_data(rulebook.farkle(target=3000)),
        preset=None,
        places=places,
        host="p0",
        visibility="unlisted",
        dice=FairDice(),
        clocks=None,
        pass_and_play=False,
        bots=Bots(),
        advice=False,
        cheats=None,
        start_seat=0,
        server_commits=(),
    )
    game = Recording(setup, START)
    game.do(co.Start(START, game.next_server_commit()))
    while isinstance(play := game.game, Playing):
        seat = play.turn.seat
        luck = BotLuck(game.seeds[0], game.id, seat, len(game.events))
        follows = second_follows_its_policy or seat == 0
        move = move_of(play, luck) if follows else gambler(play, luck)
        game.do(move.command(START, seat, game.entropy))
    return game


def changed(export: bytes, kind: str, **fields: Any) -> bytes:
    """With other fields in the first event of this kind, and a chain made anew."""
    game_id, events = events_of(export)
    next(event for event in events if event["type"] == kind).update(fields)
    return exported(game_id, [canonical(event) for event in events])


def test_bots_that_follow_their_policies_are_checked() -> None:
    report = verify(two_bots(second_follows_its_policy=True).export())
    assert (report.verdict, report.reason) == ("valid", None)
    assert (report.bots, report.bots_checked, report.bots_unchecked) == ([0, 1], True, [])
    assert words(report)[-1] == "bots at seats 0, 1: every decision made again, and the same"


def test_a_bot_that_decides_otherwise_is_refused_though_its_moves_are_legal(
    js: JavaScript,
) -> None:
    export = two_bots(second_follows_its_policy=False).export()
    assert js.verify(export)["verdict"] == "valid"
    report = python_report(export)
    assert report["verdict"] == "invalid"
    assert report["reason"].startswith(
        f"the bot at seat 1 (cautious {VERSIONS['cautious']}) decides otherwise: "
    )
    assert judges_a_bot(report)


def test_a_policy_of_another_release_is_not_checked_and_said_so(js: JavaScript) -> None:
    export = two_bots(second_follows_its_policy=False).export()
    policies = [{"character": "cautious", "policy": VERSIONS["cautious"] + 1}]
    other = changed(export, "game_started", policies=policies)
    assert report_of(js, other)["verdict"] == "valid"
    report = verify(other)
    assert not report.bots_checked
    assert report.bots_unchecked == policies
    assert words(report)[-1].endswith(f"bots not checked (cautious {policies[0]['policy']})")
    game_id, events = events_of(export)
    for event in events:
        event.pop("policies", None)
    old = verify(exported(game_id, [canonical(event) for event in events]))
    assert (old.verdict, old.bots_checked) == ("valid", False)
    assert words(old)[-1].endswith("bots not checked (cautious of no version told)")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("player_joined", {"seat": True}),
        ("player_joined", {"player_id": ""}),
        ("game_created", {"start_seat": -1}),
        ("game_created", {"host": 7}),
        ("game_created", {"server_commits": ["A1" * 32, "b2" * 32]}),
        ("game_created", {"advice": 1}),
        ("game_created", {"cheats": []}),
        ("game_created", {"bots": {"pace_ms": 0, "take_absent_seats": 0, "fill_after_s": None}}),
        ("dice_selected", {"dice": [[0]]}),
        ("dice_selected", {"dice": [-1]}),
        ("dice_selected", {"dice": [2**52]}),
        ("dice_rolled", {"roll": False}),
        ("game_finished", {"more": 1}),
    ],
)
def test_a_field_of_another_type_is_refused(
    js: JavaScript, kind: str, fields: dict[str, Any]
) -> None:
    exports = (any_game(seed, most=60).export() for seed in range(40, 90))
    wanted = {"player_joined", "dice_selected"}
    export = next(x for x in exports if wanted <= {e["type"] for e in events_of(x)[1]})
    assert report_of(js, changed(export, kind, **fields))["verdict"] == "invalid"


def test_what_was_kept_is_compared_as_in_javascript(js: JavaScript) -> None:
    export = next(
        game.export()
        for seed in range(100, 400)
        if len((game := any_game(seed, most=60)).events) > 20
        and any(isinstance(event, EntropySealed) and event.seats for event in game.events)
    )
    lines = [json.loads(line) for line in export.splitlines()[1:]]
    logged = [json.loads(line["bytes"]) for line in lines]
    mine = next(event for event in logged if event["type"] == "entropy_revealed")
    seat, attempt, value = mine["seat"], mine["epoch"], mine["seed"]
    cases: list[tuple[dict[str, Any], str]] = [
        ({"own": [(seat, attempt, value)]}, "valid"),
        ({"own": [(seat, attempt, "00" * 32)]}, "invalid"),
        ({"own": [(seat + 1, attempt, value)]}, "invalid"),
        ({"heads": [(4, lines[3]["hash"])]}, "valid"),
        ({"heads": [(4, lines[4]["hash"])]}, "invalid"),
        ({"heads": [(len(lines) + 1, "00" * 32)]}, "incomplete"),
        ({"commits": [(1, logged[0]["server_commits"][1])]}, "valid"),
        ({"commits": [(1, logged[0]["server_commits"][0])]}, "invalid"),
        ({"commits": [(99, "00" * 32)]}, "invalid"),
    ]
    for kept, verdict in cases:
        report = python_report(export, **kept)
        assert report["verdict"] == js.verify(export, **kept)["verdict"] == verdict, kept
        assert report["reason"] == js.verify(export, **kept)["reason"]


@pytest.mark.wide
def test_the_terminal_says_it_by_its_exit_status(tmp_path: Path) -> None:
    export = any_game(30, most=60).export()
    kinds = [event["type"] for event in events_of(export)[1]]
    broken = export.replace(b'\\"roll\\":0,', b'\\"roll\\":7,')
    cut = one_event(export, kinds.index("fairness_revealed"), "drop").export
    files = {"valid": export, "invalid": broken, "incomplete": cut}
    for status, (name, data) in enumerate(files.items()):
        (tmp_path / name).write_bytes(data)
        done = hotdice("verify", name, folder=tmp_path)
        assert (done.returncode, done.stderr) == (status, "")
        assert done.stdout.startswith(name)
    done = hotdice("verify", "--json", *files, folder=tmp_path)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [(each["file"], each["verdict"]) for each in told] == [(name, name) for name in files]
    (tmp_path / "notes").write_text("Dear diary")
    for arguments, said in [
        (("notes",), "notes is no export of a game"),
        (("nowhere",), "nowhere: No such file"),
        (("--kept", "3", "valid"), "--kept takes NUMBER:HEX"),
        (("--kept", f"1:{'0' * 64}", "valid", "valid"), "name one file"),
        ((), "name a file"),
    ]:
        done = hotdice("verify", *arguments, folder=tmp_path)
        assert done.returncode == 2
        assert said in one_line(done.stderr)
    assert hotdice("verify", "--kept", f"3:{'0' * 64}", "valid", folder=tmp_path).returncode == 1
