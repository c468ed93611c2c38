"""Numbers that are none, or too many: every spelling in every place that takes an integer."""

from __future__ import annotations

from tests.live.corpus.build import MARK, OTHER, Case, Expect, Place, call, get, posts

_FARKLE = '{"rules": {"preset": "farkle", "options": {%s}}}'
_HOUSE = '{"rules": {"preset": "house", "options": {%s}}}'
_TABLE = '{"rules": {"preset": "farkle"}, %s}'
_CHEATS = '{"rules": {"preset": "farkle"}, "cheats": {%s}}'
_SCORE = '{"rules": {"preset": "jester"}, "roll": [1, 2], %s}'
_CUSTOM = (
    '{"rules": {"custom": {"format": %s, "name": "mine", "dice": {"count": %s},'
    ' "seats": {"min": 1, "max": 2}, "target": %s, "exact": "off", "opening": 0,'
    ' "final_round": "none", "winner": "highest", "split": "best", "set_upgrade": false,'
    ' "bank_takes": "all_scoring", "bank_on_hot_dice": true, "all_dice_bonus": 0,'
    ' "take_over": false,'
    ' "combinations": [{"id": "one", "kind": "single", "face": %s, "points": %s}]}}}'
)


def _custom(place: int) -> str:
    good = ["1", "6", "1000", "1", "100"]
    good[place] = "~"
    return _CUSTOM % tuple(good)


BODIES = (
    *posts(
        "/v1/games",
        target=_FARKLE % '"target": ~',
        opening=_FARKLE % '"opening": ~',
        spicy_faces=_FARKLE % '"spicy": true, "spicy_faces": [~, 1, 1, 1, 1, 1]',
        single=_HOUSE % '"values": {"single_1": ~}',
        three=_HOUSE % '"values": {"three": {"1": ~}}',
        rolls=_TABLE % '"dice": {"kind": "scripted", "rolls": [[1, ~, 3]]}',
        turn_s=_TABLE % '"clocks": {"turn_s": ~}',
        game_s=_TABLE % '"clocks": {"game_s": ~}',
        pace_ms=_TABLE % '"bots": {"pace_ms": ~}',
        loaded=_CHEATS % '"loaded": [~]',
        head_start=_CHEATS % '"head_start": {"1": ~}',
        skip_next=_CHEATS % '"skip_next": [~]',
        always_score=_CHEATS % '"always_score": [~]',
        purse='{"rules": {"preset": "jester", "options": {"purse": ~}}}',
    ),
    Place("settings:turn_s", "PATCH", "/v1/games/@LOBBY@", '{"clocks": {"turn_s": ~}}'),
    *posts("/v1/games/@LOBBY@/join", seat='{"join_code": "00000000", "seat": ~}'),
    *posts("/v1/join", seat='{"join_code": "00000000", "seat": ~}'),
    *posts("/v1/games/@GAME@/select", dice='{"dice": [~]}', wild='{"dice": [0], "wild_face": ~}'),
    *posts("/v1/games/@GAME@/roll", dice='{"select": {"dice": [0, ~]}}'),
    *posts("/v1/games/@GAME@/bank", wild='{"select": {"dice": [0], "wild_face": ~}}'),
    *posts("/v1/games/@GAME@/resign", seat='{"seat": ~}'),
    *posts("/v1/games/@GAME@/skip-next", seat='{"seat": ~}'),
    *posts(
        "/v1/rules/score",
        roll='{"rules": {"preset": "farkle"}, "roll": [1, ~]}',
        positions=_SCORE % '"positions": [0, ~]',
        wild=_SCORE % '"wild": ~',
        sets=_SCORE % '"sets": {"2": ~}',
        total=_SCORE % '"total": ~',
        turn_score=_SCORE % '"turn_score": ~',
    ),
    *posts(
        "/v1/rules/validate",
        format=_custom(0),
        dice=_custom(1),
        target=_custom(2),
        face=_custom(3),
        points=_custom(4),
    ),
)

SPELLINGS = {
    "NaN": "NaN",
    "Infinity": "Infinity",
    "-Infinity": "-Infinity",
    "1e400": "1e400",
    "1e-400": "1e-400",
    "-0": "-0",
    "-1": "-1",
    "2^31": "2147483648",
    "-2^31-1": "-2147483649",
    "2^53+1": "9007199254740993",
    "2^63": "9223372036854775808",
    "-2^63-1": "-9223372036854775809",
    "25 digits": "7" * 25,
    "4000 digits": "7" * 4_000,
    "5000 digits": "7" * 5_000,
    "true": "true",
    "text": '"7"',
    "7.0": "7.0",
    "1.0": "1.0",
    "1e0": "1e0",
    "leading zero": "01",
    "plus": "+1",
    "underscore": "1_000",
    "hex": "0x1",
    "null": "null",
    "list": f'[["{MARK}"]]',
    "object": f'{{"{MARK}": 1}}',
    "words": f'"{MARK}"',
}
MAY_MEAN_SOMETHING = {"-0", "null", "true"}
"""Zero; nothing at all; the switch `purse`."""

ADDRESSES = (
    "/v1/games/@GAME@/events?after=~",
    "/v1/games/@GAME@/events?wait=~",
    "/v1/games/@GAME@/events?limit=~",
    "/v1/games/@GAME@/states/~",
    "/v1/games?limit=~",
    "/v1/players/me/games?limit=~",
)
IN_ADDRESSES = (
    *("NaN", "Infinity", "1e400", "-0", "-1", "2147483648", "9007199254740993"),
    *("9223372036854775808", "7" * 25, "7" * 4_000, "7" * 5_000, "true", "%227%22", "7.0"),
    *("1_000", "+1", "%2B1", "01", "%201", "1%20", "1%00", "0x1", "%D9%A1", "%E2%91%A0", MARK),
    *("", "1,2", "1;2", "%EF%BC%91", "null", "1%0A", "1%0D%0AX-Echo:%201"),
)

CASES = (
    *(
        Case(
            f"{place.name} = {name}",
            place.filled(text.encode()),
            Expect.UNDERSTOOD if name in MAY_MEAN_SOMETHING else Expect.REFUSED,
        )
        for place in BODIES
        for name, text in SPELLINGS.items()
    ),
    *(
        Case(f"{address} = {text[:30]}", get(address.replace("~", text).encode()))
        for address in ADDRESSES
        for text in IN_ADDRESSES
    ),
    *(
        Case(
            f"seats/{text[:30]}",
            call("PATCH", f"/v1/games/@LOBBY@/seats/{text}", b'{"kind": "closed"}', token=OTHER),
        )
        for text in IN_ADDRESSES
    ),
)
