"""Protocol pf1, against vectors that were worked out twice elsewhere, and without bias."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count, groupby, islice, pairwise
from typing import TypeVar

import pytest

from engine.dice import (
    NO_SEAL,
    Fair,
    Seeded,
    block,
    faces_from,
    lp,
    seal,
    seat_commit,
    server_commit,
)

T = TypeVar("T")
GAME = "g_test_0001"
S_0, S_1 = bytes(range(32)), bytes(range(32, 64))
MIXED = ((0, b"\xa1" * 32), (1, b"\xb2" * 32))
COMMIT_0 = server_commit(GAME, 0, S_0)
COMMIT_1 = server_commit(GAME, 1, S_1)
G_0 = seal(GAME, 0, NO_SEAL, COMMIT_0, MIXED)
G_1 = seal(GAME, 1, G_0, COMMIT_1, ((0, b"\xc3" * 32), (2, b"\xd4" * 32)))
FAIR = Fair(S_0, GAME, 0, G_0)


def blocks(roll: int) -> Iterator[bytes]:
    return (block(S_0, GAME, 0, roll, G_0, number) for number in count())


def test_commitments() -> None:
    assert COMMIT_0.hex() == "00086d7e12082cd89c848c3bbb17927a79506db8e8e7222b441934ac5d2f1c7a"
    assert COMMIT_1.hex() == "e2fc5ce7cc50cb78ce3b4724813d02c2fe8a7cda14849835f8b54c52b92f9674"
    assert [seat_commit(GAME, 0, seat, value).hex() for seat, value in MIXED] == [
        "b9ab3f83caf46d4c59f83d806a7b37cd4802a61c026969e26a597bd86b38faf6",
        "183e1e41ee7dafa13b63faaeaa4f58b0c2a1911df2e7677c80a479874ce0b7fc",
    ]


def test_seals() -> None:
    assert G_0.hex() == "4b5ed2705d58821ada887fec93db26e25ef7e29bd5a935ee8e98d202f2300268"
    alone = seal(GAME, 0, NO_SEAL, COMMIT_0)
    assert alone.hex() == "48db34f5e00096fc017e9da916695ad622b2ddeee7e61f43039095fed04effcc"
    assert G_1.hex() == "edec05141d824b581342d94f617c7c6dd6e5bee78d6eba1083f941066430583b"


def test_a_seal_does_not_depend_on_the_order_in_which_seats_reveal() -> None:
    assert seal(GAME, 0, NO_SEAL, COMMIT_0, MIXED[::-1]) == G_0


def test_the_first_block() -> None:
    expected = "24165117bdca539f3913a0461a7d48a741e961cec74a20da27f75e858837f2eb"
    assert block(S_0, GAME, 0, 0, G_0, 0).hex() == expected


def test_rolls_of_six_dice() -> None:
    assert [FAIR.faces(roll, 6) for roll in range(4)] == [
        (1, 5, 4, 6, 4, 5),
        (3, 4, 3, 4, 6, 6),
        (2, 1, 5, 3, 2, 2),
        (3, 5, 3, 3, 6, 5),
    ]
    assert Fair(S_1, GAME, 1, G_1).faces(4, 6) == (3, 6, 3, 5, 5, 3)


def test_dice_of_different_sides_read_one_stream() -> None:
    sides = (4, 6, 8, 10, 12, 20, 100, 256)
    assert faces_from(blocks(0), sides) == (1, 5, 2, 4, 10, 3, 84, 160)


def test_a_roll_may_need_more_than_one_block() -> None:
    expected = "6616642312461533564521251461616151252442"
    assert "".join(map(str, FAIR.faces(7, 40))) == expected


def test_fewer_dice_are_the_beginning_of_more() -> None:
    """So nothing a player chooses can search for other dice."""
    for roll in range(20):
        assert all(FAIR.faces(roll, n) == FAIR.faces(roll, 12)[:n] for n in range(13))


def test_the_same_roll_gives_the_same_dice_again() -> None:
    rolls = [FAIR.faces(roll, 6) for roll in range(10)]
    assert [FAIR.faces(roll, 6) for roll in reversed(range(10))] == rolls[::-1]


def test_everything_the_dice_depend_on_changes_them() -> None:
    others = [
        Fair(S_1, GAME, 0, G_0),
        Fair(S_0, "g_test_0002", 0, G_0),
        Fair(S_0, GAME, 1, G_0),
        Fair(S_0, GAME, 0, G_1),
    ]
    streams = [fair.faces(0, 40) for fair in (FAIR, *others)] + [FAIR.faces(1, 40)]
    assert len(set(streams)) == 6


def test_texts_are_prefixed_by_their_length() -> None:
    assert lp(b"abc") == b"\x00\x00\x00\x03abc"
    assert lp(b"") == bytes(4)


@pytest.mark.parametrize("sides", range(2, 257))
def test_every_face_has_the_same_number_of_byte_values(sides: int) -> None:
    accepted = Counter[int]()
    for byte in range(256):
        stream = iter([bytes([byte])])
        try:
            accepted[faces_from(stream, [sides])[0]] += 1
        except (StopIteration, RuntimeError):
            continue
    assert sorted(accepted) == list(range(1, sides + 1))
    assert set(accepted.values()) == {256 // sides}


def test_bytes_past_the_limit_are_skipped_not_folded() -> None:
    assert faces_from(iter([bytes([252, 255, 253, 254]), bytes([251, 0])]), [6, 6]) == (6, 1)


def test_seeded_dice_are_the_same_for_every_game() -> None:
    assert Seeded("demo").faces(0, 6) == (5, 5, 3, 6, 1, 2)
    assert Seeded("demo").faces(1, 6) != Seeded("demo").faces(0, 6)
    assert Seeded("demo ").faces(0, 20) != Seeded("demo").faces(0, 20)
    with pytest.raises(UnicodeEncodeError):
        Seeded("Zoë")


@pytest.mark.parametrize(
    ("rolls", "longest"), [(1_000, (5, 16)), pytest.param(10_000, (6, 17), marks=pytest.mark.soak)]
)
def test_statistics_of_faces_are_unremarkable(rolls: int, longest: tuple[int, int]) -> None:
    """
    600 faces a roll. A fixed seed, so no luck is involved; bounds are the 1 in 1 000 000 tails, of
    chi-square for faces and pairs, of the normal for how many runs there are.
    """
    faces = [face for roll in range(rolls) for face in FAIR.faces(roll, 600)]
    assert chi_square(Counter(faces), 6, len(faces)) < 35.9
    pairs = Counter(pairwise(faces))
    assert chi_square(pairs, 36, len(faces) - 1) < 90.0
    lengths = [len(list(run)) for _, run in groupby(faces)]
    steps = len(faces) - 1
    assert abs(len(lengths) - 1 - steps * 5 / 6) < 4.9 * (steps * 5 / 36) ** 0.5
    assert longest[0] <= max(lengths) <= longest[1]
    firsts = Counter(FAIR.faces(roll, 1)[0] for roll in range(12 * rolls))
    assert chi_square(firsts, 6, 12 * rolls) < 35.9


def chi_square(found: Counter[T], kinds: int, total: int) -> float:
    assert len(found) == kinds
    expected = total / kinds
    return sum((seen - expected) ** 2 / expected for seen in found.values())


def test_a_stream_never_ends() -> None:
    assert len(FAIR.faces(0, 10_000)) == 10_000
    assert list(islice(blocks(0), 2))[1] == block(S_0, GAME, 0, 0, G_0, 1)
