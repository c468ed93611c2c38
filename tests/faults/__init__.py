"""What a server has to live through, under load that is written down and held against the log."""
