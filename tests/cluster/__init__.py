"""Several processes on one database: hints between them, and nothing that depends on hints."""
