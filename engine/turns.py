"""
What a roll, the end of a turn and the end of a game lead to: the parts commands are made of.

A `Flow` carries a command through: it collects the events and keeps the game they lead to, so
that each step decides on the state the step before has left.
"""

from __future__ import annotations

from engine import events as ev
from engine import guards
from engine.cheats import Situation, faces_needed, shown
from engine.choices import NOTHING, Choice, Sets
from engine.commands import Entropy, Selection
from engine.errors import ScriptMismatch
from engine.evolve import evolve
from engine.guards import jester, limit, selection, to_be_rolled
from engine.scoring import scoring_of
from engine.seating import others_after
from engine.state import Game, Playing, Reason, Setup, ToRoll, ToSelect
from engine.units import SIDES, Face, Mask, Millis, Points, Seat, dice_of

NOTHING_COUNTED = Choice((), 0, 0, 0, 0, NOTHING)


class Flow:
    """One command under way."""

    __slots__ = ("at", "events", "game")

    def __init__(self, game: Game | None, at: Millis) -> None:
        self.game = game
        self.at = at
        self.events: list[ev.Event] = []

    def emit(self, event: ev.Event) -> None:
        self.game = evolve(self.game, event)
        self.events.append(event)

    @property
    def setup(self) -> Setup:
        """The table's settings."""
        if self.game is None:
            raise TypeError("there is no game yet")
        return self.game.setup

    @property
    def play(self) -> Playing:
        """The game, still in play."""
        if not isinstance(self.game, Playing):
            raise TypeError("the game is not in play")
        return self.game


def select(flow: Flow, asked: Selection) -> None:
    """Selects dice of the current roll; replaces an earlier selection."""
    choice = selection(flow.play, asked)
    flow.emit(
        ev.DiceSelected(
            flow.at,
            flow.play.turn.seat,
            choice.dice,
            choice.wild_face or None,
            choice.points,
            choice.protected,
        )
    )


def fix_jester(flow: Flow, mask: Mask, face: Face) -> None:
    """
    The face of a Jester becomes final with the selection `mask`; five equal faces earn a roll.
    """
    play = flow.play
    turn = play.turn
    if not isinstance(turn, ToSelect) or not turn.wild or not mask & jester(play):
        return
    faces = {f or face for f in turn.faces}
    _earn(flow, len(faces) == 1)


def _earn(flow: Flow, earned: bool) -> None:
    wild = flow.play.setup.rules.wild_rolls
    if earned and wild is not None and wild.earn:
        seat = flow.play.turn.seat
        flow.emit(ev.WildRollEarned(flow.at, seat, flow.play.seats[seat].wild_rolls + 1))


def roll(flow: Flow, mask: Mask, wild: bool, entropy: Entropy) -> None:
    """Rolls the dice of `mask` (the Jester beside them when `wild`), and what follows."""
    play = flow.play
    seat, rules = play.turn.seat, play.setup.rules
    dice = dice_of(mask)
    if isinstance(play.turn, ToSelect) and play.turn.selected:
        fix_jester(flow, play.turn.selected, play.turn.wild_face)
        if play.turn.locked | play.turn.selected == rules.all_dice:
            flow.emit(ev.HotDice(flow.at, seat, play.turn.score))
    faces, fair, scripted = _faces(play, dice, wild, entropy)
    spender = flow.play.seats[seat]
    if wild and not spender.wild_rolls:  # the game's own are spent first
        flow.emit(ev.PurseSpent(flow.at, seat, spender.purse - 1))
    flow.emit(
        ev.DiceRolled(
            flow.at, seat, play.epoch, play.rolls, SIDES, dice, faces, wild, scripted, fair
        )
    )
    play = flow.play
    turn = play.turn
    together = mask == rules.all_dice
    _earn(flow, together and len(set(faces)) == 1)
    scoring = scoring_of(rules)
    if (
        together
        and rules.spicy
        and rules.spicy.instant_win
        and all(scoring.is_spicy(p, f) for p, f in zip(dice, faces, strict=True))
    ):
        finish(flow, "instant_win", (seat,))
        return
    if not isinstance(turn, ToSelect):
        raise TypeError("dice were rolled")
    least, most = scoring.least(turn.faces, turn.rolled, wild, turn.sets), limit(play)
    if least is None or (most is not None and least > most):
        lose(flow, ev.TurnBusted, turn.score, turn.protected)


