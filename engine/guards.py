"""
Every "no" of play, in one place: what `decide` refuses and what `legal` leaves out is the same.

Nothing here changes anything; each guard either returns what the command needs or raises the
refusal. Order of the checks: the game's phase, whose turn it is, the turn's phase, what nothing in
this turn could mend, the selection, then the rest.
"""

from __future__ import annotations

from engine.choices import Choice
from engine.commands import Selection
from engine.deadlines import game_deadline, has_run_out, turn_deadline
from engine.errors import (
    AlreadyStarted,
    BelowOpening,
    DiceDoNotScore,
    DiceNotRolled,
    GameOver,
    MustRollHotDice,
    NoTakeOver,
    NotAllDice,
    NothingSelected,
    NotSealing,
    NotStarted,
    NotYourTurn,
    NoWildRolls,
    OverTarget,
    RollFirst,
    TimeIsUp,
    WildFaceNeeded,
    WildFaceUnexpected,
)
from engine.scoring import Scoring, scoring_of
from engine.state import Game, Lobby, Offer, Playing, Sealing, ToRoll, ToSelect, Unstarted
from engine.units import SIDES, Mask, Millis, Points, Seat, dice_of, mask_of


def playing(game: Game | None) -> Playing:
    """The game in play. Raises: NotStarted, GameOver."""
    if isinstance(game, Playing):
        return game
    raise NotStarted() if game is None or isinstance(game, Unstarted) else GameOver()


def in_lobby(game: Game | None) -> Lobby:
    """The game before its start. Raises: AlreadyStarted, GameOver."""
    if isinstance(game, Lobby):
        return game
    raise AlreadyStarted() if isinstance(game, Sealing | Playing) else GameOver()


def in_sealing(game: Game | None) -> Sealing:
    """The game while its dice are sealed. Raises: NotSealing, AlreadyStarted, GameOver."""
    if isinstance(game, Sealing):
        return game
    if game is None or isinstance(game, Lobby):
        raise NotSealing()
    raise AlreadyStarted() if isinstance(game, Playing) else GameOver()


def in_time(game: Game | None, at: Millis) -> Playing:
    """The game in play, its clock still running."""
    play = playing(game)
    if has_run_out(game_deadline(play), at):
        raise TimeIsUp()
    return play


def of_seat(game: Game | None, seat: Seat, at: Millis) -> Playing:
    """The game in play, with this seat to move and time left."""
    play = playing(game)
    if play.turn.seat != seat:
        raise NotYourTurn(seat_to_move=play.turn.seat)
    if play.setup.clocks is not None:
        in_time(play, at)
        if has_run_out(turn_deadline(play), at):
            raise TimeIsUp()
    return play


def after_roll(play: Playing) -> ToSelect:
    """The turn once dice lie on the table. Raises: RollFirst."""
    if isinstance(play.turn, ToSelect):
        return play.turn
    raise RollFirst()


def jester(play: Playing) -> Mask:
    """The die that is the Jester in a wild roll: the last."""
    return 1 << play.setup.rules.dice - 1


def limit(play: Playing) -> Points | None:
    """What a selection may be worth at most where passing the target is refused."""
    rules = play.setup.rules
    if rules.exact != "refuse":
        return None
    turn = play.turn
    at_stake = turn.carried + turn.banked if isinstance(turn, ToSelect) else 0
    return rules.target - play.seats[turn.seat].score - at_stake


def selection(play: Playing, asked: Selection) -> Choice:
    """
    The selection asked for, scored.

    Raises: RollFirst, DiceNotRolled, NothingSelected, WildFaceNeeded, WildFaceUnexpected,
    DiceDoNotScore, OverTarget.
    """
    turn = after_roll(play)
    dice = tuple(sorted(set(asked.dice)))
    rules = play.setup.rules
    strange = [p for p in dice if not 0 <= p < rules.dice or not turn.rolled >> p & 1]
    if strange:
        raise DiceNotRolled(dice=strange)
    if not dice:
        raise NothingSelected()
    if len(dice) != len(asked.dice):
        raise DiceDoNotScore()
    mask = mask_of(dice)
    holds_jester = turn.wild and bool(mask & jester(play))
    if holds_jester and asked.wild_face is None:
        raise WildFaceNeeded()
    if not holds_jester and asked.wild_face is not None:
        raise WildFaceUnexpected()
    if asked.wild_face is not None and not 1 <= asked.wild_face <= SIDES:
        raise WildFaceNeeded()
    choice = scoring_of(rules).choice(
        dice, mask, turn.faces, turn.rolled, asked.wild_face or 0, turn.sets
    )
    if choice is None:
        raise DiceDoNotScore()
    most = limit(play)
    if most is not None and choice.points > most:
        raise OverTarget(target=rules.target, offered=rules.target + choice.points - most)
    return choice


