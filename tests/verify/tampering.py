"""
What somebody with the files of a database might do to a game: each an edit of its rows.

Whoever can write to the files can make hashes anew too; some of these edits do.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from app.store.chain import ORIGIN, link
from app.store.parts import canonical

Rows = list[tuple[int, bytes, bytes, int]]
STATES = "games JOIN setups ON game_id = id"


class Tampering:
    """One game's rows, in a file without the triggers that stand guard."""

    def __init__(self, path: Path, chance: Random) -> None:
        self.chance = chance
        self.base = sqlite3.connect(path)
        triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (trigger,) in self.base.execute(triggers).fetchall():
            self.base.execute(f"DROP TRIGGER {trigger}")
        ids = [row[0] for row in self.base.execute("SELECT id FROM games ORDER BY id")]
        self.game = chance.choice(ids)
        self.other = chance.choice([each for each in ids if each != self.game])
        self.rows = self.rows_of(self.game)

    def rows_of(self, game: str) -> Rows:
        query = "SELECT version, data, hash, command FROM events WHERE game_id = ? ORDER BY version"
        return self.base.execute(query, (game,)).fetchall()

    def put(self, rows: Rows, *, chained: bool = False) -> None:
        """These rows and no others; with a chain made anew."""
        if chained:
            last, linked = ORIGIN, list[tuple[int, bytes, bytes, int]]()
            for version, data, _, command in rows:
                last = link(self.game, version, last, data)
                linked.append((version, data, last, command))
            rows = linked
        self.base.execute("DELETE FROM events WHERE game_id = ?", (self.game,))
        self.base.executemany(
            "INSERT INTO events (game_id, version, data, hash, command) VALUES (?, ?, ?, ?, ?)",
            [(self.game, *row) for row in rows],
        )

    def any(self) -> int:
        """An index."""
        return self.chance.randrange(len(self.rows))

    def changed(self, data: bytes) -> bytes:
        """Another event of the same kind, as canonical as the first."""
        told: dict[str, Any] = json.loads(data)
        told["at"] += self.chance.choice((-1, 1, 1000))
        return canonical(told).encode()

    def of_game(self, column: str, value: object) -> None:
        table, key = ("setups", "game_id") if column == "setup" else ("games", "id")
        edit = f"UPDATE {table} SET {column} = ? WHERE {key} = ?"
        self.base.execute(edit, (value, self.game))


def edit_a_byte(at: Tampering) -> None:
    rows, index = at.rows, at.any()
    version, data, hashed, command = rows[index]
    place = at.chance.randrange(len(data))
    other = bytes((data[place] ^ at.chance.randrange(1, 256),))
    rows[index] = (version, data[:place] + other + data[place + 1 :], hashed, command)
    at.put(rows)


def edit_an_event(at: Tampering) -> None:
    index = at.any()
    version, data, hashed, command = at.rows[index]
    at.rows[index] = (version, at.changed(data), hashed, command)
    at.put(at.rows, chained=at.chance.random() < 0.5)


def edit_a_hash(at: Tampering) -> None:
    index = at.any()
    version, data, _, command = at.rows[index]
    at.rows[index] = (version, data, at.chance.randbytes(32), command)
    at.put(at.rows)


def delete_an_event(at: Tampering) -> None:
    del at.rows[at.any()]
    at.put(at.rows)


def delete_an_event_and_close_the_gap(at: Tampering) -> None:
    del at.rows[at.any()]
    rows = [(version, *row[1:3], version) for version, row in enumerate(at.rows, 1)]
    at.put(rows, chained=True)


def cut_off_the_end(at: Tampering) -> None:
    at.put(at.rows[: at.any()])


def insert_at_the_end(at: Tampering) -> None:
    _, data, _, _ = at.rows[at.any()]
    version = len(at.rows) + 1
    at.put([*at.rows, (version, data, b"", version)], chained=True)


def insert_in_the_middle(at: Tampering) -> None:
    index = at.any()
    rows = [*at.rows[:index], at.rows[at.any()], *at.rows[index:]]
    at.put([(v, *row[1:3], v) for v, row in enumerate(rows, 1)], chained=True)


def swap_two(at: Tampering) -> None:
    rows = at.rows
    one, other = at.chance.sample(range(len(rows)), 2)
    first, second = rows[one], rows[other]
    rows[one], rows[other] = (first[0], *second[1:]), (second[0], *first[1:])
    at.put(rows, chained=at.chance.random() < 0.5)


def take_anothers_log(at: Tampering) -> None:
    at.put(at.rows_of(at.other), chained=True)


def number_anew(at: Tampering) -> None:
    at.put([(row[0] + 1, *row[1:]) for row in at.rows])


def change_the_state(at: Tampering) -> None:
    query = f"SELECT version, hash, setup, play FROM {STATES} WHERE id = ?"
    version, hashed, setup, play = at.base.execute(query, (at.game,)).fetchone()
    column, value = at.chance.choice(
        (
            ("version", version + at.chance.choice((-1, 1))),
            ("hash", hashed[:-1] + bytes((hashed[-1] ^ 1,))),
            ("setup", setup.replace(b"[", b"[[", 1)),
            ("play", play[:-1]),
            ("play", None),
        )
    )
    at.of_game(column, value)


