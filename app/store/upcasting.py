"""
Upcasters: events as older releases wrote them, told as this release would have.

Stored bytes are never rewritten; what is read of them goes through here, in the store and in
`hotdice verify`. A release that changes what an event holds adds a step to its type below: members
in, members out, whole and pure, rule sets inside an event included. A step stays for good, for the
logs it was made for do, and the logs of each release in `tests/golden/logs` hold it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Told = Mapping[str, Any]
"""The members of an event as JSON has them."""
Upcaster = Callable[[Told], Told]


def lacking(**members: Any) -> Upcaster:
    """For members that older logs lack: what their absence means."""
    return lambda told: {**members, **told}


UPCASTERS: Mapping[str, Upcaster] = {
    "entropy_closed": lacking(reveal_by=None),
    "game_started": lacking(policies=[]),
}


def upcast(told: Told, upcasters: Mapping[str, Upcaster] = UPCASTERS) -> Told:
    """The event as it would be written today. Raises: KeyError, where it has no `type`."""
    step = upcasters.get(told["type"])
    return told if step is None else step(told)
