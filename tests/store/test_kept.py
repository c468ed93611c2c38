"""What a process keeps of games beside their log: bounded, and of no consequence."""

from __future__ import annotations

from app.ports import Head
from app.store.heads import MOST_SETUPS, _decoded, decode_setup, encode_setup
from app.store.kept import READ_AGAIN_MS, DueOnce, KeptHeads
from engine.state import Playing, SeatState, ToRoll
from tests.store.orders import NOW, StoppedClock, new_id, setup_of


def head_of(game_id: str, version: int = 2, at: int = NOW) -> Head:
    """A game that has just started."""
    setup = setup_of(game_id, new_id())
    seat = SeatState(0, False, 0, active=True, skip=False, started_with=0)
    seats = (seat,) * len(setup.places)
    game = Playing(setup, seats, ToRoll(0, at), None, None, (), 0, (), 0, "5e" * 32, at)
    return Head(game, version, b"h" * 32, ("Ana",) * len(seats), None, at, at)


def test_no_more_heads_are_kept_than_may_be() -> None:
    """The one used longest ago goes."""
    kept = KeptHeads(StoppedClock(), most=3)
    first, second, third, fourth = (head_of(new_id()) for _ in range(4))
    kept.keep([first, second, third], read=True)
    kept.keep([first], read=False)
    kept.keep([fourth], read=True)
    assert list(kept._heads.values()) == [(each, NOW) for each in (third, first, fourth)]


def test_heads_that_would_be_read_again_are_let_go() -> None:
    clock = StoppedClock()
    kept = KeptHeads(clock)
    idle, moved = head_of(new_id()), head_of(new_id())
    kept.keep([idle, moved], read=True)
    clock.at += READ_AGAIN_MS - 1
    kept.keep([moved], read=True)
    assert len(kept) == 2
    clock.at += 1
    kept.keep([moved], read=False)
    assert list(kept._heads) == [moved.game.setup.game_id]


def test_when_something_falls_due_is_known_of_no_more_games_than_may_be() -> None:
    asked: list[Head] = []

    def due(head: Head) -> int:
        asked.append(head)
        return head.updated_at + head.version

    known, heads = DueOnce(due, most=2), [head_of(new_id()) for _ in range(3)]
    assert [known(head) for head in heads] == [NOW + 2] * 3
    assert [known(head) for head in heads[1:]] == [NOW + 2] * 2
    assert asked == heads
    assert known(heads[0]) == NOW + 2, "forgotten, and worked out again"
    assert len(asked) == 4
    assert len(known._known) == 2


def test_set_ups_are_decoded_once_and_no_more_are_kept_than_may_be() -> None:
    written = [encode_setup(setup_of(new_id(), new_id())) for _ in range(MOST_SETUPS + 1)]
    first = decode_setup(written[0])
    assert decode_setup(bytes(written[0])) is first
    assert decode_setup(written[0].decode()) is first, "as SQLite has it once it was edited as text"
    for data in written[1:]:
        decode_setup(data)
    assert len(_decoded) == MOST_SETUPS
    assert decode_setup(written[0]) is not first, "it was forgotten"
    assert decode_setup(written[0]) == first


def test_tables_share_what_they_have_in_common() -> None:
    """Of the set-up of a table only its id, its seats and its commitments are its own."""
    player = new_id()
    one, other = (decode_setup(encode_setup(setup_of(new_id(), player))) for _ in range(2))
    shared = ("rules", "preset", "host", "visibility", "dice", "bots")
    assert [name for name in shared if getattr(one, name) is not getattr(other, name)] == []
    assert one.places[0].player_id is one.host
    assert one.places[0].player_id is other.places[0].player_id
    assert one.places[1].kind is other.places[0].kind
