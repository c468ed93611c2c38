"""Plays the seats of bots. See docs/clocks.md, "Bots"."""
