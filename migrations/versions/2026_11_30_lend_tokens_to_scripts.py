"""Lend tokens to scripts, let tokens expire, mark bot accounts"""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_lend_tokens_to_scripts"
down_revision = "2026_11_30_create_tables"
branch_labels = None
depends_on = None

TOKENS = (
    sa.Column("used_at", sa.BigInteger, nullable=False, server_default=sa.text("0")),
    sa.Column("expires_at", sa.BigInteger),
    sa.Column("id", sa.Text),
    sa.Column("name", sa.Text),
    sa.Column("scopes", sa.Text),
)


def upgrade() -> None:
    op.add_column(
        "players", sa.Column("bot", sa.Boolean, nullable=False, server_default=sa.false())
    )
    for column in TOKENS:
        op.add_column("tokens", column.copy())
    # Nobody knows when they were last used: they may lie idle from now on.
    tokens = sa.table("tokens", sa.column("used_at"))
    op.execute(tokens.update().values(used_at=time.time_ns() // 1_000_000))


def downgrade() -> None:
    # A token lent to a script would open everything there.
    op.execute("DELETE FROM tokens WHERE scopes IS NOT NULL")
    for column in reversed(TOKENS):
        op.drop_column("tokens", column.name)
    op.drop_column("players", "bot")
