"""The arena plays what a server plays: the same dice, the same decisions, the same end."""

from __future__ import annotations

from typing import Any

from tests.api.live import Guest
from tests.api.series import create
from tests.arena.contests import contest, some_games

BOTS = [{"kind": "bot", "character": "cautious"}] * 2


async def test_a_game_of_the_arena_is_that_of_a_series_with_its_seed(ana: Guest) -> None:
    """Game 0 of a series has the dice of game 0 here; so have those of other seeds."""
    options: dict[str, Any] = {"target": 2000, "high_stakes": True}
    for seed in ("spring", "summer", "autumn"):
        series = await create(
            ana,
            rules={"preset": "farkle", "options": options},
            participants=BOTS,
            games=1,
            dice={"kind": "seeded", "seed": seed},
        )
        await series.until("finished")
        [game] = await series.games()
        [mine] = some_games(contest("cautious", "cautious", seed=seed, **options), 1)
        assert (game["scores"], game["winners"]) == (list(mine.scores), list(mine.winners))
