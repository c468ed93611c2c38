"""What a roll is worth: the request checked against its rule set, the table as JSON."""

from __future__ import annotations

from app.api.refusals import BadPart, InvalidRequest
from app.api.schemas.rules import CombinationView, Score, ScoredSelection, ScoreRoll
from engine.choices import Choice, Sets
from engine.rules import Rules, SetOf
from engine.scoring import Scoring, scoring_of
from engine.units import Face, Points, mask_of


def score(rules: Rules, asked: ScoreRoll) -> Score:
    """
    Every legal selection of a roll.

    Raises: InvalidRequest, where the roll is none this rule set can have.
    """
    faults: list[BadPart] = []
    positions = _positions(rules, asked, faults)
    _jester(rules, asked, positions, faults)
    sets = _sets(rules, asked, faults)
    if faults:
        raise InvalidRequest(tuple(faults))
    laid = [0] * rules.dice
    for position, face in zip(positions, asked.roll, strict=True):
        laid[position] = face or 0
    faces, scoring = tuple(laid), scoring_of(rules)
    table = scoring.roll_table(faces, mask_of(tuple(positions)), asked.wild is not None, sets)
    limit = _limit(rules, asked)
    best = table.best(limit)
    return {
        "bust": best is None,
        "best": best and _selection(scoring, best, faces),
        "selections": [_selection(scoring, c, faces) for c in table.within(limit)],
    }


def _limit(rules: Rules, asked: ScoreRoll) -> Points | None:
    """What a selection may be worth at most, where passing the target is refused."""
    if rules.exact != "refuse":
        return None
    return rules.target - asked.total - asked.turn_score


def _positions(rules: Rules, asked: ScoreRoll, faults: list[BadPart]) -> list[int]:
    """Which dice these are; as many as there are faces, each a die of the table."""
    if len(asked.roll) > rules.dice:
        faults.append(BadPart("too_long", f"The table has {rules.dice} dice.", "/roll"))
    if asked.positions is None:
        return list(range(min(len(asked.roll), rules.dice)))
    if len(asked.positions) != len(asked.roll):
        faults.append(BadPart("not_allowed", "Must have one position for each face.", "/positions"))
    for index, position in enumerate(asked.positions):
        if position >= rules.dice:
            faults.append(
                BadPart("too_large", f"The table has {rules.dice} dice.", f"/positions/{index}")
            )
    return asked.positions


def _jester(rules: Rules, asked: ScoreRoll, positions: list[int], faults: list[BadPart]) -> None:
    """A wild roll rolls all dice, the last of them as the Jester, which shows no face."""
    if asked.wild is not None:
        if rules.wild_rolls is None:
            faults.append(BadPart("not_allowed", "This rule set has no Wild Rolls.", "/wild"))
        elif asked.wild != rules.dice - 1 or len(asked.roll) != rules.dice:
            says = "The Jester is the last die, in a roll of all dice."
            faults.append(BadPart("not_allowed", says, "/wild"))
    for index, (position, face) in enumerate(zip(positions, asked.roll, strict=False)):
        if (face is None) != (position == asked.wild):
            says = "The Jester's face is null; every other is 1 to 6."
            faults.append(BadPart("not_allowed", says, f"/roll/{index}"))


def _sets(rules: Rules, asked: ScoreRoll, faults: list[BadPart]) -> Sets:
    """Locked sets: such as the rule set has, of dice that are not in the roll."""
    if asked.sets and not rules.set_upgrade:
        says = "Sets are not upgraded in this rule set."
        faults.append(BadPart("not_allowed", says, "/sets"))
        return ()
    known = {(c.face, c.count) for c in rules.combinations if isinstance(c, SetOf)}
    sets: list[tuple[Face, int]] = sorted((int(f), n) for f, n in asked.sets.items())
    for face, count in sets:
        if (face, count) not in known:
            says = "This rule set has no such set."
            faults.append(BadPart("not_allowed", says, f"/sets/{face}"))
    if sets and sum(count for _, count in sets) + len(asked.roll) > rules.dice:
        says = f"With the roll these are more than the {rules.dice} dice of the table."
        faults.append(BadPart("too_large", says, "/sets"))
    return tuple(sets)


def _selection(scoring: Scoring, choice: Choice, faces: tuple[Face, ...]) -> ScoredSelection:
    combinations: list[CombinationView] = [
        {"kind": part.kind, "dice": list(part.dice), "points": part.points}
        for part in scoring.combinations(choice, faces)
    ]
    view: ScoredSelection = {
        "dice": list(choice.dice),
        "points": choice.points,
        "combinations": combinations,
    }
    if choice.wild_face:
        view["wild_face"] = choice.wild_face
    return view
