"""What a table does by itself: clocks, absent people, downtime. See docs/clocks.md."""
