"""One node process for the tests of a folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.verify.javascript import JavaScript, javascript


@pytest.fixture(scope="session")
def js() -> Iterator[JavaScript]:
    with javascript() as verifier:
        yield verifier
