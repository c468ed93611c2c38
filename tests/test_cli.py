"""The command line: exit statuses, one-line errors, and what it prints."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from app import VERSION
from tests.conftest import Database
from tests.referee.family import family
from tests.servers.hotdice import ROOT, HotdiceServer
from tests.servers.process import free_port
from tests.spec.answers import looked


def hotdice(*arguments: str, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("HOTDICE_")}
    env |= {"PYTHONPATH": str(ROOT), **{f"HOTDICE_{k.upper()}": v for k, v in settings.items()}}
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        cwd=folder, env=env, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def one_line(text: str) -> str:
    assert text.startswith("hotdice: ")
    assert text.count("\n") == 1
    assert "Traceback" not in text
    return text


def test_the_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION


def test_wrong_settings_are_one_line_and_status_2(tmp_path: Path) -> None:
    done = hotdice("serve", folder=tmp_path, port="http")
    assert done.returncode == 2
    assert "HOTDICE_PORT" in one_line(done.stderr)


def test_an_unknown_command_is_status_2(tmp_path: Path) -> None:
    done = hotdice("sing", folder=tmp_path)
    assert done.returncode == 2
    assert "Usage: hotdice " in done.stderr


def test_the_document_is_exported(tmp_path: Path) -> None:
    done = hotdice("export-spec", folder=tmp_path)
    assert done.returncode == 0
    assert json.loads(done.stdout)["openapi"] == "3.1.0"
    hotdice("export-spec", "spec.json", folder=tmp_path)
    assert (tmp_path / "spec.json").read_text("utf-8") == done.stdout


def test_sqlite_is_migrated_by_command_too(tmp_path: Path) -> None:
    for _ in range(2):
        done = hotdice("migrate", folder=tmp_path)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "hotdice.db").exists()


def test_postgres_must_be_migrated_before_it_is_served(
    tmp_path: Path, fresh_database: object
) -> None:
    assert callable(fresh_database)
    database: Database = fresh_database()
    addresses = {"database_url": database.app_url, "database_owner_url": database.owner_url}
    done = hotdice("serve", folder=tmp_path, port=str(free_port()), **addresses)
    assert done.returncode == 3
    assert "hotdice migrate" in one_line(done.stderr)
    done = hotdice("migrate", folder=tmp_path, **addresses)
    assert done.returncode == 0, done.stderr
    with HotdiceServer(database.app_url) as server:
        assert server.is_ready()


def test_a_taken_port_is_one_line(tmp_path: Path) -> None:
    with HotdiceServer() as server:
        done = hotdice("serve", folder=tmp_path, port=str(server.port))
    assert done.returncode == 3
    assert str(server.port) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_says_where_it_is_and_stops_in_time() -> None:
    with HotdiceServer() as server:
        output = server.output()
        assert f"{server.url}/v1" in output
        assert f"{server.url}/docs" in output
        command = re.search(r"curl .*", output)
        assert command is not None
        made = subprocess.run(command[0], shell=True, capture_output=True, text=True)  # noqa: S602
        assert json.loads(made.stdout)["name"] == "Ana"
        server.terminate(timeout_s=10)
    assert "Traceback" not in server.output()


@pytest.mark.wide
@pytest.mark.parametrize("asked", [("verify", "--all"), ("archive", ".")])
def test_where_no_database_is_none_is_made(tmp_path: Path, asked: tuple[str, ...]) -> None:
    done = hotdice(*asked, folder=tmp_path)
    assert done.returncode != 0
    assert "no database hotdice.db here" in one_line(done.stderr)
    assert not list(tmp_path.iterdir())


@pytest.mark.wide
def test_the_command_of_a_checkout_runs_nothing_that_lies_around(tmp_path: Path) -> None:
    for name in ("app", "enum"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('from the folder')")
    command = [str(Path(sys.executable).parent / "hotdice"), "migrate"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "The database is up to date.\n"), done.stderr


def finished_game(server: HotdiceServer) -> str:
    """A game of one, played by banking what comes until it is ended."""
    with httpx.Client(base_url=server.url, event_hooks={"response": [looked]}) as client:
        token = client.post("/v1/players", json={"name": "Ana"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        script = {"kind": "scripted", "rolls": [[1, 1, 1, 2, 3, 4]]}
        table = {"rules": {"preset": "farkle"}, "seats": [{"kind": "human"}], "dice": script}
        game = client.post("/v1/games", json=table).raise_for_status().json()["id"]
        for path in ("start", "roll", "end"):
            client.post(f"/v1/games/{game}/{path}").raise_for_status()
    return str(game)


@pytest.mark.wide
def test_a_log_is_replayed_and_held_against_what_is_stored() -> None:
    with HotdiceServer() as server:
        game = finished_game(server)
    path = server.folder / "hotdice.db"
    done = hotdice("replay", game, folder=server.folder)
    assert done.returncode == 0, done.stderr
    state = json.loads(done.stdout)
    assert (state["game"], state["phase"]) == (game, "finished")
    for change, said in [
        ("UPDATE games SET version = version - 1", "version"),
        ("UPDATE events SET data = CAST(data || ' ' AS BLOB) WHERE version = 2", "version 2"),
    ]:
        with closing(sqlite3.connect(path)) as database, database:
            for (trigger,) in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall():
                database.execute(f"DROP TRIGGER {trigger}")
            database.execute(change)
        done = hotdice("replay", game, folder=server.folder)
        assert done.returncode == 1
        assert said in one_line(done.stderr)


@pytest.mark.wide
def test_heads_are_folded_anew_by_command() -> None:
    with HotdiceServer() as server:
        games = [finished_game(server) for _ in range(2)]
    path = server.folder / "hotdice.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE games SET play = '[99]' WHERE id = ?", (games[0],))
    done = hotdice("rebuild-heads", folder=server.folder)
    assert (done.returncode, done.stdout) == (0, "Folded anew. Games: 2; put right: 1\n"), (
        done.stderr
    )
    assert hotdice("replay", games[0], folder=server.folder).returncode == 0


@pytest.mark.wide
def test_statistics_are_made_anew_by_command(tmp_path: Path) -> None:
    with HotdiceServer() as server:
        finished_game(server)
    done = hotdice("rebuild-statistics", folder=server.folder)
    assert (done.returncode, done.stdout) == (0, "Counted anew. Games looked at: 1\n"), done.stderr
    url = "postgresql://nobody@127.0.0.1:1/x"
    done = hotdice("rebuild-statistics", "--database-url", url, folder=tmp_path)
    assert done.returncode == 1
    one_line(done.stderr)


def test_lines_about_a_game_name_it_and_the_seat() -> None:
    with HotdiceServer() as server:
        game = finished_game(server)
    lines = [json.loads(x) for x in server.output().splitlines() if x.startswith("{")]
    rolls = [x for x in lines if x.get("route") == "/v1/games/{game_id}/roll"]
    assert [(x["game"], x["seat"], x["status"]) for x in rolls] == [(game, 0, 200)]


def test_an_unknown_game_is_one_line(tmp_path: Path) -> None:
    hotdice("migrate", folder=tmp_path)
    done = hotdice("replay", "00000000-0000-7000-8000-000000000000", folder=tmp_path)
    assert done.returncode == 1
    assert one_line(done.stderr) == "hotdice: There is no such game in this database.\n"


@pytest.mark.parametrize("url", ["mysql://x", "postgresql://nobody@127.0.0.1:1/x"])
def test_an_unusable_database_is_one_line(tmp_path: Path, url: str) -> None:
    done = hotdice("replay", "x", "--database-url", url, folder=tmp_path)
    assert done.returncode == 1
    one_line(done.stderr)


@pytest.mark.wide
def test_purses_are_held_against_their_journals(tmp_path: Path) -> None:
    token = "an-operator-of-the-command-line-tests"
    with HotdiceServer(settings={"HOTDICE_OPERATOR_TOKEN": token}) as server:
        with httpx.Client(base_url=server.url, event_hooks={"response": [looked]}) as client:
            player = client.post("/v1/players", json={"name": "Ana"}).json()["id"]
            client.headers["Authorization"] = f"Bearer {token}"
            path = f"/v1/operator/players/{player}/wild-rolls"
            client.post(path, json={"reference": "r", "amount": 5}).raise_for_status()
        server.terminate(timeout_s=10)
        assert token not in server.output()
    address = {"database_url": server.database_url}
    done = hotdice("check-purses", folder=tmp_path, **address)
    assert (done.returncode, done.stdout) == (0, "Every purse is what its journal says.\n")
    with closing(sqlite3.connect(server.folder / "hotdice.db")) as database:
        database.execute("UPDATE purses SET balance = 7")
        database.commit()
    done = hotdice("check-purses", folder=tmp_path, **address)
    assert done.returncode == 1
    assert f"{player}: 7 stored, 5 in the journal" in done.stdout
    done = hotdice("check-purses", "--mend", folder=tmp_path, **address)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Mended: 1.")
    assert hotdice("check-purses", folder=tmp_path, **address).returncode == 0


def test_the_odds_of_a_shipped_game_are_told_as_tables(tmp_path: Path) -> None:
    done = hotdice("odds", "house", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "328625/1296" in done.stdout
    assert "349.7798" in done.stdout
    assert "█" in done.stdout


def test_the_odds_of_a_rule_set_of_ones_own_are_told_as_data(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(family()["basic"]), "utf-8")
    done = hotdice("odds", "--rules", "rules.json", "--json", "--csv", "odds.csv", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert round(json.loads(done.stdout)["turn"]["mean"], 4) == 446.5714
    head, *lines = (tmp_path / "odds.csv").read_text("utf-8").splitlines()
    assert head == "dice,sets,at_risk,rolling,bank_from"
    assert "0,,0,168.8970653,250" in lines


def test_how_often_the_first_of_two_seats_wins_is_told_alone(tmp_path: Path) -> None:
    race = {**family()["basic"], "target": 300, "opening": 0, "final_round": "none"}
    (tmp_path / "rules.json").write_text(json.dumps(race), "utf-8")
    done = hotdice("odds", "--rules", "rules.json", "--two-seats", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "0.8556615308\n")
    refused = hotdice("odds", "house", "--two-seats", folder=tmp_path)
    assert refused.returncode == 1
    assert "leave more behind than points" in one_line(refused.stderr)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("chess",), "Must be one of: farkle, house, jester."),
        (("farkle", "--option", "target"), "/target: "),
        (("farkle", "--option", "=5"), "--option =5: it goes name=value."),
        (("farkle", "--option", "spicy=7"), "/spicy: "),
        ((), "Name a preset or a file"),
        (("--rules", "none.json"), "none.json cannot be read"),
    ],
)
def test_odds_of_nothing_are_asked_wrongly(
    tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    done = hotdice("odds", *arguments, folder=tmp_path)
    assert done.returncode == 2
    assert says in one_line(done.stderr)


def test_a_checkout_has_the_command_of_the_docs(tmp_path: Path) -> None:
    """It works from any folder; make writes it beside the Python that it runs."""
    folder = tmp_path / "a venv" / "bin"
    folder.mkdir(parents=True)
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "utf-8")
    python.chmod(0o755)
    made = tmp_path / "venv"
    made.symlink_to(tmp_path / "a venv")
    command = ["make", "-s", f"VENV={made}", f"{made}/bin/hotdice"]
    subprocess.run(command, cwd=ROOT, check=True)
    done = subprocess.run([made / "bin" / "hotdice", "--help"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0
    assert b"export-spec" in done.stdout
