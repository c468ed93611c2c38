"""The benchmarks run. What they measure is for people to judge: no figure is looked at here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import aims
from benchmarks.__main__ import Run
from benchmarks.aims import Aim
from benchmarks.pages import filled
from benchmarks.pairs import Interval, interval
from benchmarks.report import Table
from benchmarks.sections import SECTIONS
from tests.servers.hotdice import ROOT

Tables = dict[str, Any]


def measured(folder: Path, *sections: str, timeout_s: float = 400) -> Tables:
    """The tables of these sections by their titles, measured in short rounds."""
    figures = folder / "bench.json"
    command = [sys.executable, "-m", "benchmarks", "--quick", "--json", str(figures), "--only"]
    done = subprocess.run(
        [*command, *sections], cwd=ROOT, capture_output=True, text=True, timeout=timeout_s
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(figures.read_text("utf-8"))
    assert "date" in data["machine"]
    for table in data["tables"]:
        assert done.stdout.count(f"\n{table['title']}\n") == 1
    return {table["title"]: table for table in data["tables"]}


def names(table: Any) -> list[str]:
    """Of its rows."""
    return [row["row"] for row in table["rows"]]


@pytest.mark.wide
@pytest.mark.timeout(500)
def test_sections_that_share_their_servers_print_their_rows(tmp_path: Path) -> None:
    found = measured(tmp_path, "growth", "resume", "fanout")
    fanout = found["Fan-out: one publisher, many listeners"]
    assert [(row["row"], row["listeners"]) for row in fanout["rows"]] == [
        (name, count) for count in (1, 10, 100) for name in ("raw broadcast", "hotdice")
    ]
    growth = found["The cost of a command as its game grows"]
    for store in ("sqlite", "postgres"):
        lengths = [f"{store}, from event {length}" for length in (10, 100, 300)]
        assert [name for name in names(growth) if store in name] == lengths
    resuming = found["Resuming"]
    whole, events, late, short = resuming["rows"][:4]
    assert whole["events"] == events["events"] >= 1_040
    assert 500 < whole["frames"] <= whole["events"]
    assert late["frames"] == short["frames"] == 20
    assert whole["MB"] > events["MB"] > late["MB"] > 0


@pytest.mark.wide
@pytest.mark.timeout(500)
def test_sections_with_servers_of_their_own_print_their_rows(tmp_path: Path) -> None:
    found = measured(tmp_path, "process", "stored", "cluster")
    assert [row["store"] for row in found["The process"]["rows"]] == ["sqlite", "postgres"]
    assert all(
        row["start to ready s"] > 0 < row["idle MiB"] for row in found["The process"]["rows"]
    )
    stored = found["The cost of a command by games stored"]
    assert names(stored) == [
        f"{store}, {size} games" for store in ("sqlite", "postgres") for size in (10, 100)
    ]
    two = found["Two processes against one, on Postgres"]
    assert [(row["row"], row["connections"]) for row in two["rows"]] == [
        ("bare route, one process: REST", 16),
        ("bare route, two processes: REST", 32),
        *(
            (f"hotdice, one process: {way}", count)
            for way in ("REST", "streams")
            for count in (16, 32)
        ),
        *(
            (f"hotdice, {bus}, two processes: {way}", 32)
            for bus in ("Redis", "Postgres alone")
            for way in ("REST", "streams")
        ),
    ]
    for row in two["rows"]:
        assert (row["× one"] != "") == ("two processes" in row["row"])
    assert "Aims" not in found
    for table in found.values():
        assert all(row["in force"] in ("[1]", "[2]", "[3]") for row in table["rows"])


@pytest.mark.wide
@pytest.mark.timeout(300)
def test_the_engine_section_prints_its_rows(tmp_path: Path) -> None:
    found = measured(tmp_path, "engine")
    assert list(found) == [
        "Engine: games",
        "Engine: games of characters",
        "Engine: decisions of characters",
        "Engine: scoring",
    ]
    for title in ("Engine: games", "Engine: scoring"):
        assert [row["rule set"] for row in found[title]["rows"]] == ["farkle", "house", "jester"]


@pytest.mark.soak
def test_the_sections_of_a_full_run_print_their_rows(tmp_path: Path) -> None:
    found = measured(tmp_path, "sockets", "slow", "bots")
    slow = found["Slow peers: what healthy listeners feel of them"]
    assert names(slow) == ["10 alone", "beside 20 slow ones"]
    assert all(h["deliveries"] == 10 * h["frames"] > 0 for h in slow["alone"] + slow["beside"])
    for store in ("sqlite", "postgres"):
        streams = next(
            t for title, t in found.items() if title.startswith(f"Commands over streams, {store}")
        )
        rows = [(row["row"], row["connections"]) for row in streams["rows"]]
        assert rows[:2] == [(f"{store}: HTTP", 32), (f"{store}: stream", 32)]
        assert all(each["asked"] > 0 for rounds in streams["rounds"].values() for each in rounds)
        bots = found[f"Bots: what people feel of them, on {store}"]
        played = ("alone", "pace 0", "pace 500 ms")
        assert names(bots) == [f"{store}: {name}" for name in played]
        alone, free, paced = (bots["rounds"][name] for name in played)
        assert all(window["decisions"] == 0 for window in alone)
        for beside in (free, paced):
            assert any(window["decisions"] > 0 for window in beside)


@pytest.mark.soak
def test_a_whole_run_prints_every_section(tmp_path: Path) -> None:
    found = measured(tmp_path, *SECTIONS, timeout_s=3000)
    ceilings = found["Commands (server µs: CPU of the server process per request)"]
    assert {row["connections"] for row in ceilings["rows"]} == {1, 32, 256}
    peers = found["Peers: two players, over their own sockets"]
    assert [row["matches"] for row in peers["rows"]] == [4] * 7 + [1] * 7


def test_an_unknown_section_is_refused() -> None:
    command = [sys.executable, "-m", "benchmarks", "--only", "luck"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("found", "at_most", "at_least"),
    [
        (1.6, "yes", "yes"),
        (1.7, "no", "yes"),
        (1.5, "yes", "no"),
        (Interval(1.5, 1.4, 1.55), "yes", "no"),
        (Interval(1.5, 1.4, 1.7), "too noisy to say", "too noisy to say"),
        (Interval(1.8, 1.7, 1.9), "no", "yes"),
        (None, "", ""),
    ],
)
def test_an_aim_is_kept_where_all_of_what_was_found_is_within_it(
    found: float | Interval | None, at_most: str, at_least: str
) -> None:
    assert Aim(1, "cost", "cost", "≤", 1.6).is_kept(found) == at_most
    assert Aim(1, "speed", "speed", "≥", 1.6).is_kept(found) == at_least


def test_a_run_ends_with_a_row_for_each_aim() -> None:
    some = (Aim(1, "cost", "a", "≤", 1.6), Aim(2, "rate", "b", "≥", 60_000, "/s"))
    assert aims.table({"a": 1.25}, some, "today").rows == [
        ["1", "cost", "≤ 1.60 ×", "1.25", "yes", "today"],
        ["2", "rate", "≥ 60 000 /s", "–", "", ""],
    ]


def test_a_run_of_some_sections_keeps_the_other_rows_of_the_aims_in_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    ready = "start to ready, sqlite"
    first = Run(found={f"ready, {store}": 1.5 for store in ("sqlite", "postgres")})
    first.write(page)
    page.write_text(page.read_text("utf-8").replace("1.50", "1.49") + "\nThe end.\n", "utf-8")
    Run(found={"ready, postgres": 2.5, "games 100 000 × 100, sqlite": Interval(1, 0.9, 1.2)}).write(
        page
    )
    text = page.read_text("utf-8")
    rows = aims.rows_in(text)
    assert list(rows) == [aim.what for aim in aims.AIMS]
    assert rows[ready][:5] == ["7", ready, "≤ 2 s", "1.49", "yes"]
    assert rows["start to ready, postgres"][3:5] == ["2.50", "no"]
    stored = rows["all CPU with 100 000 games stored × 100, sqlite"]
    assert stored[3:5] == ["1.000 (0.900 … 1.200)", "too noisy to say"]
    assert rows["commands, farkle"][3:] == ["–", "", ""]
    assert text.endswith("\nThe end.\n")


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [
        # Of six pairs all lie on one side of the true ratio 1 time in 32; of five 1 in 16.
        ([1.0, 1.1, 1.2, 1.3, 1.4], (1.2, 1.0, 1.4)),
        ([1.5, 1.0, 1.1, 1.2, 1.3, 1.4], (1.25, 1.0, 1.5)),
        # Of 25 the 8th and the 18th, by the table of the binomial: 17 or less are 97.8 %.
        ([n / 100 for n in range(101, 126)], (1.13, 1.08, 1.18)),
        ([*(n / 100 for n in range(101, 125)), 90.0], (1.13, 1.08, 1.18)),
    ],
)
def test_an_interval_holds_the_true_median_in_95_of_100_runs_whatever_a_few_pairs_say(
    ratios: list[float], expected: tuple[float, float, float]
) -> None:
    assert interval(ratios) == pytest.approx(expected)


def test_a_page_gets_the_tables_of_the_sections_that_were_measured_and_keeps_the_rest() -> None:
    page = (
        "# Speed\n\n<!-- bench: engine -->\nold\n<!-- /bench -->\n\nSlow.\n\n"
        "<!-- bench: rest -->\nkept\n<!-- /bench -->\n"
    )
    force = ["no store", "SQLite"]
    new = Table("Engine", ("row", "per s"), [["a", 1234], ["b", None]], ("median",), {}, force)
    expected = """# Speed

<!-- bench: engine -->

**Engine**

| row | per s | in force |
| --- | ---: | --- |
| a | 1 234 | [1] |
| b | – | [2] |

- median
- [1] no store
- [2] SQLite

<!-- /bench -->

Slow.

<!-- bench: rest -->
kept
<!-- /bench -->

<!-- bench: bots -->

none

<!-- /bench -->
"""
    assert filled(page, {"engine": new.markdown(), "bots": "none"}) == expected
    assert filled(expected, {"engine": new.markdown()}) == expected
