"""Who a request comes from, and which host it was meant for."""

from __future__ import annotations

import functools
import ipaddress
import re

from starlette.types import Scope

from app.api.refusals import BadHost

_HOST = re.compile(
    r"([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9.])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?"
)


@functools.lru_cache(maxsize=1024)
def host_name(value: bytes) -> str | None:
    """The name in a Host header in lower case, without its port; None where it is malformed."""
    found = _HOST.fullmatch(value.decode("latin-1").lower())
    return found[1].removesuffix(".") if found else None


def check_host(value: bytes | None, allowed: frozenset[str]) -> None:
    """Raises: BadHost."""
    name = None if value is None else host_name(value)
    if name is None or (allowed and name not in allowed):
        raise BadHost


def client_address(scope: Scope, trusted_hops: int) -> str:
    """
    The caller's address; IPv6 by its /64, the least that one household has.

    Args:
        trusted_hops: proxies in front; each appended who it heard from to X-Forwarded-For. What
            stands further left was written by the caller, and means nothing.
    """
    client = scope.get("client")
    peer = client[0] if client else ""
    if trusted_hops:
        heard = [
            part.strip()
            for name, value in scope["headers"]
            if name == b"x-forwarded-for"
            for part in value.decode("latin-1").split(",")
        ]
        if len(heard) >= trusted_hops:
            return _grouped(heard[-trusted_hops][:64]) or _grouped(peer) or "unknown"
    return _grouped(peer) or "unknown"


@functools.lru_cache(maxsize=4096)
def _grouped(text: str) -> str | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
    return str(address)
