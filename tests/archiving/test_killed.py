"""`hotdice archive` and `restore` under kill -9, at moments of chance."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

import pytest

from tests.archiving.games import Place, play, rows_of

GAMES = 30
KILLS = 5


async def ends(place: Place, arguments: list[str], after_s: float | None) -> bool:
    """Runs the command; True: it came to its end before it was killed."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("HOTDICE_")}
    env["HOTDICE_DATABASE_URL"] = place.owner
    command = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "app.cli", *arguments),
        env=env,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        told, _ = await asyncio.wait_for(command.communicate(), after_s)
    except TimeoutError:
        command.kill()
        await command.communicate()
        return False
    assert command.returncode == 0, told.decode()
    return True


@pytest.mark.faults
@pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)
async def test_whoever_is_killed_in_the_middle_loses_nothing(place: Place, tmp_path: Path) -> None:
    chance = random.Random(1)
    *over, _ = await play(place, GAMES)
    before = await rows_of(place)
    folder = tmp_path / "archive"
    folder.mkdir()
    files = [str(folder / f"{game_id}.ndjson.gz") for game_id in over]
    there, back = ["archive", str(folder)], ["restore", *files]
    spans = {}
    for name, command in (("there", there), ("back", back)):
        began = asyncio.get_running_loop().time()
        assert await ends(place, command, None)
        spans[name] = asyncio.get_running_loop().time() - began
    assert await rows_of(place) == before

    cut = 0
    for _ in range(KILLS):
        cut += not await ends(place, there, chance.uniform(0.4, 1.0) * spans["there"])
        here = {row[0] for row in (await rows_of(place))["events"]}
        here |= {name.removesuffix(".ndjson.gz") for name in os.listdir(folder)}
        assert here.issuperset(over), "a log that is neither in the database nor in a file"
        assert await ends(place, there, None)
        assert {row[0] for row in (await rows_of(place))["events"]}.isdisjoint(over)
        cut += not await ends(place, back, chance.uniform(0.4, 1.0) * spans["back"])
        assert await ends(place, back, None)
        assert await rows_of(place) == before
    assert cut > KILLS, "too few of them were killed"
