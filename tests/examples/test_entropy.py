"""`examples/entropy.py` and `entropy.js`: what they hash, and a game they contribute to."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.api.contributing import seat_commit
from tests.examples.troubled import live
from tests.live.player import Player
from tests.servers.hotdice import ROOT
from tests.verify.javascript import node

PYTHON, SCRIPT = ROOT / "examples" / "entropy.py", ROOT / "examples" / "entropy.js"
VECTORS = [
    ("a1", 0, "b9ab3f83caf46d4c59f83d806a7b37cd4802a61c026969e26a597bd86b38faf6"),
    ("b2", 1, "183e1e41ee7dafa13b63faaeaa4f58b0c2a1911df2e7677c80a479874ce0b7fc"),
]
"""Value, seat, commitment: of game g_test_0001, attempt 0."""

IN_NODE = """
import { Contribution, seatCommit } from %s;
const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
const told = [];
for (const [value, seat] of [["a1", 0], ["b2", 1]]) {
  told.push(await seatCommit("g_test_0001", 0, seat, bytes(value.repeat(32))));
}
const mine = new Contribution("g_test_0001", 3);
told.push(await mine.commit(), await mine.commit(), await mine.reveal(0), await mine.reveal(1));
console.log(JSON.stringify(told));
"""


def module() -> Any:
    spec = importlib.util.spec_from_file_location("entropy_example", PYTHON)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def held(told: list[Any]) -> None:
    """A commitment, the same again, and the reveals of two attempts that match."""
    first, again, one, two = told
    assert first == again
    for body, commit, epoch in ((one, first["commit"], 0), (two, one["next_commit"], 1)):
        assert seat_commit("g_test_0001", epoch, 3, bytes.fromhex(body["seed"])) == commit
    assert one["seed"] != two["seed"]


def test_the_python_one_commits_as_documented() -> None:
    example = module()
    for value, seat, commit in VECTORS:
        seed = bytes.fromhex(value * 32)
        assert example.seat_commit("g_test_0001", 0, seat, seed) == commit
    mine = example.Contribution("g_test_0001", 3)
    held([mine.commit(0), mine.commit(0), mine.reveal(0), mine.reveal(1)])


def test_the_javascript_one_commits_as_documented(tmp_path: Path) -> None:
    copy = tmp_path / "entropy.mjs"
    copy.write_text(SCRIPT.read_text("utf-8"), "utf-8")
    page = tmp_path / "page.mjs"
    page.write_text(IN_NODE % json.dumps(copy.as_uri()), "utf-8")
    ran = subprocess.run([node(), str(page)], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    one, two, *bodies = json.loads(ran.stdout)
    assert [one, two] == [commit for _, _, commit in VECTORS]
    held(bodies)


@pytest.mark.wide
async def test_two_clients_mix_the_dice_of_a_game(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        ana, bo = await Player.make(server.port), await Player.make(server.port, "Bo")
        asked = {"rules": {"preset": "farkle"}, "seats": [{"kind": "human"}] * 2}
        game = await ana.table(asked, bo, start=False)
        path = f"/v1/games/{game['id']}"
        clients = [
            await asyncio.create_subprocess_exec(
                sys.executable,
                str(PYTHON),
                f"{server.url}{path}",
                player.token,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            for player in (ana, bo)
        ]
        for client in clients:
            assert client.stdout is not None
            assert b"has committed" in await client.stdout.readline()
        await ana.do("POST", f"{path}/start")
        drawn: list[str] = []
        for client in clients:
            out, err = await asyncio.wait_for(client.communicate(), 60)
            assert client.returncode == 0, err.decode()
            assert "mixed by seats [0, 1], 0 failed attempts" in out.decode()
            kept = json.loads(out.decode().split("seeds ")[1].replace("'", '"'))
            assert len(kept) == 2
            drawn += kept
        assert (await ana.do("GET", path))["status"] == "playing"
        output = server.output()
    assert drawn
    assert not any(seed in output for seed in drawn), "the server writes no contribution down"
