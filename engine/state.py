"""
The state of a game: frozen, tuples all the way down, and without secrets.

A game is in one of four phases, `Lobby | Sealing | Playing | Finished`; the turn in one of two,
`ToRoll | ToSelect`. What cannot happen cannot be built: a lobby has no turn, a turn before its
first roll has no dice, a finished game has a result.

Named tuples rather than frozen dataclasses: a turn is replaced several times a command, and a
named tuple is built in a third of the time.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.rules import Rules
from engine.units import Face, Mask, Millis, Points, Seat

SeatKind = Literal["human", "bot", "closed"]
Character = Literal["cautious", "gambler", "strategist"]
Light = Literal["lucky", "cold", "magnet"]
Visibility = Literal["public", "unlisted", "private"]
Reason = Literal[
    "target", "instant_win", "walkover", "ended_early", "game_clock", "resigned", "voided"
]


class Place(NamedTuple):
    """A seat as the table is laid: who may sit there, and who does."""

    kind: SeatKind
    character: Character | None = None
    player_id: str | None = None


class Policy(NamedTuple):
    """A version of a character: the same one makes the same moves."""

    character: Character
    policy: int


class FairDice(NamedTuple):
    """Dice of protocol pf1."""

    kind: Literal["fair"] = "fair"


class ScriptedDice(NamedTuple):
    """Rolls given in advance; public, like all settings. After the last, rolls are fair."""

    rolls: tuple[tuple[Face, ...], ...]
    kind: Literal["scripted"] = "scripted"


class SeededDice(NamedTuple):
    """The same dice for every game with this seed."""

    seed: str
    kind: Literal["seeded"] = "seeded"


DiceSource = FairDice | ScriptedDice | SeededDice


class Clocks(NamedTuple):
    """Limits in seconds; None: no such clock."""

    turn_s: int | None
    game_s: int | None


class Cheats(NamedTuple):
    """The host's cheats, as told to every seat. Pairs are (seat, value), seats ascending."""

    loaded: tuple[Seat, ...] = ()
    light: tuple[tuple[Seat, Light], ...] = ()
    head_start: tuple[tuple[Seat, Points], ...] = ()
    skip_next: tuple[Seat, ...] = ()
    always_score: tuple[Seat, ...] = ()


class Bots(NamedTuple):
    """How the table treats bots; pace in milliseconds a decision."""

    pace_ms: int = 0
    take_absent_seats: bool = False
    fill_after_s: int | None = None
    """Of a table of strangers: seconds after which bots take the seats that are free."""


class Setup(NamedTuple):
    """A table as it was created and changed in the lobby; fixed once the game starts."""

    game_id: str
    rules: Rules
    preset: str | None
    places: tuple[Place, ...]
    host: str | None
    """The player id of the host; None: strangers were brought together, and nobody rules them."""
    visibility: Visibility
    dice: DiceSource
    clocks: Clocks | None
    pass_and_play: bool
    bots: Bots
    advice: bool
    cheats: Cheats | None
    start_seat: Seat
    """Turn order begins at the first open seat from here on; 0 but for a rematch."""
    server_commits: tuple[str, ...]
    """pf1's server_commit(0), (1), … as hex."""

    @property
    def counts(self) -> bool:
        """Whether statistics may count the game: fair dice, no cheats, two different people."""
        people = {p.player_id for p in self.places if p.kind == "human" and p.player_id}
        return self.dice.kind == "fair" and self.cheats is None and len(people) > 1


class SeatState(NamedTuple):
    """A seat during play."""

    score: Points
    on_board: bool
    wild_rolls: int
    active: bool
    """False for a closed seat and for one that resigned."""
    skip: bool
    """The next turn of this seat passes without a roll."""
    started_with: Points
    purse: int = 0
    """Wild Rolls of the player's own that may be spent here; 0 where the table leaves them out."""
    improved: int = 0
    """How many rolls the game had seen when the total last changed; 0: never."""
    missed: int = 0
    """Turns in a row that ran out without a command of the player."""
    stand_in: Character | None = None
    """The bot that plays while the player is absent."""
    from_purse: int = 0
    """How many of them were spent here."""
    policy: int = 0
    """Version of the policy by which its bot moves, once that is logged."""
    advised: int = 0
    """Up to which moment of play advice was given, see `Playing.moment`; 0: never."""


class ToRoll(NamedTuple):
    """A turn before its first roll."""

    seat: Seat
    began_at: Millis


