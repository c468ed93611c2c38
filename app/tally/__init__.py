"""Counts per key over the last minute: in this process, and shared by several."""
