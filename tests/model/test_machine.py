"""Random people at random tables, on both stores; `make soak` has more of them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Verbosity, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.machine_http import Http
from tests.model.server import Store


def sized(examples: int, steps: int, *, derandomize: bool) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        derandomize=derandomize,
        deadline=None,
        database=None,
        print_blob=True,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.normal,
    )


SHORT = sized(20, 40, derandomize=True)
LONG = sized(500, 60, derandomize=False)


def run(store: Store, sizes: settings) -> None:
    class Here(Http):
        pass

    Here.store = store
    run_state_machine_as_test(Here, settings=sizes)


def test_people_at_tables(store: Store) -> None:
    run(store, SHORT)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_many_people_at_many_tables(store: Store) -> None:
    run(store, LONG)
