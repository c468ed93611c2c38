"""From a command to a decision: pure, called again from a fresh head after a conflict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from app.ports import Answer, Decision, Head, Player, Recorded
from app.service.calls import Call
from app.service.members import names_after
from engine.commands import Command, CountPurses, Entropy
from engine.decide import transition
from engine.dice import NO_SEAL, Fair, Seeded
from engine.events import Event, FairnessRevealed
from engine.evolve import evolve
from engine.state import Finished, Game, Playing
from engine.units import Millis

Seeds = tuple[bytes, ...]
"""The server's secrets of a game, by number of the attempt."""

Answering = Callable[[Head, Sequence[Recorded]], Answer]


def answering(call: Call, now: Millis, status: int = 200, location: str | None = None) -> Answering:
    """Answers with what the caller asked to see."""

    def answer(head: Head, events: Sequence[Recorded]) -> Answer:
        body = call.render(head, events, now, call.player.id)
        return Answer(status, body, head.version, location)

    return answer


def decided(
    head: Head,
    seeds: Seeds,
    commands: Iterable[Command],
    answer: Answering,
    *,
    player: Player | None = None,
    drawn: Seeds = (),
) -> Decision:
    """
    What these commands, one after the other, lead to: all of them or none.

    Args:
        player: who may sit down by them.
        drawn: secrets drawn for them; what they have not committed to in the end is forgotten.
    Raises: Refusal, MalformedSettings.
    """
    game, events = head.game, list[Event]()
    purses = head.purses  # counted once: before a command that may spend, or when play has begun
    for asked in commands:
        if purses and isinstance(game, Playing):
            game, purses = _moved(game, CountPurses(asked.at, purses), events), ()
        game = _moved(game, asked, events)
        if purses and isinstance(game, Playing):
            game, purses = _moved(game, CountPurses(asked.at, purses), events), ()
    drawn = drawn[: len(game.setup.server_commits) - len(seeds)]
    game = revealed(head.game, game, events, (*seeds, *drawn))
    places = game.setup.places
    names = names_after(head, places, player) if places != head.game.setup.places else None
    return Decision(tuple(events), game, answer, names=names, seeds=drawn)


def _moved(game: Game, asked: Command, events: list[Event]) -> Game:
    """The game after a command, whose events are added to the others."""
    step = transition(game, asked)
    events += step.events
    return step.game


def revealed(before: Game | None, game: Game, events: list[Event], seeds: Seeds) -> Game:
    """pf1 step 10: with the end of a game, whatever ended it, its secrets are told."""
    if not isinstance(game, Finished) or isinstance(before, Finished):
        return game
    reveal = FairnessRevealed(game.ended_at, tuple(seed.hex() for seed in seeds))
    events.append(reveal)
    return evolve(game, reveal)


def entropy_of(game: Game, seeds: Seeds) -> Entropy:
    """Where the dice of this game come from."""
    dice = game.setup.dice
    if dice.kind == "seeded":
        return Seeded(dice.seed)
    if not isinstance(game, Playing):
        return _NO_DICE
    return Fair(seeds[game.epoch], game.setup.game_id, game.epoch, bytes.fromhex(game.seal))


# Stands where the rules refuse to roll before they would look at a die.
_NO_DICE = Fair(bytes(32), "", 0, NO_SEAL)