class ToSelect(NamedTuple):
    """A turn in which dice lie on the table."""

    seat: Seat
    began_at: Millis
    faces: tuple[Face, ...]
    """By position; 0 for the Jester while its face is not fixed."""
    locked: Mask
    rolled: Mask
    """The dice of the current roll; with `locked`, all dice."""
    wild: bool
    """The last die of the current roll is the Jester."""
    selected: Mask
    wild_face: Face
    """Named by the selection that holds the Jester; 0 otherwise."""
    points: Points
    """Points of the selection."""
    points_protected: Points
    carried: Points
    """Points that came with a take-over; never protected."""
    banked: Points
    """Points of the locked dice of this turn, hot dice before included."""
    banked_protected: Points
    sets: tuple[tuple[Face, int], ...]
    """Locked sets a further die can upgrade: (face, how many), until hot dice."""

    @property
    def score(self) -> Points:
        """Turn score: carried + locked + selection."""
        return self.carried + self.banked + self.points

    @property
    def protected(self) -> Points:
        """What a bust would still credit, the selection included."""
        return self.banked_protected + self.points_protected


Turn = ToRoll | ToSelect


class Offer(NamedTuple):
    """A banked turn the next seat may take over."""

    seat: Seat
    score: Points
    held: Mask
    """Dice held by the banker, locked for the taker; 0 when all were held: all are rolled."""
    faces: tuple[Face, ...]
    """By position; meaningful for the held dice."""


class FinalRound(NamedTuple):
    opened_by: Seat
    waiting: tuple[Seat, ...]
    """Seats whose last turn is not over, in turn order, the one to move included."""


class Result(NamedTuple):
    reason: Reason
    winners: tuple[Seat, ...]
    standings: tuple[tuple[Seat, Points], ...]
    """(seat, score), best first, ties by seat; closed seats left out."""


class Lobby(NamedTuple):
    setup: Setup
    epoch: int = 0
    """The next attempt to seal the dice; so many have failed."""
    commits: tuple[tuple[Seat, str], ...] = ()
    """What seats have committed to for that attempt, as hex; by seat."""
    failed: tuple[Seat, ...] = ()
    """Seats that did not reveal in an attempt: they contribute no more."""
    resigned: tuple[Seat, ...] = ()
    """Given up in the attempt before; only between two attempts of one breath."""


class Reveal(NamedTuple):
    seat: Seat
    seed: str
    """What the seat contributes, as hex."""
    next_commit: str
    """To what it contributes to the next attempt, as hex."""


class Sealing(NamedTuple):
    """The host has started; the seats that have committed reveal what they contribute."""

    setup: Setup
    epoch: int
    """The attempt under way; so many have failed."""
    commits: tuple[tuple[Seat, str], ...]
    """By seat, as hex: exactly these seats will be in the seal."""
    closed_at: Millis
    reveal_by: Millis | None
    """None where nobody contributes: the seal follows in the same breath."""
    reveals: tuple[Reveal, ...] = ()
    """By seat."""
    failed: tuple[Seat, ...] = ()
    resigned: tuple[Seat, ...] = ()
    """Seats given up since the start: they will not play."""
    gap: int = 0
    """Number of the last gap in the service that was credited."""
    seal: str = ""
    """G_epoch of pf1 as hex, once sealed: play begins in the same breath."""
    mixed: tuple[Seat, ...] = ()
    """Whose contributions are in it."""

    @property
    def revealed(self) -> tuple[Seat, ...]:
        return tuple(each.seat for each in self.reveals)

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Seats that have yet to reveal."""
        return tuple(seat for seat, _ in self.commits if seat not in self.revealed)


Unstarted = Lobby | Sealing
"""Before the first turn."""


class Playing(NamedTuple):
    setup: Setup
    seats: tuple[SeatState, ...]
    turn: Turn
    offer: Offer | None
    final_round: FinalRound | None
    reached: tuple[Seat, ...]
    """Seats whose total has reached the target, in the order in which they did."""
    rolls: int
    """How many rolls the game has seen: the index of the next in the fair stream."""
    script: tuple[tuple[Face, ...], ...]
    """Scripted rolls still to come."""
    epoch: int
    """The sealing attempt whose seal the dice come from."""
    seal: str
    """G_e of pf1 as hex."""
    started_at: Millis
    credits: Millis = 0
    """Downtime that the game clock does not count."""
    turn_credits: Millis = 0
    """Downtime that the running turn's clock does not count."""
    gap: int = 0
    """Number of the last gap in the service that was credited."""
    touched_at: Millis = 0
    """When a player last did something, moved on by downtime as deadlines are."""
    mixed: tuple[Seat, ...] = ()
    """Whose contributions are in the seal."""

    @property
    def moment(self) -> int:
        """A number that grows with every roll and every turn that is rolled in; 1 and up."""
        return 2 * self.rolls + 1 + isinstance(self.turn, ToSelect)


class Finished(NamedTuple):
    setup: Setup
    seats: tuple[SeatState, ...]
    result: Result
    rolls: int
    epoch: int
    seal: str
    started_at: Millis
    ended_at: Millis
    seeds: tuple[str, ...] = ()
    """The server's seeds as hex, once revealed."""
    rematch: str | None = None
    """Id of the game that carries on with the same seats."""
    mixed: tuple[Seat, ...] = ()
    """Whose contributions were in the seal."""


Game = Lobby | Sealing | Playing | Finished
