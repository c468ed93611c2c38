"""Know which games' logs are in an archive; only theirs may be deleted"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_archive_logs"
down_revision = "2026_11_30_refuse_replacing"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "archived",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("commands", sa.LargeBinary, nullable=False),
        sa.Column("archived_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="archived_pk"),
    )
    _guard(" WHEN NOT EXISTS (SELECT 1 FROM archived WHERE game_id = OLD.game_id)")


def downgrade() -> None:
    _guard("")
    op.drop_table("archived")


def _guard(unless: str) -> None:
    """On SQLite; on Postgres the playing role has no right to delete: see app/store/grants.py."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER events_refuse_delete")
        op.execute(
            f"CREATE TRIGGER events_refuse_delete BEFORE DELETE ON events{unless} "
            "BEGIN SELECT RAISE(ABORT, 'events are append-only'); END"
        )
