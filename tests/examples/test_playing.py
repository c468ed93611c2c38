"""`examples/bot.py`, `tournament.py` and `game.sh` against live servers, which may come and go."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.examples.troubled import live
from tests.live.player import Json, Player
from tests.servers.hotdice import ROOT

pytestmark = pytest.mark.wide

EXAMPLES = ROOT / "examples"
WITHIN_S = 100
SHORT: Json = {"preset": "farkle", "options": {"target": 2000, "opening": 0}}


@asynccontextmanager
async def started(script: str, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """An example at work, and ended at the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(EXAMPLES / script),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def line_of(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(30):
        return (await process.stdout.readline()).decode().strip()


async def rest_of(process: asyncio.subprocess.Process) -> str:
    async with asyncio.timeout(WITHIN_S):
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


async def test_the_bot_plays_its_games_at_once_through_a_restart(tmp_path: Path) -> None:
    """Three tables, of each game one, against the server's bots; the server is killed between."""
    with live(tmp_path) as server:
        ana = await Player.make(server.port)
        games = []
        for preset in ("farkle", "house", "jester"):
            asked = {
                "rules": {"preset": preset},
                "seats": [
                    {"kind": "human"},
                    {"kind": "human"},
                    {"kind": "bot", "character": "gambler"},
                ],
                "bots": {"pace_ms": 20},
            }
            games.append(await ana.do("POST", "/v1/games", asked))
        codes = [game["join_code"] for game in games]
        token = tmp_path / "token"
        async with started("bot.py", server.url, str(token), *codes, "--games", "3") as bot:
            assert await line_of(bot) == "waiting"
            assert oct(token.stat().st_mode)[-3:] == "600"
            for game in games:
                path = f"/v1/games/{game['id']}"
                await ana.do("POST", f"{path}/start")
                await ana.do("POST", f"{path}/roll")
                await ana.do("POST", f"{path}/resign")
            await asyncio.sleep(0.5)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            out = await rest_of(bot)
        assert sorted(out.split()) == sorted([*["over"] * 3, *(game["id"] for game in games)])
        for game in games:
            ended = await ana.do("GET", f"/v1/games/{game['id']}")
            assert (ended["status"], ended["seats"][1]["name"]) == ("finished", "Example")
            assert ended["result"]["reason"] == "target"


async def test_a_tournament_fills_plays_and_tells(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        logs = tmp_path / "logs.ndjson"
        asked = (server.url, "2", "cautious", "gambler", "player", "--logs", str(logs))
        async with started("tournament.py", *asked) as tournament:
            found = re.fullmatch(r"places are free: (\S+:\S+)", await line_of(tournament))
            assert found is not None
            token = str(tmp_path / "token")
            async with started("bot.py", server.url, token, found[1], "--games", "4") as bot:
                head, *rows = (await rest_of(tournament)).splitlines()
                await rest_of(bot)
        assert head.split() == ["games", "won", "shared", "lost", "mean", "score"]
        told = {row.split()[0]: [int(n) for n in row.split()[1:5]] for row in rows}
        assert set(told) == {"cautious", "gambler", "Example"}
        assert [row[0] for row in told.values()] == [4, 4, 4]
        assert sum(2 * won + shared for _, won, shared, _ in told.values()) == 12
        lines = [json.loads(line) for line in logs.read_text().splitlines()]
        assert sum("protocol" in line for line in lines) == 6, "the log of every game"
        # Seeded dice: the same tournament once more is the same one.
        again = (server.url, "1", "cautious", "gambler")
        tables = []
        for _ in range(2):
            async with started("tournament.py", *again) as tournament:
                tables.append(await rest_of(tournament))
        assert len(tables[0].splitlines()) == 3


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with live(tmp_path_factory.mktemp("shell")) as server:
        yield server.url


def shell(url: str, typed: str, *words: str) -> subprocess.CompletedProcess[str]:
    assert shutil.which("jq"), "no jq: install it"
    return subprocess.run(
        ["bash", str(EXAMPLES / "game.sh"), url, *words],
        input=typed, capture_output=True, text=True, timeout=WITHIN_S,
    )  # fmt: skip


@pytest.mark.parametrize("preset", ["farkle", "house"])
def test_the_game_in_the_shell_is_played_to_its_end(url: str, preset: str) -> None:
    """Whoever types only these keeps the first selection, and banks whenever it is possible."""
    near = '{"target": 300, "opening": 0}'
    done = shell(url, "b\n\n1\n1b\n" * 50, preset, "gambler", near)
    assert done.returncode == 0, done.stderr
    first, *_, last = done.stdout.splitlines()
    assert re.fullmatch(r"game [0-9a-f-]{36}", first)
    assert re.fullmatch(r"target: seat \d \d+, seat \d \d+, won by seat [01]", last)
    assert "no: No dice have been rolled in this turn." in done.stdout


def test_the_shell_says_what_is_wrong(url: str) -> None:
    asked = shell(url, "what\n\n1\nq\n", "jester")
    wrong = shell(url, "", "chess")
    assert "a number, a number with b, b, q, or Enter" in asked.stdout
    assert asked.stdout.splitlines()[-1].startswith("walkover: ")
    assert wrong.returncode == 1
    assert wrong.stderr == "The rule set or its options are malformed; errors names each fault.\n"
