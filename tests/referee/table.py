"""The table: seats, whose turn it is, how turns follow each other and how a game ends."""

from collections.abc import Collection, Mapping, Sequence

from tests.referee.rulebook import RuleSet
from tests.referee.state import FinalRound, Offer, Refused, Result, Seat, Turn


class Table:
    """
    A game in play, between two turns.

    Args:
        seats: for each place whether somebody plays there; False is a closed seat.
        start_seat: who begins; default: the first active seat.
        head_start: starting totals, already snapped.
        skip_next: seats whose first turn is passed over.
        purses: Wild Rolls of the players' own, by seat.
    """

    def __init__(
        self,
        rules: RuleSet,
        seats: Sequence[bool],
        *,
        start_seat: int | None = None,
        head_start: Mapping[int, int] | None = None,
        skip_next: Collection[int] = (),
        purses: Mapping[int, int] | None = None,
    ) -> None:
        if not rules["seats"]["min"] <= sum(seats) <= rules["seats"]["max"]:
            raise ValueError("wrong number of seats")
        allotment = rules["wild_rolls"]["allotment"] if rules["wild_rolls"] else 0
        self.rules = rules
        self.seats = [Seat(playing, wild_rolls=allotment * playing) for playing in seats]
        for seat, points in (head_start or {}).items():
            self.seats[seat].total = self.seats[seat].started_with = points
        for seat, amount in (purses or {}).items():
            self.seats[seat].purse = amount
        self.skips = set(skip_next)
        self.turn: Turn | None = None
        self.offer: Offer | None = None
        self.final_round: FinalRound | None = None
        self.reached: list[int] = []
        self.result: Result | None = None
        self.credits = 0
        self.history: list[tuple[str, int, int]] = []
        """How each turn ended: (what, seat, points credited)."""
        first = self.active_seats()[0] if start_seat is None else start_seat
        self._begin_turn(after=first - 1)

    @property
    def status(self) -> str:
        return "finished" if self.result else "playing"

    def active_seats(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.active]

    def _seats_after(self, seat: int) -> list[int]:
        """Every other active seat, in the order in which they play next."""
        active = self.active_seats()
        return [s for s in active if s > seat] + [s for s in active if s < seat]

    def has_reached(self, total: int) -> bool:
        target: int = self.rules["target"]
        return total >= target if self.rules["exact"] == "off" else total == target

    def _credit(self, seat: int, points: int) -> int:
        """The points added to the seat's total: none if they would pass an exact target."""
        player = self.seats[seat]
        if self.rules["exact"] != "off" and player.total + points > self.rules["target"]:
            return 0
        if points > 0:
            self.credits += 1
            player.total += points
            player.reached_total_at = self.credits
        return points

    def _end_turn(self, what: str, credited: int, *, reached: bool, offer: Offer | None) -> None:
        assert self.turn is not None
        seat = self.turn.seat
        self.history.append((what, seat, credited))
        if reached:
            self.reached.append(seat)
        if self.final_round is not None:
            self.final_round.waiting.remove(seat)
        elif reached:
            others = self._seats_after(seat)
            if self.rules["final_round"] == "none" or not others:
                self._finish("target", [seat])
                return
            self.final_round = FinalRound(seat, others)
        self._begin_turn(after=seat, offer=offer)

    def _begin_turn(self, after: int, offer: Offer | None = None) -> None:
        """The turn of the next seat that is not skipped; the offer is for the very next seat."""
        self.turn, self.offer = None, None
        while True:
            if self.final_round is not None:
                if not self.final_round.waiting:
                    self._finish("target", self._winners_of_final_round())
                    return
                seat = self.final_round.waiting[0]
            else:
                seat = (*self._seats_after(after), after)[0]
            if seat not in self.skips:
                break
            self.skips.remove(seat)
            self.history.append(("skipped", seat, 0))
            if self.final_round is not None:
                self.final_round.waiting.remove(seat)
            after, offer = seat, None
        self.turn = Turn(seat)
        if offer is not None and offer.seat == seat:
            self.offer = offer

    def _winners_of_final_round(self) -> list[int]:
        if self.rules["winner"] == "last_to_reach":
            left = [seat for seat in self.reached if self.seats[seat].active]
            if left:
                return left[-1:]
        return self._highest()

    def _highest(self) -> list[int]:
        top = max(self.seats[seat].total for seat in self.active_seats())
        return [seat for seat in self.active_seats() if self.seats[seat].total == top]

    def _finish(self, reason: str, winners: Sequence[int]) -> None:
        played = [(number, seat.total) for number, seat in enumerate(self.seats) if seat.playing]
        standings = sorted(played, key=lambda entry: (-entry[1], entry[0]))
        self.turn, self.offer = None, None
        self.result = Result(reason, tuple(winners), tuple(standings))

    def _check_playing(self) -> None:
        if self.result is not None:
            raise Refused("game_over")

    def skip_next(self, seat: int) -> None:
        """The seat's next turn will pass without a roll; the turn it is playing goes on."""
        self._check_playing()
        self._check_active(seat)
        self.skips.add(seat)

    def _check_active(self, seat: int) -> None:
        if not self.seats[seat].active:
            raise Refused("seat_not_active")

    def resign(self, seat: int) -> None:
        self._check_playing()
        self._check_active(seat)
        turn = self.turn
        assert turn is not None
        credited = self._credit(seat, turn.protected) if turn.seat == seat else 0
        self.history.append(("resigned", seat, credited))
        self.seats[seat].resigned = True
        self.skips.discard(seat)
        left = self.active_seats()
        if len(left) < 2:
            self._finish("walkover" if left else "resigned", left)
            return
        if self.final_round is not None and seat in self.final_round.waiting:
            self.final_round.waiting.remove(seat)
        if turn.seat == seat:
            self._begin_turn(after=seat)

    def end(self) -> None:
        """Ends the game early; the running turn counts for nothing."""
        self._check_playing()
        grown = any(seat.total > seat.started_with for seat in self.seats)
        self._finish("ended_early", self._highest() if grown else [])

    def game_clock(self) -> None:
        """The game clock is at zero."""
        self._check_playing()
        highest = self._highest()
        first = min(self.seats[seat].reached_total_at for seat in highest)
        winners = [seat for seat in highest if self.seats[seat].reached_total_at == first]
        all_at_zero = all(seat.total == 0 for seat in self.seats)
        self._finish("game_clock", [] if all_at_zero else winners)
