"""Two OpenAPI documents: what changed for clients of the old one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.releases.compatibility.findings import Document, Findings, Way
from tests.releases.compatibility.schemas import Comparison

_METHODS = ("get", "put", "post", "delete", "patch")


def compare_openapi(old: dict[str, Any], new: dict[str, Any]) -> Findings:
    """All that changed, operation by operation, then the names of schemas."""
    return _Change(old, new).found()


class _Change:
    def __init__(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        self._old, self._new = Document(old), Document(new)
        self._schemas = Comparison(self._old, self._new)
        self._found = Findings()

    def found(self) -> Findings:
        olds, news = dict(operations(self._old)), dict(operations(self._new))
        for where, before in olds.items():
            if where in news:
                self._operation(before, news[where], where)
            else:
                self._found.breaking(where, "the operation is gone")
        for where in news.keys() - olds.keys():
            self._found.added(where, "a new operation")
        self._names()
        return self._found

    def _operation(self, old: Any, new: Any, where: str) -> None:
        for name, what in (("operationId", "is called"), ("tags", "stands under")):
            if old.get(name) != new.get(name):
                self._found.breaking(where, f"{what} {new.get(name)}, not {old.get(name)}")
        if new.get("deprecated") and not old.get("deprecated"):
            self._found.added(where, "is deprecated")
        self._security(old, new, where)
        self._parameters(old, new, where)
        self._body(old.get("requestBody"), new.get("requestBody"), where)
        self._answers(old["responses"], new["responses"], where)

    def _security(self, old: Any, new: Any, where: str) -> None:
        """Whatever opened an operation still opens it."""
        before, now = (each.get("security") or [{}] for each in (old, new))
        for key in before:
            if not any(_opens(lock, key) for lock in now):
                self._found.breaking(where, f"needs {now}; {key} was enough")
        if before != now:
            self._found.added(where, "is opened otherwise")

    def _parameters(self, old: Any, new: Any, where: str) -> None:
        before, now = self._by_name(self._old, old), self._by_name(self._new, new)
        for key, parameter in before.items():
            place = f"{where}?{key[1]}"
            if key not in now:
                self._found.breaking(place, f"the parameter in {key[0]} is gone")
                continue
            if now[key].get("required") and not parameter.get("required"):
                self._found.breaking(place, "may not be left out any more")
            self._schema(parameter, now[key], "sent", place)
        for key in now.keys() - before.keys():
            if now[key].get("required"):
                self._found.breaking(f"{where}?{key[1]}", "is new and may not be left out")
            else:
                self._found.added(f"{where}?{key[1]}", "is new")

    def _by_name(self, document: Document, operation: Any) -> dict[tuple[str, str], Any]:
        parameters = map(document.whole, operation.get("parameters", ()))
        # Names of headers are the same in capitals.
        return {(p["in"], p["name"].lower()): p for p in parameters}

    def _body(self, old: Any, new: Any, where: str) -> None:
        place = f"{where} body"
        if old is None and new is not None:
            (self._found.breaking if new.get("required") else self._found.added)(place, "is new")
        elif old is not None and new is None:
            self._found.breaking(place, "is gone")
        elif old is not None:
            old, new = self._old.whole(old), self._new.whole(new)
            if new.get("required") and not old.get("required"):
                self._found.breaking(place, "may not be left out any more")
            self._content(old, new, "sent", place)

    def _answers(self, old: Mapping[str, Any], new: Mapping[str, Any], where: str) -> None:
        for status, answer in old.items():
            place = f"{where} {status}"
            if status not in new:
                self._found.breaking(place, "is answered no more")
                continue
            before, now = self._old.whole(answer), self._new.whole(new[status])
            self._content(before, now, "told", place)
            self._headers(before.get("headers", {}), now.get("headers", {}), place)
        for status in new.keys() - old.keys():
            refuses = status.startswith(("4", "5"))
            tell = self._found.added if refuses else self._found.breaking
            tell(f"{where} {status}", "is a new answer")

    def _headers(self, old: Mapping[str, Any], new: Mapping[str, Any], where: str) -> None:
        for name, header in old.items():
            if name not in new:
                self._found.breaking(f"{where} {name}", "the header is gone")
                continue
            before, now = self._old.whole(header), self._new.whole(new[name])
            if before.get("required") and not now.get("required"):
                self._found.breaking(f"{where} {name}", "was always there and may be missing")
            self._schema(before, now, "told", f"{where} {name}")
        for name in new.keys() - old.keys():
            self._found.added(f"{where} {name}", "a new header")

    def _content(self, old: Any, new: Any, way: Way, where: str) -> None:
        before, now = old.get("content", {}), new.get("content", {})
        for media, part in before.items():
            if media in now:
                self._schema(part, now[media], way, where)
            else:
                self._found.breaking(where, f"{media} is gone")
        for media in now.keys() - before.keys():
            self._found.added(where, f"{media} is new")

    def _schema(self, old: Any, new: Any, way: Way, where: str) -> None:
        before, now = old.get("schema", {}), new.get("schema", {})
        self._found += self._schemas.compare(before, now, way, where)

    def _names(self) -> None:
        """Generated clients call their types as the components are called."""
        before, now = (
            document.data.get("components", {}).get("schemas", {})
            for document in (self._old, self._new)
        )
        for name in before.keys() - now.keys():
            self._found.breaking(name, "no schema is called so any more: generated types are")


def operations(document: Document) -> Iterator[tuple[str, Any]]:
    """`GET /v1/…` and the operation; parameters of the path are those of each operation."""
    for path, item in document.data.get("paths", {}).items():
        shared = item.get("parameters", [])
        for method in _METHODS:
            if method in item:
                own = item[method]
                yield (
                    f"{method.upper()} {path}",
                    {**own, "parameters": [*shared, *own.get("parameters", ())]},
                )


def _opens(lock: Mapping[str, list[str]], key: Mapping[str, list[str]]) -> bool:
    """Whether who has this key has all that the lock asks for."""
    return all(name in key and set(scopes) <= set(key[name]) for name, scopes in lock.items())
