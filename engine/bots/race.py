"""
How many turns a seat still needs: derived from what turns by these rules bring.

A seat that is far from the target plays for points; one that is near goes for what is missing,
where that is likelier to finish. From the chances of single turns follow those of finishing within
1, 2, … turns from every total. Other seats count only by what they need themselves.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from engine.bots.aim import Aim, Worth
from engine.bots.sketch import Onto, Sketch, Step, regridded
from engine.units import Points

ROOMS = 200
"""Steps to the target that are told apart; with an exact target `EXACT_ROOMS`, one unit each."""
EXACT_ROOMS = 400
TURNS = 60
"""A seat that needs more turns is told apart from none that needs even more."""
LONG = 60
"""Steps up to which a single turn is followed at least."""
MOST_LOOKS = 100_000
"""At positions of one score: dice that bring nothing and come back for ever end in a bank."""
FORGOTTEN = 1e-6
"""Turns that are less likely are followed no further."""


class Race:
    """
    Attributes:
        sketch: turns on the grid of the race.
        mean: points a turn brings a seat on the board.
        reach: chance that a turn makes so many steps, exactly so many with an exact target.
    """

    def __init__(self, finest: Sketch) -> None:
        rules = self.rules = finest.rules
        unit = finest.unit
        exact = rules.exact != "off"
        steps = -(-rules.target // unit)
        rooms = EXACT_ROOMS if exact else ROOMS
        self.unit = unit if exact else unit * -(-steps // rooms)
        self.sketch = regridded(finest, self.unit)
        self.rooms = min(rooms, -(-rules.target // self.unit))
        self.reach = self._reach()
        on = self._scores(0)
        off = self._scores(-(-rules.opening // self.unit))
        self.mean = max(sum(score * chance for score, chance in enumerate(on)), 0.01) * self.unit
        self._on: list[array[float]] = []
        self._off: list[array[float]] = []
        self._finish(on, off)

    def turns(self, missing: Points, on_board: bool) -> Sequence[float]:
        """Chances to have finished after 0, 1, 2, … turns."""
        rows = self._on if on_board else self._off
        room = missing / self.unit
        if room <= 0:
            return rows[0]
        if room >= self.rooms:
            later = min(round((room - self.rooms) * self.unit / self.mean), TURNS)
            return [0.0] * later + rows[-1][: TURNS + 1 - later].tolist()
        low = max(int(room), 1)  # less than a step is missing, but it is
        part = max(room - low, 0.0)
        if part < 1e-9:
            return rows[low]
        return [a + part * (b - a) for a, b in zip(rows[low], rows[low + 1], strict=True)]

    def reaches(self, missing: Points) -> float:
        """Chance that one turn makes so many points."""
        if missing <= 0:
            return 1.0
        step = -(-missing // self.unit)
        return self.reach[step] if step < len(self.reach) else 0.0

    def _reach(self) -> list[float]:
        """By steps missing, upwards: a turn that has made some is like one that needs less."""
        exact = self.rules.exact != "off"
        sketch = self.sketch
        rows = [[1.0] for _ in sketch.falls]
        for missing in range(1, self.rooms + 1):
            for row in rows:
                row.append(0.0)
            for throw, falls in enumerate(sketch.falls):
                total = 0.0
                for share, stops, onto, wins in falls:
                    if wins:
                        total += share
                        continue
                    if any(p == missing if exact else p >= missing for p, _ in stops):
                        total += share
                        continue
                    best = 0.0
                    for to, risk, protected in onto:
                        left = missing - risk - protected
                        if left > 0 and rows[to][left] > best:
                            best = rows[to][left]
                    total += share * best
                rows[throw][missing] = total
        return rows[sketch.full]

    def _scores(self, opening: Step) -> list[float]:
        """Chances of a fresh turn's scores when it is played for points; those of none included."""
        sketch = self.sketch
        far = min(self.rooms, max(LONG, opening + LONG // 3))
        layers = far // sketch.protects + 1 if sketch.protects else 1
        aim = Aim(
            sketch,
            Worth(
                tuple(float(score) for score in range(far + 1)),
                tuple(float(layer * sketch.protects) for layer in range(layers)),
                opening,
                far + 1,
            ),
        )
        return _told(sketch, aim, far)

    def _finish(self, on: list[float], off: list[float]) -> None:
        exact = self.rules.exact != "off"
        self._on.append(array("d", [1.0] * (TURNS + 1)))
        self._off.append(self._on[0])
        some_on = [(score, chance) for score, chance in enumerate(on) if score and chance]
        some_off = [(score, chance) for score, chance in enumerate(off) if score and chance]
        for room in range(1, self.rooms + 1):
            chase = self.reach[room] if room < len(self.reach) else 0.0
            self._on.append(_row(room, some_on, self._on, chase, exact))
            self._off.append(_row(room, some_off, self._on, chase, exact))


def _row(
    room: Step,
    scores: list[tuple[Step, float]],
    after: list[array[float]],
    chase: float,
    exact: bool,
) -> array[float]:
    """Chances to finish from one room; what a turn leaves, finishes from `after`."""
    made = [0.0] * TURNS
    stays = 1.0
    for score, chance in scores:
        if score > room and exact:
            continue
        stays -= chance
        row = after[max(room - score, 0)]
        made = [a + chance * b for a, b in zip(made, row, strict=False)]
    found = [0.0]
    for turns in range(TURNS):
        build = made[turns] + stays * found[turns]
        found.append(max(build, chase + (1 - chase) * found[turns]))
    return array("d", found)


def _told(sketch: Sketch, aim: Aim, far: Step) -> list[float]:
    """The scores of a turn played as `aim` says, with their chances, from a fresh turn forwards."""
    ends = [0.0] * (far + 1)
    due: list[dict[tuple[int, int], float]] = [{} for _ in range(far)]
    due[0][0, sketch.full] = 1.0
    held, top = sketch.protects, len(aim.rows) - 1
    for score, states in enumerate(due):
        looked_at = 0
        while states:  # grows meanwhile: an upgrade of a set may add nothing to the score
            layer, throw = next(iter(states))
            chance = states.pop((layer, throw))
            looked_at += 1
            if chance < FORGOTTEN or looked_at > MOST_LOOKS:
                ends[min(layer * held, far)] += chance
                continue
            for share, stops, onto, wins in sketch.falls[throw]:
                best, end = -1.0, min(layer * held, far)
                to: Onto | None = None
                for points, hot in stops:
                    worth = aim.of_bank(min(score + points, far), hot)
                    if worth >= best:
                        best, end = worth, min(score + points, far)
                for place in onto:
                    up = layer
                    if place.protected:
                        up = min(layer + place.protected // held, top)
                    now = score + place.risk + place.protected
                    if now < far:
                        worth = aim.rows[up][place.throw][now - up * held]
                        if worth > best:
                            best, to = worth, place
                if to is None:
                    ends[0 if wins else end] += chance * share
                    continue
                up = min(layer + to.protected // held, top) if held else 0
                after = due[score + to.risk + to.protected]
                after[up, to.throw] = after.get((up, to.throw), 0.0) + chance * share
    return ends
