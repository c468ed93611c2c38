"""Where one begins: what this server is, allows and offers; and what it does not offer yet."""

from __future__ import annotations

from typing import Annotated

from fastapi import Request
from pydantic import BaseModel, Field

from app import VERSION
from app.api.operations import operation
from app.api.routing import api_router
from app.api.schemas.common import Count, PackName, SeatCount
from app.api.schemas.words import FeatureName
from app.clock import rfc3339
from app.parts import parts_of
from engine.setup import CLOCK_S, MOST_PACE_MS, MOST_PATIENCE_S

router = api_router("server")


class Limits(BaseModel):
    """Sizes, and calls a minute; null where rate limits are off."""

    body_bytes: Count
    wait_s: Count = Field(description="The longest long-poll.")
    page_items: Count
    seats: SeatCount
    clock_s: list[Count] = Field(
        min_length=2,
        max_length=2,
        description="The least and the most a clock may be set to.",
    )
    pace_ms: Count = Field(description="The slowest pace of bots.")
    bots_after_s: Count = Field(description="The longest patience with bots in match-making.")
    bot_tables_per_player: Count = Field(description="Tables with bots that one hosts at a time.")
    series_games: Count = Field(description="Games of one series, over all its groups.")
    series_at_once: Count = Field(description="Games of one series that run at a time.")
    series_per_player: Count = Field(description="Series of one player that are not over.")
    guests_per_address: Count | None
    games_per_player: Count | None
    commands_per_player: Count | None
    reads_per_player: Count | None
    wrong_codes_per_player: Count | None
    wrong_codes_per_address: Count | None


class PackView(BaseModel):
    """Wild Rolls for sale; how they are paid for is between players and the operator."""

    name: PackName
    wild_rolls: Count


class Server(BaseModel):
    version: Annotated[str, Field(max_length=32)]
    now: str = Field(json_schema_extra={"format": "date-time"})
    limits: Limits
    wild_roll_packs: list[PackView] = Field(max_length=100)
    features: dict[FeatureName, bool] = Field(
        description="What is false is refused with `not_available`."
    )


class Links(BaseModel):
    name: str = "Hotdice"
    version: str
    api: str
    docs: str | None
    openapi: str | None
    asyncapi: str | None
    schemas: str | None
    verify: str


MOST_SEATS = 8


@router.get("/v1", **operation())
async def show_server(request: Request) -> Server:
    """Version, limits, and which features are on."""
    parts = parts_of(request)
    s = parts.settings
    rate = {
        "guests_per_address": s.limit_guests,
        "games_per_player": s.limit_games,
        "commands_per_player": s.limit_commands,
        "reads_per_player": s.limit_reads,
        "wrong_codes_per_player": s.limit_codes_player,
        "wrong_codes_per_address": s.limit_codes_address,
    }
    return Server(
        version=VERSION,
        now=rfc3339(parts.clock.now()),
        limits=Limits(
            body_bytes=s.body_limit,
            wait_s=s.wait_max,
            page_items=s.page_max,
            seats=MOST_SEATS,
            clock_s=list(CLOCK_S),
            pace_ms=MOST_PACE_MS,
            bots_after_s=MOST_PATIENCE_S,
            bot_tables_per_player=s.bot_tables,
            series_games=s.series_games,
            series_at_once=s.series_at_once,
            series_per_player=s.series_per_player,
            **{name: limit if s.rate_limits else None for name, limit in rate.items()},
        ),
        wild_roll_packs=[PackView(**pack._asdict()) for pack in s.wild_roll_packs],
        features=dict(parts.features),
    )


@router.get("/", include_in_schema=False)
async def show_links(request: Request) -> Links:
    s = parts_of(request).settings
    base = s.public_url or ""
    return Links(
        version=VERSION,
        api=f"{base}/v1",
        docs=f"{base}/docs/" if s.docs else None,
        openapi=f"{base}/openapi.json" if s.docs else None,
        asyncapi=f"{base}/asyncapi.yaml" if s.docs else None,
        schemas=f"{base}/schemas" if s.docs else None,
        verify=f"{base}/verify",
    )
