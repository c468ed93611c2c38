"""
The rules of push-your-luck dice games: pure, immutable, standard library only.

What a caller needs is exported here. Commands, events and the shapes of state are many and are
imported from where they live: `engine.commands`, `engine.events`, `engine.state`.
"""

from engine.commands import Command, Entropy
from engine.decide import Transition, decide, transition
from engine.dice import Fair, Seeded
from engine.errors import (
    BrokenHistory,
    Fault,
    GameError,
    Malformed,
    MalformedRules,
    MalformedSettings,
    Refusal,
)
from engine.events import EVENT_NAMES, Event
from engine.evolve import evolve, replay
from engine.legal import Legal, legal
from engine.presets import Preset, preset_from_text
from engine.rules import Rules
from engine.rules_text import rules_from_data, rules_to_data
from engine.state import Finished, Game, Lobby, Playing, Setup

__all__ = [
    "EVENT_NAMES",
    "BrokenHistory",
    "Command",
    "Entropy",
    "Event",
    "Fair",
    "Fault",
    "Finished",
    "Game",
    "GameError",
    "Legal",
    "Lobby",
    "Malformed",
    "MalformedRules",
    "MalformedSettings",
    "Playing",
    "Preset",
    "Refusal",
    "Rules",
    "Seeded",
    "Setup",
    "Transition",
    "decide",
    "evolve",
    "legal",
    "preset_from_text",
    "replay",
    "rules_from_data",
    "rules_to_data",
    "transition",
]
