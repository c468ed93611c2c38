"""The log, the folded heads and the accounts, in SQLite or Postgres."""

from app.store import without_orm as without_orm  # before anything here loads SQLAlchemy
