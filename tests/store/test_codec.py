"""Events and heads survive being written down, in bytes that later releases can rely on."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from app.rulebook import Rulebook
from app.store.codec import decode, encode
from app.store.heads import decode_game, decode_setup, encode_play, encode_setup
from app.store.parts import canonical
from engine.decide import transition
from engine.errors import BrokenHistory
from engine.events import EVENT_NAMES, DiceRolled, Event, GameCreated, GameFinished
from engine.state import (
    Cheats,
    FinalRound,
    Finished,
    Game,
    Lobby,
    Offer,
    Playing,
    Result,
    Reveal,
    Sealing,
    SeatState,
    ToRoll,
    ToSelect,
)
from tests.engine.walks import any_command, dice_of_walk, started, table
from tests.store.orders import NOW, created, new_id, setup_of
from tests.store.strategies import events, games


@given(events)
def test_an_event_survives(event: Event) -> None:
    assert decode(encode(event)) == event


@given(events)
def test_an_event_is_canonical(event: Event) -> None:
    data = encode(event)
    parsed = json.loads(data)
    spelled = json.dumps(parsed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert spelled.encode() == data
    assert parsed["type"] == EVENT_NAMES[type(event)]
    assert parsed["at"] == event.at
    assert parsed["seat"] == getattr(event, "seat", None)


@given(games)
def test_a_head_survives(game: Game) -> None:
    setup = decode_setup(encode_setup(game.setup))
    assert setup == game.setup
    again = decode_game(setup, encode_play(game))
    assert again == game
    assert type(again) is type(game)


def test_the_bytes_of_a_roll() -> None:
    event = DiceRolled(NOW, 0, 0, 7, 6, (0, 2), (1, 5), True, False, None)
    assert encode(event) == (
        b'{"at":1767225600000,"dice":[1,5],"epoch":0,"fair":null,"positions":[0,2],"roll":7,'
        b'"scripted":false,"seat":0,"sides":6,"type":"dice_rolled","wild":true}'
    )


def test_the_bytes_of_an_ending() -> None:
    event = GameFinished(NOW, "target", (1,), ((1, 10_000), (0, 350)))
    assert encode(event) == (
        b'{"at":1767225600000,"reason":"target","seat":null,'
        b'"standings":[{"score":10000,"seat":1},{"score":350,"seat":0}],'
        b'"type":"game_finished","winners":[1]}'
    )


def test_a_table_is_spelled_as_it_is_asked_for() -> None:
    cheats = Cheats(loaded=(1,), light=((0, "lucky"),), head_start=((1, 500),))
    setup = setup_of(new_id(), "host")._replace(cheats=cheats)
    data = json.loads(encode(created(setup, NOW)))
    assert data["seats"][:2] == [
        {"kind": "human", "character": None, "player_id": "host"},
        {"kind": "human", "character": None, "player_id": None},
    ]
    assert data["dice"] == {"kind": "fair"}
    assert data["bots"] == {"pace_ms": 0, "take_absent_seats": False, "fill_after_s": None}
    assert data["rules"]["combinations"][0]["kind"] == "single"
    assert data["cheats"] == {
        "loaded": [1],
        "light": {"0": "lucky"},
        "head_start": {"1": 500},
        "skip_next": [],
        "always_score": [],
    }


def test_tables_with_the_same_rules_share_them() -> None:
    """Compiled scoring is found by its rules: one object is found at once."""
    made = [decode(encode(created(setup_of(new_id(), "host"), NOW))) for _ in range(2)]
    first, second = (event for event in made if isinstance(event, GameCreated))
    assert first.rules is second.rules


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"at":1,"seat":0,"score":5}',
        b'{"at":1,"seat":0,"score":5,"type":"no_such_event"}',
        b'{"at":1,"seat":0,"type":"hot_dice"}',
        b'{"at":1,"seat":0,"score":5,"more":1,"type":"hot_dice"}',
        b"\xff\xfe",
    ],
)
def test_what_is_no_event_is_a_broken_history(data: bytes) -> None:
    with pytest.raises(BrokenHistory):
        decode(data)


def test_a_head_of_a_later_format_is_refused() -> None:
    setup = setup_of(new_id(), "host")
    with pytest.raises(BrokenHistory, match="format 3"):
        decode_game(setup, b'[3,"playing"]')
    data = encode_setup(setup).replace(b'"format":2,"game_id"', b'"format":3,"game_id"')
    with pytest.raises(BrokenHistory, match="format 3"):
        decode_setup(data)


SEATS = (
    SeatState(1200, True, 3, True, False, 500),
    SeatState(0, False, 2, False, True, 0, 4, 7, 2, "cautious", 1, 1, 5),
)
FIRST_SEATS = tuple(seat._replace(policy=0, advised=0) for seat in SEATS)

HEADS: dict[str, Game] = {
    "[2,"
    '"playing",[[1200,true,3,true,false,500,0,0,0,null,0,0,0],[0,false,2,false,true,0,4,7,2,"cautious",1,1,5]],[1,1767225600000],'
    'null,null,[],0,[],0,"ab",1767225600000,0,0,0,0,[]]': Playing(
        setup_of("id", "host"), SEATS, ToRoll(1, NOW), None, None, (), 0, (), 0, "ab", NOW
    ),
    "[2,"
    '"playing",[[1200,true,3,true,false,500,0,0,0,null,0,0,0],[0,false,2,false,true,0,4,7,2,"cautious",1,1,5]],'
    "[0,1767225600000,[1,5,0,2,2,3],48,7,true,4,6,50,0,100,200,150,[[2,3]]],"
    '[1,300,5,[1,1,1,4,5,6]],[0,[1]],[0],9,[[1,2]],1,"ab",1767225600000,'
    "7000,6000,3,1767225600002,[0,1]]": Playing(
        setup_of("id", "host"),
        SEATS,
        ToSelect(0, NOW, (1, 5, 0, 2, 2, 3), 48, 7, True, 4, 6, 50, 0, 100, 200, 150, ((2, 3),)),
        Offer(1, 300, 5, (1, 1, 1, 4, 5, 6)),
        FinalRound(0, (1,)),
        (0,),
        9,
        ((1, 2),),
        1,
        "ab",
        NOW,
        7000,
        6000,
        3,
        NOW + 2,
        (0, 1),
    ),
    "[2,"
    '"finished",[[1200,true,3,true,false,500,0,0,0,null,0,0,0],[0,false,2,false,true,0,4,7,2,"cautious",1,1,5]],'
    '["target",[0],[[0,1200],[1,0]]],9,1,"ab",'
    '1767225600000,1767225600001,["cd"],"other",[1]]': Finished(
        setup_of("id", "host"),
        SEATS,
        Result("target", (0,), ((0, 1200), (1, 0))),
        9,
        1,
        "ab",
        NOW,
        NOW + 1,
        ("cd",),
        "other",
        (1,),
    ),
    '[2,"sealing",1,[[0,"aa"],[1,"bb"]],1767225600000,1767225605000,[[1,"cc","dd"]],'
    '[2],[3],4,"",[]]': Sealing(
        setup_of("id", "host"),
        1,
        ((0, "aa"), (1, "bb")),
        NOW,
        NOW + 5000,
        (Reveal(1, "cc", "dd"),),
        (2,),
        (3,),
        4,
    ),
}


@pytest.mark.parametrize("text", HEADS)
def test_heads_are_stored_by_position(text: str) -> None:
    """These bytes lie in databases: where this fails, `heads.FORMAT` must go up."""
    game = HEADS[text]
    assert encode_play(game) == text.encode()
    assert decode_game(game.setup, text.encode()) == game


_FIRST_SEATS = (
    '[[1200,true,3,true,false,500,0,0,0,null,0],[0,false,2,false,true,0,4,7,2,"cautious",1]]'
)
FIRST_HEADS: dict[str, Game] = {
    f'[1,"playing",{_FIRST_SEATS},[1,1767225600000],'
    'null,null,[],0,[],0,"ab",1767225600000,0,0,0,0]': Playing(
        setup_of("id", "host"), FIRST_SEATS, ToRoll(1, NOW), None, None, (), 0, (), 0, "ab", NOW
    ),
    f'[1,"finished",{_FIRST_SEATS},["target",[0],[[0,1200],[1,0]]],9,1,"ab",'
    '1767225600000,1767225600001,["cd"],"other"]': Finished(
        setup_of("id", "host"),
        FIRST_SEATS,
        Result("target", (0,), ((0, 1200), (1, 0))),
        *(9, 1, "ab", NOW, NOW + 1, ("cd",), "other"),
    ),
    '[1,"lobby",0,"ab"]': Lobby(setup_of("id", "host")),
}


@pytest.mark.parametrize("text", FIRST_HEADS)
def test_heads_of_the_first_format_are_still_read(text: str) -> None:
    """A game that was under way when the server was brought up to date goes on."""
    game = FIRST_HEADS[text]
    assert decode_game(game.setup, text.encode()) == game
    laid = encode_setup(game.setup)
    assert decode_setup(laid.replace(b'"format":2', b'"format":1')) == game.setup


def test_nothing_is_stored_of_play_in_a_lobby() -> None:
    lobby = Lobby(setup_of("id", "host"))
    assert encode_play(lobby) is None
    assert decode_game(lobby.setup, None) == lobby
    waits = lobby._replace(epoch=1, commits=((0, "ab"), (2, "cd")), failed=(1,))
    assert decode_game(lobby.setup, encode_play(waits)) == waits


def test_the_canonical_spelling() -> None:
    """The vector of the fair-dice protocol."""
    event = {
        "type": "dice_rolled",
        "name": "Zoë",
        "at": 1_767_225_600_123,
        "dice": [1, 5, 4, 6, 4, 5],
        "seat": 0,
        "epoch": 0,
        "roll": 0,
    }
    assert canonical(event) == (
        '{"at":1767225600123,"dice":[1,5,4,6,4,5],"epoch":0,"name":"Zoë","roll":0,"seat":0,'
        '"type":"dice_rolled"}'
    )


@pytest.mark.parametrize("preset", ["farkle", "house", "jester"])
def test_a_head_does_not_grow_with_its_game(preset: str) -> None:
    """But for the digits of what is counted."""
    rules = replace(Rulebook.shipped().preset(preset, {}, "").rules, target=10**7)
    play, _ = started(table(rules, [True, True]))
    chance, entropy, sizes = Random(5), dice_of_walk(5), list[int]()
    for number in range(2_000):
        after = transition(play, any_command(play, chance, entropy, NOW, quits=0)).game
        assert isinstance(after, Playing), number
        play = after
        sizes.append(len(encode_play(play) or b""))
    assert max(sizes[-500:]) <= max(sizes[:500]) + 24
