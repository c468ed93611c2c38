"""`hotdice arena`: what it prints, what it refuses, and how it ends."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.arena.matches import players
from app.command_line import cli
from tests.arena.contests import arena, arena_command, environment, strategy
from tests.plain_rules import plain_rules

QUICK = ("-o", "target=1500", "-o", "opening=0")

TINY = plain_rules("tiny", dice=2, seats=(1, 2), target=300, singles={"one": (1, 100)})


@pytest.mark.wide
def test_results_are_the_same_whatever_the_number_of_processes(tmp_path: Path) -> None:
    mine = strategy(
        tmp_path,
        'if game["turn"]["phase"] == "to_roll":\n    return "roll"\n'
        'if "bank" in game["legal"]["commands"]:\n    return "bank"\n'
        'return "roll", {"select": {"dice": random.choice(game["legal"]["selections"])["dice"]}}',
    )
    texts = []
    for workers in ("1", "3"):
        files = [tmp_path / f"{workers}.{kind}" for kind in ("json", "csv")]
        done = arena(
            tmp_path, mine, "gambler", "random", "--games", "31", "--workers", workers,
            *QUICK, "--json", str(files[0]), "--csv", str(files[1]), "--plot",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        texts.append([done.stdout, *(file.read_text() for file in files)])
    assert texts[0] == texts[1]
    shown, data, rows = texts[0]
    assert "31 games, 3 seats" in shown
    assert "Turns of a game" in shown
    results = json.loads(data)
    assert [side["games"] for side in results["participants"]] == [31] * 3
    won = [side["won"]["value"] * 31 for side in results["participants"]]
    assert sum(won) == pytest.approx(31)
    assert results["rules"]["target"] == 1500
    lines = list(csv.DictReader(rows.splitlines()))
    assert [int(line["game"]) for line in lines] == list(range(31))
    assert sum(float(line["gambler: won"]) for line in lines) == pytest.approx(won[1])
    assert lines[0]["gambler: seat"] == "1"
    scores = [int(line["random: score"]) for line in lines]
    assert sum(scores) / 31 == pytest.approx(results["participants"][2]["score"]["value"])


@pytest.mark.wide
def test_one_of_the_files_may_be_standard_output(tmp_path: Path) -> None:
    loud = strategy(tmp_path, 'print("hello")\nreturn "roll" if game["turn"]["phase"] == "to_roll" '
                    'else "bank"')  # fmt: skip
    done = arena(tmp_path, "mine:decide", "cautious", "--games", "3", *QUICK, "--json", "-")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 3
    assert "hello" in done.stderr, loud


@pytest.mark.wide
def test_a_failure_says_how_to_see_it_again(tmp_path: Path) -> None:
    """Of several processes the first game that fails is told, whoever comes first."""
    mine = strategy(
        tmp_path,
        'if game["turn"]["phase"] == "to_roll":\n'
        '    if game["id"].endswith(("7", "a", "b")):\n        raise ValueError("not again")\n'
        '    return "roll"\n'
        'return "bank"',
    )  # fmt: skip
    done = arena(tmp_path, mine, "cautious", "--games", "40", "--workers", "3", *QUICK)
    assert done.returncode == 1
    first, saw, *trace, again = done.stderr.splitlines()
    assert first == f"hotdice: {mine} raised ValueError: not again, in game 7."
    assert json.loads(saw.split(" and saw: ", 1)[1])["turn"]["phase"] == "to_roll"
    assert any("mine.py" in line for line in trace)
    assert "--first 7" in again
    done = arena(tmp_path, mine, "cautious", "--games", "1", "--first", "7", *QUICK)
    assert done.stderr.splitlines()[0] == first


@pytest.mark.wide
@pytest.mark.parametrize(
    ("body", "did"),
    [
        ("os._exit(7)", "ended its process (exit status 7)"),
        # No signal reaches it, as in a loop of a library's own.
        ("signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})\nwhile True:\n    pass",
         "in code that no signal reaches"),
    ],
)  # fmt: skip
def test_a_process_that_is_lost_is_told(tmp_path: Path, body: str, did: str) -> None:
    mine = strategy(tmp_path, body)
    done = arena(tmp_path, mine, "cautious", "--limit", "0.1", "--workers", "2", "--games", "4")
    assert done.returncode == 1
    assert did in done.stderr.splitlines()[0]
    assert "Traceback" not in done.stderr


def test_an_interrupt_prints_what_there_is(tmp_path: Path) -> None:
    rows = tmp_path / "games.csv"
    command = arena_command("cautious", "random", "--games", "1000000", "--csv", str(rows))
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        until = time.monotonic() + 40
        while not (rows.exists() and rows.stat().st_size) and time.monotonic() < until:
            time.sleep(0.05)  # the first games are on file: there is something to print
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    played = len(rows.read_text().splitlines()) - 1
    assert 0 < played < 1_000_000
    assert f"{played} games, 2 seats" in out
    assert err == f"hotdice: Interrupted after {played} of 1000000 games.\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Name a strategy for each seat: cautious"),
        (("nobody", "cautious"), "No strategy is called nobody"),
        (("cautious", "cautious", "--preset", "chess"), "Must be one of: farkle, house, jester"),
        (("cautious", "cautious", "-o", "target=none"), "/target: "),
        (("cautious", "cautious", "-o", "luck=1"), "Only these fields"),
        (("cautious", "cautious", "-o", "target=5", "-o", "target=6"), "target is given twice"),
        (("cautious", "cautious", "-o", "=5"), "it goes name=value"),
        (("cautious", "--preset", "house"), "/seats: Must be 2 to 8 seats"),
        (("cautious",) * 9, "/seats: Must be 1 to 8 seats"),
        (("missing.py", "cautious"), "There is no file missing.py"),
        (("cautious", "random", "--rules", "nowhere.json"), "nowhere.json cannot be read"),
        (("cautious", "random", "--rules", "x.json", "-o", "spicy"), "--rules stands alone"),
        (("--table", "--preset", "house"), "--table has its own rules"),
        (("nobody", "--table"), "No strategy is called nobody"),
    ],
)
def test_what_is_asked_wrongly_is_one_line_and_status_2(
    arguments: tuple[str, ...], says: str
) -> None:
    done = CliRunner().invoke(cli, ["arena", *arguments])
    assert done.exit_code == 2
    assert done.output.startswith("hotdice: ")
    assert done.output.count("\n") == 1
    assert says in done.output


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is no JSON"),
        ("[]", "an object is needed"),
        ('{"preset": "farkle", "target": 5}', "options"),
        ('{"preset": "farkle", "options": {"target": -1}}', "/target"),
        ('{"custom": {"name": "x"}}', "/custom/"),
        ('{"name": "x"}', "/dice: "),
    ],
)
def test_a_file_of_rules_that_is_wrong_says_where(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "rules.json"
    file.write_text(text)
    done = CliRunner().invoke(cli, ["arena", "cautious", "random", "--rules", str(file)])
    assert done.exit_code == 2
    assert says in done.output


@pytest.mark.wide
def test_a_strategy_meets_everybody_on_every_preset(tmp_path: Path) -> None:
    done = arena(tmp_path, "cautious", "--table", "--games", "2", "--json", "table.json")
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "table.json").read_text())
    others = [name for name in players() if name != "cautious"]
    assert [row["pairing"] for row in rows] == [["cautious", other] for other in others] * 6
    assert done.stdout.count("### ") == 6
    assert done.stdout.count("| cautious – ") == len(rows)


@pytest.mark.wide
def test_a_file_of_rules_plays_as_the_api_would_take_it(tmp_path: Path) -> None:
    for name, text in {
        "preset": '{"preset": "jester", "options": {"tier": "pocket"}}',
        "custom": json.dumps({"custom": TINY}),
        "bare": json.dumps(TINY),
    }.items():
        file = tmp_path / f"{name}.json"
        file.write_text(text)
        done = arena(tmp_path, "cautious", "random", "--rules", str(file), "--games", "4")
        assert done.returncode == 0, done.stderr
        assert (", target 5000: 4 games" if name == "preset" else "tiny, target 300") in done.stdout
