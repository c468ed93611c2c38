"""
A log played again: what each command leads to by the rules is what stands there, byte for byte.

Bots decide again too, where their policy is one of this release and the secrets are known. The
chance of a decision comes from the number of events before it, as docs/bots.md has it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, overload

from app.store.parts import canonical
from app.verifying.asked import Moment, command_of, entropy
from app.verifying.fields import event_of, spelled
from app.verifying.reading import Line
from app.verifying.report import Fault, Unchecked
from engine import events as ev
from engine.bots import VERSIONS, BotLuck, character_of, move_of
from engine.commands import Command, DropScript
from engine.deadlines import is_players
from engine.decide import transition
from engine.errors import GameError, ScriptMismatch
from engine.evolve import evolve
from engine.state import Finished, Game, Playing

_BOT_MOVES = (
    *(ev.DiceSelected, ev.DiceRolled, ev.HotDice, ev.WildRollEarned, ev.PurseSpent),
    *(ev.TurnBanked, ev.TurnOvershot, ev.TurnTakenOver, ev.ScriptDropped),
)
"""What a decision may begin with."""


class Replay:
    """
    A game on its way through its log.

    Args:
        seeds: the server's secrets; None: not revealed, and rolls are taken as they are told.
    """

    def __init__(
        self, game_id: str, lines: Sequence[Line], seeds: tuple[bytes, ...] | None
    ) -> None:
        self.game: Game | None = None
        self.mixed: tuple[int, ...] = ()
        self.failed: list[tuple[int, tuple[int, ...]]] = []
        """(attempt, missing seats) of each that failed."""
        self.rolls = 0
        self.cut_off = False
        self.ends: list[int] = []
        """The last version of each command."""
        self.bots: set[int] = set()
        self.unchecked: set[Unchecked] = set()
        self.lines = lines
        self._game_id = game_id
        self._seeds = seeds
        self._bot: str | None = None
        """Whose decision the command under way is, where a bot made it again."""
        self._events: list[ev.Event | None] = [None] * len(lines)

    def play(self) -> None:
        """
        The whole log; `cut_off` where it ends before a command does.

        Raises: Fault, at the first event that the rules do not lead to.
        """
        index = 0
        try:
            while index < len(self.lines):
                index = self._step(index)
        except Fault as fault:
            if not fault.incomplete:
                raise
            self.cut_off = True

    def _step(self, index: int) -> int:
        """The command that begins with this event; where the next one begins."""
        line = self.lines[index]
        try:
            due = self._due(index)
        except Fault as fault:
            raise Fault(
                fault.reason, fault.version or line.version, incomplete=fault.incomplete
            ) from fault
        except GameError as error:
            reason = self._bot or f"{line.told['type']} cannot follow"
            raise Fault(f"{reason}: {error}", line.version) from error
        for expected in due:
            if index == len(self.lines):
                raise Fault("the log ends in the middle of a command", incomplete=True)
            line = self.lines[index]
            event = self._same(expected, line)
            self.game = evolve(self.game, event)
            self._note(event)
            index += 1
        self.ends.append(index)
        return index

    def event(self, index: int) -> ev.Event:
        """Of this line, read once. Raises: Fault."""
        found = self._events[index]
        if found is None:
            found = self._events[index] = event_of(self.lines[index])
        return found

    @property
    def length(self) -> int:
        return len(self.lines)

    def _due(self, index: int) -> tuple[ev.Event, ...]:
        """What must stand here, by the rules."""
        moment = Moment(self.game, _Ahead(self, index), self._seeds)
        command = command_of(moment)
        self._bot = None
        if isinstance(self.game, Playing) and isinstance(self.event(index), _BOT_MOVES):
            command = self._decided(self.game, moment, index, command)
        step = transition(self.game, command)
        if not step.events:
            raise Fault(f"{self.lines[index].told['type']} changes nothing here")
        over = isinstance(step.game, Finished) and not isinstance(self.game, Finished)
        if over and self._seeds is not None:
            seeds = tuple(seed.hex() for seed in self._seeds)
            return (*step.events, ev.FairnessRevealed(command.at, seeds))
        return step.events

    def _decided(self, play: Playing, moment: Moment, index: int, told: Command) -> Command:
        """What the bot to move does; `told`, where a player moves, or nothing is known of it."""
        seat = play.turn.seat
        if is_players(play, seat):
            return told
        character, policy = character_of(play), play.seats[seat].policy
        if self._seeds is None or VERSIONS.get(character) != policy:
            self.unchecked.add(Unchecked(character, policy))
            return told
        luck = BotLuck(self._seeds[play.epoch], self._game_id, seat, index)
        command = move_of(play, luck).command(told.at, seat, entropy(moment))
        self._bot = f"the bot at seat {seat} ({character} {policy}) decides otherwise"
        if not isinstance(told, DropScript):
            return command
        try:
            transition(play, command)
        except ScriptMismatch:
            return told
        raise Fault(f"{self._bot}: the script fits")

    def _same(self, due: ev.Event, line: Line) -> ev.Event:
        """The event of the line, which is the one that is due. Raises: Fault."""
        told = line.told
        if isinstance(due, ev.GameStarted) and told["type"] == "game_started":
            due = self._with_policies(due, line)
        expected = spelled(due, told)
        if expected != line.data.decode():
            reason = _difference(json.loads(expected), told)
            raise Fault(f"{self._bot}: {reason}" if self._bot else reason, line.version)
        return due

    def _with_policies(self, due: ev.GameStarted, line: Line) -> ev.GameStarted:
        """Which versions the bots have is the server's word. Older logs do not say."""
        if "policies" not in line.told:
            return due._replace(policies=())
        event = event_of(line)
        if not isinstance(event, ev.GameStarted):
            return due
        seated = {policy.character for policy in due.policies} | self._strangers()
        named = [policy.character for policy in event.policies]
        right = len(named) == len(set(named)) and set(named) == seated
        if not right or any(policy.policy < 1 for policy in event.policies):
            raise Fault("game_started.policies is not of the bots at the table", line.version)
        return due._replace(policies=event.policies)

    def _strangers(self) -> set[Any]:
        """Characters at the table that this release does not have."""
        places = self.game.setup.places if self.game is not None else ()
        return {place.character for place in places if place.kind == "bot"} - set(VERSIONS)

    def _note(self, event: ev.Event) -> None:
        if isinstance(event, ev.EntropySealed):
            self.mixed = event.seats
        elif isinstance(event, ev.EntropyFailed):
            self.failed.append((event.epoch, event.missing))
        elif isinstance(event, ev.DiceRolled):
            self.rolls += 1
        elif isinstance(event, ev.BotTookSeat):
            self.bots.add(event.seat)


class _Ahead(Sequence[ev.Event]):
    """The log from an event on; nothing is read before it is asked for."""

    def __init__(self, replay: Replay, start: int) -> None:
        self._replay, self._start = replay, start

    def __len__(self) -> int:
        return self._replay.length - self._start

    @overload
    def __getitem__(self, index: int) -> ev.Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ev.Event]: ...
    def __getitem__(self, index: int | slice) -> ev.Event | Sequence[ev.Event]:
        if isinstance(index, slice):
            raise TypeError("one event at a time")
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._replay.event(self._start + index)


def _difference(due: dict[str, Any], told: dict[str, Any]) -> str:
    """In words, where what stands there is not what the rules lead to."""
    kind = told["type"]
    if due["type"] != kind:
        return f"{kind} stands where {due['type']} must follow"
    for key in sorted(due.keys() | told.keys()):
        if key not in due:
            return f"{kind} has the unknown field {key}"
        if key not in told:
            return f"{kind} lacks {key}"
        if (expected := canonical(due[key])) != (found := canonical(told[key])):
            return f"{kind}.{key} is {found}, by the rules {expected}"
    return f"{kind} differs"
