"""The verifier in JavaScript, as in tests/verify."""

from tests.verify.conftest import js

__all__ = ["js"]
