"""The parts of the core alone: frames, outboxes, wires, rounds, loops."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.frames import Frame as Parsed
from websockets.streams import StreamReader

from app.live import endings
from app.live.below import Below
from app.live.frames import Ending, Frame
from app.live.loops import FAILS_AFTER, Loops
from app.live.outbox import MOST_QUEUED, Outbox
from app.live.rounds import Rounds
from app.live.timing import LINGER_S, Timing
from app.live.wire import EventShape, PumpWire
from tests.canary.watched import Watched
from tests.live_streams.server import until


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
def test_a_frame_is_one_websocket_frame(size: int) -> None:
    reader = StreamReader()
    reader.feed_data(Frame("played", b"x" * size, 7).socket)
    parsing = Parsed.parse(reader.read_exact, mask=False)
    with pytest.raises(StopIteration) as whole:
        next(parsing)
    frame = whole.value.value
    assert (frame.fin, frame.opcode, frame.data) == (True, 1, b"x" * size)


def test_a_frame_as_an_event() -> None:
    assert Frame("played", b"{}", 7).event == b"id: 7\nevent: played\ndata: {}\n\n"
    assert Frame("presence", b"{}").event == b"event: presence\ndata: {}\n\n"
    assert Frame("heartbeat", b"{}").event == b": heartbeat\n\n"


def test_the_times_are_those_that_are_promised() -> None:
    """What is done once a second may come a second later; what does not end is cut after that."""
    timing = Timing()
    assert timing.silent + timing.tick <= 45
    assert timing.heartbeat < timing.silent / 2, "who answers heartbeats alone is not silent"
    assert timing.stall + timing.tick + LINGER_S <= 10
    assert timing.auth + LINGER_S <= 10
    assert timing.tick < 2, "a token that has ended"
    assert timing.poll < 1, "a hint that was lost"


def test_endings_have_codes_that_a_server_may_send_and_frames_that_say_why() -> None:
    found = [e for e in vars(endings).values() if isinstance(e, Ending)]
    assert len(found) > 10
    for ending in found:
        assert ending.close in range(1000, 1016) or ending.close in range(4400, 4500)
        assert len(ending.code.encode()) <= 123  # a close reason
        frame = json.loads(ending.frame().payload)
        assert frame == {"type": "error", "code": ending.code, "detail": ending.detail}


class FakeWire:
    def __init__(self) -> None:
        self.paused = False
        self.is_owed = False
        self.on_resume: Any = None
        self.on_text: Any = None
        self.unsent = 0
        self.heard_at = None
        self.written: list[str] = []
        self.closed: list[int] = []

    def forgive(self) -> None: ...

    def write(self, frame: Frame) -> None:
        self.written.append(frame.kind)

    def close(self, ending: Ending) -> None:
        self.closed.append(ending.close)

    async def gone(self) -> None:
        """At once."""

    def resume(self) -> None:
        self.paused = False
        self.on_resume()


async def test_an_outbox_writes_at_once_or_keeps_the_order() -> None:
    wire = FakeWire()
    outbox = Outbox(wire)
    outbox.send(Frame("1", b""))
    wire.paused = True
    outbox.send(Frame("2", b""))
    outbox.send(Frame("3", b""))
    assert wire.written == ["1"]
    clear = asyncio.create_task(outbox.clear())
    await asyncio.sleep(0)
    assert not clear.done()
    wire.resume()
    outbox.send(Frame("4", b""))
    await clear
    assert wire.written == ["1", "2", "3", "4"]


async def test_an_outbox_that_is_full_ends() -> None:
    wire = FakeWire()
    outbox = Outbox(wire)
    wire.paused = True
    for _ in range(MOST_QUEUED):
        outbox.send(Frame("played", b""))
    assert wire.closed == []
    outbox.send(Frame("played", b""))
    outbox.send(Frame("played", b""))
    assert (outbox.ended, wire.closed, wire.written) == (endings.TOO_SLOW, [4408], [])
    await outbox.clear()  # there is nothing to wait for


async def test_progress_however_slow_is_no_stall() -> None:
    wire = FakeWire()
    outbox = Outbox(wire)
    assert not outbox.has_stalled(0.0, 5.0)
    wire.paused, wire.unsent = True, 1_000
    assert not outbox.has_stalled(100.0, 5.0)
    wire.unsent = 999
    assert not outbox.has_stalled(104.9, 5.0)
    assert not outbox.has_stalled(109.8, 5.0)
    assert outbox.has_stalled(109.9, 5.0)
    wire.paused = False
    assert not outbox.has_stalled(200.0, 5.0)


async def test_a_pump_sends_in_order_and_says_when_it_does_not_keep_up() -> None:
    sent: list[bytes] = []
    gate = asyncio.Event()

    async def send(message: dict[str, Any]) -> None:
        await gate.wait()
        sent.append(message["body"])

    wire = PumpWire(send, EventShape())
    outbox = Outbox(wire)
    pump = asyncio.create_task(wire.pump())
    for number in range(10):
        outbox.send(Frame(str(number), b"{}"))
    assert wire.paused
    assert wire.unsent == PumpWire.AHEAD * len(b"{}")
    gate.set()
    await outbox.clear()
    outbox.end(endings.RESTART)
    await pump
    kinds = [body.split(b"\n")[0].removeprefix(b"event: ") for body in sent]
    assert kinds == [*(b"%d" % n for n in range(10)), b"error", b""]


async def test_a_pump_that_is_stuck_is_cut_off() -> None:
    cut: list[bool] = []

    class Cable(Below):
        def __init__(self) -> None:
            """Of nothing."""

        def left(self) -> int:
            return 0

        def cut(self) -> None:
            cut.append(True)

    async def stuck(_: dict[str, Any]) -> None:
        await asyncio.sleep(60)

    wire = PumpWire(stuck, EventShape(), Cable(), linger_s=0.01)
    pump = asyncio.create_task(wire.pump())
    Outbox(wire).end(endings.RESTART)
    with pytest.raises(asyncio.CancelledError):
        await pump
    assert cut == [True]


async def test_many_who_want_to_know_share_a_round() -> None:
    rounds, reached = 0, 0

    async def read() -> bool:
        nonlocal rounds, reached
        rounds += 1
        await asyncio.sleep(0)
        reached = rounds
        return False

    reader = Rounds(read, lambda: reached, lambda _: None)
    await asyncio.gather(*(reader.next() for _ in range(100)))
    assert rounds == 1
    first = asyncio.create_task(reader.next())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await reader.next()  # came when the round had begun: it needs another one
    await first
    assert rounds == 3
    reader.want(10**9)
    await until(lambda: rounds == 4)
    await asyncio.sleep(0.01)
    assert rounds == 4  # nothing there: it is not asked for for ever


async def test_a_round_that_fails_fails_who_waits_and_the_next_one_works() -> None:
    fails = True
    failed: list[Exception] = []

    async def read() -> bool:
        if fails:
            raise ValueError
        return False

    reader = Rounds(read, lambda: 0, failed.append)
    with pytest.raises(ValueError):
        await reader.next()
    reader.want(5)
    await until(lambda: len(failed) == 2)
    fails = False
    await reader.next()


async def test_background_work_goes_on_after_failures_and_tells_of_them() -> None:
    loops, rounds, fails = Loops(), 0, True

    async def work() -> None:
        nonlocal rounds
        rounds += 1
        if fails:
            raise OSError

    loops.start("work", work, 0.001)
    await until(lambda: rounds >= FAILS_AFTER)
    assert loops.failing() == ["work"]
    fails = False
    before = rounds
    await until(lambda: rounds > before + 1)
    assert loops.failing() == []
    loops._tasks["work"].cancel()  # by whomever: it begins anew
    before = rounds
    await until(lambda: rounds > before + 2)
    await loops.close()
    before = rounds
    await asyncio.sleep(0.02)
    assert rounds == before


def test_streams_work_over_any_asgi_server(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Without our protocol below: whoever mounts the application elsewhere."""
    from app.main import create_app
    from app.settings import Settings
    from app.wiring import build_parts

    path = tmp_path_factory.mktemp("asgi") / "hotdice.db"
    settings = Settings(database_url=f"sqlite+aiosqlite:///{path}", rate_limits=False)

    made: Any = None

    async def app(scope: Any, receive: Any, send: Any) -> None:
        nonlocal made
        if made is None:  # in the client's own loop
            made = create_app(await build_parts(settings))
        await Watched(made)(scope, receive, send)

    with TestClient(app, base_url="http://127.0.0.1") as client:
        ana = client.post("/v1/players", json={"name": "Ana"}).json()
        headers = {"Authorization": f"Bearer {ana['token']}"}
        table = {"rules": {"preset": "farkle"}, "pass_and_play": True}
        game = client.post("/v1/games", json=table, headers=headers).json()
        address = f"/v1/games/{game['id']}/stream"
        with client.websocket_connect(address, headers=headers) as stream:
            assert stream.receive_json()["type"] == "state"
            assert stream.receive_json()["seats"] == [0, 1]
            client.post(f"/v1/games/{game['id']}/start", headers=headers)
            assert stream.receive_json()["type"] == "played"
            stream.send_text("nonsense")
            assert stream.receive_json()["code"] == "not_json"
            with pytest.raises(WebSocketDisconnect) as closed:
                stream.receive_json()
            assert closed.value.code == 1007
        with client.websocket_connect(address, headers=headers) as stream:
            assert stream.receive_json()["type"] == "state"


class Accepted(asyncio.Protocol):
    """One connection, and when it was lost."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.lost = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


async def test_a_listener_may_have_gone_while_the_server_looked_who_it_is() -> None:
    accepted = Accepted()
    server = await asyncio.get_running_loop().create_server(lambda: accepted, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.transport.abort()
        async with asyncio.timeout(10):
            await accepted.lost.wait()
        assert accepted.transport is not None
        await asyncio.sleep(0)  # its socket is closed after it was told
        below = Below(accepted.transport)
        assert below.left() == 0
        below.cut()
