"""The server around the engine. A service, not a library: nothing here is meant to be imported."""

VERSION = "0.1.0"
