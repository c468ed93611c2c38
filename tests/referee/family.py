"""Published games of the same family, each as a rule set, to test a scorer with their numbers.

Everything but the dice and the combinations is copied from farkle and means nothing here.
"""

from tests.referee.rulebook import FACES, Combination, RuleSet, a_set, farkle, single, straight

TRIPLES = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}


def scorer(name: str, combinations: list[Combination], dice: int = 6) -> RuleSet:
    base = [single(1, 100), single(5, 50), *(a_set(3, face, TRIPLES[face]) for face in FACES)]
    return {
        **farkle(),
        "name": name,
        "dice": {"count": dice},
        "combinations": base + combinations,
    }


def doubling() -> list[Combination]:
    """Four, five and six of a kind: twice, four and eight times the triple."""
    return [a_set(n, face, TRIPLES[face] * 2 ** (n - 3)) for n in (4, 5, 6) for face in FACES]


def fixed() -> list[Combination]:
    values = {4: 1000, 5: 2000, 6: 3000}
    return [a_set(count, face, values[count]) for count in (4, 5, 6) for face in FACES]


def three_pairs(points: int, *, four_and_two: bool) -> Combination:
    return {
        "id": "three_pairs",
        "kind": "pairs",
        "count": 3,
        "points": points,
        "four_and_two": four_and_two,
    }


def family() -> dict[str, RuleSet]:
    long = straight("straight", FACES, 1500)
    kingdom = [
        straight("low_straight", FACES[:5], 500),
        straight("high_straight", FACES[1:], 750),
        long,
    ]
    dear = straight("straight", FACES, 2500)
    return {
        "basic": scorer("basic", []),
        "basic_straight": scorer("basic_straight", [long]),
        "doubling": scorer("doubling", [*doubling(), long, three_pairs(750, four_and_two=False)]),
        "doubling_4_2": scorer(
            "doubling_4_2", [*doubling(), long, three_pairs(750, four_and_two=True)]
        ),
        "cardgames": scorer("cardgames", [*fixed(), dear, three_pairs(1500, four_and_two=True)]),
        "kingdom": scorer("kingdom", [*doubling(), *kingdom]),
        "five_thousand": scorer("five_thousand", [], dice=5),
    }
