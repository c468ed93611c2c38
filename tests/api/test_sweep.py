"""Answers to idempotency keys do not stay for ever: they may hold names."""

from __future__ import annotations

import asyncio

from app.ports import Answer
from tests.api.conftest import Launch


async def test_a_server_forgets_old_answers_as_it_starts(launch: Launch) -> None:
    """The first sweep comes with the start, later ones every ten minutes."""
    async with launch() as live:
        store, now = live.app.state.parts.store, live.app.state.parts.clock.now()
        answer = Answer(200, b"{}")
        await store.remember_answer("somebody", "young", b"same request", answer)
        assert await store.expire_answers(now - 3_600_000) == 0
        assert await store.answer_to("somebody", "young", b"same request") == answer
        assert await store.expire_answers(now + 60_000) == 1
        assert await store.answer_to("somebody", "young", b"same request") is None
        names = {task.get_coro().__qualname__ for task in asyncio.all_tasks()}  # type: ignore[union-attr]
        assert "Loops._run" in names
