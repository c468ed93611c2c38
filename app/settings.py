"""
The settings of a server: HOTDICE_* variables, read once by the entry point, frozen, checked.

Nothing reads the environment at import. Combinations that are unsafe stop the start with one
sentence. The table of docs/settings.md is made from `settings_table()`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.spelled import Listed, Packs, Switch, is_host, is_origin

PREFIX = "HOTDICE_"
_NOT_OURS = "HOTDICE_TEST_"  # for the tests' own servers

LEAST_SECRET, MOST_SECRET = 32, 256
"""Characters of an operator's token."""


MOST = 1_000_000_000
"""Where a number has no bound of its own."""
LONGEST_S = 315_360_000
"""Ten years."""

DRIVERS = ("sqlite", "sqlite+aiosqlite", "postgres", "postgresql", "postgresql+asyncpg")
"""What an address of a database may begin with."""


class UnsafeSettings(Exception):
    """The settings are wrong or would be unsafe; one sentence for each reason."""


class Settings(BaseSettings):
    """A server's settings; each field's description is its line in
    docs/settings.md."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        frozen=True,
        extra="ignore",
        env_ignore_empty=True,
        hide_input_in_errors=True,
    )

    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = Field(8000, ge=0, le=65535, description="port to listen on; 0 takes a free one")
    database_url: str = Field(
        "sqlite+aiosqlite:///hotdice.db",
        description="`sqlite+aiosqlite:///file`, or "
        "`postgresql+asyncpg://user:password@host/database` as the role that plays",
    )
    database_owner_url: str | None = Field(
        None,
        description="the same database as the role that owns the tables; for `hotdice migrate`",
    )
    database_role: str | None = Field(
        None,
        pattern=r"^[a-z_][a-z0-9_]{0,62}$",
        description="Postgres: the role that plays, which `hotdice migrate` grants its rights; "
        "by default the user of `HOTDICE_DATABASE_URL`",
    )
    announcer: Literal["auto", "local", "postgres", "redis"] = Field(
        "auto",
        description="how several processes tell each other that a game moved: `redis`, `postgres`, "
        "or `local`, not at all; `auto` is the first of these that the addresses allow",
    )
    redis_url: str | None = Field(
        None, description="`redis://user:password@host/0`, or `rediss://…` with TLS"
    )
    public_url: str | None = Field(
        None, description="where clients reach the server, for links in the documents"
    )
    allowed_hosts: Listed = Field(
        (), description="Host headers answered, ports aside; empty: every well-formed one"
    )
    cors_origins: Listed = Field(
        (), description="origins whose pages may call the API; empty: none"
    )
    trusted_proxy_hops: int = Field(
        0, ge=0, le=8, description="proxies in front whose `X-Forwarded-For` is believed"
    )
    body_limit: int = Field(16_384, ge=1_024, le=1_048_576, description="bytes of a request body")
    gzip_from: int = Field(
        2_048, ge=256, le=MOST, description="answers of so many bytes are gzipped where accepted"
    )
    answers_kept_h: int = Field(
        48,
        ge=1,
        le=LONGEST_S // 3_600,
        description="hours for which a repeated `Idempotency-Key` gets its first answer",
    )
    wait_max: int = Field(25, ge=0, le=60, description="seconds a long-poll may wait")
    page_size: int = Field(50, ge=1, le=200, description="items of a list where no limit is asked")
    page_max: int = Field(200, ge=1, le=1_000, description="items of a list at most")
    series_games: int = Field(1_000, ge=1, le=10_000, description="games of one series at most")
    series_at_once: int = Field(
        16, ge=1, le=100, description="games of one series that run at a time at most"
    )
    series_per_player: int = Field(
        10, ge=1, le=MOST, description="series of one player that are not over at most"
    )
    bot_decisions: int = Field(
        400,
        ge=1,
        le=MOST,
        description="moves that the bots of one process make in a second, at most",
    )
    bot_tables: int = Field(
        20, ge=0, le=MOST, description="tables with bots that a player may have at a time"
    )
    analyses: int = Field(
        8, ge=1, le=100, description="analyses of rule sets that wait in one process at most"
    )
    analyses_per_caller: int = Field(
        2, ge=1, le=MOST, description="of these of one token at most; twice that per address"
    )
    lobby_after: int = Field(
        86_400,
        ge=1,
        le=LONGEST_S,
        description="seconds after which a table that has not started closes",
    )
    host_after: int = Field(
        600,
        ge=1,
        le=LONGEST_S,
        description="seconds without the host, while others wait in the lobby, after which the "
        "one who has sat there longest becomes host",
    )
    absent_after: int = Field(
        600,
        ge=1,
        le=LONGEST_S,
        description="seconds after which a bot takes an absent player's seat, where the table lets "
        "it and has no turn clock",
    )
    abandon_after: int = Field(
        604_800,
        ge=1,
        le=LONGEST_S,
        description="seconds after which a game that no player touches ends",
    )
    reveal_after: int = Field(
        5,
        ge=1,
        le=600,
        description="seconds that seats which contribute to the dice may take to reveal, after the "
        "start; who does not contributes no more",
    )
    most_events: int = Field(
        20_000, ge=100, le=MOST, description="events after which a game ends, whoever is winning"
    )
    scripted_dice: Switch = Field(
        True, description="on or off: tables with scripted or seeded dice"
    )
    operator_token: Listed = Field(
        (),
        repr=False,
        description="opens `/v1/operator`: at least 32 characters; several, separated by commas, "
        "while one replaces another; empty: nothing there is available",
    )
    token_idle_days: int = Field(
        90, ge=1, le=3_650, description="days without use after which a player's token expires"
    )
    token_max_days: int = Field(
        365,
        ge=1,
        le=3_650,
        description="days after which a player's token expires, used or not; "
        "`POST /v1/players/me/token` makes a new one before",
    )
    tokens_per_player: int = Field(
        20, ge=0, le=1_000, description="tokens for scripts that a player may have at a time"
    )
    notices_kept_h: int = Field(
        24, ge=1, le=720, description="hours for which the notice of a turn waits to be fetched"
    )
    wild_roll_packs: Packs = Field(
        (),
        description="Wild Rolls for sale, as `name:wild rolls`, separated by commas, such as "
        "`small:5,large:25`; shown by `GET /v1`, credited by the operator",
    )
    docs: Switch = Field(
        True, description="on or off: `/docs`, `/openapi.json`, `/asyncapi.yaml`, `/schemas`"
    )
    metrics: Switch = Field(True, description="on or off: `/metrics`")
    log_level: str = Field("info", description="debug, info, warning or error")

    rate_limits: Switch = Field(True, description="on or off: all rate limits together")
    limit_guests: int = Field(120, ge=1, le=MOST, description="guests made per address a minute")
    limit_games: int = Field(
        600,
        ge=1,
        le=MOST,
        description="games created per player a minute; five times that per address",
    )
    limit_commands: int = Field(
        12_000,
        ge=1,
        le=MOST,
        description="changing calls per player a minute; five times that per address",
    )
    limit_reads: int = Field(
        12_000,
        ge=1,
        le=MOST,
        description="reads per player (or address) a minute; five times that per address",
    )
    limit_codes_player: int = Field(
        10, ge=1, le=MOST, description="wrong join codes per player a minute"
    )
    limit_codes_address: int = Field(
        100, ge=1, le=MOST, description="wrong join codes, and wrong tickets, per address a minute"
    )
    sockets_player: int = Field(
        5, ge=1, le=MOST, description="open streams per player; like the next three, of one process"
    )
    sockets_address: int = Field(20, ge=1, le=MOST, description="open streams per address")
    sockets_spectators: int = Field(
        1_000, ge=0, le=MOST, description="open streams per game of those without a seat"
    )
    sockets_waiting: int = Field(
        200, ge=1, le=MOST, description="open WebSockets in all that have yet to send their token"
    )
    long_polls: int = Field(
        200, ge=1, le=MOST, description="long-polls that wait per address; of one process too"
    )

    @field_validator("log_level")
    @classmethod
    def _level(cls, value: str) -> str:
        if value.lower() not in {"debug", "info", "warning", "error"}:
            raise ValueError("must be debug, info, warning or error")
        return value.lower()

    @field_validator("public_url")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(
            r"https?://[A-Za-z0-9.\-:\[\]]+(/[\w\-./]*)?", value
        ):
            raise ValueError("must be an http or https address without query")
        return value.rstrip("/") if value else value

    @field_validator("allowed_hosts")
    @classmethod
    def _names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(is_host, value)):
            raise ValueError("a host is a name or an address, without scheme and port; * is none")
        return value

    @field_validator("operator_token")
    @classmethod
    def _secret(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        form = rf"[\x21-\x7e]{{{LEAST_SECRET},{MOST_SECRET}}}"
        if not all(re.fullmatch(form, token) for token in value):
            raise ValueError(
                f"each token must have {LEAST_SECRET} to {MOST_SECRET} visible ASCII characters"
            )
        return value

    @field_validator("database_url", "database_owner_url")
    @classmethod
    def _driver(cls, value: str | None) -> str | None:
        if value is None:
            return value
        if value.partition(":")[0] not in DRIVERS:
            raise ValueError(f"must begin with one of {', '.join(DRIVERS)}")
        try:
            urlsplit(value).port  # noqa: B018 — it is read as it is asked for
        except ValueError:
            raise ValueError("has a port that is none; escape what a password holds") from None
        return value

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, value: str | None) -> str | None:
        # A query would reach the client's own options: its timeouts, its checks of certificates.
        if value is not None and not re.fullmatch(r"rediss?://[^/?#\s]+(/\d*)?", value):
            raise ValueError("must be redis://host or rediss://host, with no more than a number")
        return value

    @model_validator(mode="after")
    def _safe(self) -> Self:
        if "*" in self.cors_origins:
            raise ValueError(f"{PREFIX}CORS_ORIGINS names origins; * is not one.")
        for origin in self.cors_origins:
            if not is_origin(origin):
                raise ValueError(
                    f"{PREFIX}CORS_ORIGINS: an origin is scheme://host[:port] as browsers send it, "
                    "in lower case, without path, and without the port that goes without saying."
                )
        if self.on_sqlite and re.search(r":memory:|mode=memory|//$", self.database_url):
            raise ValueError(f"{PREFIX}DATABASE_URL: games in memory are lost; name a file.")
        if self.announcer == "redis" and self.redis_url is None:
            raise ValueError(f"{PREFIX}ANNOUNCER is redis: {PREFIX}REDIS_URL must name one.")
        if self.announcer == "postgres" and self.on_sqlite:
            raise ValueError(f"{PREFIX}ANNOUNCER is postgres: {PREFIX}DATABASE_URL is not.")
        if self.page_size > self.page_max:
            raise ValueError(f"{PREFIX}PAGE_SIZE is above {PREFIX}PAGE_MAX.")
        if self.trusted_proxy_hops and not self.allowed_hosts:
            raise ValueError(
                f"{PREFIX}TRUSTED_PROXY_HOPS is set: behind a proxy {PREFIX}ALLOWED_HOSTS must "
                "name the hosts it serves."
            )
        return self

    @property
    def playing_role(self) -> str | None:
        """Postgres: who is granted the right to play; None where the owner itself plays."""
        if self.database_role or self.database_owner_url is None:
            return self.database_role
        return urlsplit(self.database_url).username

    @property
    def announces_by(self) -> Literal["local", "postgres", "redis"]:
        """The announcer, settled."""
        if self.announcer != "auto":
            return self.announcer
        if self.redis_url is not None:
            return "redis"
        return "local" if self.on_sqlite else "postgres"

    @property
    def is_at_home(self) -> bool:
        """Whether nobody but this machine can reach it."""
        return self.host in ("localhost", "::1") or self.host.startswith("127.")

    @property
    def on_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")


def read_settings() -> Settings:
    """
    The settings of the environment; a variable that is none is an error, not a typo to live with.

    Raises: UnsafeSettings, naming each variable at fault, never its value.
    """
    known = {row.variable for row in settings_table()}
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and not name.startswith(_NOT_OURS) and name not in known:
            raise UnsafeSettings(f"{name} is not a setting.")
    try:
        return Settings()
    except ValidationError as error:
        raise UnsafeSettings(" ".join(_sentence(fault) for fault in error.errors())) from None


def _sentence(fault: Any) -> str:
    says = str(fault["msg"]).removeprefix("Value error, ")
    if not fault["loc"]:
        return says
    return f"{PREFIX}{str(fault['loc'][0]).upper()}: {says[:1].lower()}{says[1:]}."


class Row(NamedTuple):
    variable: str
    default: str
    meaning: str


def settings_table() -> Iterator[Row]:
    """A row for each variable, in the order of the class."""
    for name, field in Settings.model_fields.items():
        default = field.default
        if isinstance(default, bool):
            shown = "on" if default else "off"
        elif default is None or default == ():
            shown = ""
        else:
            shown = str(default)
        yield Row(PREFIX + name.upper(), shown, field.description or "")
