"""
Reads generated source: does it parse, and what are its operations and enums called?

    python reading.py LANGUAGE FOLDER

Run with the environment that holds the tree-sitter grammars, not with that of the tests. Prints one
line of JSON: `{"files": how many, "faults": ["file:line: source"], "operations": {class: [names]},
"enums": {"Type.Enum": ["name=value"]}}`, each list in the order of the source.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tree_sitter import Language, Parser


@dataclass(frozen=True)
class Tongue:
    """How a language writes what is looked for, in the words of its grammar."""

    grammar: str
    suffix: str
    apis: str
    """How the names of the classes end whose functions are the operations."""
    not_operations: tuple[str, ...]
    """How the names of their other functions end."""
    function: str
    classes: tuple[str, ...]
    enum: tuple[str, str]
    """The node that is an enum where it has the second one as a child."""
    entry: str
    grammar_lacks: tuple[tuple[bytes, bytes], ...] = ()
    """Correct source that the grammar does not know, and the same in words that it knows."""


TONGUES = {
    "kotlin": Tongue(
        grammar="tree_sitter_kotlin",
        suffix=".kt",
        apis="Api",
        not_operations=("WithHttpInfo", "RequestConfig"),
        function="function_declaration",
        classes=("class_declaration",),
        enum=("class_declaration", "enum_class_body"),
        entry="enum_entry",
    ),
    "swift": Tongue(
        grammar="tree_sitter_swift",
        suffix=".swift",
        apis="API",
        not_operations=("WithRequestBuilder",),
        function="function_declaration",
        classes=("class_declaration",),
        enum=("class_declaration", "enum_class_body"),
        entry="enum_entry",
        # The empty tuple as a value, in the generator's own network code.
        grammar_lacks=(
            (b"let result = () as! T", b"let result = Void() as! T"),
            (b".init(nilLiteral: ()) as! T", b".init(nilLiteral: Void()) as! T"),
        ),
    ),
    "dart": Tongue(
        grammar="tree_sitter_dart",
        suffix=".dart",
        apis="Api",
        not_operations=("WithHttpInfo",),
        function="function_signature",
        classes=("class_definition", "class_declaration"),
        enum=("enum_declaration", "enum_body"),
        entry="enum_constant",
    ),
}
_NAMES = ("identifier", "simple_identifier", "type_identifier")
_VALUES = (
    *("string_literal", "line_string_literal", "number_literal", "integer_literal"),
    *("decimal_integer_literal", "true", "false", "boolean_literal"),
)


def read(language: str, folder: Path) -> dict[str, Any]:
    tongue = TONGUES[language]
    grammar = importlib.import_module(tongue.grammar)
    parser = Parser(Language(grammar.language()))
    seen: dict[str, Any] = {"files": 0, "faults": [], "operations": {}, "enums": {}}
    for path in sorted(folder.rglob("*" + tongue.suffix)):
        source = path.read_bytes()
        for unknown, known in tongue.grammar_lacks:
            source = source.replace(unknown, known)
        root = parser.parse(source).root_node
        seen["files"] += 1
        if root.has_error:
            node = _first_fault(root)
            line = source.splitlines()[node.start_point[0]].strip().decode(errors="replace")
            place = f"{path.relative_to(folder)}:{node.start_point[0] + 1}"
            seen["faults"].append(f"{place}: {line}")
        for name, inner in _of_types(root, tongue):
            if any(child.type == tongue.enum[1] for child in inner.children):
                entries = [_entry(node) for node in _all(inner, tongue.entry)]
                if all(not entry.endswith("=") for entry in entries):
                    seen["enums"][name] = entries
            elif name.endswith(tongue.apis):
                functions = [
                    _name(node)
                    for node in _all(inner, tongue.function, tongue.classes)
                    if _is_open(node)
                ]
                operations = [f for f in functions if not f.endswith(tongue.not_operations)]
                if operations:
                    seen["operations"][name] = operations
    return seen


def _of_types(node: Any, tongue: Tongue, outer: str = "") -> Iterator[tuple[str, Any]]:
    """The types below a node, with dotted names."""
    for child in node.children:
        if child.type in (*tongue.classes, tongue.enum[0]):
            name = outer + _name(child)
            yield name, child
            yield from _of_types(child, tongue, name + ".")
        else:
            yield from _of_types(child, tongue, outer)


def _all(node: Any, kind: str, but_in: tuple[str, ...] = ()) -> Iterator[Any]:
    for child in node.children:
        if child.type == kind:
            yield child
        elif child.type not in but_in:
            yield from _all(child, kind, but_in)


def _name(node: Any) -> str:
    named = node.child_by_field_name("name")
    names = [named] if named else [c for c in node.children if c.type in _NAMES]
    return names[0].text.decode() if names else ""


def _entry(node: Any) -> str:
    """`name=value`: what the constant is called, and what travels."""
    body = [child for child in node.children if child.type != "modifiers"]
    values = [value for part in body for kind in _VALUES for value in _self_or(part, kind)]
    value = values[0].text.decode().removeprefix("r").strip("\"'") if values else ""
    return f"{_name(node)}={value}"


def _is_open(function: Any) -> bool:
    return not any(
        c.type == "modifiers" and c.text.split()[0] in (b"private", b"internal")
        for c in function.children
    )


def _self_or(node: Any, kind: str) -> Iterator[Any]:
    if node.type == kind:
        yield node
    else:
        yield from _all(node, kind)


def _first_fault(node: Any) -> Any:
    for child in node.children:
        if child.has_error or child.is_missing or child.type == "ERROR":
            return _first_fault(child)
    return node


if __name__ == "__main__":
    sys.stdout.write(json.dumps(read(sys.argv[1], Path(sys.argv[2]))) + "\n")
