"""Random people at random tables, on both stores; `make soak` has more of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.machine_http import Http
from tests.model.server import Store

SIZES: dict[str, Any] = {
    "deadline": None,  # a step is a handful of requests
    "database": None,
    "phases": (Phase.generate, Phase.shrink),
    "print_blob": False,
    "report_multiple_bugs": False,
    "suppress_health_check": list(HealthCheck),
}
SHORT = settings(max_examples=15, stateful_step_count=40, derandomize=True, **SIZES)
LONG = settings(max_examples=500, stateful_step_count=60, **SIZES)

SHRINKS_FOR_S = 60
"""A shorter story is worth so much time; pytest's own limit comes later."""


def run(store: Store, sizes: settings) -> None:
    class Here(Http):
        pass

    Here.store = store
    run_state_machine_as_test(Here, settings=sizes)


@pytest.fixture(autouse=True)
def _short_shrinking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "hypothesis.internal.conjecture.engine.MAX_SHRINKING_SECONDS", SHRINKS_FOR_S
    )


@pytest.mark.wide
@pytest.mark.timeout(300)
def test_people_at_tables(store: Store) -> None:
    run(store, SHORT)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_many_people_at_many_tables(store: Store) -> None:
    run(store, LONG)
