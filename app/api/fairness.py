"""Head -> what can be checked of its dice."""

from __future__ import annotations

from app.api.schemas.fairness import AttemptView, FairnessView
from app.api.views import status
from app.clock import rfc3339
from app.ports import Head
from engine.state import Finished, Game, Lobby
from engine.units import Millis

_VERIFYING = """
H is SHA-256; LP(x) is the length of x as u32, then x; integers are big-endian; the game id is
ASCII; hex stands for bytes.

Take the log: GET /v1/games/{id}/export. For each line, hash = H(LP("pf1/event") LP(game_id)
u64(version) LP(hash of the line before; 32 zero bytes at first) LP(bytes)).

With the S_e that fairness_revealed tells, each server_commit(e) = H(LP("pf1/server-commit")
LP(game_id) u32(e) LP(S_e)).

The seal G_e = H(LP("pf1/seal") LP(game_id) u32(e) LP(G before; 32 zero bytes at first)
LP(server_commit(e)) u32(n), then u32(seat) LP(its value) for each of the n seats mixed in).

Roll i reads, for j = 0, 1, …, the bytes of HMAC-SHA-256(S_e, LP("pf1/roll") LP(game_id) u32(e)
u64(i) LP(G_e) u32(j)); bytes from 252 on are skipped; a face is byte mod 6 + 1.

Each dice_rolled tells its epoch e and index i. Where a cheat changed the faces, `fair` has those of
the stream; scripted faces come from the settings.

Or let it be done: the page /verify checks an export in the browser, rules included; the file it
does that with, /verify/verify.js, runs with node too, and shares no code with the server.
"""
HOW_TO_VERIFY = [" ".join(step.split()) for step in _VERIFYING.split("\n\n")]


def fairness(head: Head, now: Millis) -> FairnessView:
    game, setup = head.game, head.game.setup
    over = isinstance(game, Finished) and bool(game.seeds)
    return {
        "game_id": setup.game_id,
        "version": head.version,
        "now": rfc3339(now),
        "protocol": "pf1",
        "status": status(game),
        "dice": setup.dice.kind,
        "cheats": setup.cheats is not None,
        "verdict": "server_committed_only" if over else "incomplete",
        "attempts": _attempts(game),
        "failed_attempts": 0,
        "seats": [
            {"seat": seat, "mixed": False}
            for seat, place in enumerate(setup.places)
            if place.kind != "closed"
        ],
        "rolls": 0 if isinstance(game, Lobby) else game.rolls,
        "revealed": over,
        "how_to_verify": HOW_TO_VERIFY,
    }


def _attempts(game: Game) -> list[AttemptView]:
    """No seat contributes yet: the one attempt that is sealed holds the server's seed alone."""
    seeds = game.seeds if isinstance(game, Finished) else ()
    sealed = bool(game.seal)
    return [
        {
            "epoch": epoch,
            "server_commit": commit,
            "seed": seeds[epoch] if epoch < len(seeds) else None,
            "contributions": [] if sealed and epoch == game.epoch else None,
            "seal": game.seal if sealed and epoch == game.epoch else None,
        }
        for epoch, commit in enumerate(game.setup.server_commits)
    ]
