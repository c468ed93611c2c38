"""Routes: parse, call the service, shape the answer."""
