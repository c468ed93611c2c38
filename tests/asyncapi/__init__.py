"""The document of the streams: what it says of itself, and that every frame keeps it."""
