"""A whole game, one command after another, for any rule set."""

from collections.abc import Sequence
from typing import NamedTuple

from tests.referee.play import Play, Throw
from tests.referee.scoring import Selection, best, selections
from tests.referee.state import Offer, Refused, Turn


class Preview(NamedTuple):
    """What a bank would bring now: the turn's points credited and the total they lead to."""

    score: int
    total: int


class Legal(NamedTuple):
    seat: int
    commands: tuple[str, ...]
    selections: tuple[Selection, ...]
    bank: Preview | None


class Game(Play):
    """
    Every command takes the acting seat and, where dice are rolled, their faces as they show, in
    the order of their positions. It changes the game, or raises Refused and changes nothing.
    A malformed call (wrong number of faces, a die named twice) raises ValueError.
    """

    def _turn_of(self, seat: int) -> Turn:
        self._check_playing()
        assert self.turn is not None
        if self.turn.seat != seat:
            raise Refused("not_your_turn")
        return self.turn

    def _check_selected(self, turn: Turn) -> None:
        if turn.phase == "to_select" and turn.selection is None:
            raise Refused("nothing_selected")

    def roll(self, seat: int, faces: Sequence[int]) -> None:
        turn = self._turn_of(seat)
        self._check_selected(turn)
        self.next_throw().roll(faces)
        if turn.selection is not None:
            self._lock_and_earn(turn)
        self._throw(turn, self._prepare(turn, wild=False), faces)

    def wild_roll(self, seat: int, faces: Sequence[int]) -> None:
        """`faces`: those of all dice but the last, the Jester."""
        turn = self._turn_of(seat)
        if self.wild_rolls_left(seat) == 0:
            raise Refused("no_wild_rolls")
        self._check_selected(turn)
        if len(self.dice_to_roll()) < self.rules["dice"]["count"]:
            raise Refused("not_all_dice")
        self.next_throw(wild=True).roll(faces)
        if turn.selection is not None:
            self._lock_and_earn(turn)
        player = self.seats[seat]
        if player.wild_rolls > 0:
            player.wild_rolls -= 1
        else:
            player.purse -= 1
        self._throw(turn, self._prepare(turn, wild=True), faces)

    def wild_rolls_left(self, seat: int) -> int:
        """The seat's own, and its player's purse where that may be spent."""
        if not self.rules["wild_rolls"]:
            return 0
        player = self.seats[seat]
        return player.wild_rolls + (player.purse if self.rules["wild_rolls"]["purse"] else 0)

    def take_over(self, seat: int, faces: Sequence[int]) -> None:
        turn = self._turn_of(seat)
        self._check_offer(turn)
        assert self.offer is not None
        self.next_throw(take_over=True).roll(faces)
        self._carry_in(turn, self.offer)
        self._throw(turn, self._prepare(turn, wild=False), faces)

    def _check_offer(self, turn: Turn) -> None:
        if self.offer is None:
            raise Refused("no_take_over")
        past = self.seats[turn.seat].total + self.offer.score > self.rules["target"]
        if past and self.rules["exact"] == "refuse":
            raise Refused("over_target")

    def _throw(self, turn: Turn, throw: Throw, faces: Sequence[int]) -> None:
        self.offer = None
        turn.roll = throw.roll(faces)
        turn.selection = None
        all_dice = len(faces) == self.rules["dice"]["count"]
        if all_dice and len(set(faces)) == 1:
            self._earn(turn.seat)
        spicy = self.rules["spicy"]
        if all_dice and spicy and spicy["instant_win"] and list(faces) == spicy["faces"]:
            self._finish("instant_win", [turn.seat])
        elif not self.choices():
            self._lose("busted")

    def select(self, seat: int, dice: Sequence[int], wild_face: int | None = None) -> None:
        turn = self._turn_of(seat)
        if turn.phase == "to_roll":
            raise Refused("roll_first")
        if len(set(dice)) < len(dice) or wild_face not in (None, 1, 2, 3, 4, 5, 6):
            raise ValueError("a die named twice, or no such face")
        if not dice:
            raise Refused("nothing_selected")
        if any(die not in turn.roll for die in dice):
            raise Refused("dice_not_rolled")
        with_jester = any(turn.roll[die] is None for die in dice)
        if with_jester and wild_face is None:
            raise Refused("wild_face_needed")
        if wild_face is not None and not with_jester:
            raise Refused("wild_face_unexpected")
        wanted = (tuple(sorted(dice)), wild_face)
        scoring = selections(self.rules, turn.roll, sets=turn.sets, limited=False)
        if wanted not in [(choice.dice, choice.wild_face) for choice in scoring]:
            raise Refused("dice_do_not_score")
        allowed = [c for c in self.choices() if (c.dice, c.wild_face) == wanted]
        if not allowed:
            raise Refused("over_target")
        turn.selection = allowed[0]

    def bank(self, seat: int) -> None:
        turn = self._turn_of(seat)
        if turn.phase == "to_roll":
            raise Refused("roll_first")
        counted = self._counted(turn)
        if counted is None:
            raise Refused("nothing_selected")
        code = self._bank_refusal(turn, counted)
        if code is not None:
            raise Refused(code)
        turn.selection = counted
        self._bank(turn)

    def _counted(self, turn: Turn) -> Selection | None:
        """The dice of the current roll that a bank would count."""
        if self.rules["bank_takes"] == "all_scoring":
            return best(self._choices(turn, turn.roll))
        return turn.selection

    def _bank_refusal(self, turn: Turn, counted: Selection) -> str | None:
        player = self.seats[turn.seat]
        score = turn.carried + turn.locked_points + counted.points
        if self.has_reached(player.total + score):
            return None
        if not player.on_board and score < self.rules["opening"]:
            return "below_opening"
        all_held = len(turn.locked) + len(counted.dice) == self.rules["dice"]["count"]
        if all_held and not self.rules["bank_on_hot_dice"]:
            return "must_roll_hot_dice"
        return None

    def _overshoots(self, turn: Turn, score: int) -> bool:
        past: bool = self.seats[turn.seat].total + score > self.rules["target"]
        return past and self.rules["exact"] == "bust"

    def _bank(self, turn: Turn) -> None:
        """Ends the turn with what is locked and selected."""
        if turn.selection is not None:
            self._lock_and_earn(turn)
        if self._overshoots(turn, turn.score):
            self._lose("overshot")
            return
        player = self.seats[turn.seat]
        score = self._credit(turn.seat, turn.score)
        player.on_board = True
        offer = None
        if self.rules["take_over"]:
            following = self._seats_after(turn.seat)
            if following:
                offer = Offer(following[0], score, turn.locked)
        self._end_turn("banked", score, reached=self.has_reached(player.total), offer=offer)

    def _lose(self, what: str) -> None:
        """Ends the turn with its protected points alone."""
        turn = self.turn
        assert turn is not None
        player = self.seats[turn.seat]
        credited = self._credit(turn.seat, turn.protected)
        if credited > 0 and credited >= self.rules["opening"]:
            player.on_board = True
        reached = credited > 0 and self.has_reached(player.total)
        self._end_turn(what, credited, reached=reached, offer=None)

    def time_out(self) -> None:
        """The turn clock of the seat to move is at zero."""
        self._check_playing()
        turn = self.turn
        assert turn is not None
        counted = self._counted(turn)
        score = turn.carried + turn.locked_points + (counted.points if counted else 0)
        if turn.phase == "to_roll" or score == 0:
            self._end_turn("passed", 0, reached=False, offer=None)
            return
        turn.selection = counted
        player = self.seats[turn.seat]
        reaches = self.has_reached(player.total + score)
        if player.on_board or score >= self.rules["opening"] or reaches:
            self._bank(turn)
        else:
            self._lose("timed_out")

    def legal(self) -> Legal | None:
        """What the seat to move may do; None when the game is over."""
        turn = self.turn
        if turn is None:
            return None
        all_dice = len(self.dice_to_roll()) == self.rules["dice"]["count"]
        may_roll = turn.phase == "to_roll" or turn.selection is not None
        bank = self._preview(turn) if turn.phase == "to_select" else None
        commands = {
            "roll": may_roll,
            "select": turn.phase == "to_select",
            "bank": bank is not None,
            "take-over": self._may_take_over(turn),
            "wild-roll": may_roll and all_dice and self.wild_rolls_left(turn.seat) > 0,
        }
        allowed = tuple(command for command, is_open in commands.items() if is_open)
        return Legal(turn.seat, allowed, tuple(self.choices()), bank)

    def _preview(self, turn: Turn) -> Preview | None:
        counted = self._counted(turn)
        if counted is None or self._bank_refusal(turn, counted) is not None:
            return None
        total = self.seats[turn.seat].total
        score = turn.carried + turn.locked_points + counted.points
        if self._overshoots(turn, score):
            return Preview(0, total)
        return Preview(score, total + score)

    def _may_take_over(self, turn: Turn) -> bool:
        try:
            self._check_offer(turn)
        except Refused:
            return False
        return True
