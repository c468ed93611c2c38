"""
Names of players: those that people have, and those that hide, lie or take up room.

Written with escapes where an editor might change or not show them.
"""

from __future__ import annotations

GOOD = (
    *("Ana", "a", "Z", "Ana Maria", "Ana Maria da Silva", "J. R. R.", "Jean-Luc", "O'Brien"),
    *("O\u2019Brien", "Ana & Bo", "Ana+1", "#1", "(Ana)", "Ana!", "ana_b", "1", "007", "a" * 24),
    *("Zo\u00eb", "Zoe\u0308", "N\u00fa\u00f1ez", "\u00c5sa", "\u0141ukasz", "\u0130brahim"),
    *("Stra\u00dfe", "\u1e9e", "\u01c4", "\ufb01ona", "\u00c6thel", "\u0153uvre", "\u00de\u00f3r"),
    *("Nguy\u1ec5n", "Nguye\u0302\u0303n", "\u01af\u01a1ng", "\u02bbOkina", "H\u02b9", "d\u0361z"),
    *("\u0412\u043b\u0430\u0434\u0438\u043c\u0438\u0440", "\u0439", "\u0438\u0306", "\u0407\u0457"),
    *("\u1f48\u03b4\u03c5\u03c3\u03c3\u03b5\u03cd\u03c2", "\u1fb3", "\u03b1\u0345", "\u03a3\u03c2"),
    *(
        "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd",
        "\u05d3\u05d5\u05d3",
        "\u0645\u062d\u0645\u062f",
    ),
    *("\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f", "\u0661\u0662\u0663", "\u06f4\u06f5"),
    *("\u0905\u0928\u093f\u0924\u093e", "\u0995\u09cd\u09b7", "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd"),
    *("\u0e1b\u0e23\u0e30\u0e22\u0e38\u0e17\u0e18\u0e4c", "\u0e19\u0e49\u0e33", "\u0e81\u0eb2"),
    *("\u0f56\u0f7c\u0f51", "\u1019\u103c\u1014\u103a\u1019\u102c", "\u1781\u17d2\u1798\u17c2"),
    *("\u10d0\u10dc\u10d0", "\u0531\u0576\u0561", "\u12a0\u1293", "\u13a0\u13c2", "\u1820\u1828"),
    *("\u674e\u5c0f\u9f99", "\u5c71\u7530\u592a\u90ce", "\u3055\u304f\u3089", "\u30ab\u3099"),
    *("\u30b5\u30af\u30e9\u30fc", "\uff76\uff9e", "\uff21\uff4e\uff41"),
    *("\uae40\ucca0\uc218", "\u1100\u1161\u11a8", "\uac00" * 24, "\uac01" * 24, "\u3131\u314f"),
    *("\U0001d400\U0001d427\U0001d41a", "\U00010330\U00010331", "\U00020000", "\u2c00\u2c30"),
    *("\u00aa", "\u00ba", "\u2113", "x\u0323\u0307", "a\u0301", "\u00e1\u0323", "\u1e69"),
)
"""Accepted, and kept in composed form."""

_SPACES = (
    *(
        "",
        " ",
        "  ",
        " Ana",
        "Ana ",
        "Ana  Bo",
        "\tAna",
        "Ana\n",
        "Ana\r\nBo",
        "Ana\x0bBo",
        "\u3000",
    ),
    *("Ana\u00a0Bo", "Ana\u2003Bo", "Ana\u200aBo", "Ana\u202fBo", "Ana\u205fBo", "Ana\u1680Bo"),
    *("Ana\u3000Bo", "Ana\u2028Bo", "Ana\u2029Bo", "Ana\x85Bo", "Ana\x1cBo"),
)
_DIRECTIONS = tuple(
    f"Ana{mark}Bo"
    for mark in (
        *("\u200e", "\u200f", "\u061c", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"),
        *("\u2066", "\u2067", "\u2068", "\u2069", "\u206a", "\u206f"),
    )
)
_UNSEEN = (
    *("Ana\u200b", "\u200bAna", "A\u200cna", "A\u200dna", "A\u2060na", "\ufeffAna", "A\u00adna"),
    *("A\u180ena", "A\u2061na", "A\u2064na", "A\ufff9na", "A\U000e0041na", "A\U000e007fna"),
    *(
        "\u3164",
        "Ana\u3164",
        "\uffa0",
        "A\uffa0na",
        "\u115f",
        "\u1160",
        "Ana\u115f",
        "\u115f\u1160",
    ),
    *(
        "Ana\ufe0f",
        "A\ufe00na",
        "Ana\U000e0100",
        "A\u034fna",
        "Ana\u17b4",
        "Ana\u17b5",
        "A\u180bna",
    ),
    *("\u2800", "Ana\u2800", "A\U0001d173na", "A\U0001bca0na"),
)
_CONTROLS = (
    *("Ana\x00", "\x00", "A\x01na", "A\x08na", "A\x1b[31mna", "A\x7fna", "A\x80na", "A\x9bna"),
    *("Ana\ue000", "Ana\U000f0000", "Ana\U0010ffff", "Ana\ufffe", "Ana\ufdd0", "Ana\u0378"),
    *("Ana\ud800", "\udc00Ana", "\udbff\ud800"),
)
_STACKED = (
    *("a\u0301\u0302\u0303", "A\u0300\u0301\u0302\u0303\u0304n", "Z\u0337\u0335\u0338\u0334\u0336"),
    *("e\u0323\u0324\u0325", "a\u0363\u0364\u0365", "\u0e19\u0e49\u0e49\u0e49\u0e49\u0e49"),
    *("\u0301", "\u0301Ana", "Ana \u0301", "\u20ddAna", "A\u20dd", "1\u20e3", "\u093f"),
    "a" + "\u0489" * 3,
)
_SIGNS = (
    *("<b>Ana", "Ana/Bo", "Ana\\Bo", 'An"a', "Ana%", "@ana", "Ana;", "{Ana}", "Ana|Bo", "Ana~"),
    *("`Ana`", "a=b", "a*b", "a:b", "a,b", "Ana?", "$Ana", "[Ana]", "Ana^", "'; DROP TABLE--"),
    *("\u00a9", "\u20ac", "\u2713", "\u2014", "\u201cAna\u201d", "\u00b2", "\u2460", "\u2167"),
    *("\u00bd", "\u2080", "\u00b4", "\u3002", "\ufffd", "\uff0e", "\u02c6" + "\u00a8"),
)
_PICTURES = (
    *("\U0001f600", "Ana\U0001f3b2", "\U0001f1e9\U0001f1ea", "\u2764\ufe0f", "\u2680", "\u265b"),
    *("\U0001f469\u200d\U0001f4bb", "\U0001f44d\U0001f3fd", "\u0031\ufe0f\u20e3", "\U0001f3f4"),
)
_LONG = ("a" * 25, "a" * 97, "a" * 4_000, "Zoe\u0308" * 9, "\uac00" * 25, "\u674e" * 25, "a " * 13)

_NOBODYS = (
    *("deleted player", "Deleted Player", "DELETED PLAYER"),
    *("\uff44\uff45leted player", "\U0001d41deleted player"),
)
"""What a forgotten player is called, in letters that look alike too."""

BAD = (
    *_NOBODYS,
    *_SPACES,
    *_DIRECTIONS,
    *_UNSEEN,
    *_CONTROLS,
    *_STACKED,
    *_SIGNS,
    *_PICTURES,
    *_LONG,
)
"""Refused."""
