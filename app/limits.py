"""
How often one may: rate limits, and the guard against guessing join codes.

A limit is met per player (token) and, more generously, per address, so that a household is not
one player and one player with many tokens is still one address. Counting happens in a
`Counter`; in memory for one process, in a shared store where several serve.
"""

from __future__ import annotations

from app.errors import AppError


class RateLimited(AppError):
    """Facts: `limit` (calls a minute), `retry_after_s`."""

    code = "rate_limited"
    says = "Too many requests: {limit} a minute are served. Try again in {retry_after_s} s."
