"""Which fields an object of a body may have, by its place in the body's model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, RootModel, Tag
from typing_extensions import TypeAliasType


class _Arm(NamedTuple):
    """A type that a value may be of; in a union, one of several."""

    kind: Any
    tag: str | None

    def is_called(self, label: int | str) -> bool:
        """Whether this is what a place calls so: by its tag, or the word its kind is told by."""
        if self.tag is not None:
            return self.tag == label
        return any(
            get_origin(field.annotation) is Literal and label in get_args(field.annotation)
            for field in _fields(self.kind).values()
        )


def known_fields(kind: Any, loc: Sequence[int | str]) -> tuple[str, ...]:
    """
    Args:
        kind: a model, or a union of models.
        loc: of an object within it, as pydantic tells it: fields, positions, and a label wherever
            there is a choice.
    """
    arms = [*_arms(kind)]
    for part in loc:
        if len(arms) > 1:
            arms = [arm for arm in arms if arm.is_called(part)]
        elif arms:
            arms = [*_below(arms[0].kind, part)]
    return tuple(_fields(arms[0].kind)) if len(arms) == 1 else ()


def _arms(kind: Any, tag: str | None = None) -> Iterator[_Arm]:
    origin = get_origin(kind)
    if isinstance(kind, TypeAliasType):
        yield from _arms(kind.__value__, tag)
    elif origin is Annotated:
        inner, *marks = get_args(kind)
        yield from _arms(inner, next((mark.tag for mark in marks if isinstance(mark, Tag)), tag))
    elif origin in (Union, UnionType):
        for part in get_args(kind):
            yield from _arms(part)
    elif isinstance(kind, type) and issubclass(kind, RootModel):
        yield from _arms(kind.model_fields["root"].annotation)
    elif kind is not type(None):
        yield _Arm(kind, tag)


def _below(kind: Any, part: int | str) -> Iterator[_Arm]:
    if (field := _fields(kind).get(str(part))) is not None:
        yield from _arms(field.annotation)
    elif get_origin(kind) in (list, dict):
        yield from _arms(get_args(kind)[-1])


def _fields(kind: Any) -> dict[str, Any]:
    return kind.model_fields if isinstance(kind, type) and issubclass(kind, BaseModel) else {}