def selected(turn: ToSelect, scoring: Scoring) -> Choice:
    """The selection as it lies on the table. Raises: NothingSelected."""
    if not turn.selected:
        raise NothingSelected()
    choice = scoring.choice(
        dice_of(turn.selected), turn.selected, turn.faces, turn.rolled, turn.wild_face, turn.sets
    )
    if choice is None:
        raise NothingSelected()
    return choice


def to_be_rolled(play: Playing) -> Mask:
    """What a roll would roll now, the selection counted as locked; none left means all."""
    every = play.setup.rules.all_dice
    turn = play.turn
    if isinstance(turn, ToRoll):
        return every
    return every & ~(turn.locked | turn.selected) or every


def roll(play: Playing) -> Mask:
    """The dice a roll rolls. Raises: NothingSelected."""
    if isinstance(play.turn, ToSelect) and not play.turn.selected:
        raise NothingSelected()
    return to_be_rolled(play)


def wild_roll(play: Playing) -> Mask:
    """The ordinary dice a wild roll rolls. Raises: NoWildRolls, NothingSelected, NotAllDice."""
    rules = play.setup.rules
    seat = play.seats[play.turn.seat]
    wild = rules.wild_rolls
    # What is the player's own is not for a bot that stands in to spend.
    own = seat.purse if wild is not None and wild.purse and seat.stand_in is None else 0
    if wild is None or seat.wild_rolls + own < 1:
        raise NoWildRolls()
    dice = roll(play)
    if dice != rules.all_dice:
        raise NotAllDice(dice_to_roll=dice.bit_count(), needed=rules.dice)
    return dice & ~jester(play)


def take_over(play: Playing) -> Offer:
    """The offer to the seat to move. Raises: NoTakeOver, OverTarget."""
    offer = play.offer
    if offer is None or offer.seat != play.turn.seat or not isinstance(play.turn, ToRoll):
        raise NoTakeOver()
    rules = play.setup.rules
    total = play.seats[offer.seat].score + offer.score
    if rules.exact == "refuse" and total > rules.target:
        raise OverTarget(target=rules.target, offered=total)
    return offer


def counted(play: Playing) -> Choice:
    """
    The dice of the current roll that a bank would count.

    Raises: RollFirst, NothingSelected.
    """
    turn = after_roll(play)
    rules = play.setup.rules
    scoring = scoring_of(rules)
    if rules.bank_takes == "selected":
        return selected(turn, scoring)
    best = scoring.roll_table(turn.faces, turn.rolled, turn.wild, turn.sets).best(limit(play))
    if best is None:
        raise NothingSelected()
    return best


def bank(play: Playing) -> Choice:
    """
    The dice a bank counts, when it may be made; past an exact target it may, and overshoots.

    Raises: RollFirst, NothingSelected, BelowOpening, MustRollHotDice.
    """
    choice = counted(play)
    turn = after_roll(play)
    rules, seat = play.setup.rules, play.seats[turn.seat]
    score = turn.carried + turn.banked + choice.points
    if rules.reaches(seat.score + score):
        return choice
    if not seat.on_board and score < rules.opening:
        raise BelowOpening(needed=rules.opening, offered=score)
    if not rules.bank_on_hot_dice and turn.locked | choice.mask == rules.all_dice:
        raise MustRollHotDice()
    return choice


def overshoots(play: Playing, total: Points) -> bool:
    """Whether a total passes an exact target."""
    rules = play.setup.rules
    return rules.exact != "off" and total > rules.target


def creditable(play: Playing, protected: Points) -> Points:
    """Protected points a lost turn credits: none where they would pass an exact target."""
    return 0 if overshoots(play, play.seats[play.turn.seat].score + protected) else protected
