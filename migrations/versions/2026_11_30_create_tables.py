"""Create the tables"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_create_tables"
down_revision = None
branch_labels = None
depends_on = None

LISTED = sa.text("listed")
RUNNING = sa.text("running")


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.Text),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("setup", sa.LargeBinary, nullable=False),
        sa.Column("play", sa.LargeBinary),
        sa.Column("names", sa.Text, nullable=False),
        sa.Column("join_code", sa.Text),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("visibility", sa.Text, nullable=False),
        sa.Column("preset", sa.Text),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("match_key", sa.Text),
        sa.Column("to_move", sa.Integer),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="games_pk"),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_index("games_join_code", "games", ["join_code"], unique=True)
    op.create_index(
        "games_listed",
        "games",
        ["created_at", "id"],
        postgresql_where=LISTED,
        sqlite_where=sa.text("listed = 1"),
    )
    op.create_index(
        "games_listed_by_status",
        "games",
        ["status", "created_at", "id"],
        postgresql_where=LISTED,
        sqlite_where=sa.text("listed = 1"),
    )
    op.create_index(
        "games_match_key",
        "games",
        ["match_key"],
        unique=True,
        postgresql_where=sa.text("match_key IS NOT NULL"),
        sqlite_where=sa.text("match_key IS NOT NULL"),
    )
    op.create_table(
        "events",
        sa.Column("game_id", sa.Text),
        sa.Column("version", sa.BigInteger),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("command", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "version", name="events_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "snapshots",
        sa.Column("game_id", sa.Text),
        sa.Column("version", sa.BigInteger),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("setup", sa.LargeBinary, nullable=False),
        sa.Column("play", sa.LargeBinary),
        sa.PrimaryKeyConstraint("game_id", "version", name="snapshots_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seeds",
        sa.Column("game_id", sa.Text),
        sa.Column("epoch", sa.Integer),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "epoch", name="seeds_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "answers",
        sa.Column("player_id", sa.Text),
        sa.Column("key", sa.Text),
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("game_id", sa.Text),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("version", sa.BigInteger),
        sa.Column("location", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "key", name="answers_pk"),
    )
    op.create_index("answers_created_at", "answers", ["created_at"])
    op.create_table(
        "seats",
        sa.Column("game_id", sa.Text),
        sa.Column("seat", sa.Integer),
        sa.Column("player_id", sa.Text),
        sa.Column("holds", sa.Boolean, nullable=False),
        sa.Column("running", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "player_id", name="seats_pk"),
        sqlite_with_rowid=False,
    )
    op.create_index("seats_player_id", "seats", ["player_id", "game_id"])
    op.create_index(
        "seats_running",
        "seats",
        ["player_id", "game_id"],
        postgresql_where=RUNNING,
        sqlite_where=sa.text("running = 1"),
    )
    op.create_table(
        "series",
        sa.Column("id", sa.Text),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("join_code", sa.Text),
        sa.Column("setup", sa.LargeBinary, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="series_pk"),
    )
    op.create_index("series_owner", "series", ["owner"])
    op.create_index("series_status", "series", ["status"])
    op.create_table(
        "series_players",
        sa.Column("series_id", sa.Text),
        sa.Column("player_id", sa.Text),
        sa.PrimaryKeyConstraint("series_id", "player_id", name="series_players_pk"),
        sqlite_with_rowid=False,
    )
    op.create_index("series_players_player_id", "series_players", ["player_id"])
    op.create_table(
        "series_games",
        sa.Column("series_id", sa.Text),
        sa.Column("number", sa.Integer),
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("result", sa.Text),
        sa.PrimaryKeyConstraint("series_id", "number", name="series_games_pk"),
        sqlite_with_rowid=False,
    )
    op.create_index("series_games_game_id", "series_games", ["game_id"], unique=True)
    op.create_table(
        "clocks",
        sa.Column("game_id", sa.Text),
        sa.Column("due_at", sa.BigInteger, nullable=False),
        sa.Column("bots_of", sa.Text),
        sa.PrimaryKeyConstraint("game_id", name="clocks_pk"),
    )
    op.create_index("clocks_due_at", "clocks", ["due_at"])
    op.create_index(
        "clocks_bots_of",
        "clocks",
        ["bots_of"],
        postgresql_where=sa.text("bots_of IS NOT NULL"),
        sqlite_where=sa.text("bots_of IS NOT NULL"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer, autoincrement=False),
        sa.Column("beat_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="heartbeat_pk"),
    )
    op.create_table(
        "gaps",
        sa.Column("number", sa.Integer, autoincrement=False),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("credited", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("number", name="gaps_pk"),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.Text),
        sa.Column("name", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("forgotten_at", sa.BigInteger),
        sa.Column("banned_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="players_pk"),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("waits", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="tokens_pk"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="tokens_player_id_fk", ondelete="CASCADE"
        ),
    )
    op.create_index("tokens_player_id", "tokens", ["player_id"])
    op.create_table(
        "tickets",
        sa.Column("hash", sa.LargeBinary),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="tickets_pk"),
    )
    op.create_index("tickets_expires_at", "tickets", ["expires_at"])
    op.create_table(
        "purses",
        sa.Column("player_id", sa.Text),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sa.Column("worlds", sa.Text, nullable=False),
        sa.Column("entries", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="purses_pk"),
    )
    op.create_table(
        "purse_journal",
        sa.Column("player_id", sa.Text),
        sa.Column("entry", sa.BigInteger),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("delta", sa.BigInteger, nullable=False),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sa.Column("reference", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "entry", name="purse_journal_pk"),
        sqlite_with_rowid=False,
    )
    op.create_index("purse_journal_reference", "purse_journal", ["kind", "reference"], unique=True)
    op.create_table(
        "on_call",
        sa.Column("player_id", sa.Text),
        sa.PrimaryKeyConstraint("player_id", name="on_call_pk"),
    )
    op.create_table(
        "notices",
        sa.Column("game_id", sa.Text),
        sa.Column("version", sa.BigInteger),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "version", name="notices_pk"),
    )
    op.create_index("notices_at", "notices", ["at", "game_id"])
    op.create_table(
        "operator_calls",
        sa.Column("id", sa.Text),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("note", sa.Text),
        sa.PrimaryKeyConstraint("id", name="operator_calls_pk"),
    )
    op.create_table(
        "processes",
        sa.Column("process", sa.Text),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("process", name="processes_pk"),
    )
    op.create_table(
        "presence",
        sa.Column("process", sa.Text),
        sa.Column("game_id", sa.Text),
        sa.Column("seat", sa.Integer),
        sa.PrimaryKeyConstraint("process", "game_id", "seat", name="presence_pk"),
    )
    op.create_index("presence_game_id", "presence", ["game_id"])
    op.create_table(
        "ended",
        sa.Column("game_id", sa.Text),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="ended_pk"),
    )
    op.create_table(
        "results",
        sa.Column("game_id", sa.Text),
        sa.Column("player_id", sa.Text),
        sa.Column("rules_key", sa.Text, nullable=False),
        sa.Column("preset", sa.Text),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("turns", sa.BigInteger, nullable=False),
        sa.Column("busts", sa.BigInteger, nullable=False),
        sa.Column("banked_turns", sa.BigInteger, nullable=False),
        sa.Column("banked_points", sa.BigInteger, nullable=False),
        sa.Column("best_turn", sa.BigInteger, nullable=False),
        sa.Column("hot_dice", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="results_pk"),
        sqlite_with_rowid=False,
    )
    op.create_index("results_player_id", "results", ["player_id", "ended_at", "game_id"])
    op.create_table(
        "ladders",
        sa.Column("ladder", sa.Text),
        sa.Column("player_id", sa.Text),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("turns", sa.BigInteger, nullable=False),
        sa.Column("busts", sa.BigInteger, nullable=False),
        sa.Column("banked_turns", sa.BigInteger, nullable=False),
        sa.Column("banked_points", sa.BigInteger, nullable=False),
        sa.Column("best_turn", sa.BigInteger, nullable=False),
        sa.Column("hot_dice", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("ladder", "player_id", name="ladders_pk"),
        sqlite_with_rowid=False,
    )
    op.create_index("ladders_order", "ladders", ["ladder", "wins", "best_turn", "player_id"])
    if op.get_bind().dialect.name == "sqlite":
        # On Postgres the playing role has no right to: see app/store/grants.py.
        for table in ("events", "seeds", "operator_calls", "purse_journal"):
            for deed in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_refuse_{deed.lower()} BEFORE {deed} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
                )


def downgrade() -> None:
    for table in (
        *("ladders", "results", "ended", "series_games", "series_players", "series"),
        *("notices", "on_call"),
        *("presence", "processes", "operator_calls", "purse_journal", "purses", "tickets"),
        *("tokens", "players", "gaps", "heartbeat", "clocks", "seats", "answers", "seeds"),
        *("snapshots", "events", "games"),
    ):
        op.drop_table(table)
