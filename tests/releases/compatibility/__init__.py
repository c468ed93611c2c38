"""How much a document changed for who uses it, and which version that demands."""
