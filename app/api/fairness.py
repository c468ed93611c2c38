"""Head -> what can be checked of its dice."""

from __future__ import annotations

from collections.abc import Mapping

from app.api.schemas.fairness import AttemptView, FairnessView, Verdict
from app.api.views import status
from app.clock import rfc3339
from app.ports import Head
from app.service.contributions import Attempt
from engine.state import Finished, Game, Lobby, Unstarted
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


def fairness(head: Head, closed: Mapping[int, Attempt], now: Millis) -> FairnessView:
    """
    Args:
        closed: the sealing attempts that were closed, by number.
    """
    game, setup = head.game, head.game.setup
    mixed = () if isinstance(game, Lobby) else game.mixed
    over = isinstance(game, Finished) and bool(game.seeds)
    return {
        "game_id": setup.game_id,
        "version": head.version,
        "now": rfc3339(now),
        "protocol": "pf1",
        "status": status(game),
        "dice": setup.dice.kind,
        "cheats": setup.cheats is not None,
        "verdict": _verdict(game),
        "attempts": _attempts(game, closed),
        "failed_attempts": game.epoch,
        "seats": [
            {"seat": seat, "mixed": seat in mixed}
            for seat, place in enumerate(setup.places)
            if place.kind != "closed"
        ],
        "rolls": 0 if isinstance(game, Unstarted) else game.rolls,
        "revealed": over,
        "how_to_verify": HOW_TO_VERIFY,
    }


def _verdict(game: Game) -> Verdict:
    if not isinstance(game, Finished) or not game.seeds:
        return "incomplete"
    return "mixed" if game.mixed else "server_committed_only"


def _attempts(game: Game, closed: Mapping[int, Attempt]) -> list[AttemptView]:
    """Those the server has committed to: the ones that failed, the one sealed, two to spare."""
    seeds = game.seeds if isinstance(game, Finished) else ()
    seal, mixed = ("", ()) if isinstance(game, Lobby) else (game.seal, game.mixed)
    standing = {game.epoch: Attempt(game.commits)} if isinstance(game, Lobby) else {}
    found = {**closed, **standing}
    views: list[AttemptView] = []
    for epoch, commit in enumerate(game.setup.server_commits):
        attempt, sealed = found.get(epoch, Attempt()), bool(seal) and epoch == game.epoch
        views.append(
            {
                "epoch": epoch,
                "server_commit": commit,
                "seed": seeds[epoch] if epoch < len(seeds) else None,
                "contributions": list(mixed) if sealed else None,
                "seal": seal if sealed else None,
                "commits": [{"seat": seat, "commit": told} for seat, told in attempt.commits],
                "reveals": [{"seat": seat, "seed": seed} for seat, seed in attempt.reveals],
                "missing": None if attempt.missing is None else list(attempt.missing),
            }
        )
    return views
