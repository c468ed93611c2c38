"""
Processes that compute apart from the server, for seconds of pure computing would hold up every
request of its process. They leave the processor to whoever else wants it, are bounded in time and
memory whatever was estimated before, and end with the process that began them, however that ends.
"""

from __future__ import annotations

import os
import resource
import sys
from contextlib import suppress
from threading import Thread
from time import sleep

NICE = 10
MOST_CPU_S = 600
"""Seconds of computing; the estimates let begin what takes a few minutes."""
MOST_BYTES = 2 << 30
"""Of addresses; what the estimates let begin needs half a GB."""
LOOK_S = 1.0
"""Between two looks at whether the server is still there."""


def command(module: str) -> tuple[str, ...]:
    """Begins the module in a process of this one's; its `main` has to call `settle`."""
    return sys.executable, "-m", module, str(os.getpid())


def settle() -> None:
    """What such a process does first."""
    os.nice(NICE)
    for what, most in ((resource.RLIMIT_CPU, MOST_CPU_S), (resource.RLIMIT_AS, MOST_BYTES)):
        with suppress(OSError, ValueError):  # a lower limit is set already, or there is none here
            resource.setrlimit(what, (most, most))
    if len(sys.argv) > 1:
        Thread(target=_end_with, args=(int(sys.argv[1]),), daemon=True).start()


def _end_with(parent: int) -> None:
    """Whoever was killed cannot end what it began."""
    while os.getppid() == parent:
        sleep(LOOK_S)
    os._exit(1)