def delete_the_state(at: Tampering) -> None:
    at.base.execute("DELETE FROM games WHERE id = ?", (at.game,))


def delete_the_setup(at: Tampering) -> None:
    at.base.execute("DELETE FROM setups WHERE game_id = ?", (at.game,))


def delete_the_log(at: Tampering) -> None:
    at.put([])


def change_a_secret(at: Tampering) -> None:
    deed = at.chance.choice(
        (
            "DELETE FROM seeds WHERE game_id = ?",
            "UPDATE seeds SET seed = zeroblob(32) WHERE game_id = ?",
            "UPDATE seeds SET epoch = epoch + 9 WHERE game_id = ?",
            "INSERT INTO seeds VALUES (?, 99, zeroblob(32))",
        )
    )
    at.base.execute(deed, (at.game,))


def swap_two_secrets(at: Tampering) -> None:
    query = "SELECT seed FROM seeds WHERE game_id = ? AND epoch < 2 ORDER BY epoch"
    for epoch, (seed,) in enumerate(reversed(at.base.execute(query, (at.game,)).fetchall())):
        put = "UPDATE seeds SET seed = ? WHERE game_id = ? AND epoch = ?"
        at.base.execute(put, (seed, at.game, epoch))


def take_anothers_secrets(at: Tampering) -> None:
    at.base.execute("DELETE FROM seeds WHERE game_id = ?", (at.game,))
    other = "INSERT INTO seeds SELECT ?, epoch, seed FROM seeds WHERE game_id = ?"
    at.base.execute(other, (at.game, at.other))


def file_it_elsewhere(at: Tampering) -> None:
    columns = {
        "status": "sealing",
        "to_move": 7,
        "visibility": "unseen",
        "preset": "chess",
        "match_key": "ab" * 32,
        "created_at": 1,
        "updated_at": 1,
    }
    column = at.chance.choice((*columns, "listed"))
    if column == "listed":
        at.base.execute("UPDATE games SET listed = NOT listed WHERE id = ?", (at.game,))
    else:
        at.of_game(column, columns[column])


def seat_somebody_else(at: Tampering) -> None:
    deed = at.chance.choice(
        (
            "DELETE FROM seats WHERE game_id = ?",
            "UPDATE seats SET player_id = player_id || 'x' WHERE game_id = ?",
            "UPDATE seats SET holds = NOT holds WHERE game_id = ?",
            "UPDATE seats SET running = NOT running WHERE game_id = ?",
            "INSERT INTO seats VALUES (?, 7, 'p_thief', 1, 0)",
        )
    )
    at.base.execute(deed, (at.game,))


def keep_a_false_state(at: Tampering) -> None:
    version, _, hashed, _ = at.rows[at.any()]
    kept = f"SELECT setup, play FROM {STATES} WHERE id = ?"
    whose = at.chance.choice((at.other, at.game))
    setup, play = at.base.execute(kept, (whose,)).fetchone()
    if whose == at.game:
        version += len(at.rows)  # of a version that there is not
    row = (at.game, version, hashed, setup, play)
    at.base.execute("INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)", row)


def say_it_is_archived(at: Tampering) -> None:
    """The log may be here all the same, or be gone, and another be marked."""
    version, hashed = len(at.rows), at.rows[-1][2]
    ends = [row[3] for row in at.rows]
    how = at.chance.randrange(4)
    if how:
        at.put([])
    if how == 1:
        version, ends = version - 1, ends[:-1]
    elif how == 2:
        hashed = bytes(32)
    elif how == 3:
        ends = ends[1:]
    packed = zlib.compress(json.dumps(ends).encode())
    row = (at.game, version, hashed, packed, 1)
    at.base.execute("INSERT INTO archived VALUES (?, ?, ?, ?, ?)", row)


def delete_all_but_the_secrets(at: Tampering) -> None:
    at.put([])
    for table, key in (("games", "id"), ("seats", "game_id")):
        at.base.execute(f"DELETE FROM {table} WHERE {key} = ?", (at.game,))


def begin_before_the_beginning(at: Tampering) -> None:
    _, data, hashed, command = at.rows[0]
    version = at.chance.choice((0, -1))
    at.put([(version, data, hashed, command), *at.rows])


def end_a_command_elsewhere(at: Tampering) -> None:
    index = at.any()
    version, data, hashed, command = at.rows[index]
    at.rows[index] = (version, data, hashed, at.chance.choice((command - 1, 0, 10**6)))
    at.put(at.rows)


Edit = Callable[[Tampering], None]

EDITS: tuple[Edit, ...] = (
    *(edit_a_byte, edit_an_event, edit_a_hash),
    *(delete_an_event, delete_an_event_and_close_the_gap, cut_off_the_end),
    *(insert_at_the_end, insert_in_the_middle, swap_two, take_anothers_log, number_anew),
    *(change_the_state, delete_the_state, delete_the_setup, delete_the_log),
    *(change_a_secret, swap_two_secrets),
    take_anothers_secrets,
    *(file_it_elsewhere, seat_somebody_else, keep_a_false_state, say_it_is_archived),
    *(delete_all_but_the_secrets, begin_before_the_beginning, end_a_command_elsewhere),
)
