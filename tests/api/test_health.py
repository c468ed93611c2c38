"""For operators: alive, ready, counted."""

from __future__ import annotations

import httpx
import pytest

from app.errors import StoreUnavailable
from tests.api.conftest import Launch
from tests.api.live import Guest


async def test_a_running_server_is_alive_and_ready(client: httpx.AsyncClient) -> None:
    answer = await client.get("/health/live")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    answer = await client.get("/health/ready")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
    assert answer.json()["announcer"].keys() == {"kind", "connected", "dropped"}


async def test_without_its_database_it_is_alive_and_not_ready(launch: Launch) -> None:
    async with launch() as live, live.client() as client:
        await live.app.state.parts.close()  # connections; SQLite's file stays, so take the check

        async def fails() -> None:
            raise StoreUnavailable

        parts = live.app.state.parts
        object.__setattr__(parts, "check_store", fails)
        answer = await client.get("/health/ready")
        assert (answer.status_code, answer.json()["code"]) == (503, "not_ready")
        assert answer.headers["retry-after"]
        assert (await client.get("/health/live")).status_code == 200


async def test_requests_are_counted_by_route(client: httpx.AsyncClient, ana: Guest) -> None:
    await client.get(f"/v1/players/{ana.id}")
    await client.get("/v1/players/nobody")
    await client.get("/wp-admin.php")
    text = (await client.get("/metrics")).text
    assert (
        'hotdice_http_requests_total{method="GET",route="/v1/players/{player_id}",status="200"}'
        in text
    )
    assert 'hotdice_http_requests_total{method="GET",route="-",status="404"}' in text
    assert 'hotdice_refusals_total{code="player_not_found"}' in text
    assert 'hotdice_commands_total{command="create_player"}' in text
    assert "hotdice_http_request_seconds_bucket" in text
    assert "hotdice_games_followed " in text
    assert "hotdice_tasks " in text
    assert "hotdice_bot_decisions_total " in text
    assert "hotdice_games_uncounted " in text
    assert 'hotdice_loop_lag_seconds_bucket{le="0.02"}' in text
    assert ana.id not in text
    assert "wp-admin" not in text


async def test_metrics_can_be_switched_off(launch: Launch) -> None:
    async with launch(metrics=False) as live, live.client() as client:
        assert (await client.get("/metrics")).status_code == 404


@pytest.mark.parametrize("path", ["/health/live", "/metrics"])
async def test_probes_have_no_rate_limit(launch: Launch, path: str) -> None:
    async with launch(rate_limits=True, limit_reads=1) as live, live.client() as client:
        assert [(await client.get(path)).status_code for _ in range(9)] == [200] * 9
