"""On SQLite, let nothing replace a row of a log: INSERT OR REPLACE fires no trigger on DELETE"""

from __future__ import annotations

from alembic import op

revision = "2026_11_30_refuse_replacing"
down_revision = "2026_11_30_lend_tokens"
branch_labels = None
depends_on = None

LOGS = {
    "events": ("NEW.game_id = game_id AND NEW.version = version",),
    "seeds": ("NEW.game_id = game_id AND NEW.epoch = epoch",),
    "operator_calls": ("NEW.id = id",),
    "purse_journal": (
        "NEW.player_id = player_id AND NEW.entry = entry",
        "NEW.kind = kind AND NEW.reference = reference",
    ),
}
"""When a row of that key is there already, by each unique key of the table."""


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    for table, keys in LOGS.items():
        taken = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {key})" for key in keys)  # noqa: S608
        # An entry of a purse that is there already is left out by who writes it, too.
        deed = (
            "RAISE(IGNORE)"
            if table == "purse_journal"
            else f"RAISE(ABORT, '{table} are append-only: this is there already')"
        )
        op.execute(
            f"CREATE TRIGGER {table}_refuse_replace BEFORE INSERT ON {table} "
            f"WHEN {taken} BEGIN SELECT {deed}; END"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in LOGS:
            op.execute(f"DROP TRIGGER {table}_refuse_replace")
