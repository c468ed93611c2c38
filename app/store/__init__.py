"""The log, the folded heads and the accounts, in SQLite or Postgres."""
