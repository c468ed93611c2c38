"""
Bad company: WebSockets that never read, and others that read a byte a second.

    python -m benchmarks.dawdlers PORT PATH EACH

Says `{"connected": n}` in a line of JSON when all have been let in, and ends with its input.
"""

from __future__ import annotations

import contextlib
import json
import select
import sys

from benchmarks.listeners import opened

BUFFER = 4_096
"""Bytes that the kernel takes for a peer that does not read; it doubles them."""


def main() -> None:
    port, path, each = sys.argv[1:]
    never = [opened(int(port), path, BUFFER) for _ in range(int(each))]
    dripping = [opened(int(port), path, BUFFER) for _ in range(int(each))]
    for own in (*never, *dripping):
        select.select([own], [], [], 30.0)
        own.setblocking(False)
    print(json.dumps({"connected": len(never) + len(dripping)}), flush=True)
    while not select.select([sys.stdin], [], [], 1.0)[0]:
        for own in dripping:
            with contextlib.suppress(OSError):  # nothing there, or sent away
                own.recv(1)


if __name__ == "__main__":
    main()
