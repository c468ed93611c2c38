"""
Strategies of other people: a function, found by its name, held to the rules and to time.

`module:function` is imported, with the current folder in the path; `path/to/file.py:function` is
read from that file. Without a function's name it is `decide`. What it is handed and what it answers
stands in docs/arena.md.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import random
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, get_type_hints

from pydantic import ValidationError

from app.api.asked import selection
from app.api.schemas.requests import MaySelect, SelectDice
from app.api.strict import NoFields
from app.arena.minds import Begin, Failed, Mind, NotLoaded
from app.arena.seen import Seen
from app.arena.watch import TooSlow, Watch
from engine.bots import Move
from engine.commands import Bank, Command, Entropy, Roll, Select, TakeOver, WildRoll
from engine.legal import COMMANDS
from engine.state import Playing
from engine.units import Millis, Seat

USUAL = "decide"


def outside(name: str, watch: Watch) -> Begin:
    """
    The function of this name, as a strategy.

    Raises: NotLoaded.
    """
    function = _found(name)
    typed = _wants_the_engine(function)

    def begin(chance: Random, names: tuple[str, ...]) -> Mind:
        # Whoever draws from the module `random` draws the same again.
        random.seed(chance.getrandbits(64))
        seen = Seen(names)

        def mind(play: Playing, at: Millis, entropy: Entropy) -> Command:
            handed = play if typed else seen.at(play)
            answer = _asked(function, handed, watch)
            if typed:
                if not isinstance(answer, Move):
                    raise Failed(f"answered {answer!r:.200}, which is no Move")
                return answer.command(at, play.turn.seat, entropy)
            return command_of(answer, at, play.turn.seat, entropy)

        return mind

    return begin


def _asked(function: Callable[[Any], Any], handed: object, watch: Watch) -> object:
    try:
        with watch.deciding():
            return function(handed)
    except TooSlow:
        raise Failed(f"took longer than {watch.limit_s:g} s for a decision") from None
    except (Exception, SystemExit) as error:
        text = "".join(traceback.format_exception(error)[-8:])
        told = f": {error}" if str(error) else ""
        raise Failed(f"raised {type(error).__name__}{told}", text) from None


def command_of(answer: object, at: Millis, seat: Seat, entropy: Entropy) -> Command:
    """
    The command in an answer: its name in the API, alone or with the body that goes with it.

    Raises: Failed, for what the API would refuse as malformed.
    """
    name, body = answer if isinstance(answer, tuple | list) and len(answer) == 2 else (answer, {})
    if not isinstance(name, str) or name not in COMMANDS:
        known = ", ".join(COMMANDS)
        raise Failed(f"answered {answer!r:.200}; a command is one of {known}")
    try:
        sent = json.dumps({} if body is None else body)
        if name == "select":
            chosen = selection(SelectDice.model_validate_json(sent))
            if chosen is None:
                raise Failed("selected nothing")
            return Select(at, seat, chosen)
        if name == "take-over":
            NoFields.model_validate_json(sent)
            return TakeOver(at, seat, entropy)
        keeps = selection(MaySelect.model_validate_json(sent).select)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "/".join(map(str, first["loc"]))
        raise Failed(f"answered {answer!r:.200}: {where}: {first['msg']}") from None
    except (TypeError, ValueError, RecursionError):
        raise Failed(f"answered {answer!r:.200}, which is no JSON") from None
    if name == "bank":
        return Bank(at, seat, keeps)
    return (WildRoll if name == "wild-roll" else Roll)(at, seat, entropy, keeps)


def _found(name: str) -> Callable[[Any], Any]:
    place, _, function = name.partition(":")
    module = _from_file(place) if place.endswith(".py") or os.sep in place else _imported(place)
    found = getattr(module, function or USUAL, None)
    if not callable(found):
        raise NotLoaded(f"{place} has no function {function or USUAL}.")
    return found  # type: ignore[no-any-return]


def _from_file(place: str) -> ModuleType:
    path = Path(place)
    if not path.is_file():
        raise NotLoaded(f"There is no file {place}.")
    spec = importlib.util.spec_from_file_location(f"strategy_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise NotLoaded(f"{place} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent.resolve()))  # for what it imports from beside it
    with _loading(place):
        spec.loader.exec_module(module)
    return module


def _imported(place: str) -> ModuleType:
    if "" not in sys.path:
        sys.path.insert(0, "")
    with _loading(place):
        return importlib.import_module(place)
    raise NotLoaded(f"{place} cannot be loaded.")


@contextmanager
def _loading(place: str) -> Iterator[None]:
    try:
        yield
    except (Exception, SystemExit) as error:
        told = f": {error}" if str(error) else ""
        raise NotLoaded(f"{place} cannot be loaded: {type(error).__name__}{told}") from error


def _wants_the_engine(function: Callable[[Any], Any]) -> bool:
    """Whether its first parameter is said to be the engine's state."""
    try:
        hints = get_type_hints(function)
    except Exception:  # of somebody's code: whatever its annotations are, they are not ours
        return False
    hints.pop("return", None)
    return next(iter(hints.values()), None) is Playing
