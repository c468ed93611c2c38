"""Everything that holds Hotdice to its word."""
