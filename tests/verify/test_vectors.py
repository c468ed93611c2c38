"""Known answers: of SHA-256 and HMAC as their makers published them, of pf1 as it was fixed."""

from __future__ import annotations

import hashlib
import hmac
from random import Random
from typing import Any

import pytest

from engine import dice
from tests.verify.javascript import JavaScript

S0, S1 = bytes(range(32)), bytes(range(32, 64))
GAME = "g_test_0001"
C0 = "00086d7e12082cd89c848c3bbb17927a79506db8e8e7222b441934ac5d2f1c7a"
C1 = "e2fc5ce7cc50cb78ce3b4724813d02c2fe8a7cda14849835f8b54c52b92f9674"
G0 = "4b5ed2705d58821ada887fec93db26e25ef7e29bd5a935ee8e98d202f2300268"


@pytest.mark.parametrize(
    ("data", "digest"),
    [
        (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
        (
            (
                b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                b"hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
            ),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
        ),
        (b"a" * 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ],
    ids=["nothing", "24 bits", "448 bits", "896 bits", "a million a"],
)
def test_sha256_as_nist_published_it(js: JavaScript, data: bytes, digest: str) -> None:
    assert js.ask("sha256", data=data.hex()) == digest


def test_sha256_of_every_length_up_to_three_blocks(js: JavaScript) -> None:
    for size in range(200):
        data = bytes(n * 7 % 256 for n in range(size))
        assert js.ask("sha256", data=data.hex()) == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    ("key", "data", "digest"),
    [
        (
            b"\x0b" * 20,
            b"Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        ),
        (
            b"Jefe",
            b"what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (
            b"\xaa" * 131,
            b"Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
    ],
    ids=["case 1", "case 2", "case 6"],
)
def test_hmac_as_rfc_4231_has_it(js: JavaScript, key: bytes, data: bytes, digest: str) -> None:
    assert js.ask("hmac", key=key.hex(), data=data.hex()) == digest


@pytest.mark.parametrize(
    ("question", "fields", "answer"),
    [
        ("server_commit", {"e": 0, "secret": S0.hex()}, C0),
        ("server_commit", {"e": 1, "secret": S1.hex()}, C1),
        (
            "seat_commit",
            {"e": 0, "seat": 0, "value": "a1" * 32},
            "b9ab3f83caf46d4c59f83d806a7b37cd4802a61c026969e26a597bd86b38faf6",
        ),
        (
            "seat_commit",
            {"e": 0, "seat": 1, "value": "b2" * 32},
            "183e1e41ee7dafa13b63faaeaa4f58b0c2a1911df2e7677c80a479874ce0b7fc",
        ),
        (
            "seal",
            {
                "e": 0,
                "before": None,
                "commit": C0,
                "parts": [[1, "b2" * 32], [0, "a1" * 32]],
            },
            G0,
        ),
        (
            "seal",
            {"e": 0, "before": None, "commit": C0, "parts": []},
            "48db34f5e00096fc017e9da916695ad622b2ddeee7e61f43039095fed04effcc",
        ),
        (
            "seal",
            {
                "e": 1,
                "before": G0,
                "commit": C1,
                "parts": [[0, "c3" * 32], [2, "d4" * 32]],
            },
            "edec05141d824b581342d94f617c7c6dd6e5bee78d6eba1083f941066430583b",
        ),
        (
            "block",
            {"secret": S0.hex(), "e": 0, "i": 0, "sealed": G0, "j": 0},
            "24165117bdca539f3913a0461a7d48a741e961cec74a20da27f75e858837f2eb",
        ),
    ],
)
def test_commitments_seals_and_blocks(
    js: JavaScript, question: str, fields: dict[str, Any], answer: str
) -> None:
    assert js.ask(question, game=GAME, **fields) == answer


@pytest.mark.parametrize(
    ("e", "i", "sides", "faces"),
    [
        (0, 0, [6] * 6, [1, 5, 4, 6, 4, 5]),
        (0, 1, [6] * 6, [3, 4, 3, 4, 6, 6]),
        (0, 2, [6] * 6, [2, 1, 5, 3, 2, 2]),
        (0, 3, [6] * 6, [3, 5, 3, 3, 6, 5]),
        (0, 0, [4, 6, 8, 10, 12, 20, 100, 256], [1, 5, 2, 4, 10, 3, 84, 160]),
        (0, 7, [6] * 40, [int(face) for face in "6616642312461533564521251461616151252442"]),
        (1, 4, [6] * 6, [3, 6, 3, 5, 5, 3]),
    ],
)
def test_faces(js: JavaScript, e: int, i: int, sides: list[int], faces: list[int]) -> None:
    sealed = G0 if e == 0 else "edec05141d824b581342d94f617c7c6dd6e5bee78d6eba1083f941066430583b"
    secret = (S0 if e == 0 else S1).hex()
    asked = {"secret": secret, "game": GAME, "e": e, "i": i, "sealed": sealed, "sides": sides}
    assert js.ask("faces", **asked) == faces


def test_the_hash_of_an_event(js: JavaScript) -> None:
    text = (
        '{"at":1767225600123,"dice":[1,5,4,6,4,5],"epoch":0,"name":"Zoë",'
        '"roll":0,"seat":0,"type":"dice_rolled"}'
    )
    assert js.ask("link", game=GAME, version=1, before=None, data=text) == (
        "01dcfcd6a79d86e9b4738f9db580c9cd460d92e9359c475827a557c954511397"
    )
    assert js.ask("canonical", text=text) == text


def test_the_secret_of_a_seed(js: JavaScript) -> None:
    expected = hashlib.sha256(dice.lp(b"pf1/seeded") + dice.lp(b"tuesday")).hexdigest()
    assert js.ask("seeded", seed="tuesday") == expected


RANDOM_VECTORS = 10_000


@pytest.mark.wide
def test_random_vectors_come_out_alike(js: JavaScript) -> None:
    """Both languages, on secrets, ids, numbers, seats and dice that chance picked."""
    chance = Random(20_260_105)
    for number in range(RANDOM_VECTORS):
        game = "".join(
            chance.choice("0123456789abcdef-_gxyz") for _ in range(chance.randint(1, 40))
        )
        e, i, j = chance.randrange(9), chance.choice((0, 1, 2**32, 2**53 - 1)), chance.randrange(99)
        secret, sealed = chance.randbytes(32), chance.randbytes(32)
        asked: dict[str, Any] = {"game": game, "e": e}
        stream = {**asked, "secret": secret.hex(), "i": i, "sealed": sealed.hex()}
        if number % 4 == 0:
            sides = [chance.randint(2, 256) for _ in range(chance.randint(1, 60))]
            blocks = (dice.block(secret, game, e, i, sealed, n) for n in range(10_000))
            expected = list(dice.faces_from(blocks, sides))
            assert js.ask("faces", **stream, sides=sides) == expected
        elif number % 4 == 1:
            parts = [(seat, chance.randbytes(32)) for seat in chance.sample(range(8), 5)]
            commit = dice.server_commit(game, e, secret)
            asked |= {"before": sealed.hex(), "commit": commit.hex()}
            told = js.ask("seal", **asked, parts=[(seat, part.hex()) for seat, part in parts])
            assert told == dice.seal(game, e, sealed, commit, parts).hex()
        elif number % 4 == 2:
            expected_block = dice.block(secret, game, e, i, sealed, j).hex()
            assert js.ask("block", **stream, j=j) == expected_block
        else:
            key, data = (chance.randbytes(chance.randrange(size)) for size in (100, 300))
            told = js.ask("hmac", key=key.hex(), data=data.hex())
            assert told == hmac.digest(key, data, "sha256").hex()
            told = js.ask("seat_commit", **asked, seat=j, value=secret.hex())
            assert told == dice.seat_commit(game, e, j, secret).hex()
