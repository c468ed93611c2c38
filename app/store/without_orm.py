"""
SQLAlchemy's asyncio, without the sessions in it: they load the whole ORM, which a server never
uses. To be imported before anything of `sqlalchemy.ext.asyncio` is.

The two modules that define them are stood in for while the package is loaded, and come when
somebody asks for one of their names, as they would have. Where they are loaded already nothing is
done.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

_PACKAGE = "sqlalchemy.ext.asyncio"
_LATER = (f"{_PACKAGE}.scoping", f"{_PACKAGE}.session")


class _Later(ModuleType):
    """Has whatever name is imported from it."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


def _ask(name: str) -> object:
    """What the package lacks for now."""
    for module in map(import_module, _LATER):
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {_PACKAGE!r} has no attribute {name!r}")


def _load() -> None:
    sys.modules |= {name: _Later(name) for name in _LATER}
    try:
        package = import_module(_PACKAGE)
    except Exception:
        return  # a release that makes more of them than names: whoever needs it loads the whole
    finally:
        for name in _LATER:
            del sys.modules[name]
    for name, value in list(vars(package).items()):
        if isinstance(value, _Later):
            delattr(package, name)
    package.__getattr__ = _ask  # type: ignore[method-assign]


if _PACKAGE not in sys.modules:
    _load()
