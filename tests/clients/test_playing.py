"""Strangers with generated clients play whole games and follow them, in Python and TypeScript."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.clients.tools import HERE, PYTHON, run
from tests.servers.hotdice import HotdiceServer
from tests.spec.answers import looked

pytestmark = [pytest.mark.contracts, pytest.mark.timeout(180)]

PRESETS = ("farkle", "house", "jester")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_python_client_plays_a_whole_game(
    preset: str, python: Path, server: HotdiceServer
) -> None:
    program = HERE / "python" / "play.py"
    said = run(PYTHON, program, server.url, preset, PYTHONPATH=str(python))
    judge(json.loads(said), preset, server)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_typescript_client_plays_a_whole_game(
    preset: str, typescript: Path, server: HotdiceServer
) -> None:
    judge(json.loads(run("node", typescript / "play.ts", server.url, preset)), preset, server)


def judge(seen: dict[str, Any], preset: str, server: HotdiceServer) -> None:
    """What the client saw is what the server has, read without any client."""
    address = f"{server.url}/v1/games/{seen['game_id']}"
    with httpx.Client(event_hooks={"response": [looked]}) as client:
        game = client.get(address).json()
        log = client.get(f"{address}/export").text
    assert (game["preset"], game["status"]) == (preset, "finished")
    assert seen["version"] == game["version"]
    assert seen["winners"] == game["result"]["winners"]
    assert seen["reason"] == game["result"]["reason"] == "target"
    lines = [json.loads(line) for line in log.splitlines()[1:]]
    logged = [json.loads(line["bytes"])["type"] for line in lines]
    assert seen["logged"] == logged
    # It followed from the first version on: frames tell of all that came after.
    assert seen["types"] == logged[-len(seen["types"]) :]
    assert seen["types"].count("dice_rolled") == logged.count("dice_rolled") > 10
    assert 1 < seen["frames"] <= len(logged)
