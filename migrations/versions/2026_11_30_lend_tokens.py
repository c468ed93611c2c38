"""Lend tokens to scripts, let tokens expire, mark bot accounts"""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_lend_tokens"
down_revision = "2026_11_30_create_tables"
branch_labels = None
depends_on = None

NEW = ("used_at", "expires_at", "id", "name", "scopes")
"""Columns of `tokens`."""


def upgrade() -> None:
    op.add_column(
        "players", sa.Column("bot", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column(
        "tokens", sa.Column("used_at", sa.BigInteger, nullable=False, server_default=sa.text("0"))
    )
    op.add_column("tokens", sa.Column("expires_at", sa.BigInteger))
    for name in ("id", "name", "scopes"):
        op.add_column("tokens", sa.Column(name, sa.Text))
    # Nobody knows when they were last used: they may lie idle from now on.
    tokens = sa.table("tokens", sa.column("used_at"))
    op.execute(tokens.update().values(used_at=time.time_ns() // 1_000_000))


def downgrade() -> None:
    # A token lent to a script would open everything there.
    op.execute("DELETE FROM tokens WHERE scopes IS NOT NULL")
    for name in NEW:
        op.drop_column("tokens", name)
    op.drop_column("players", "bot")
