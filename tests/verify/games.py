"""Whole games by one integer each: every rule set and variant, every way to play and to end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine import commands as co
from engine.bots import CHARACTERS, VERSIONS, BotLuck, character_of, move_of
from engine.commands import Command
from engine.deadlines import GRACE_MS, game_deadline, is_players, turn_deadline
from engine.errors import Malformed, Refusal
from engine.rules import Rules
from engine.rules_text import rules_from_data
from engine.state import (
    Bots,
    Cheats,
    Clocks,
    DiceSource,
    FairDice,
    Finished,
    Lobby,
    Place,
    Playing,
    ScriptedDice,
    Sealing,
    SeatKind,
    SeededDice,
    Setup,
)
from engine.units import Millis
from tests.engine.random_rules import random_rules
from tests.engine.walks import any_command
from tests.referee import rulebook
from tests.verify.recording import Recording

KINDS: tuple[SeatKind, ...] = ("human", "bot", "closed")
START = 1_767_225_600_000
Named = Callable[[str], str]

SHIPPED: dict[str, Any] = {
    "farkle": rulebook.farkle(target=3000),
    "farkle whole": rulebook.farkle(),
    "farkle no final round": rulebook.farkle(target=3000, final_round=False),
    "spicy": rulebook.farkle(target=5000, spicy=True),
    "spicy on ones": rulebook.farkle(target=5000, spicy=True, spicy_faces=[1, 1, 1, 5, 5, 5]),
    "high stakes": rulebook.farkle(target=4000, high_stakes=True),
    "spicy high stakes": rulebook.farkle(target=6000, spicy=True, high_stakes=True),
    "four and two": rulebook.farkle(target=4000, four_and_two_is_three_pairs=True),
    "house": rulebook.house(target=3000),
    "house whole": rulebook.house(),
    "house exact": rulebook.house(target=4000, exact=True),
    "house hot": rulebook.house(target=4000, bank_on_hot_dice=False),
    "house exact hot": rulebook.house(target=4000, exact=True, bank_on_hot_dice=False),
    "jester pocket": rulebook.jester(),
    "jester jackpot": rulebook.jester(tier="jackpot"),
    "jester fortune": rulebook.jester(tier="fortune"),
    "jester tycoon": rulebook.jester(tier="tycoon"),
    "jester no purse": rulebook.jester(purse=False),
}


def any_game(seed: int, most: int = 400, named: Named = str) -> Recording:
    """
    The game of a seed: shipped rules or random ones, over or cut off after so many events.

    Args:
        named: makes the ids of games and players of short words.
    """
    chance = Random(seed)
    names = sorted(SHIPPED)
    rules = (
        rules_from_data(SHIPPED[names[seed // 2 % len(names)]])
        if seed % 2 == 0
        else random_rules(seed)
    )
    while True:
        try:
            setup = _setup(rules, chance, seed, named)
            return _Play(chance, Recording(setup, START), most, named).whole()
        except (Malformed, Refusal):
            continue


def _setup(rules: Rules, chance: Random, seed: int, named: Named) -> Setup:
    # Of a rule set that nobody knows yet, a strategist first thinks for a minute.
    known = seed % 2 == 0
    characters = [name for name in sorted(CHARACTERS) if known or name != "strategist"]
    places = tuple(
        Place("human", None, None)
        if chance.random() < 0.7
        else chance.choice((Place("bot", chance.choice(characters)), Place("closed")))
        for _ in range(chance.choice((1, 2, 2, 3, 3, 4)))
    )
    host = named("p0")
    places = (Place("human", None, host), *places[1:])
    while sum(place.kind != "closed" for place in places) < rules.seats_min:
        places = (*places, Place("human"))
    alone = chance.random() < 0.15
    if alone:
        places = tuple(p._replace(player_id=host) if p.kind == "human" else p for p in places)
    clocks = Clocks(chance.choice((None, 30)), chance.choice((None, 900)))
    return Setup(
        game_id=named(f"g_verify_{seed}"),
        rules=rules,
        preset=rules.name if seed % 2 == 0 else None,
        places=places,
        host=host if alone or chance.random() < 0.9 else None,
        visibility="unlisted",
        dice=_dice(rules, chance),
        clocks=clocks if chance.random() < 0.5 else None,
        pass_and_play=alone,
        bots=Bots(0, chance.random() < 0.5),
        advice=chance.random() < 0.5,
        cheats=_cheats(places, chance) if chance.random() < 0.4 else None,
        start_seat=chance.randrange(len(places)),
        server_commits=(),
    )


def _dice(rules: Rules, chance: Random) -> DiceSource:
    kind = chance.random()
    if kind < 0.1:
        return SeededDice("tuesday")
    if kind < 0.25:
        lengths = [rules.dice] + [chance.randint(1, rules.dice) for _ in range(chance.randrange(5))]
        return ScriptedDice(
            tuple(tuple(chance.randint(1, 6) for _ in range(length)) for length in lengths)
        )
    return FairDice()


def _cheats(places: tuple[Place, ...], chance: Random) -> Cheats:
    seats = [seat for seat, place in enumerate(places) if place.kind != "closed"]
    humans = [seat for seat, place in enumerate(places) if place.kind == "human"]

    def some(rate: float) -> tuple[int, ...]:
        return tuple(seat for seat in seats if chance.random() < rate)

    return Cheats(
        loaded=some(0.3),
        light=tuple(
            (seat, chance.choice(("lucky", "cold", "magnet")))
            for seat in humans
            if chance.random() < 0.6
        ),
        head_start=tuple((seat, chance.choice((3, 500, 1000))) for seat in some(0.2)),
        skip_next=some(0.2),
        always_score=some(0.3),
    )


class _Play:
    """Goes on with a game by what is legal, by clocks, and by whatever else may happen to it."""

    def __init__(self, chance: Random, game: Recording, most: int, named: Named) -> None:
        self.chance = chance
        self.named = named
        self.recording = game
        self.most = most
        self.now: Millis = START
        self.gap = 0
        self.steady = chance.random() < 0.3
        """Nothing happens but play: such games come to their end by the rules."""

    def whole(self) -> Recording:
        self._lobby()
        while isinstance(self.recording.game, Playing):
            self.now += self.chance.choice((0, 40, 900, 4_000))
            if len(self.recording.events) > self.most:
                self._try(co.End(self.now))
                self._try(co.VoidGame(self.now))
                break
            self._step(self.recording.game)
        if isinstance(self.recording.game, Finished):
            if self.chance.random() < 0.2:
                self._try(co.VoidGame(self.now + 1))
            if self.chance.random() < 0.2:
                self._try(co.AnnounceRematch(self.now + 2, self.named("g_next")))
        return self.recording

    def _try(self, command: Command) -> bool:
        try:
            self.recording.do(command)
        except (Refusal, Malformed):
            return False
        return True

    def _lobby(self) -> None:
        game = self.recording.game
        assert isinstance(game, Lobby)
        chance, setup = self.chance, game.setup
        for _ in range(0 if chance.random() < 0.5 else chance.randrange(8)):
            self.now += 1_000
            seat, player = chance.randrange(5), self.named(f"p{chance.randrange(4)}")
            kind: SeatKind = chance.choice(KINDS)
            self._try(
                chance.choice(
                    (
                        co.Join(self.now, player, chance.choice((None, seat))),
                        co.Leave(self.now, player),
                        co.SetSeat(self.now, seat, kind),
                        co.PassHost(self.now, seat)
                        if setup.host
                        else co.Leave(self.now, self.named("p1")),
                        co.ChangeSettings(
                            self.now,
                            setup.rules,
                            None,
                            chance.choice(("public", "private")),
                            setup.dice,
                            setup.clocks,
                            setup.bots,
                            setup.advice,
                            chance.choice((setup.cheats, None)),
                        ),
                    )
                )
            )
            if not isinstance(self.recording.game, Lobby):
                return
        if chance.random() < 0.04:
            self._try(chance.choice((co.End(self.now), co.VoidGame(self.now))))
            return
        for number in range(9):
            self._try(co.Join(self.now, self.named(f"q{number}")))
        self._seal()

    def _seal(self) -> None:
        """Some seats contribute, and most of them reveal in time."""
        chance, recording = self.chance, self.recording
        contribute = chance.random() < 0.5
        for _ in range(9):
            game = recording.game
            if isinstance(game, Lobby):
                self.now += 5
                for seat in range(len(game.setup.places) if contribute else 0):
                    for _ in range(chance.randrange(3)):
                        commit = chance.choice((recording.seat_commit(game.epoch, seat), "ab" * 32))
                        self._try(co.CommitEntropy(self.now, seat, commit))
                openly = chance.random() < 0.5
                if not self._try(co.Start(self.now, recording.next_server_commit(), 5_000, openly)):
                    contribute = chance.random() < 0.7
            elif isinstance(game, Sealing):
                self._reveal(game)
            else:
                return
        if isinstance(recording.game, Lobby | Sealing):
            self._try(co.End(self.now + 6))

    def _reveal(self, game: Sealing) -> None:
        chance, recording, e = self.chance, self.recording, game.epoch
        for seat, _ in game.commits:
            self.now += 50
            what = chance.random()
            if what < 0.75:
                value, commit = recording.value(e, seat), recording.seat_commit(e + 1, seat)
                self._try(co.RevealEntropy(self.now, seat, value, commit))
            elif what < 0.8:
                self._try(co.Resign(self.now, seat))
            elif what < 0.85:
                self.gap += 1
                self._try(co.ExtendClocks(self.now, self.gap, self.now - 6_000, self.now))
        if isinstance(recording.game, Sealing):
            self.now = (recording.game.reveal_by or 0) + GRACE_MS + chance.choice((1, 90))
            self._try(co.FailSealing(self.now, recording.next_server_commit()))

    def _step(self, play: Playing) -> None:
        chance, now, seat = self.chance, self.now, play.turn.seat
        if not self.steady and chance.random() < 0.15:
            self._happens(play)
            return
        if not is_players(play, seat):
            self._bot(play)
            return
        if not self._try(any_command(play, chance, self.recording.entropy, now, quits=0.0)):
            if chance.random() < 0.5:
                self._clocks(play)
            else:
                self._try(chance.choice((co.Resign(now, seat), co.End(now))))

    def _bot(self, play: Playing) -> None:
        recording, seat, character = self.recording, play.turn.seat, character_of(play)
        self._try(co.NamePolicy(self.now, seat, character, VERSIONS[character]))
        for _ in range(2):
            now = recording.game
            if not isinstance(now, Playing):
                return
            luck = BotLuck(recording.seeds[play.epoch], recording.id, seat, len(recording.events))
            if self._try(move_of(now, luck).command(self.now, seat, recording.entropy)):
                return
            self._try(co.EndOnClock(self.now))
            self._try(co.DropScript(self.now))

    def _clocks(self, play: Playing) -> None:
        deadline = turn_deadline(play) or game_deadline(play)
        if deadline is not None:
            self.now = max(self.now, deadline + GRACE_MS + self.chance.choice((1, 2, 700)))
        if not self._try(co.EndOnClock(self.now)) or isinstance(self.recording.game, Playing):
            self._try(co.TimeOut(self.now))

    def _happens(self, play: Playing) -> None:
        chance, now = self.chance, self.now
        seat = chance.randrange(len(play.seats))
        what = chance.random()
        if what < 0.3:
            self._clocks(play)
        elif what < 0.4:
            self.gap += chance.randint(1, 3)
            self._try(co.ExtendClocks(now, self.gap, now - chance.choice((900, 60_000)), now - 5))
        elif what < 0.55:
            purses = tuple(
                chance.choice((0, 1, 2)) if place.player_id else None for place in play.setup.places
            )
            self._try(co.CountPurses(now, purses))
        elif what < 0.58:
            self._try(co.Advise(now, play.turn.seat))
        elif what < 0.65:
            clocks = play.setup.clocks
            if clocks is None or clocks.turn_s is None or play.seats[seat].missed > 1:
                self._try(co.BotTakesSeat(now, seat))
        elif what < 0.75:
            self._try(co.Return(now, seat))
        elif what < 0.85:
            if play.setup.host is not None:
                self._try(co.PassHost(now, seat))
        elif what < 0.92:
            self._try(co.SkipNext(now, seat))
        elif what < 0.96:
            self._try(co.Resign(now, seat))
        elif what < 0.965:
            self._try(chance.choice((co.End(now), co.VoidGame(now))))
