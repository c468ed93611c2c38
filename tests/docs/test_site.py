"""The docs site, page by page: links, anchors, and words for every code."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.api.asyncapi import document as streams
from app.api.openapi import document
from app.api.problems import CODES, FAULTS_OF, Problem, problem_of
from app.main import routes
from app.site import refusals
from app.site.site import Site
from app.site.sources import API, HOME, address_of, chapters, files, pages_in
from app.site.writing import write
from tests.docs.browsed import Page

WORDS = refusals.told(files() / "docs" / "errors.toml")


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """The OpenAPI document."""
    return document(routes())


@pytest.fixture(scope="module")
def site(told: dict[str, Any]) -> Site:
    return Site(lambda: told)


def test_no_source_has_a_link_that_leads_nowhere(site: Site) -> None:
    broken = {each: site.text(each).broken for each in site.addresses()}
    assert {each: found for each, found in broken.items() if found} == {}


def test_every_page_has_its_place_in_one_chapter() -> None:
    named = [each for chapter in chapters(files()) for each in chapter.pages]
    assert len(named) == len(set(named))
    ours = {a for a in Site(dict).addresses() if "/" not in a}
    assert set(named) == {*ours, API}


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "errors.toml").write_text("")
    (tmp_path / "docs" / "chapters.toml").write_text("chapter = []")
    (tmp_path / "tests").mkdir()
    (tmp_path / "docs" / "README.md").write_text(
        "# A\n[b](b.md) [c](../tests) [d](/d) [e](../../e) <b>f</b> ![g](g.png) <!-- h -->\n"
    )
    text = Site(dict, tmp_path).text(HOME)
    assert text.broken == ["HTML: <b>", "HTML: </b>", "b.md", "/d", "../../e", "an image"]
    assert "<a" not in text.html.replace('<a href="#', "")
    assert "h -->" not in text.html


def test_headings_have_the_anchors_of_code_hosts(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "errors.toml").write_text("")
    (tmp_path / "docs" / "README.md").write_text("# A `b`: c!\n## Same\n## Same\n")
    sections = Site(dict, tmp_path).text(HOME).sections
    assert [s.anchor for s in sections] == ["a-b-c", "same", "same-1"]


def test_every_message_and_close_code_has_its_place(site: Site, told: dict[str, Any]) -> None:
    """The page is made of the AsyncAPI document: nothing of it is left out."""
    told = streams(told)
    page = Page(site.text("messages").html)
    for name in told["components"]["messages"]:
        assert name.lower() in page.anchors, name
    for channel in told["channels"].values():
        assert f"<code>{channel['address']}</code>" in site.text("messages").html
    for each in told["x-close-codes"]:
        assert f"<td>{each['code']}</td>" in site.text("messages").html
    assert {"errors/not_your_turn", "#type-gameview", "#yourturn"} <= page.links


def test_a_link_that_says_a_file_says_a_page(site: Site) -> None:
    assert '<a href="access">Who may do what</a>' in site.text("streams").html
    assert not re.search(
        r"<a [^>]*>[\w-]+\.md<", "".join(site.text(a).html for a in site.addresses())
    )


# Refusals


def test_every_code_has_its_words_and_no_other_has() -> None:
    assert list(WORDS) == sorted(CODES)


@pytest.mark.parametrize("code", CODES)
def test_the_words_of_a_code_name_its_facts_and_its_example_is_an_answer(code: str) -> None:
    words = WORDS[code]
    assert refusals.facts_of(code) <= set(words.facts) <= set(Problem.model_fields)
    body = refusals.example(code, words)
    Problem.model_validate(body)
    assert (body["code"], body["type"]) == (code, f"/docs/errors/{code}")
    if code == "broken_history":  # tells nothing of itself: its answer is that of any fault of ours
        assert body["detail"] == problem_of(ValueError())["detail"]
    assert words.means.strip().endswith((".", "`"))
    assert words.remedy.strip().endswith(".")


def test_the_faults_in_the_examples_are_faults_that_exist() -> None:
    text = "".join(p.read_text("utf-8") for p in (files() / "engine").rglob("*.py"))
    for code in ("malformed_rules", "malformed_settings"):
        for part in WORDS[code].errors:
            assert f'"{part["code"]}"' in text, part


def test_every_fault_that_there_is_has_its_words(site: Site) -> None:
    assert {code: tuple(WORDS[code].faults) for code in CODES if WORDS[code].faults} == FAULTS_OF
    for code, faults in FAULTS_OF.items():
        page = site.text(f"errors/{code}").html
        for fault in faults:
            assert WORDS[code].faults[fault].endswith("."), fault
            assert f"<code>{fault}</code>" in page


def test_the_engine_finds_the_faults_that_are_told() -> None:
    """Every code in its sources is one of the two lists, and every one of these is there."""
    found = {
        name: set(re.findall(r'(?:fault|Fault)\(\s*[^,]+?,\s*"([a-z_]+)"', text))
        for name in ("fields", "setup", "rules_text", "presets")
        for text in [(files() / "engine" / f"{name}.py").read_text("utf-8")]
    }
    assert found["setup"] == set(FAULTS_OF["malformed_settings"])
    rules = found["fields"] | found["rules_text"] | found["presets"] | {"unknown_preset"}
    assert rules == set(FAULTS_OF["malformed_rules"])


def test_a_page_says_which_calls_answer_so(told: dict[str, Any]) -> None:
    calls = refusals.answered_by(told)
    assert calls["no_take_over"] == ["POST /v1/games/{game_id}/take-over"]
    assert "GET /v1/games/{game_id}" in calls["game_not_found"]
    assert len(calls["rate_limited"]) > 40


@pytest.mark.wide
def test_the_site_as_files_needs_no_server_of_ours(tmp_path: Path, told: dict[str, Any]) -> None:
    """Every link of every page leads to a file beside it, and to an anchor in it."""
    pages = write(tmp_path, told)
    found = {p: Page(p.read_text("utf-8")) for p in tmp_path.rglob("*.html")}
    assert len(found) == pages + 1
    for path, page in found.items():
        for link in page.links | page.loads:
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if link == "./":
                target = path.parent / "index.html"
            assert target.is_file(), f"{path}: {link}"
            assert not anchor or anchor in found[target].anchors, f"{path}: {link}"
    assert json.loads((tmp_path / "openapi.json").read_text("utf-8"))["openapi"] == "3.1.0"


def test_a_wheel_brings_every_page(tmp_path: Path) -> None:
    """What goes into it, laid out as pyproject.toml says, makes the same pages."""
    packed = tomllib.loads((files() / "pyproject.toml").read_text("utf-8"))
    ours = packed["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for source, target in ours.items():
        if target.startswith("app/_handbook/"):
            place = tmp_path / target.removeprefix("app/_handbook/")
            place.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (files() / source).is_dir() else shutil.copy
            copy(files() / source, place)
    assert list(pages_in(tmp_path)) == list(pages_in(files()))
    assert Site(dict, tmp_path).text(HOME).broken == []


def test_files_have_pages() -> None:
    assert address_of("docs/rules.md") == "rules"
    assert address_of("docs/decisions/README.md") == "decisions"
    assert address_of("examples/bot.py") == "examples/bot.py"
    assert address_of("app/main.py") is None
