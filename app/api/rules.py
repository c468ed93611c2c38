"""Rule sets: those that ship, those a client makes, and what rolls score by them."""

from __future__ import annotations

from typing import Any, cast

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from app.api.asked import rules
from app.api.calls import games_of, shown
from app.api.file_schemas import file_schema
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.common import PresetPath
from app.api.schemas.rules import (
    OptionView,
    PresetPage,
    PresetView,
    Score,
    ScoreRoll,
    ValidateRules,
    ValidRules,
)
from app.api.score import score
from app.api.strict import parse_body
from app.api.views import rule_set
from app.errors import PresetNotFound
from app.rulebook import rules_key
from engine.presets import Option, Preset

router = api_router("rules")


@router.get("/v1/rules", response_model=PresetPage, **operation())
async def list_rules(request: Request) -> Response:
    """The presets with their options, and the JSON Schema of a rule set."""
    presets = games_of(request).rulebook.presets.values()
    page: PresetPage = {
        "items": [preset_view(preset) for preset in presets],
        "next": None,
        "rule_set_schema": file_schema("rule-set"),
    }
    return shown(to_json(page))


@router.get("/v1/rules/{preset}", response_model=PresetView, **operation("preset_not_found"))
async def show_rules(request: Request, preset: PresetPath) -> Response:
    """A preset: its options, and its whole rule set when none is given."""
    presets = games_of(request).rulebook.presets
    found = presets.get(preset)
    if found is None:
        raise PresetNotFound(presets=sorted(presets))
    return shown(to_json(preset_view(found)))


@router.post(
    "/v1/rules/validate",
    response_model=ValidRules,
    **operation("malformed_rules", body=ValidateRules),
)
async def validate_rules(request: Request) -> Response:
    """A rule set with every field written out, or every fault with its pointer."""
    body, _ = await parse_body(request, ValidateRules)
    chosen = games_of(request).opening.chosen(rules(body.rules))
    answer: ValidRules = {
        "valid": True,
        "rules": rule_set(chosen.rules),
        "rules_key": rules_key(chosen.rules),
    }
    return shown(to_json(answer))


@router.post(
    "/v1/rules/score", response_model=Score, **operation("malformed_rules", body=ScoreRoll)
)
async def score_roll(request: Request) -> Response:
    """What a roll is worth: every legal selection with its combinations, the best, bust or not."""
    body, _ = await parse_body(request, ScoreRoll)
    chosen = games_of(request).opening.chosen(rules(body.rules))
    return shown(to_json(score(chosen.rules, body)))


def preset_view(preset: Preset) -> PresetView:
    return {
        "name": preset.name,
        "title": preset.title,
        "about": preset.about,
        "options": [_option(option) for option in preset.options],
        "rules": rule_set(preset.rules()),
    }


def _option(option: Option) -> OptionView:
    told: dict[str, Any] = {"name": option.name, "kind": option.kind, "about": option.about}
    told["default"] = option.default
    if option.kind in ("whole", "values", "faces"):
        told["least"], told["most"] = option.least, option.most
    if option.step != 1:
        told["step"] = option.step
    if option.choices:
        told["choices"] = list(option.choices)
    if option.needs is not None:
        told["needs"] = option.needs
    return cast(OptionView, told)
