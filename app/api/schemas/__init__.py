"""
What travels on the wire; never an engine type.

Bodies of requests are pydantic models: they are parsed. Answers are typed dictionaries: they are
built from the engine's state, checked by mypy where they are built, serialised once, and
described in the OpenAPI document by the same types. A model per die and selection would cost four
times as much for every command.
"""
