"""
What is stored, as SQLAlchemy Core tables; migrations are held against them.

Times are milliseconds, ids are text, JSON is text or bytes that we wrote: nothing a database would
re-order, round or give back in another spelling. `events` is append-only: triggers (SQLite) and
grants (Postgres) see to it. Only `tokens` has a foreign key: the log must not depend on the heads
that are folded from it.

What matters only where tables are made (conditions of partial indexes, room on pages, rows in the
order of their key) stands in migrations/ alone: named here too, it would load the dialects of both
databases into every server, some 3 MiB. SQLite uses a partial index where a query repeats its
condition to the letter: `listed = 1` is how a switch is asked for there.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
    text,
)


def _figures() -> list[Column[int]]:
    """The fields of `engine.figures.Figures`."""
    return [
        Column("turns", BigInteger, nullable=False),
        Column("busts", BigInteger, nullable=False),
        Column("banked_turns", BigInteger, nullable=False),
        Column("banked_points", BigInteger, nullable=False),
        Column("best_turn", BigInteger, nullable=False),
        Column("hot_dice", BigInteger, nullable=False),
    ]


metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pk",
        "fk": "%(table_name)s_%(column_0_name)s_fk",
    }
)

games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("play", LargeBinary),  # NULL in the lobby
    Column("names", Text, nullable=False),
    Column("join_code", Text),
    Column("status", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("preset", Text),
    Column("listed", Boolean, nullable=False),  # public, and dice that count
    Column("match_key", Text),  # of a table of match-making with a free seat, else NULL
    Column("to_move", Integer),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)
Index("games_join_code", games.c.join_code, unique=True)
Index(
    "games_listed",
    games.c.created_at,
    games.c.id,
)
Index(
    "games_listed_by_status",
    games.c.status,
    games.c.created_at,
    games.c.id,
)

# One table at a time waits under a key: whoever opens a second one is refused here, and joins.
Index(
    "games_match_key",
    games.c.match_key,
    unique=True,
)

# Apart from `games`, whose rows are written with each command: this is ten times as long.
setups = Table(
    "setups",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("setup", LargeBinary, nullable=False),  # what the table was laid with
)

events = Table(
    "events",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("command", BigInteger, nullable=False),  # last version of the command it came from
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("hash", LargeBinary, nullable=False),
    Column("setup", LargeBinary, nullable=False),
    Column("play", LargeBinary),  # both as in `setups` and `games`
)

archived = Table(
    "archived",
    metadata,
    Column("game_id", Text, primary_key=True),  # its log is in an archive, not in `events`
    Column("version", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("commands", LargeBinary, nullable=False),  # `command` of each event, packed
    Column("archived_at", BigInteger, nullable=False),
)

seeds = Table(
    "seeds",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("epoch", Integer, primary_key=True),
    Column("seed", LargeBinary, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("game_id", Text),  # NULL for a call that touches no game
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("version", BigInteger),
    Column("location", Text),
    Column("created_at", BigInteger, nullable=False),
)
Index("answers_created_at", answers.c.created_at)

seats = Table(
    "seats",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("holds", Boolean, nullable=False),  # false once the player left the seat
    Column("running", Boolean, nullable=False),  # holds it, and the game is not over
)
Index("seats_player_id", seats.c.player_id, seats.c.game_id)
# Who follows their own games asks often, and may have played thousands.
Index(
    "seats_running",
    seats.c.player_id,
    seats.c.game_id,
)

series = Table(
    "series",
    metadata,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("join_code", Text),
    Column("setup", LargeBinary, nullable=False),  # of every game, nobody seated
    Column("data", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)
Index("series_owner", series.c.owner)
Index("series_status", series.c.status)

series_players = Table(
    "series_players",
    metadata,
    Column("series_id", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),  # who ever took part, the owner included
)
Index("series_players_player_id", series_players.c.player_id)

series_games = Table(
    "series_games",
    metadata,
    Column("series_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("game_id", Text, nullable=False),  # drawn before the game is opened: it opens once
    Column("result", Text),  # NULL until it is over and has been counted
)
Index("series_games_game_id", series_games.c.game_id, unique=True)

clocks = Table(
    "clocks",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("due_at", BigInteger, nullable=False),  # nothing falls due earlier
    Column("bots_of", Text),  # who has it as a table with bots, see app/bot_tables.py
)
Index("clocks_due_at", clocks.c.due_at)
Index(
    "clocks_bots_of",
    clocks.c.bots_of,
)

heartbeat = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # one row
    Column("beat_at", BigInteger, nullable=False),  # by the clock of the database
)

gaps = Table(
    "gaps",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("began", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("credited", Boolean, nullable=False),  # to every game that ran
)

players = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text),  # NULL once forgotten
    Column("created_at", BigInteger, nullable=False),
    Column("forgotten_at", BigInteger),
    Column("banned_at", BigInteger),  # NULL: not banned
    Column("bot", Boolean, nullable=False, server_default=false()),  # a program plays
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    # A player's own tokens in the order they were drawn; 0 of one that is lent to a script.
    Column("number", Integer, nullable=False),
    Column("waits", Boolean, nullable=False),  # drawn to replace others, not used yet
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger, nullable=False, server_default=text("0")),  # to the hour
    Column("expires_at", BigInteger),  # earlier than its age says; NULL: not
    Column("id", Text),  # this and the next two: of one that is lent to a script, else NULL
    Column("name", Text),
    Column("scopes", Text),  # separated by spaces
)
Index("tokens_player_id", tokens.c.player_id)

tickets = Table(
    "tickets",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=False),  # whose end ends the ticket's socket too
    Column("expires_at", BigInteger, nullable=False),
)
Index("tickets_expires_at", tickets.c.expires_at)

purses = Table(
    "purses",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("balance", BigInteger, nullable=False),
    Column("worlds", Text, nullable=False),  # JSON: the game that reached each
    Column("entries", BigInteger, nullable=False),  # of its journal; guards every change
)

purse_journal = Table(
    "purse_journal",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("entry", BigInteger, primary_key=True),  # 1, 2, 3, … without a gap
    Column("kind", Text, nullable=False),
    Column("delta", BigInteger, nullable=False),
    Column("balance", BigInteger, nullable=False),  # after it
    Column("reference", Text, nullable=False),
    Column("name", Text),  # of the pack, or of the world
    Column("at", BigInteger, nullable=False),
)
Index(
    "purse_journal_reference",
    purse_journal.c.kind,
    purse_journal.c.reference,
    unique=True,
)

on_call = Table(
    "on_call",
    metadata,
    Column("player_id", Text, primary_key=True),  # wants to be told when its turn comes
)

notices = Table(
    "notices",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),  # with which the turn came
    Column("seat", Integer, nullable=False),
    Column("player_id", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)
Index("notices_at", notices.c.at, notices.c.game_id)

operator_calls = Table(
    "operator_calls",
    metadata,
    Column("id", Text, primary_key=True),  # later calls sort higher
    Column("at", BigInteger, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),  # id of the game or player
    Column("token", Text, nullable=False),  # which one: the beginning of its hash
    Column("note", Text),
)

processes = Table(
    "processes",
    metadata,
    Column("process", Text, primary_key=True),
    Column("seen_at", BigInteger, nullable=False),  # by the clock of the database
)

presence = Table(
    "presence",
    metadata,
    Column("process", Text, primary_key=True),
    Column("game_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
)
Index("presence_game_id", presence.c.game_id)

ended = Table(
    "ended",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),  # the game's, when it ended or moved since
)

results = Table(
    "results",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("rules_key", Text, nullable=False),
    Column("preset", Text),
    Column("ended_at", BigInteger, nullable=False),
    Column("wins", Integer, nullable=False),  # 1 or 0
    *_figures(),
)
Index("results_player_id", results.c.player_id, results.c.ended_at, results.c.game_id)

ladders = Table(
    "ladders",
    metadata,
    Column("ladder", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    *_figures(),
)
Index("ladders_order", ladders.c.ladder, ladders.c.wins, ladders.c.best_turn, ladders.c.player_id)
