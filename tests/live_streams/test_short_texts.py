"""Short messages go past the parser of frames: whoever reads them must not be able to tell."""

from __future__ import annotations

import logging

from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from app.live.machine import Machine
from tests.live_streams.corpus.build import TEXT, fragments, frame, text
from tests.live_streams.corpus.handshakes import LINES, request

Message = tuple[Opcode, bytes, bool]


def opened() -> Machine:
    machine = Machine(max_size=300, logger=logging.getLogger("quiet"))
    machine.receive_data(request(*LINES))
    (asked,) = machine.events_received()
    machine.send_response(machine.accept(asked))  # type: ignore[arg-type]
    machine.data_to_send()
    return machine


def whole(machine: Machine, data: bytes) -> list[Message]:
    """What the parser alone makes of them."""
    machine.receive_data(data)
    return [_told(event) for event in machine.events_received() if isinstance(event, Frame)]


def quick(machine: Machine, data: bytes) -> list[Message]:
    """As the server reads them."""
    text = machine.short_text(data)
    if text is not None:
        return [(Opcode.TEXT, text, True)]
    return whole(machine, data)


def _told(frame: Frame) -> Message:
    return frame.opcode, bytes(frame.data), frame.fin


frames = st.builds(
    lambda opcode, fin, data: Frame(opcode, data, fin=fin or opcode >= 8),
    st.sampled_from([Opcode.TEXT, Opcode.TEXT, Opcode.CONT, Opcode.PING, Opcode.CLOSE]),
    st.booleans(),
    st.binary(max_size=125) | st.binary(min_size=124, max_size=310),
)


@st.composite
def pieces(draw: st.DrawFn) -> list[bytes]:
    """Frames as they come over the line: whole, several at once, cut anywhere, or spoilt."""
    sent: list[bytes] = []
    for each in draw(st.lists(frames, min_size=1, max_size=8)):
        data = each.data[:125] if each.opcode >= 8 else each.data
        spoilt = bytearray(Frame(each.opcode, data, fin=each.fin).serialize(mask=True))
        if draw(st.integers(0, 9)) == 0:
            spoilt[draw(st.integers(0, min(5, len(spoilt) - 1)))] ^= 1 << draw(st.integers(0, 7))
        sent.append(bytes(spoilt))
    joined: list[bytes] = []
    for line in sent:
        match draw(st.sampled_from(["whole", "whole", "cut", "join"])):
            case "cut":
                at = draw(st.integers(0, len(line)))
                joined += [line[:at], line[at:]]
            case "join" if joined:
                joined[-1] += line
            case _:
                joined.append(line)
    return [piece for piece in joined if piece]


@example([fragments(b"a", b"b")[:7], text("c")])
@example([frame(TEXT, b"x" * 124, declared=b"\x7e\x00\x7c"), text("c")])
@given(pieces())
def test_the_quick_way_reads_what_the_parser_reads(sent: list[bytes]) -> None:
    plain, own = opened(), opened()
    for piece in sent:
        assert quick(own, piece) == whole(plain, piece)
        assert (own.state, own.close_sent, own.frames) == (
            plain.state,
            plain.close_sent,
            plain.frames,
        )
        assert type(own.parser_exc) is type(plain.parser_exc)
        assert own.data_to_send() == plain.data_to_send()
        if plain.state is not State.OPEN:
            return


def test_a_command_goes_the_quick_way() -> None:
    """If the library's parser changes so that none does, this says so; all would still be read."""
    machine, said = opened(), b'{"id":1,"command":"roll"}'
    for _ in range(3):
        assert machine.short_text(Frame(Opcode.TEXT, said).serialize(mask=True)) == said
    cut = Frame(Opcode.TEXT, said).serialize(mask=True)
    assert whole(machine, cut[:4]) == []
    assert machine.short_text(cut) is None
    assert whole(machine, cut[4:]) == [(Opcode.TEXT, said, True)]
    assert machine.short_text(cut) == said
