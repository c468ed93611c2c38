"""Settings: read from the environment alone, frozen, unsafe ones refused with a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from app.serving import announce
from app.settings import DRIVERS, Settings, UnsafeSettings, read_settings, settings_table
from app.store.database import database_url
from tests.api.conftest import Launch

HERS = [{"kind": "human"}]


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in settings_table():
        monkeypatch.delenv(row.variable, raising=False)


def test_defaults_are_safe_on_ones_own_machine() -> None:
    settings = read_settings()
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.on_sqlite
    assert settings.cors_origins == ()
    assert settings.rate_limits


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOTDICE_PORT", "9000")
    monkeypatch.setenv("HOTDICE_RATE_LIMITS", "off")
    monkeypatch.setenv("HOTDICE_CORS_ORIGINS", "https://a.example, http://localhost:5173")
    monkeypatch.setenv("HOTDICE_PUBLIC_URL", "")
    settings = read_settings()
    assert settings.port == 9000
    assert not settings.rate_limits
    assert settings.cors_origins == ("https://a.example", "http://localhost:5173")
    assert settings.public_url is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cors_origins", "https://a.example:8443, http://[::1]:5173, http://127.0.0.1:8080"),
        ("allowed_hosts", "dice.example, Dice.Example, 192.0.2.1, [2001:db8::1], localhost"),
    ],
)
def test_names_of_hosts_and_origins_are_taken_as_they_are(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"HOTDICE_{name.upper()}", value)
    assert getattr(read_settings(), name) == tuple(value.split(", "))


def test_settings_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]


WRONG = [
    ("RATE_LIMIT", "off", "HOTDICE_RATE_LIMIT is not a setting"),
    ("PORT", "http", "HOTDICE_PORT"),
    ("PORT", "65536", "HOTDICE_PORT"),
    ("RATE_LIMITS", "maybe", "HOTDICE_RATE_LIMITS"),
    ("CORS_ORIGINS", "*", "HOTDICE_CORS_ORIGINS"),
    ("CORS_ORIGINS", "https://a.example/path", "HOTDICE_CORS_ORIGINS"),
    ("CORS_ORIGINS", "https://a.example, *", "HOTDICE_CORS_ORIGINS"),
    ("CORS_ORIGINS", "https://*.example", "HOTDICE_CORS_ORIGINS"),
    ("CORS_ORIGINS", "null", "HOTDICE_CORS_ORIGINS"),
    ("CORS_ORIGINS", "https://A.example", "HOTDICE_CORS_ORIGINS"),
    ("CORS_ORIGINS", "https://a.example:443", "HOTDICE_CORS_ORIGINS"),
    ("CORS_ORIGINS", "http://a.example:80", "HOTDICE_CORS_ORIGINS"),
    ("CORS_ORIGINS", "https://a.example:b", "HOTDICE_CORS_ORIGINS"),
    ("OPERATOR_TOKEN", "x" * 31, "HOTDICE_OPERATOR_TOKEN"),
    ("OPERATOR_TOKEN", "x" * 32 + ",short", "HOTDICE_OPERATOR_TOKEN"),
    ("OPERATOR_TOKEN", "x" * 257, "HOTDICE_OPERATOR_TOKEN"),
    ("DEBUG", "on", "HOTDICE_DEBUG is not a setting"),
    ("DATABASE_URL", "mysql://x", "HOTDICE_DATABASE_URL"),
    ("DATABASE_URL", "sqlite+aiosqlite:///:memory:", "HOTDICE_DATABASE_URL"),
    ("DATABASE_URL", "postgresql+asyncpg://me:p@ss@host:word/db", "HOTDICE_DATABASE_URL"),
    ("DATABASE_URL", "postgresql+asyncpg://me:pass@host:65536/db", "HOTDICE_DATABASE_URL"),
    ("DATABASE_URL", "sqlite+aiosqlite://", "HOTDICE_DATABASE_URL"),
    ("PUBLIC_URL", "javascript:alert(1)", "HOTDICE_PUBLIC_URL"),
    ("ANNOUNCER", "pigeon", "HOTDICE_ANNOUNCER"),
    ("ANNOUNCER", "redis", "HOTDICE_REDIS_URL"),
    ("ANNOUNCER", "postgres", "HOTDICE_DATABASE_URL"),
    ("REDIS_URL", "http://127.0.0.1", "HOTDICE_REDIS_URL"),
    ("REDIS_URL", "redis:///0", "HOTDICE_REDIS_URL"),
    ("REDIS_URL", "rediss://host/0?ssl_cert_reqs=none", "HOTDICE_REDIS_URL"),
    ("TRUSTED_PROXY_HOPS", "1", "HOTDICE_ALLOWED_HOSTS"),
    ("ALLOWED_HOSTS", "*", "HOTDICE_ALLOWED_HOSTS"),
    ("ALLOWED_HOSTS", "https://dice.example", "HOTDICE_ALLOWED_HOSTS"),
    ("ALLOWED_HOSTS", "dice.example, dice.example:8000", "HOTDICE_ALLOWED_HOSTS"),
    ("ALLOWED_HOSTS", "*.dice.example", "HOTDICE_ALLOWED_HOSTS"),
    ("DATABASE_URL", "sqlite+aiosqlite:///file:x?mode=memory&uri=true", "HOTDICE_DATABASE_URL"),
    ("LOG_LEVEL", "loud", "HOTDICE_LOG_LEVEL"),
    ("PAGE_SIZE", "201", "HOTDICE_PAGE_SIZE"),
]


@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_what_is_wrong_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"HOTDICE_{name}", value)
    with pytest.raises(UnsafeSettings) as refused:
        read_settings()
    sentence = str(refused.value)
    assert said in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_a_password_is_never_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOTDICE_DATABASE_URL", "mysql://me:canary@host/db")
    with pytest.raises(UnsafeSettings) as refused:
        read_settings()
    assert "canary" not in str(refused.value)


def test_the_playing_role_is_the_playing_addresss_user() -> None:
    plays, owns = "postgresql+asyncpg://plays:x@h/d", "postgresql+asyncpg://owns@h/d"
    both = Settings(database_url=plays, database_owner_url=owns)
    assert both.playing_role == "plays"
    assert both.model_copy(update={"database_role": "other"}).playing_role == "other"
    assert Settings().playing_role is None


def test_the_announcer_is_what_the_addresses_allow() -> None:
    postgres: dict[str, Any] = {"database_url": "postgresql+asyncpg://plays:x@h/d"}
    redis: dict[str, Any] = {"redis_url": "rediss://me:secret@cache.example:6380/2"}
    assert Settings().announces_by == "local"
    assert Settings(**postgres).announces_by == "postgres"
    assert Settings(**postgres, **redis).announces_by == "redis"
    assert Settings(**redis).announces_by == "redis"
    assert Settings(**postgres, **redis, announcer="postgres").announces_by == "postgres"
    assert Settings(**postgres, announcer="local").announces_by == "local"


def test_every_setting_is_in_the_table() -> None:
    rows = list(settings_table())
    assert len(rows) == len(Settings.model_fields)
    assert all(row.variable.startswith("HOTDICE_") and row.meaning for row in rows)
    defaults = {row.variable: row.default for row in rows}
    assert defaults["HOTDICE_RATE_LIMITS"] == "on"
    assert defaults["HOTDICE_CORS_ORIGINS"] == ""


@pytest.mark.parametrize("name", ["database_url", "database_owner_url"])
@pytest.mark.parametrize(
    "url", ["postgresql+psycopg://plays:x@h/d", "sqlite+pysqlite:///x.db", "mysql://h/d", "x"]
)
def test_a_database_that_the_store_would_refuse_is_refused_at_once(name: str, url: str) -> None:
    with pytest.raises(ValidationError, match="must begin with one of sqlite, ") as wrong:
        Settings(**{name: url})  # type: ignore[arg-type]  # a field by its name
    assert url not in str(wrong.value)


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_settings_and_the_store_know_the_same_databases(driver: str) -> None:
    address = f"{driver}:///x" if driver.startswith("sqlite") else f"{driver}://h/d"
    assert database_url(Settings(database_url=address).database_url)


@pytest.mark.parametrize(
    ("host", "rate_limits", "warns"),
    [
        ("127.0.0.1", False, False),
        ("::1", False, False),
        ("localhost", False, False),
        ("0.0.0.0", True, False),  # noqa: S104
        ("0.0.0.0", False, True),  # noqa: S104
        ("192.0.2.1", False, True),
    ],
)
def test_a_server_without_limits_that_others_reach_says_so(
    host: str, rate_limits: bool, warns: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    announce(Settings(host=host, rate_limits=rate_limits), 8000)
    said = capsys.readouterr()
    assert ("rate_limits_off" in said.out + said.err) is warns


def bounds(name: str) -> dict[str, int]:
    """The least and the most that a number may be."""
    found = {}
    for rule in Settings.model_fields[name].metadata:
        for end in ("ge", "le"):
            if (value := getattr(rule, end, None)) is not None:
                found[end] = value
    return found


NUMBERS = [name for name, field in Settings.model_fields.items() if field.annotation is int]


def test_every_number_has_a_least_and_a_most() -> None:
    assert NUMBERS
    assert [name for name in NUMBERS if bounds(name).keys() != {"ge", "le"}] == []


@pytest.mark.parametrize("end", ["ge", "le"])
async def test_a_game_is_played_with_every_number_at_its_end(launch: Launch, end: str) -> None:
    """Whatever the settings allow, nothing overflows: neither a clock, nor a column, nor a list."""
    asked = {name: bounds(name)[end] for name in NUMBERS if name not in ("port", "bot_tables")}
    async with launch(**asked, allowed_hosts="hotdice.test") as live:
        ana = await live.guest()
        made = await ana.post("/v1/games", {"rules": {"preset": "farkle"}, "seats": HERS})
        path = f"/v1/games/{made.json()['id']}"
        for call in ("start", "roll", "resign"):
            answer = await ana.post(f"{path}/{call}", {}, headers={"Idempotency-Key": call})
            assert answer.status_code == 200, answer.text
        assert (await ana.get(f"{path}/export")).status_code == 200
        assert (await ana.post("/v1/players/me/token")).status_code == 201
        assert (await ana.post("/v1/tickets")).status_code == 201
        for listed in ("/v1", "/v1/players/me/games", "/v1/games", "/health/ready", "/metrics"):
            assert (await ana.get(listed)).status_code == 200
