"""What was counted -> what its readers see. Rates are rounded here, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

from app.api.schemas.statistics import Figures, LeaderboardLine, PastGame, PlayerProfile, Totals
from app.api.views import summary
from app.clock import rfc3339
from app.players import FORGOTTEN
from app.statistics import PastGame as Past
from app.statistics import Profile, Rung
from app.statistics import Totals as Summed
from engine.figures import Figures as Counts


def profile_view(profile: Profile, worlds: Sequence[str]) -> PlayerProfile:
    return {
        "id": profile.id,
        "name": _name(profile.name),
        "created_at": rfc3339(profile.created_at),
        "bot": profile.bot,
        **_totals(profile.totals),
        "worlds": list(worlds),
    }


def past_game_view(past: Past) -> PastGame:
    return {
        "game": summary(past.game),
        "rules_key": past.rules_key,
        "ended_at": rfc3339(past.ended_at),
        "won": past.won,
        **_figures(past.figures),
    }


def line_view(rung: Rung, rank: int) -> LeaderboardLine:
    return {
        "rank": rank,
        "player_id": rung.player_id,
        "name": _name(rung.name),
        **_totals(rung.totals),
    }


def _name(name: str | None) -> str:
    return FORGOTTEN if name is None else name


def _totals(totals: Summed) -> Totals:
    return {"games": totals.games, "wins": totals.wins, **_figures(totals.figures)}


def _figures(counts: Counts) -> Figures:
    return {
        "turns": counts.turns,
        "busts": counts.busts,
        "bust_rate_permille": _rounded(1000 * counts.busts, counts.turns),
        "banked_turns": counts.banked_turns,
        "banked_points": counts.banked_points,
        "average_banked_turn": _rounded(counts.banked_points, counts.banked_turns),
        "best_turn": counts.best_turn,
        "hot_dice": counts.hot_dice,
    }


def _rounded(whole: int, parts: int) -> int | None:
    """The nearest whole number, halves up; None where there is nothing to divide by."""
    return (2 * whole + parts) // (2 * parts) if parts else None
