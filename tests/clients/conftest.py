"""One server for the generated clients, and the clients of the committed document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.tools import (
    DOCUMENT,
    PYTHON,
    generate,
    python_client,
    typescript_client,
)
from tests.servers.hotdice import HotdiceServer


@pytest.fixture(scope="session")
def server() -> Iterator[HotdiceServer]:
    assert PYTHON.exists(), "run `make contracts`: it installs the generators first"
    with HotdiceServer() as server:
        yield server


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return python_client(DOCUMENT, tmp_path_factory.mktemp("python"))


@pytest.fixture(scope="session")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return typescript_client(DOCUMENT, tmp_path_factory.mktemp("typescript"))


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    assert PYTHON.exists(), "run `make contracts`: it installs the generators first"
    return generate(DOCUMENT, tmp_path_factory.mktemp("generated"))
