"""`make run-cluster`, as one starts and stops it; its games outlive it, its processes do not."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.live.player import Player, all_events
from tests.live_streams.follower import following
from tests.live_streams.test_following import LONG, play
from tests.servers.hotdice import ROOT
from tests.servers.reaper import is_running
from tests.servers.rig import run_rig

pytestmark = pytest.mark.wide


class Command:
    """The command, started; and what it said up to where it waits."""

    def __init__(self, bus: str, folder: Path) -> None:
        words = [sys.executable, "-m", "tests.servers.cluster", bus, str(folder)]
        self.process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.said = ""
        self.folder = folder
        self.until("Ctrl-C")
        self.ports = [int(port) for port in re.findall(r"http://127\.0\.0\.1:(\d+)/v1 ", self.said)]

    def until(self, said: str) -> None:
        """Returns when a line holds this, or none comes any more; `pids` are what runs then."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if said in line:
                break
        self.pids = [int(p.read_text().split()[0]) for p in self.folder.glob("*/pid")]

    def pid_at(self, port: int) -> int:
        """Of the process that was first at this port, as the command says."""
        found = re.search(rf":{port}/v1  \(process (\d+),", self.said)
        assert found
        return int(found[1])

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(30)

    def left(self, within_s: float = 15.0) -> list[int]:
        """Processes that still run after so long."""
        deadline = time.monotonic() + within_s
        while (running := [*filter(is_running, self.pids)]) and time.monotonic() < deadline:
            time.sleep(0.05)
        return running


@pytest.fixture
def folder() -> Path:
    return run_rig().new_folder("cluster")  # not below tmp_path, which is closed to Postgres' user


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def test_two_processes_that_go_and_games_that_stay(folder: Path) -> None:
    with Command("redis", folder) as command:
        one, other = command.ports
        ana = await Player.make(one)
        game = await ana.table(LONG)
        async with following(other, game["id"]) as follower:
            game = await play(ana, game, 5)
            await follower.until(game["version"])
        with Command("redis", folder) as second:
            assert second.process.wait(10) == 1, "one cluster in a folder"
        assert command.end(signal.SIGINT) == 0
        assert not command.left(0)
        assert not any(map(answers, command.ports))

    with Command("postgres", folder) as command:
        found = await ana.do("GET", f"/v1/games/{game['id']}", port=command.ports[1])
        assert found["version"] == game["version"]
        assert len(command.pids) == 3
        command.process.kill()
        assert not command.left(), "a killed one is tidied up after"

    with Command("postgres", folder) as command:
        await ana.do("GET", f"/v1/games/{game['id']}", port=command.ports[0])
        assert command.end(signal.SIGTERM) == 0
        assert not command.left(0)


async def test_either_may_be_killed(folder: Path) -> None:
    """The other one plays on with all of it, and a new one takes its place."""
    with Command("postgres", folder) as command:
        one, other = command.ports
        ana = await Player.make(one)
        game = await ana.table(LONG)
        for number, (port, dying) in enumerate(((other, one), (one, other))):
            game = await play(ana, game, 5, seed=number)
            os.kill(command.pid_at(dying), signal.SIGKILL)
            ana = replace(ana, port=port)
            game = await play(ana, game, 5, seed=number)
            await asyncio.to_thread(command.until, f"http://127.0.0.1:{dying} is back.")
            async with following(dying, game["id"], "?after=0") as follower:
                await follower.until(game["version"])
            assert follower.events == await all_events(ana, game["id"])
        assert command.end(signal.SIGTERM) == 0
        assert not command.left(0)
        assert not any(map(answers, command.ports))


def test_another_bus_is_refused() -> None:
    words = [sys.executable, "-m", "tests.servers.cluster", "carrier-pigeon"]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=20)
    assert ran.returncode == 2
    assert "carrier-pigeon" in ran.stdout
