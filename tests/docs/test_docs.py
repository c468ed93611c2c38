"""The pages say what the code does: numbers, examples, codes, fields and formulas are compared."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from app.store.chain import ORIGIN, link
from app.store.codec import decode, encode
from engine import dice
from engine.choices import Sets
from engine.errors import Refusal
from engine.events import EVENT_NAMES, EVENT_TYPES, Event
from engine.patterns import UNIT
from engine.presets import Preset, preset_from_text
from engine.rules import FullHouse, Rules, SetOf, Single, Straight
from engine.rules_text import rules_to_data
from engine.scoring import scoring_of
from engine.state import Place, Policy, Reason

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GAMES = ("farkle", "house", "jester")
SIZES = {"one": 1, "three": 3, "four": 4, "five": 5, "six": 6}

Row = dict[str, str]
"""A line of a table, by the headings of its columns."""


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def section(text: str, heading: str) -> str:
    """What stands under a heading, subsections included."""
    lines = text.splitlines()
    begin = lines.index(heading)
    level = heading.index(" ")
    for end in range(begin + 1, len(lines)):
        if re.match(rf"#{{1,{level}}} ", lines[end]):
            return "\n".join(lines[begin + 1 : end])
    return "\n".join(lines[begin + 1 :])


def tables(text: str) -> list[list[Row]]:
    """Every table of a text."""
    found: list[list[Row]] = []
    for block in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        head, _, *lines = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()
        ]
        found.append([dict(zip(head, line, strict=True)) for line in lines])
    return found


def table(text: str, *columns: str) -> list[Row]:
    """The only table with these headings."""
    [found] = [t for t in tables(text) if list(t[0]) == list(columns)]
    return found


def number(cell: str) -> int:
    return int(cell.replace(" ", ""))


def code(cell: str) -> str:
    """The word in a cell of code."""
    assert cell[0] == cell[-1] == "`", cell
    return cell[1:-1]


def preset(name: str) -> Preset:
    return preset_from_text((ROOT / "engine" / "presets" / f"{name}.toml").read_text("utf-8"))


def game_page(name: str) -> str:
    return section(page("rules.md"), f"## {name}")


# The rules


def test_the_games_side_by_side_are_the_presets() -> None:
    rows = table(page("rules.md"), "rule", *GAMES)
    for name in GAMES:
        data = rules_to_data(preset(name).rules())
        assert {code(row["rule"]): row[name].replace(" ", "") for row in rows} == {
            field: _said(value)
            for field, value in data.items()
            if field not in ("format", "name", "combinations")
        }


def _said(value: object) -> str:
    if isinstance(value, dict):
        if "min" in value:
            return f"{value['min']}to{value['max']}"
        return str(value.get("count", value.get("allotment")))
    if value is None or isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


@pytest.mark.parametrize("name", GAMES)
def test_every_value_of_a_game_is_in_its_tables(name: str) -> None:
    rules = preset(name).rules()
    values = {
        (SIZES[row["dice"]], face): number(row[f"{face}s"])
        for row in table(game_page(name), "dice", *(f"{face}s" for face in range(1, 7)))
        for face in range(1, 7)
        if row[f"{face}s"] != "–"
    }
    assert values == {
        (c.count if isinstance(c, SetOf) else 1, c.face): c.points
        for c in rules.combinations
        if isinstance(c, SetOf | Single)
    }
    rows = table(game_page(name), "combination", "dice", "points")
    others = {c.id: c for c in rules.combinations if not isinstance(c, SetOf | Single)}
    assert [code(row["combination"]) for row in rows] == list(others)
    for row in rows:
        found = others[code(row["combination"])]
        if isinstance(found, Straight):
            assert row["dice"] == "-".join(map(str, found.faces))
        if isinstance(found, FullHouse):
            assert row["points"] == f"the set and {found.bonus} and the pair"
        else:
            assert number(row["points"]) == found.points


def test_protected_values_and_pairs_of_a_full_house_are_told() -> None:
    for name in GAMES:
        told = re.search(r"^Protected: (.*?)\.", game_page(name), re.MULTILINE)
        assert re.findall(r"`(\w+)`", told[1] if told else "") == [
            c.id for c in preset(name).rules().combinations if c.protected
        ]
    rows = table(game_page("jester"), "pair in a full house", "adds")
    [house] = [c for c in preset("jester").rules().combinations if isinstance(c, FullHouse)]
    assert {row["pair in a full house"]: number(row["adds"]) for row in rows} == {
        f"{face}s": dict(house.pairs).get(face, 0) for face in range(1, 7)
    }


@pytest.mark.parametrize("name", GAMES)
def test_every_option_is_in_the_table_of_its_game(name: str) -> None:
    rows = table(game_page(name), "option", "kind", "default", "what it does")
    assert [(code(row["option"]), row["kind"]) for row in rows] == [
        (option.name, option.kind) for option in preset(name).options
    ]
    for row, option in zip(rows, preset(name).options, strict=True):
        if option.kind == "values":
            assert row["default"] == "as above"
        elif option.kind == "choice":
            assert row["default"] == option.default
        else:
            assert json.loads(row["default"]) == option.default


def test_what_options_lead_to_is_told() -> None:
    jester = preset("jester")
    tiers = table(game_page("jester"), "tier", "target", "Wild Rolls")
    [option] = [option for option in jester.options if option.name == "tier"]
    assert tuple(code(row["tier"]) for row in tiers) == option.choices
    for row in tiers:
        rules = jester.rules({"tier": code(row["tier"])})
        assert rules.wild_rolls is not None
        assert (number(row["target"]), number(row["Wild Rolls"])) == (
            rules.target,
            rules.wild_rolls.allotment,
        )
    [target] = re.findall(r"The target is ([\d ]+) unless the host", game_page("farkle"))
    assert preset("farkle").rules({"spicy": True}).target == number(target)
    assert "die 0 is spicy on 1" in game_page("farkle")
    spicy = preset("farkle").rules({"spicy": True}).spicy
    assert spicy is not None
    assert spicy.faces == (1, 2, 3, 4, 5, 6)


EXAMPLE = re.compile(
    r"`(?P<game>[a-z]+): (?P<best>best of )?(?P<dice>[1-6*-]+)"
    r"(?: after (?P<set>[1-6-]+))? = (?P<points>\d+|nothing)`"
)


def examples() -> list[re.Match[str]]:
    return list(EXAMPLE.finditer(page("rules.md")))


@pytest.mark.parametrize("example", examples(), ids=lambda m: str(m[0]).strip("`"))
def test_every_example_scores_what_the_page_says(example: re.Match[str]) -> None:
    dice_ = example["dice"].split("-")
    faces = tuple(int(die[0]) for die in dice_)
    marks = [die.endswith("*") for die in dice_]
    rules = preset(example["game"]).rules({"spicy": True} if any(marks) else None)
    points = 0 if example["points"] == "nothing" else int(example["points"])
    if example["best"]:
        laid = (*faces, *(0,) * (rules.dice - len(faces)))
        best = scoring_of(rules).roll_table(laid, (1 << len(faces)) - 1, False, ()).best()
        assert (best.points if best else 0) == points
        return
    locked = example["set"].split("-") if example["set"] else []
    sets: Sets = ((int(locked[0]), len(locked)),) if locked else ()
    assert _points(rules, faces, marks, sets) == points


def _points(rules: Rules, faces: tuple[int, ...], marks: list[bool], sets: Sets) -> int:
    hand = sum(UNIT[face][mark] for face, mark in zip(faces, marks, strict=True))
    together = len(faces) == rules.dice
    score = scoring_of(rules).score(hand, together, sets)
    return score.points if score else 0


def test_nothing_that_looks_like_an_example_is_passed_over() -> None:
    marked = re.findall(r"`[a-z]+: [^`]*=[^`]*`", page("rules.md"))
    assert marked == [m[0] for m in examples()]
    assert {m["game"] for m in examples()} == set(GAMES)


def refusals(root: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    for child in root.__subclasses__():
        yield child
        yield from refusals(child)


def test_every_refusal_is_explained_with_its_facts() -> None:
    rows = table(page("rules.md"), "code", "facts", "what it means", "what to do")
    told = {code(row["code"]): sorted(re.findall(r"`(\w+)`", row["facts"])) for row in rows}
    assert len(told) == len(rows)
    assert told == {
        kind.code: sorted(name for _, name, _, _ in string.Formatter().parse(kind.says) if name)
        for kind in refusals()
    }
    assert all(row["what it means"] and row["what to do"] for row in rows)


def test_every_reason_for_an_end_is_told() -> None:
    rows = table(page("rules.md"), "reason", "how the game ended")
    assert {code(row["reason"]) for row in rows} == set(get_args(Reason))


# The events


def described() -> dict[str, list[Row]]:
    """The table of each event type, by its name; of one without fields of its own, nothing."""
    names = re.findall(r"^### (\w+)$", page("events.md"), re.MULTILINE)
    texts = {name: section(page("events.md"), f"### {name}") for name in names}
    return {
        name: [] if "no other fields" in text else table(text, "field", "type", "meaning")
        for name, text in texts.items()
    }


def test_every_event_type_is_described_and_no_other() -> None:
    assert sorted(described()) == sorted(EVENT_NAMES.values())


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda kind: EVENT_NAMES[kind])
def test_an_event_has_the_fields_and_types_of_its_table(kind: type[Event]) -> None:
    hints = get_type_hints(kind)
    assert [(code(row["field"]), row["type"]) for row in described()[EVENT_NAMES[kind]]] == [
        ("seats" if field == "places" else field, _wire(hints[field]))
        for field in kind._fields
        if field != "at"
    ]


def _wire(hint: Any) -> str:
    """The type of a field as JSON has it."""
    if get_origin(hint) in (UnionType, Union):
        words = sorted({_wire(part) for part in get_args(hint) if part is not NoneType})
        return " or ".join([*words, *["null"] * (NoneType in get_args(hint))])
    if get_origin(hint) is Literal:
        return "string"
    if get_origin(hint) is tuple and not hasattr(hint, "_fields"):
        part = get_args(hint)[0]
        pairs = get_origin(part) is tuple or part in (Place, Policy)
        return f"list of {'object' if pairs else _wire(part)}s"
    return {int: "integer", str: "string", bool: "boolean"}.get(hint, "object")


def test_the_example_events_are_in_the_codec_spelling() -> None:
    [block] = re.findall(r"```json events\n(.*?)```", page("events.md"), re.DOTALL)
    for version, line in enumerate(block.splitlines(), 6):
        head = f'{{"version":{version},'
        assert line.startswith(head)
        data = ("{" + line.removeprefix(head)).encode()
        assert encode(decode(data)) == data


# The dice


def fairness_code() -> list[str]:
    return re.findall(r"```python(?: continued)?\n(.*?)```", page("fairness.md"), re.DOTALL)


def test_the_code_on_the_page_runs_and_its_example_holds() -> None:
    verifier, example = fairness_code()
    assert example.count("assert ") == 12
    exec(verifier + example, {})  # noqa: S102 — our own page


# The formulas of the page once more, as a reader would type them.

TEXT = b"0197b1de-0000-7000-8000-00000000000a"


def _u(n: int, size: int) -> bytes:
    return n.to_bytes(size, "big")


def _lp(x: bytes) -> bytes:
    return _u(len(x), 4) + x


def _h(x: bytes) -> bytes:
    return hashlib.sha256(x).digest()


def _commit(epoch: int, secret: bytes) -> bytes:
    return _h(_lp(b"pf1/server-commit") + _lp(TEXT) + _u(epoch, 4) + _lp(secret))


def _seat_commit(epoch: int, seat: int, contribution: bytes) -> bytes:
    return _h(_lp(b"pf1/seat-commit") + _lp(TEXT) + _u(epoch, 4) + _u(seat, 4) + _lp(contribution))


def _seal(epoch: int, before: bytes, commit: bytes, mixed: list[tuple[int, bytes]]) -> bytes:
    data = _lp(b"pf1/seal") + _lp(TEXT) + _u(epoch, 4) + _lp(before) + _lp(commit)
    data += _u(len(mixed), 4)
    for seat, contribution in sorted(mixed):
        data += _u(seat, 4) + _lp(contribution)
    return _h(data)


def _bytes(key: bytes, text: bytes, epoch: int, roll: int, seal: bytes) -> Iterator[int]:
    number = 0
    while True:
        data = _lp(b"pf1/roll") + _lp(text) + _u(epoch, 4) + _u(roll, 8) + _lp(seal)
        yield from hmac.new(key, data + _u(number, 4), hashlib.sha256).digest()
        number += 1


def _faces(values: Iterator[int], sides: list[int]) -> tuple[int, ...]:
    found = []
    for k in sides:
        value = next(v for v in values if v < 256 - 256 % k)
        found.append(value % k + 1)
    return tuple(found)


def test_the_formulas_give_the_dice_of_the_engine() -> None:
    text, before = TEXT.decode(), dice.NO_SEAL
    for epoch in range(3):
        secret, share = _h(_u(epoch, 4)), _h(_u(epoch + 100, 4))
        commit = _commit(epoch, secret)
        assert commit == dice.server_commit(text, epoch, secret)
        assert _seat_commit(epoch, 5, share) == dice.seat_commit(text, epoch, 5, share)
        for mixed in ([], [(5, share)], [(7, share), (0, secret)]):
            expected = dice.seal(text, epoch, before, commit, mixed)
            assert _seal(epoch, before, commit, mixed) == expected
        sealed = _seal(epoch, before, commit, [(5, share)])
        fair = dice.Fair(secret, text, epoch, sealed)
        for roll in (0, 1, 2**32 + 1):
            stream = _bytes(secret, TEXT, epoch, roll, sealed)
            assert _faces(stream, [6] * 60) == fair.faces(roll, 60)
        before = sealed
    key = _h(_lp(b"pf1/seeded") + _lp(b"a seed"))
    for roll in range(9):
        assert _faces(_bytes(key, b"", 0, roll, bytes(32)), [6] * 6) == dice.Seeded("a seed").faces(
            roll, 6
        )
    sides = [2, 4, 6, 8, 10, 12, 20, 100, 255, 256]
    blocks = [_h(_u(n, 4)) for n in range(20)]
    assert _faces((b for block in blocks for b in block), sides) == dice.faces_from(blocks, sides)


def test_the_chain_on_the_page_is_the_one_that_is_stored() -> None:
    space: dict[str, Callable[..., bytes]] = {}
    exec(fairness_code()[0], space)  # noqa: S102
    before = bytes(32)
    assert before == ORIGIN
    for version in range(1, 4):
        data = b'{"at":%d}' % version
        after = link(TEXT.decode(), version, before, data)
        assert space["chained"](TEXT, version, before, data) == after
        by_hand = _lp(b"pf1/event") + _lp(TEXT) + _u(version, 8) + _lp(before) + _lp(data)
        assert _h(by_hand) == after
        before = after


# All pages


def test_every_link_between_pages_leads_somewhere() -> None:
    pages = [*DOCS.rglob("*.md"), ROOT / "CHANGELOG.md"]
    for source in pages:
        for target in re.findall(r"\]\(([^)\s]+)\)", source.read_text("utf-8")):
            if "://" in target:
                continue
            name, _, anchor = target.partition("#")
            found = source.parent / name if name else source
            assert found.is_file(), f"{source.name}: {target}"
            heads = re.findall(r"^#+ (.*)$", found.read_text("utf-8"), re.MULTILINE)
            assert not anchor or anchor in {_anchor(head) for head in heads}, target


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_every_decision_says_why_and_until_when() -> None:
    folder = DOCS / "decisions"
    pages = sorted(p for p in folder.glob("*.md") if p.name != "README.md")
    index = (folder / "README.md").read_text("utf-8")
    assert sorted(re.findall(r"\((\S+\.md)\)", index)) == [p.name for p in pages]
    for found in pages:
        heads = re.findall(r"^## (.*)$", found.read_text("utf-8"), re.MULTILINE)
        assert heads == ["Context", "Choice", "Consequences", "What would change our mind"]
