"""The connection below a stream, and what we ask of the kernel for it."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import socket
import struct
import termios
from array import array
from collections.abc import Callable

SEND_BUFFER = 64 * 1024
"""Bytes the kernel may hold for a peer (it doubles them). By default it holds megabytes, and a peer
that has stopped reading is found out only when they are full."""

_USER_TIMEOUT: int | None = getattr(socket, "TCP_USER_TIMEOUT", None)
"""Linux has it."""

_AT_ONCE = struct.pack("ii", 1, 0)
"""For SO_LINGER: closing forgets what is unsent, and resets."""


class Below:
    """
    Lets little wait in the kernel: a peer that does not read shows soon, and costs little.

    Args:
        gives_up_s: the kernel ends a connection whose peer acknowledges nothing for so long.
    """

    def __init__(self, transport: asyncio.Transport, gives_up_s: float | None = None) -> None:
        self._transport = transport
        if transport.is_closing():  # it has gone while we looked who it is
            return
        # Paused from the first byte that the kernel does not take: what waits, waits by reference.
        transport.set_write_buffer_limits(high=0)
        self._set(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if gives_up_s is not None and _USER_TIMEOUT is not None:
            self._set(socket.IPPROTO_TCP, _USER_TIMEOUT, int(gives_up_s * 1_000))

    def left(self) -> int:
        """
        Bytes that the peer has yet to acknowledge: ours, and the kernel's where it tells.

        The kernel takes more of ours only when a third of its buffer is free. A slow peer may need
        longer for that than one is given that takes nothing.
        """
        return left(self._transport)

    def cut(self) -> None:
        """
        Ends it now. What the kernel has been handed still goes out, unless it is not all.

        A peer that left something with us has no use for the rest: the kernel would hold it for as
        long as the peer acknowledges that it cannot take it.
        """
        if self._transport.get_write_buffer_size():
            self._set(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self._transport.abort()

    def _set(self, level: int, option: int, value: int | bytes) -> None:
        self._ask(lambda own: own.setsockopt(level, option, value))

    def _ask(self, what: Callable[[socket.socket], object]) -> None:
        _ask(self._transport, what)


def left(transport: asyncio.Transport) -> int:
    """Bytes that the peer has yet to acknowledge: ours, and the kernel's where it tells."""
    inside = array("i", [0])
    _ask(transport, lambda own: fcntl.ioctl(own, termios.TIOCOUTQ, inside))
    return transport.get_write_buffer_size() + inside[0]


def _ask(transport: asyncio.Transport, what: Callable[[socket.socket], object]) -> None:
    """What the kernel does not have, or no longer, is no reason to stop."""
    with contextlib.suppress(OSError), transport.get_extra_info("socket").dup() as own:
        what(own)
