"""Real servers for tests, started on free loopback ports and stopped whatever happens."""
