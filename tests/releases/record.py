"""
`make golden`: records the golden logs of the release that this is, once.

Games are chosen out of many so that all of them together show every event, every way to end, every
shipped rule set and variant played out, and whatever else `shows` names, in few bytes. Logs of a
release are never written anew: to do so before it is released, remove its folder by hand.
"""

from __future__ import annotations

import json
import sys
import uuid
from hashlib import sha256

from app import VERSION
from app.verifying.examining import verify
from engine import events as ev
from engine.events import EVENT_NAMES
from engine.state import Finished
from tests.releases.logs import EXPECTED, LOGS, shape_of, states_of, told
from tests.verify.games import SHIPPED, START, any_game
from tests.verify.recording import Recording

SEEDS = range(900)
MOST_BYTES = 120_000
"""Of one log."""


def record(version: str = VERSION) -> None:
    folder = LOGS / version
    if folder.exists():
        raise SystemExit(f"{folder} is there: logs of a release are never written anew")
    chosen = choose({seed: game for seed in SEEDS if (game := played(seed))})
    exports = {f"{name_of(seed)}.ndjson": game.export() for seed, game in sorted(chosen.items())}
    states = {name: list(states_of(export)) for name, export in exports.items()}
    shape = shape_of([state for each in states.values() for state in each])
    logs = {
        name: {"report": verify(export).as_json(), **told(states[name], shape)}
        for name, export in exports.items()
    }
    folder.mkdir(parents=True)
    for name, export in exports.items():
        (folder / name).write_bytes(export)
    expected = json.dumps({"shape": shape, "logs": logs}, indent=1, sort_keys=True)
    (folder / EXPECTED).write_text(expected + "\n")
    size = sum(map(len, exports.values()))
    sys.stdout.write(f"{folder}: {len(exports)} logs, {size} bytes\n")


def played(seed: int) -> Recording | None:
    """The game of a seed, if it is over."""
    game = any_game(seed, named=id_of)
    return game if isinstance(game.game, Finished) else None


def id_of(word: str) -> str:
    """The id that a server might have given: a UUIDv7 that follows from the word."""
    number = START << 80 | int.from_bytes(sha256(word.encode()).digest()[:10], "big")
    return str(uuid.UUID(int=number & ~(0xF << 76 | 0x3 << 62) | 0x7 << 76 | 0x2 << 62))


def name_of(seed: int) -> str:
    return f"{rules_of(seed)} {seed}".replace(" ", "-")


def rules_of(seed: int) -> str:
    return sorted(SHIPPED)[seed // 2 % len(SHIPPED)] if seed % 2 == 0 else "custom"


def choose(games: dict[int, Recording]) -> dict[int, Recording]:
    """Games that show all there is to show, each the one that shows most for its bytes."""
    size = {seed: len(game.export()) for seed, game in games.items()}
    left = {seed: shows(seed, game) for seed, game in games.items() if size[seed] < MOST_BYTES}
    chosen: list[int] = []
    while any(left.values()):
        seed = max(left, key=lambda seed: (len(left[seed]) / size[seed], -seed))
        shown = left[seed]
        chosen.append(seed)
        left = {other: what - shown for other, what in left.items()}
    return {seed: games[seed] for seed in chosen}


def shows(seed: int, recording: Recording) -> set[tuple[object, ...]]:
    """What there is to see in a game."""
    game, events = recording.game, recording.events
    assert isinstance(game, Finished)
    reason, setup = game.result.reason, game.setup
    seen: set[tuple[object, ...]] = {("event", EVENT_NAMES[type(event)]) for event in events}
    seen |= {("end", reason), ("dice", setup.dice.kind), ("seats", len(setup.places))}
    seen.add(("voided after", "result_voided" in {name for _, name in seen}, reason))
    seen |= {("bot", p.character, setup.rules.name in ("farkle", "house")) for p in setup.places}
    seen |= {("pass and play", setup.pass_and_play), ("no host", setup.host is None)}
    if reason in ("target", "instant_win"):
        seen.add(("played out", rules_of(seed)))
    if any(isinstance(event, ev.DiceRolled) for event in events):
        seen.add(("played", rules_of(seed)))
    if setup.clocks:
        clocks = setup.clocks
        seen.add(("clocks", clocks.turn_s is None, clocks.game_s is None))
    if setup.cheats:
        seen |= {("cheat", name) for name, value in setup.cheats._asdict().items() if value}
        seen |= {("light", kind) for _, kind in setup.cheats.light}
    for event in events:
        if isinstance(event, ev.EntropySealed):
            seen.add(("mixed", min(len(event.seats), 2), event.epoch > 0))
        if isinstance(event, ev.DiceRolled):
            seen.add(("roll", event.wild, event.scripted, event.fair is not None))
        if isinstance(event, ev.WildRollEarned):
            seen.add(("earned", rules_of(seed)))
    return seen


if __name__ == "__main__":
    record()