def _faces(
    play: Playing, dice: tuple[int, ...], wild: bool, entropy: Entropy
) -> tuple[tuple[Face, ...], tuple[Face, ...] | None, bool]:
    """What the dice show, the fair faces where a cheat changed them, whether they are scripted."""
    if play.script:
        if len(play.script[0]) != len(dice):
            raise ScriptMismatch(scripted=len(play.script[0]), needed=len(dice))
        return play.script[0], None, True
    cheats, seat = play.setup.cheats, play.turn.seat
    if cheats is None:
        return entropy.faces(play.rolls, len(dice)), None, False
    fair = entropy.faces(play.rolls, faces_needed(cheats, seat, len(dice)))
    at = Situation(
        scoring_of(play.setup.rules),
        dice,
        wild,
        _sets_while_rolling(play),
        limit_while_rolling(play),
    )
    faces = shown(cheats, seat, fair, at)
    return faces, None if faces == fair else fair, False


def limit_while_rolling(play: Playing) -> Points | None:
    """What exact play allows the coming roll: the selection on the table counts as locked."""
    most = limit(play)
    if most is None or not isinstance(play.turn, ToSelect):
        return most
    return most - play.turn.points


def _sets_while_rolling(play: Playing) -> Sets:
    """Locked sets the coming roll can upgrade."""
    turn = play.turn
    if isinstance(turn, ToRoll) or to_be_rolled(play) == play.setup.rules.all_dice:
        return ()
    scoring = scoring_of(play.setup.rules)
    if not turn.selected:
        return turn.sets
    choice = scoring.choice(
        dice_of(turn.selected), turn.selected, turn.faces, turn.rolled, turn.wild_face, turn.sets
    )
    return scoring.sets_after(turn.sets, choice) if choice else turn.sets


def bank(flow: Flow, choice: Choice | None) -> None:
    """
    The turn ends with its score; past an exact target it overshoots.

    Args:
        choice: what is counted of the current roll; None: nothing, on the clock alone.
    """
    play = flow.play
    turn = guards.after_roll(play)
    counted = choice or NOTHING_COUNTED
    fix_jester(flow, counted.mask, counted.wild_face)
    score = turn.carried + turn.banked + counted.points
    total = play.seats[turn.seat].score + score
    if guards.overshoots(play, total):
        lose(flow, ev.TurnOvershot, score, turn.banked_protected + counted.protected)
        return
    flow.emit(
        ev.TurnBanked(
            flow.at,
            turn.seat,
            counted.dice,
            counted.wild_face or None,
            dice_of(turn.locked | counted.mask),
            score,
            total,
        )
    )
    after_turn(flow, turn.seat)


def lose(
    flow: Flow,
    kind: type[ev.TurnBusted] | type[ev.TurnOvershot] | type[ev.TurnLapsed],
    at_stake: Points,
    protected: Points,
) -> None:
    """The turn ends without its points; the protected part of them is credited."""
    play = flow.play
    seat = play.turn.seat
    credited = guards.creditable(play, protected)
    total = play.seats[seat].score + credited
    flow.emit(kind(flow.at, seat, at_stake - credited, credited, total))
    after_turn(flow, seat)


def after_turn(flow: Flow, seat: Seat) -> None:
    """Opens the final round, ends the game or passes the turn on, whatever is due."""
    play = flow.play
    rules, others = play.setup.rules, others_after(play.seats, seat)
    if seat in play.reached and play.final_round is None and play.seats[seat].active:
        if rules.final_round == "none" or not others:
            finish(flow, "target", (seat,))
            return
        flow.emit(ev.FinalRoundOpened(flow.at, seat, others))
    pass_on(flow)


def pass_on(flow: Flow) -> None:
    """Ends the game when nobody's last turn is due; else uses up the skips of who comes next."""
    while True:
        play = flow.play
        if play.final_round is not None and not play.final_round.waiting:
            finish(flow, "target", winners(play))
            return
        if not play.seats[play.turn.seat].skip:
            return
        flow.emit(ev.TurnSkipped(flow.at, play.turn.seat))


def winners(play: Playing) -> tuple[Seat, ...]:
    """Who wins after a final round. Source: docs/rules.md, "house" and "All games"."""
    reached = [seat for seat in play.reached if play.seats[seat].active]
    if play.setup.rules.winner == "last_to_reach" and reached:
        return (reached[-1],)
    return highest(play)


def highest(play: Playing) -> tuple[Seat, ...]:
    """The seats with the highest total, resigned ones aside; ties are shared."""
    active = [(seat, s.score) for seat, s in enumerate(play.seats) if s.active]
    most = max(score for _, score in active)
    return tuple(seat for seat, score in active if score == most)


def finish(flow: Flow, reason: Reason, won: tuple[Seat, ...]) -> None:
    """The end, with everyone's standing."""
    play = flow.play
    taking_part = [
        (seat, state.score)
        for seat, state in enumerate(play.seats)
        if play.setup.places[seat].kind != "closed"
    ]
    standings = tuple(sorted(taking_part, key=lambda row: (-row[1], row[0])))
    flow.emit(ev.GameFinished(flow.at, reason, won, standings))
