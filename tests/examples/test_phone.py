"""`examples/phone.py` at a server that is restarted, killed, and cut off, beside its own cuts."""

from __future__ import annotations

import asyncio
import random
import re
import sys
from pathlib import Path

import pytest

from tests.examples.proxy import proxy_to
from tests.examples.troubled import PACE_S, live, make_trouble
from tests.live.history import verified
from tests.live.wire import ask_once, request
from tests.servers.hotdice import ROOT

pytestmark = pytest.mark.wide

TROUBLES = ("cut", "stop", "kill", "cut")
SCRIPT = ROOT / "examples" / "phone.py"
TOLD = re.compile(
    r"game (\S+)\n(\d+) commands, (\d+) of them sent again, (\d+) acted\n"
    r"every event once, in order\n"
)


@pytest.mark.parametrize("is_troubled", [False, True], ids=["its own cuts", "and troubles"])
async def test_what_is_sent_twice_acts_once(tmp_path: Path, is_troubled: bool) -> None:
    pace = PACE_S if is_troubled else 0.0
    with live(tmp_path) as server:
        async with proxy_to(server.port) as proxy:
            script = await asyncio.create_subprocess_exec(
                *(sys.executable, str(SCRIPT), f"http://127.0.0.1:{proxy.port}", str(pace)),
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            reading = asyncio.create_task(script.communicate())
            try:
                if is_troubled:
                    await proxy.used()
                    await asyncio.sleep(1)  # it has its guest and its game
                    await make_trouble(server, proxy, random.Random(3), TROUBLES)
                    assert not reading.done(), "too short a game to show anything"
                async with asyncio.timeout(90):
                    out, err = await reading
            finally:
                if script.returncode is None:
                    script.kill()
                    await script.wait()
            assert not is_troubled or proxy.cuts  # the others found it between two lines
        assert (script.returncode, err.decode()) == (0, "")
        told = TOLD.fullmatch(out.decode())
        assert told, out
        commands, again, acted = map(int, told.groups()[1:])
        raw = request("GET", f"/v1/games/{told[1]}/export")
        log = verified((await ask_once(server.port, raw)).body, told[1])
    assert commands == acted
    assert again >= commands // 4, "now and then an answer is there before the cut"
    rolls = sum(event["type"] in ("dice_rolled", "turn_banked") for event in log)
    assert rolls >= commands - 1, "the log knows of no command more"
