"""Borders that a glance does not hold: what is imported, called, named, and how long a file is."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_LINES = 400

ACTS = {
    *("asyncio", "concurrent", "contextvars", "ctypes", "datetime", "fileinput", "ftplib", "gc"),
    *("getpass", "glob", "http", "importlib", "io", "locale", "logging", "mmap", "multiprocessing"),
    *("os", "pathlib", "platform", "queue", "random", "sched", "secrets", "select", "selectors"),
    *("shelve", "shutil", "signal", "site", "smtplib", "socket", "socketserver", "sqlite3", "ssl"),
    *("subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid", "weakref"),
    *("webbrowser", "zoneinfo"),
}
"""Modules of the standard library that touch the world, or chance, or time."""


CLIENTS = {
    *("aiohttp", "ftplib", "http.client", "httpcore", "httpcore2", "httpx", "httpx2", "niquests"),
    *("poplib", "pycurl", "requests", "smtplib", "telnetlib", "urllib.request", "urllib3"),
    *("websocket", "websockets.asyncio.client", "websockets.client", "websockets.sync", "xmlrpc"),
}
"""What calls other machines. Of Postgres and Redis the settings say where they are."""


def sources(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return sorted(path for path in found if "__pycache__" not in path.parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(path)))


def where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


@cache
def imports(path: Path) -> tuple[tuple[str, str], ...]:
    """Every module imported, with where; of `from a import b` both a and a.b."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[str, str]]:
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, where(path, node)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{where(path, node)}: a relative import"
            yield node.module or "", where(path, node)
            for alias in node.names:
                yield f"{node.module}.{alias.name}", where(path, node)


def imported_from(folders: list[str], *forbidden: str) -> list[str]:
    return [
        f"{place} imports {name}"
        for path in sources(*folders)
        for name, place in imports(path)
        if any(name == one or name.startswith(f"{one}.") for one in forbidden)
    ]


def test_the_engine_imports_itself_and_the_standard_library_only() -> None:
    strange = [
        f"{place} imports {name}"
        for path in sources("engine")
        for name, place in imports(path)
        if (top := name.split(".")[0]) != "engine" and top not in sys.stdlib_module_names
    ]
    assert sources("engine")
    assert strange == []


def test_the_engine_imports_nothing_that_acts() -> None:
    assert sys.stdlib_module_names >= ACTS
    assert imported_from(["engine"], *ACTS) == []


def test_the_engine_neither_waits_nor_opens_nor_prints() -> None:
    acting = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
    calls = {"open", "print", "input", "exec", "eval", "breakpoint", "__import__", "compile"}
    found = [
        where(path, node)
        for path in sources("engine")
        for node in nodes_of(path)
        if isinstance(node, acting)
        or (isinstance(node, ast.comprehension) and node.is_async)
        or (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls
        )
    ]
    assert found == []


def test_the_referee_shares_no_code_with_what_it_judges() -> None:
    assert sources("tests/referee")
    assert imported_from(["tests/referee"], "engine", "app") == []


def test_the_server_calls_nobody() -> None:
    """Whoever calls no address can be made to call none."""
    assert imported_from(["engine", "app"], *CLIENTS) == []
    pins = (ROOT / "requirements" / "runtime.txt").read_text().splitlines()
    assert not {pin.partition("==")[0] for pin in pins} & CLIENTS
    opens = {"open_connection", "create_connection", "urlopen"}
    assert not [
        where(path, node)
        for path in sources("app")
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute) and node.attr in opens
    ]


def test_the_product_does_not_know_its_tests() -> None:
    assert imported_from(["engine", "app"], "tests", "benchmarks", "pytest") == []


def strings(tree: ast.Module) -> list[ast.Constant]:
    """Every constant but those that stand alone, as docstrings do."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return [node for node in constants if id(node) not in alone]


def presets() -> list[str]:
    return sorted(path.stem for path in (ROOT / "engine" / "presets").glob("*.toml"))


def test_no_code_asks_which_game_it_is() -> None:
    """A rule set is data: no preset is known by name anywhere."""
    names = presets()
    assert names == ["farkle", "house", "jester"]
    assert [
        f"{where(path, node)} says {node.value!r}"
        for path in sources("engine", "app")
        for node in strings(tree_of(path))
        if node.value in names
    ] == []


def test_routes_are_imported_by_the_assembly_only() -> None:
    folders = ["engine", "app/store", "app/live", "app/service"]
    assert imported_from(folders, "app.api") == []


def test_no_middleware_stands_between_a_request_and_its_cancellation() -> None:
    """BaseHTTPMiddleware runs the app in a task of its own; pure ASGI does not."""
    found = [
        where(path, node)
        for path in sources("app")
        for node in nodes_of(path)
        if (isinstance(node, ast.alias) and node.name == "BaseHTTPMiddleware")
        or (isinstance(node, ast.Name) and node.id == "BaseHTTPMiddleware")
        or (isinstance(node, ast.Attribute) and node.attr == "BaseHTTPMiddleware")
    ]
    assert found == []
    assert imported_from(["app"], "starlette.middleware.base") == []


@pytest.mark.parametrize("folder", ["engine", "app"])
def test_no_file_is_too_long_to_be_read(folder: str) -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in sources(folder)
        if (lines := len(path.read_text("utf-8").splitlines())) > MOST_LINES
    }
    assert long == {}


IMPORT = """
import asyncio, socket, sqlite3, subprocess, threading

def never(*args, **kwargs):
    raise SystemExit("importing the app acts")

asyncio.run = asyncio.new_event_loop = subprocess.Popen.__init__ = never
socket.socket.bind = socket.socket.connect = sqlite3.connect = never
threading.Thread.start = never
import {module}
assert threading.active_count() == 1
"""


@pytest.mark.parametrize("module", ["engine", "app.main"])
def test_importing_starts_nothing(module: str, tmp_path: Path) -> None:
    """No thread, no loop, no socket, no file, no setting needed."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT.format(module=module)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert (done.stdout, list(tmp_path.iterdir())) == ("", [])
