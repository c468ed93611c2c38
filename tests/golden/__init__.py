"""Known right answers, as data."""
