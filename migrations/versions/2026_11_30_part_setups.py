"""Keep what a table was laid with apart from what every command writes anew"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026_11_30_part_setups"
down_revision = "2026_11_30_archive_logs"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "setups",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("setup", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="setups_pk"),
    )
    op.execute("INSERT INTO setups (game_id, setup) SELECT id, setup FROM games ORDER BY id")
    op.drop_column("games", "setup")


def downgrade() -> None:
    op.add_column(
        "games", sa.Column("setup", sa.LargeBinary, nullable=False, server_default=sa.text("''"))
    )
    op.execute(
        "UPDATE games SET setup = (SELECT setup FROM setups WHERE setups.game_id = games.id)"
    )
    op.drop_table("setups")
