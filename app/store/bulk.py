"""
One statement for any number of rows, the same number of round trips for one command as for fifty.

Postgres takes each column as an array, or a few rows value by value, which costs less then; SQLite
takes the rows one by one, which costs nothing there. The text is made from the tables once; it is
the only SQL that differs between the two.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    FromClause,
    Integer,
    LargeBinary,
    Table,
    Text,
    any_,
    bindparam,
    column,
    func,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

Dialect = Literal["sqlite", "postgresql"]

_POSTGRES_TYPES: dict[type, str] = {
    BigInteger: "bigint",
    Boolean: "boolean",
    Integer: "integer",
    LargeBinary: "bytea",
    Text: "text",
}


def _given(columns: Sequence[Column[Any]], first: int, count: int | None) -> str:
    """
    Rows of these columns, as parameters from number `first` on.

    Args:
        count: of rows, whose values come one after the other; None: any number, an array of values
            for each column.
    """
    types = [_POSTGRES_TYPES[type(c.type)] for c in columns]
    if count is None:
        return "unnest(" + ", ".join(f"${i}::{t}[]" for i, t in enumerate(types, first)) + ")"
    starts = range(first, first + count * len(types), len(types))
    rows = (", ".join(f"${i}::{t}" for i, t in enumerate(types, start)) for start in starts)
    return "(VALUES " + ", ".join(f"({row})" for row in rows) + ")"


def as_columns(rows: Sequence[tuple[Any, ...]]) -> tuple[list[Any], ...]:
    """What `unnest` takes."""
    return tuple(map(list, zip(*rows, strict=True)))


class Insert:
    """
    Inserts rows of these columns, in this order.

    Args:
        replaces: columns that a row takes over when its primary key is there.
        keeps: a row whose primary key is there is left out; without either, that fails.
    """

    guarded = False

    def __init__(
        self,
        table: Table,
        names: Sequence[str],
        *,
        replaces: Sequence[str] = (),
        keeps: bool = False,
    ) -> None:
        self._columns = [table.c[name] for name in names]
        self._into = f"INSERT INTO {table.name} ({', '.join(names)})"
        self._then = " ON CONFLICT DO NOTHING" if keeps else ""
        if replaces:
            key = ", ".join(c.name for c in table.primary_key)
            self._then = f" ON CONFLICT ({key}) DO UPDATE SET " + ", ".join(
                f"{name} = excluded.{name}" for name in replaces
            )
        self.sqlite = f"{self._into} VALUES ({', '.join('?' * len(names))}){self._then}"

    def postgres(self, first: int = 1, count: int | None = None) -> str:
        """The statement; args as of `_given`."""
        # Every name comes from the tables, every value is a parameter.
        return (
            f"{self._into} SELECT * FROM {_given(self._columns, first, count)} AS given{self._then}"  # noqa: S608
        )

    async def __call__(self, connection: AsyncConnection, rows: list[tuple[Any, ...]]) -> None:
        if not rows:
            return
        if connection.dialect.name == "postgresql":
            await connection.exec_driver_sql(self.postgres(), as_columns(rows))
        else:
            await connection.exec_driver_sql(self.sqlite, rows)


class InsertWanted:
    """
    Inserts those of the rows whose `asker` stands in another table, under the same name; the rest
    are left out.
    """

    guarded = False

    def __init__(self, table: Table, names: Sequence[str], *, wanted: Table, asker: str) -> None:
        self._columns = [table.c[name] for name in names]
        listed_names = ", ".join(names)
        # Every name comes from the tables, every value is a parameter.
        self._into = f"INSERT INTO {table.name} ({listed_names}) SELECT asked.* FROM "  # noqa: S608
        self._as = f" JOIN {wanted.name} ON {wanted.name}.{asker} = asked.{asker}"
        self._alias = f" AS asked({listed_names})"
        fields = ", ".join(f"? AS {name}" for name in names)
        self.sqlite = f"{self._into}(SELECT {fields}) AS asked{self._as}"

    def postgres(self, first: int = 1, count: int | None = None) -> str:
        """The statement; args as of `_given`."""
        return self._into + _given(self._columns, first, count) + self._alias + self._as


class Delete:
    """Deletes the rows that have this value in a column; none is no fault."""

    guarded = False

    def __init__(self, table: Table, *, key: str) -> None:
        self._table, self._key = table, key
        self.sqlite = f"DELETE FROM {table.name} WHERE {key} = ?"  # noqa: S608

    def postgres(self, first: int = 1, count: int | None = None) -> str:
        """The statement; args as of `_given`."""
        table, key = self._table, self._key
        return (
            f"DELETE FROM {table.name} "  # noqa: S608
            f"USING {_given([table.c[key]], first, count)} AS old(row_key) "
            f"WHERE {table.name}.{key} = old.row_key"
        )


class GuardedUpdate:
    """
    Sets these columns where `guard` still has the value it was read with.

    A row is the new values in the order of `names`, then the key, then the guard's old value.
    """

    guarded = True

    def __init__(self, table: Table, names: Sequence[str], *, key: str, guard: str) -> None:
        self._table, self._names, self._key, self._guard = table, names, key, guard
        self.sqlite = (
            f"UPDATE {table.name} SET {', '.join(f'{n} = ?' for n in names)} "  # noqa: S608
            f"WHERE {key} = ? AND {guard} = ?"
        )

    def postgres(self, first: int = 1, count: int | None = None) -> str:
        """The statement; args as of `_given`."""
        table, names = self._table, self._names
        columns = [table.c[name] for name in (*names, self._key, self._guard)]
        return (
            f"UPDATE {table.name} SET {', '.join(f'{n} = new.{n}' for n in names)} "  # noqa: S608
            f"FROM {_given(columns, first, count)} AS new({', '.join(names)}, row_key, row_guard) "
            f"WHERE {table.name}.{self._key} = new.row_key "
            f"AND {table.name}.{self._guard} = new.row_guard"
        )


class Update:
    """
    Sets these columns in the rows that have this value in a column; none is no fault.

    A row is the new values in the order of `names`, then the key.
    """

    guarded = False

    def __init__(self, table: Table, names: Sequence[str], *, key: str) -> None:
        self._table, self._names, self._key = table, names, key
        self.sqlite = (
            f"UPDATE {table.name} SET {', '.join(f'{n} = ?' for n in names)} WHERE {key} = ?"  # noqa: S608
        )

    def postgres(self, first: int = 1, count: int | None = None) -> str:
        """The statement; args as of `_given`."""
        table, names = self._table, self._names
        columns = [table.c[name] for name in (*names, self._key)]
        return (
            f"UPDATE {table.name} SET {', '.join(f'{n} = new.{n}' for n in names)} "  # noqa: S608
            f"FROM {_given(columns, first, count)} AS new({', '.join(names)}, row_key) "
            f"WHERE {table.name}.{self._key} = new.row_key"
        )


Write = Insert | InsertWanted | Delete | GuardedUpdate | Update


def one_of(dialect: Dialect, tested: ColumnElement[str], name: str) -> ColumnElement[bool]:
    """`tested` is in the list given as parameter `name`: one text for lists of every length."""
    if dialect == "postgresql":
        return tested == any_(bindparam(name, type_=ARRAY(Text)))
    return tested.in_(
        select(column("value")).select_from(func.json_each(bindparam(name, type_=Text)))
    )


def listed(dialect: Dialect, name: str, values: Sequence[str]) -> dict[str, Any]:
    """The parameter of `one_of`."""
    return {name: list(values) if dialect == "postgresql" else json.dumps(values)}


class Pairs(NamedTuple):
    """A list of pairs given as parameters, to join a table with."""

    table: FromClause
    first: ColumnElement[str]
    second: ColumnElement[str]


def pairs(dialect: Dialect, name: str) -> Pairs:
    if dialect == "postgresql":
        lists = [bindparam(f"{name}_{side}", type_=ARRAY(Text)) for side in ("first", "second")]
        table = func.unnest(*lists).table_valued("first", "second", name=name).render_derived()
        return Pairs(table, table.c.first, table.c.second)
    table = func.json_each(bindparam(name, type_=Text)).table_valued("value", name=name)
    return Pairs(
        table,
        func.json_extract(table.c.value, "$[0]"),
        func.json_extract(table.c.value, "$[1]"),
    )


def paired(dialect: Dialect, name: str, values: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The parameters of `pairs`."""
    if dialect == "postgresql":
        first, second = map(list, zip(*values, strict=True))
        return {f"{name}_first": first, f"{name}_second": second}
    return {name: json.dumps(values)}
