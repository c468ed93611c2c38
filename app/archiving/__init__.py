"""Logs of finished games, moved from the database into compressed exports, and back."""
