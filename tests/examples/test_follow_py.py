"""`examples/follow.py` against a server that is restarted, killed, and cut off in the middle."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.examples.proxy import proxy_to
from tests.examples.troubled import ASKED, TROUBLES, live, play
from tests.live.player import Player, all_events
from tests.live_streams.test_following import play as play_on
from tests.servers.hotdice import ROOT
from tests.servers.process import free_port

pytestmark = pytest.mark.wide

SCRIPT = ROOT / "examples" / "follow.py"


def test_it_is_short() -> None:
    assert len(SCRIPT.read_text().splitlines()) <= 30


async def _follow(*urls: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        str(SCRIPT),
        *urls,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def test_it_misses_nothing(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        ana = await Player.make(server.port)
        game = await ana.table(ASKED)
        async with proxy_to(server.port) as proxy:
            script = await _follow(f"ws://127.0.0.1:{proxy.port}/v1/games/{game['id']}/stream")
            try:
                game = await play(ana, game, server, proxy)
                async with asyncio.timeout(20):
                    out, err = await script.communicate()
            finally:
                if script.returncode is None:
                    script.kill()
                    await script.wait()
            assert proxy.cuts >= TROUBLES.count("cut")
        log = await all_events(ana, game["id"])
    *lines, proof = out.decode().splitlines()
    assert proof == "0 missing, 0 double"
    assert lines == [f"{e['version']} {e['type']} {e['seat']}" for e in log]
    assert (script.returncode, err.decode()) == (0, "")


async def test_it_goes_on_at_another_process(tmp_path: Path) -> None:
    """Two ways to one server, neither of which lasts; and one address where nobody is."""
    with live(tmp_path) as server:
        ana = await Player.make(server.port)
        game = await ana.table(ASKED)
        async with proxy_to(server.port) as one, proxy_to(server.port) as other:
            ports = (one.port, free_port(), other.port)
            path = f"v1/games/{game['id']}/stream"
            script = await _follow(*(f"ws://127.0.0.1:{port}/{path}" for port in ports))
            reading = asyncio.create_task(script.communicate())
            try:
                for proxy in (one, other, one, other):
                    await proxy.used()
                    game = await play_on(ana, game, 5)
                    proxy.cut()
                game = await play_on(ana, game, 10_000)
                async with asyncio.timeout(20):
                    out, err = await reading
            finally:
                if script.returncode is None:
                    script.kill()
                    await script.wait()
        log = await all_events(ana, game["id"])
    *lines, proof = out.decode().splitlines()
    assert proof == "0 missing, 0 double"
    assert lines == [f"{e['version']} {e['type']} {e['seat']}" for e in log]
    assert (script.returncode, err.decode()) == (0, "")


@pytest.mark.parametrize("path", ["/v1/games/01936f2e-7b1c-7000-8000-000000000000/stream"])
async def test_it_does_not_come_back_for_ever(tmp_path: Path, path: str) -> None:
    with live(tmp_path) as server:
        script = await _follow(f"ws://127.0.0.1:{server.port}{path}")
        async with asyncio.timeout(20):
            _, err = await script.communicate()
    assert script.returncode == 1
    assert "4401" in err.decode()
