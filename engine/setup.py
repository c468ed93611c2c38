"""
A table's settings, checked whole.

Pointers go into the body that opens a table: `/seats/2`, `/cheats/head_start/1`.
"""

from __future__ import annotations

from engine.errors import Fault, MalformedSettings
from engine.rules import Single
from engine.rules_text import MOST_SEATS, step
from engine.state import Cheats, Clocks, ScriptedDice, SeededDice, Setup
from engine.units import SIDES, Points, Seat

HEAD_START_STEP = 5
MOST_SCRIPTED = 1000
"""Rolls of a script; a long game of farkle has about 300."""
MOST_PACE_MS = 60_000
MOST_PATIENCE_S = 3_600
"""Seconds after which bots take free seats, at most."""
CLOCK_S = (5, 7 * 24 * 3600)


def checked(setup: Setup) -> Setup:
    """
    The same settings, normalised: head starts snapped, seat lists in order.

    Raises: MalformedSettings, with every fault.
    """
    faults: list[Fault] = []
    _seats(setup, faults)
    _dice(setup, faults)
    if setup.clocks:
        _clocks(setup.clocks, faults)
    if not 0 <= setup.bots.pace_ms <= MOST_PACE_MS:
        faults.append(Fault("/bots/pace_ms", "out_of_range", f"Must be 0 to {MOST_PACE_MS}."))
    patience = setup.bots.fill_after_s
    if patience is not None and not 0 <= patience <= MOST_PATIENCE_S:
        faults.append(
            Fault("/bots/fill_after_s", "out_of_range", f"Must be 0 to {MOST_PATIENCE_S}.")
        )
    cheats = setup.cheats and _cheats(setup, setup.cheats, faults)
    if faults:
        raise MalformedSettings(tuple(faults))
    return setup._replace(cheats=cheats)


def _seats(setup: Setup, faults: list[Fault]) -> None:
    places, rules = setup.places, setup.rules
    open_seats = sum(place.kind != "closed" for place in places)
    if not rules.seats_min <= len(places) <= MOST_SEATS:
        detail = f"Must be {rules.seats_min} to {MOST_SEATS} seats."
        faults.append(Fault("/seats", "wrong_length", detail))
    elif not 1 <= open_seats <= rules.seats_max:
        detail = f"Must be 1 to {rules.seats_max} seats that are not closed."
        faults.append(Fault("/seats", "wrong_length", detail))
    for seat, place in enumerate(places):
        if (place.character is not None) != (place.kind == "bot"):
            pointer = f"/seats/{seat}/character"
            faults.append(
                Fault(pointer, "not_applicable", "A bot has a character, others have none.")
            )


def _dice(setup: Setup, faults: list[Fault]) -> None:
    dice = setup.dice
    if isinstance(dice, ScriptedDice):
        if len(dice.rolls) > MOST_SCRIPTED:
            detail = f"Must have {MOST_SCRIPTED} rolls or less."
            faults.append(Fault("/dice/rolls", "wrong_length", detail))
        for index, roll in enumerate(dice.rolls):
            pointer = f"/dice/rolls/{index}"
            if not 1 <= len(roll) <= setup.rules.dice:
                detail = f"Must have 1 to {setup.rules.dice} faces."
                faults.append(Fault(pointer, "wrong_length", detail))
            elif not all(1 <= face <= SIDES for face in roll):
                faults.append(Fault(pointer, "out_of_range", f"Faces are 1 to {SIDES}."))
    elif isinstance(dice, SeededDice) and not (
        dice.seed.isascii() and dice.seed.isprintable() and 1 <= len(dice.seed) <= 64
    ):
        faults.append(
            Fault("/dice/seed", "bad_seed", "Must be 1 to 64 printable ASCII characters.")
        )


def _clocks(clocks: Clocks, faults: list[Fault]) -> None:
    least, most = CLOCK_S
    for name, value in zip(clocks._fields, clocks, strict=True):
        if value is not None and not least <= value <= most:
            faults.append(
                Fault(f"/clocks/{name}", "out_of_range", f"Must be {least} to {most} seconds.")
            )


def _cheats(setup: Setup, cheats: Cheats, faults: list[Fault]) -> Cheats:
    def check(name: str, seats: tuple[Seat, ...], keyed: bool) -> None:
        for index, seat in enumerate(seats):
            pointer = f"/cheats/{name}/{seat if keyed else index}"
            if not 0 <= seat < len(setup.places) or setup.places[seat].kind == "closed":
                # The key of a mapping is the client's text: only known seats are named.
                pointer = f"/cheats/{name}" if keyed else pointer
                faults.append(Fault(pointer, "no_such_seat", "Must be an open seat of this table."))
            elif name == "light" and setup.places[seat].kind != "human":
                detail = "Light touches are for human seats."
                faults.append(Fault(pointer, "not_applicable", detail))

    check("loaded", cheats.loaded, False)
    check("light", tuple(seat for seat, _ in cheats.light), True)
    check("head_start", tuple(seat for seat, _ in cheats.head_start), True)
    check("skip_next", cheats.skip_next, False)
    check("always_score", cheats.always_score, False)
    if cheats.always_score and not any(isinstance(c, Single) for c in setup.rules.combinations):
        detail = "Needs a rule set in which a single die scores."
        faults.append(Fault("/cheats/always_score", "not_applicable", detail))
    starts = tuple((seat, _snapped(points)) for seat, points in sorted(cheats.head_start))
    for seat, points in starts:
        _head_start(setup, seat, points, faults)
    return Cheats(
        tuple(sorted(set(cheats.loaded))),
        tuple(sorted(cheats.light)),
        starts,
        tuple(sorted(set(cheats.skip_next))),
        tuple(sorted(set(cheats.always_score))),
    )


def _snapped(points: Points) -> Points:
    """The nearest multiple of five; there is always exactly one."""
    return (points + 2) // HEAD_START_STEP * HEAD_START_STEP


def _head_start(setup: Setup, seat: Seat, points: Points, faults: list[Fault]) -> None:
    rules, pointer = setup.rules, f"/cheats/head_start/{seat}"
    if not 0 <= points < rules.target:
        faults.append(Fault(pointer, "out_of_range", f"Must be 0 to less than {rules.target}."))
    elif rules.exact != "off" and (rules.target - points) % step(rules):
        detail = f"What is left to an exact target must be a multiple of {step(rules)}."
        faults.append(Fault(pointer, "out_of_reach", detail))
