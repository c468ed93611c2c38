"""
Everything the engine raises, sorted by whose fault it is.

    GameError
      Refusal             the rules say no: the player's fault; state unchanged
      Malformed           the caller's fault
        MalformedRules    rule-set data or options are wrong
        MalformedSettings the settings of a table are: seats, dice, clocks, cheats
      BrokenHistory       stored events do not replay: ours

A refusal carries facts, not prose: `BelowOpening(needed=500, offered=350)`. Its `code` is stable
and never changes; the sentence is built from the facts.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple


class GameError(Exception):
    """Root of the tree."""

    code: ClassVar[str] = "game_error"


class Refusal(GameError):
    """The rules refuse a command; nothing has changed."""

    says: ClassVar[str] = "The rules refuse this."

    def __init__(self, **facts: int | str | list[int]) -> None:
        self.facts = facts
        super().__init__(self.says.format(**facts))


class NotYourTurn(Refusal):
    """Fact: `seat_to_move`."""

    code = "not_your_turn"
    says = "It is the turn of seat {seat_to_move}."


class GameOver(Refusal):
    code = "game_over"
    says = "The game is over."


class NotStarted(Refusal):
    code = "not_started"
    says = "The game has not started."


class AlreadyStarted(Refusal):
    code = "already_started"
    says = "The game has started; this is possible in the lobby only."


class TimeIsUp(Refusal):
    code = "time_is_up"
    says = "The clock has run out."


class RollFirst(Refusal):
    code = "roll_first"
    says = "No dice have been rolled in this turn."


class NothingSelected(Refusal):
    code = "nothing_selected"
    says = "Select at least one scoring die of the current roll first."


class BelowOpening(Refusal):
    """Facts: `needed`, `offered`: points."""

    code = "below_opening"
    says = "The first banked turn must be worth {needed}; this one is worth {offered}."


class MustRollHotDice(Refusal):
    code = "must_roll_hot_dice"
    says = "All dice are set aside: at this table hot dice must be rolled."


class OverTarget(Refusal):
    """Facts: `target`, `offered`: the total this would lead to."""

    code = "over_target"
    says = "This would lead to {offered}, past the exact target of {target}."


class DiceDoNotScore(Refusal):
    code = "dice_do_not_score"
    says = "These dice do not split into scoring combinations with no die left over."


class DiceNotRolled(Refusal):
    """Fact: `dice`: the positions asked for that are not part of the current roll."""

    code = "dice_not_rolled"
    says = "These dice are not part of the current roll: {dice}."


class WildFaceNeeded(Refusal):
    code = "wild_face_needed"
    says = "The selection holds the Jester: name its face."


class WildFaceUnexpected(Refusal):
    code = "wild_face_unexpected"
    says = "The selection does not hold a Jester whose face could be named."


class NoTakeOver(Refusal):
    code = "no_take_over"
    says = "There is no banked turn to take over."


class NoWildRolls(Refusal):
    code = "no_wild_rolls"
    says = "This seat has no Wild Roll left."


class NotAllDice(Refusal):
    """Facts: `dice_to_roll`, `needed`."""

    code = "not_all_dice"
    says = "A Wild Roll rolls all {needed} dice; {dice_to_roll} would be rolled now."


class ScriptMismatch(Refusal):
    """Facts: `scripted`, `needed`: how many faces the script gives and the roll takes."""

    code = "script_mismatch"
    says = "The script's next roll has {scripted} faces; this roll takes {needed}."


class SeatsEmpty(Refusal):
    """Fact: `seats`: human seats nobody holds."""

    code = "seats_empty"
    says = "Nobody holds the human seats {seats}."


class TooFewSeats(Refusal):
    """Facts: `needed`, `seats`: how many."""

    code = "too_few_seats"
    says = "The rule set needs {needed} seats; {seats} are open."


class SeatTaken(Refusal):
    """Fact: `seat`."""

    code = "seat_taken"
    says = "Seat {seat} is not free."


class TableFull(Refusal):
    code = "table_full"
    says = "No human seat is free."


class AlreadySeated(Refusal):
    """Fact: `seat`."""

    code = "already_seated"
    says = "This player already holds seat {seat}."


class NoSuchSeat(Refusal):
    """Fact: `seats`: how many the table has."""

    code = "no_such_seat"
    says = "The table has {seats} seats."


class SeatNotActive(Refusal):
    """Fact: `seat`."""

    code = "seat_not_active"
    says = "Seat {seat} is closed or has resigned."


class CheatsAreOff(Refusal):
    code = "cheats_are_off"
    says = "Cheats were not switched on when this table was created."


class AdviceIsOff(Refusal):
    code = "advice_is_off"
    says = "This table does not allow advice."


class CheatNeedsHuman(Refusal):
    """Fact: `seat`."""

    code = "cheat_needs_human"
    says = "A light touch was set for seat {seat}: it must stay human."


class NotFinished(Refusal):
    code = "not_finished"
    says = "The game is not finished."


class NotSealing(Refusal):
    code = "not_sealing"
    says = "Nothing is being sealed: contributions are revealed after the start, and once."


class NothingToReveal(Refusal):
    """Facts: `seat`, `epoch`."""

    code = "nothing_to_reveal"
    says = "Seat {seat} has committed to nothing in attempt {epoch}."


class AlreadyRevealed(Refusal):
    """Fact: `seat`."""

    code = "already_revealed"
    says = "Seat {seat} has revealed its contribution; it stands."


class RevealDoesNotMatch(Refusal):
    """Facts: `seat`, `epoch`."""

    code = "reveal_does_not_match"
    says = "This is not what seat {seat} has committed to in attempt {epoch}."


class ContributesNoMore(Refusal):
    """Fact: `seat`."""

    code = "contributes_no_more"
    says = "Seat {seat} did not reveal in time once: it contributes no more to this game."


class SealingFailed(Refusal):
    """Fact: `failed_attempts`."""

    code = "sealing_failed"
    says = (
        "Sealing has failed ({failed_attempts}) and no seat contributes: say openly that the dice "
        "shall be server-committed only."
    )


class SeatsContribute(Refusal):
    """Fact: `seats`."""

    code = "seats_contribute"
    says = "The seats {seats} contribute: the dice cannot be server-committed only."


class Fault(NamedTuple):
    """One thing wrong with rule-set data: where (JSON pointer), which kind, in words."""

    pointer: str
    code: str
    detail: str


class Malformed(GameError):
    """What a client put together is wrong; carries every fault found, in document order."""

    says: ClassVar[str]

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        super().__init__("; ".join(f"{f.pointer}: {f.detail}" for f in faults))


class MalformedRules(Malformed):
    code = "malformed_rules"
    says = "The rule set or its options are malformed; errors names each fault."


class MalformedSettings(Malformed):
    code = "malformed_settings"
    says = "The table's settings do not fit its rules or each other; errors names each fault."


class BrokenHistory(GameError):
    """Stored events do not fold: the log was damaged or written by a faulty version."""

    code = "broken_history"
