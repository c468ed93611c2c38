"""What players contribute to the dice: commitments, reveals, the seal."""

from __future__ import annotations

from typing import Any

import pytest

from engine.dice import NO_SEAL, Fair, seal
from tests.api.contributing import Contributor, contributors, seat_commit
from tests.api.live import Guest
from tests.api.table import GAME, Json, Table, create, join, modelled, refused, types
from tests.api.test_fairness import fairness

NONSENSE = "ab" * 32


async def seated(host: Guest, *guests: Guest, **how: Any) -> tuple[Table, list[Contributor]]:
    table = await create(host, seats=[{"kind": "human"}] * (1 + len(guests)), **how)
    await join(table, *guests)
    return table, contributors(table)


async def sealing(host: Guest, *guests: Guest) -> tuple[Table, list[Contributor]]:
    """Everybody has committed, and the host has started."""
    table, people = await seated(host, *guests)
    for each in people:
        await each.commits()
    await table.do("start", by=host)
    return table, people


async def unmoved(table: Table, who: Contributor, body: Json, status: int, code: str) -> Json:
    """Refused, and no event."""
    before = await table.log()
    problem = refused(await who.put(body), status, code)
    assert await table.log() == before
    return problem


async def test_two_seats_mix_the_dice(ana: Guest, bo: Guest) -> None:
    table, (one, two) = await seated(ana, bo)
    for each in (one, two):
        [committed] = await each.commits()
        assert committed["commit"] == seat_commit(table.id, 0, each.seat, each.seed(0))
        assert (committed["type"], committed["epoch"]) == ("entropy_committed", 0)
        assert (committed["seat"], table.game["status"]) == (each.seat, "lobby")
    [closed] = await table.do("start")
    assert closed["commits"] == [{"seat": s.seat, "commit": s.commit_to(0)} for s in (one, two)]
    assert closed["reveal_by"] - closed["at"] == 5_000
    assert (table.game["status"], table.game["turn"]) == ("sealing", None)
    assert table.game["sealing"]["waiting"] == [0, 1]
    [revealed] = await two.reveals()
    assert (revealed["seat"], revealed["seed"]) == (1, two.seed(0).hex())
    assert table.game["sealing"]["waiting"] == [0]
    events = await one.reveals()
    assert types(events) == ["entropy_revealed", "entropy_sealed", "game_started"]
    told = await fairness(table)
    commit = bytes.fromhex(told["attempts"][0]["server_commit"])
    mixed = [(0, one.seed(0)), (1, two.seed(0))]
    sealed = seal(table.id, 0, NO_SEAL, commit, mixed)
    assert (events[1]["seal"], events[1]["seats"]) == (sealed.hex(), [0, 1])
    assert told["seats"] == [{"seat": 0, "mixed": True}, {"seat": 1, "mixed": True}]
    assert (told["failed_attempts"], told["verdict"]) == (0, "incomplete")
    assert told["attempts"][0]["contributions"] == [0, 1]
    assert [each["seed"] for each in told["attempts"][0]["reveals"]] == [
        one.seed(0).hex(),
        two.seed(0).hex(),
    ]
    [rolled, *_] = await table.roll()
    await table.do("end", by=ana)
    over = await fairness(table)
    assert (over["verdict"], over["revealed"]) == ("mixed", True)
    fair = Fair(bytes.fromhex(over["attempts"][0]["seed"]), table.id, 0, sealed)
    assert tuple(rolled["dice"]) == fair.faces(0, 6)
    assert len((await table.log())[-1]["seeds"]) == 3


async def test_who_does_not_contribute_is_not_mixed(ana: Guest, bo: Guest, cy: Guest) -> None:
    table, (_, two, _) = await seated(ana, bo, cy)
    await two.commits()
    await table.do("start")
    assert table.game["sealing"]["waiting"] == [1]
    assert types(await two.reveals())[-1] == "game_started"
    told = await fairness(table)
    assert [seat["mixed"] for seat in told["seats"]] == [False, True, False]


async def test_the_last_commitment_before_the_start_counts(ana: Guest, bo: Guest) -> None:
    table, (one, _) = await seated(ana, bo)
    await one.commits()
    first = one.drawn.pop()
    assert types(await one.commits()) == ["entropy_committed"]
    assert await one.commits() == [], "the same one again changes nothing"
    log = await table.log()
    assert types(log).count("entropy_committed") == 2
    [closed] = await table.do("start")
    assert closed["commits"] == [{"seat": 0, "commit": one.commit_to(0)}]
    stale = {"seed": first.hex(), "next_commit": one.commit_to(1)}
    await unmoved(table, one, stale, 409, "reveal_does_not_match")
    await one.reveals()


async def test_a_commitment_leaves_with_its_player(ana: Guest, bo: Guest, cy: Guest) -> None:
    table, (one, two) = await seated(ana, bo)
    for each in (one, two):
        await each.commits()
    assert len((await fairness(table))["attempts"][0]["commits"]) == 2
    code = table.game["join_code"]
    await table.do("leave", by=bo)
    table.players.pop()
    await join(table, cy, code=code)
    [closed] = await table.do("start", by=ana)
    assert closed["commits"] == [{"seat": 0, "commit": one.commit_to(0)}]
    copied = Contributor(cy, table, 1, two.drawn)
    await unmoved(table, copied, two.reveal_of(0), 409, "nothing_to_reveal")


async def test_a_kicked_player_contributes_no_more(ana: Guest, bo: Guest) -> None:
    table, (_, two) = await seated(ana, bo)
    await two.commits()
    bot = await ana.request(
        "PATCH", f"{table.path}/seats/1", json={"kind": "bot", "character": "cautious"}
    )
    assert bot.status_code == 200
    assert types(await table.do("start"))[-1] == "game_started"


@pytest.mark.parametrize("phase", ["sealing", "playing", "finished"])
async def test_a_late_commitment_is_refused(ana: Guest, bo: Guest, phase: str) -> None:
    table, (one, two) = await seated(ana, bo)
    await one.commits()
    await table.do("start")
    if phase != "sealing":
        await one.reveals()
    if phase == "finished":
        await table.do("end", by=ana)
    code = "game_over" if phase == "finished" else "already_started"
    for who in (one, two):
        await unmoved(table, who, {"commit": NONSENSE}, 409, code)


async def test_a_reveal_before_the_close_is_refused(ana: Guest, bo: Guest) -> None:
    table, (one, _) = await seated(ana, bo)
    await unmoved(table, one, one.reveal_of(0), 409, "not_sealing")
    await one.commits()
    await unmoved(table, one, one.reveal_of(0), 409, "not_sealing")


async def test_another_value_than_the_one_committed_to_is_refused(ana: Guest, bo: Guest) -> None:
    table, (one, two) = await sealing(ana, bo)
    changed = one.reveal_of(0) | {"seed": NONSENSE}
    problem = await unmoved(table, one, changed, 409, "reveal_does_not_match")
    assert (problem["seat"], problem["epoch"]) == (0, 0)
    assert NONSENSE not in str(problem), "what was sent is not repeated"
    await unmoved(table, one, one.reveal_of(1), 409, "reveal_does_not_match")
    await unmoved(table, one, two.reveal_of(0), 409, "reveal_does_not_match")


async def test_a_second_reveal_is_refused(ana: Guest, bo: Guest) -> None:
    table, (one, two) = await sealing(ana, bo)
    await one.reveals()
    await unmoved(table, one, one.reveal_of(0), 409, "already_revealed")
    await unmoved(table, one, one.reveal_of(0) | {"seed": NONSENSE}, 409, "already_revealed")
    await two.reveals()
    await unmoved(table, one, one.reveal_of(0), 409, "already_started")


async def test_a_copied_commitment_cannot_be_revealed(ana: Guest, bo: Guest) -> None:
    other, (elsewhere, _) = await seated(ana, bo)
    await elsewhere.commits()
    table, (one, two) = await seated(ana, bo)
    await one.commits()
    await two.does({"commit": one.commit_to(0)})  # of another seat
    await one.does({"commit": elsewhere.commit_to(0)})  # of another game
    await table.do("start")
    for who in (one, two):
        for source in (one, elsewhere):
            body = source.reveal_of(0)
            await unmoved(table, who, body, 409, "reveal_does_not_match")
    assert other.id != table.id


async def test_a_reveal_is_for_ones_own_seat_alone(ana: Guest, bo: Guest, cy: Guest) -> None:
    table, (one, two, three) = await seated(ana, bo, cy)
    await two.commits()
    await table.do("start")
    for who in (one, three):
        await unmoved(table, who, two.reveal_of(0), 409, "nothing_to_reveal")
    named = two.reveal_of(0) | {"seat": 1}
    await unmoved(table, two, named, 422, "invalid_request")


async def test_who_has_no_seat_contributes_nothing(ana: Guest, bo: Guest, cy: Guest) -> None:
    table, _ = await seated(ana, bo, visibility="public")
    stranger = Contributor(cy, table, 0)
    await unmoved(table, stranger, {"commit": stranger.commit_to(0)}, 403, "not_seated")
    private, _ = await seated(ana, bo, visibility="private")
    hidden = Contributor(cy, private, 0)
    await unmoved(private, hidden, {"commit": hidden.commit_to(0)}, 404, "game_not_found")


BAD = [
    ({"commit": "AB" * 32}, "/commit", "bad_format"),
    ({"commit": "ab" * 31}, "/commit", "bad_format"),
    ({"commit": "ab" * 33}, "/commit", "bad_format"),
    ({"commit": "ab" * 32 + "\n"}, "/commit", "bad_format"),
    ({"commit": "0x" + "ab" * 31}, "/commit", "bad_format"),
    ({"commit": "\u0661" * 64}, "/commit", "bad_format"),
    ({"commit": 7}, "/commit", "wrong_type"),
    ({"commit": None}, "/commit", "wrong_type"),
    ({}, "/commit", "missing"),
    ({"commit": NONSENSE, "epoch": 0}, "", "unknown_field"),
    ({"seed": NONSENSE}, "/next_commit", "missing"),
    ({"seed": NONSENSE, "next_commit": "AB" * 32}, "/next_commit", "bad_format"),
    ({"seed": "AB" * 32, "next_commit": NONSENSE}, "/seed", "bad_format"),
    ({"seed": NONSENSE, "next_commit": NONSENSE, "commit": NONSENSE}, "", "unknown_field"),
]


@pytest.mark.parametrize(("body", "pointer", "code"), BAD)
async def test_only_64_lower_case_digits_will_do(
    ana: Guest, body: Json, pointer: str, code: str
) -> None:
    table, (one,) = await seated(ana)
    problem = await unmoved(table, one, body, 422, "invalid_request")
    assert [(each["pointer"], each["code"]) for each in problem["errors"]] == [(pointer, code)]


ONE = b'{"commit":"%b"}' % (b"ab" * 32)
RAW = {
    "the key twice": b'{"commit":"%b","commit":"%b"}' % (b"ab" * 32, b"cd" * 32),
    "a byte order mark": b"\xef\xbb\xbf" + ONE,
    "UTF-16": ONE.decode().encode("utf-16"),
    "two documents": ONE + ONE,
    "cut off": ONE[:-1],
    "a list": b"[%b]" % ONE,
    "deep": b'{"commit":' + b"[" * 400 + b"]" * 400 + b"}",
    "half of a pair": ONE.replace(b"ab", b"\\ud800", 1),
}


@pytest.mark.parametrize("body", RAW.values(), ids=RAW)
async def test_bytes_that_two_readers_would_read_otherwise_commit_to_nothing(
    ana: Guest, body: bytes
) -> None:
    table, _ = await seated(ana)
    before = await table.log()
    path, headers = f"{table.path}/entropy", {"Content-Type": "application/json"}
    answer = await ana.request("PUT", path, content=body, headers=headers)
    assert answer.json()["code"] in ("invalid_json", "invalid_request")
    assert await table.log() == before


async def test_a_retry_is_answered_and_a_stale_version_refused(ana: Guest, bo: Guest) -> None:
    table, (one, two) = await seated(ana, bo)
    commit = {"commit": one.commit_to(0)}
    refused(await one.put(commit, if_match='"1"'), 412, "version_conflict")
    first = await one.put(commit, idempotency_key="c")
    again = await one.put(commit, idempotency_key="c")
    assert (first.status_code, again.content) == (200, first.content)
    other = {"commit": NONSENSE}
    refused(await one.put(other, idempotency_key="c"), 422, "idempotency_key_reused")
    await table.do("start")
    reveal = await one.put(one.reveal_of(0), idempotency_key="r")
    again = await one.put(one.reveal_of(0), idempotency_key="r")
    assert (reveal.status_code, again.content) == (200, reveal.content)
    assert two.drawn == []


async def test_at_one_device_one_seat_contributes(ana: Guest) -> None:
    table = await create(ana, seats=[{"kind": "human"}] * 3, pass_and_play=True)
    [one] = contributors(table)
    [committed] = await one.commits()
    assert committed["seat"] == 0
    await table.do("start")
    events = await one.reveals()
    assert events[1]["seats"] == [0]
    assert [seat["mixed"] for seat in (await fairness(table))["seats"]] == [True, False, False]


async def test_a_table_that_is_sealing_is_found_as_such(ana: Guest, bo: Guest) -> None:
    table, (one, two) = await sealing(ana, bo)
    for path in ("/v1/players/me/games",):
        rows = (await ana.get(path, params={"status": "sealing"})).json()["items"]
        assert [row["id"] for row in rows] == [table.id]
        for status in ("lobby", "playing"):
            rows = (await ana.get(path, params={"status": status})).json()["items"]
            assert table.id not in [row["id"] for row in rows]
    assert "join_code" in table.game
    shown = modelled(GAME, await bo.get(table.path))
    assert shown["sealing"]["epoch"] == 0
    await one.reveals()
    await two.reveals()
    assert "sealing" not in table.game
    assert table.game["status"] == "playing"
    log = await table.log()
    state = await ana.get(f"{table.path}/states/{len(log) - 4}")
    assert modelled(GAME, state)["status"] == "sealing"


@pytest.mark.parametrize("command", ["roll", "bank", "take-over", "wild-roll"])
async def test_nobody_moves_while_the_dice_are_sealed(ana: Guest, bo: Guest, command: str) -> None:
    table, _ = await sealing(ana, bo)
    await table.refused("not_started", command)


async def test_nothing_of_the_lobby_is_open_while_sealing(ana: Guest, bo: Guest, cy: Guest) -> None:
    table, _ = await sealing(ana, bo)
    code = table.game["join_code"]
    await table.refused("already_started", "join", {"join_code": code}, by=cy)
    await table.refused("already_started", "leave", by=bo)
    await table.refused("already_started", "start")
    changed = await ana.request("PATCH", table.path, json={"visibility": "public"})
    refused(changed, 409, "already_started")
    kicked = await ana.request("PATCH", f"{table.path}/seats/1", json={"kind": "closed"})
    refused(kicked, 409, "already_started")


@pytest.mark.parametrize("revealed", [False, True])
async def test_the_host_may_end_it_while_sealing(ana: Guest, bo: Guest, revealed: bool) -> None:
    table, (one, _) = await sealing(ana, bo)
    if revealed:
        await one.reveals()
    await table.do("end", by=ana)
    assert types(table.events) == ["game_finished", "fairness_revealed"]
    assert len(table.events[-1]["seeds"]) == 3
    assert table.game["result"]["winners"] == []
    told = await fairness(table)
    assert (told["verdict"], told["revealed"]) == ("server_committed_only", True)


async def test_who_gives_up_while_sealing_does_not_play(ana: Guest, bo: Guest, cy: Guest) -> None:
    table, (one, two, three) = await sealing(ana, bo, cy)
    [resigned] = await table.do("resign", by=ana)
    assert (resigned["type"], resigned["seat"]) == ("seat_resigned", 0)
    assert [seat["active"] for seat in table.game["seats"]] == [False, True, True]
    for each in (one, two, three):  # what was committed to stays in the attempt
        await each.reveals()
    assert table.game["turn"]["seat"] == 1
    assert [seat["active"] for seat in table.game["seats"]] == [False, True, True]


async def test_with_one_seat_left_the_table_closes(ana: Guest, bo: Guest) -> None:
    table, _ = await sealing(ana, bo)
    events = await table.do("resign", by=bo)
    assert types(events) == ["seat_resigned", "game_finished", "fairness_revealed"]
    assert (events[1]["reason"], events[1]["winners"]) == ("ended_early", [])


async def test_who_deletes_the_account_while_sealing_is_gone(
    ana: Guest, bo: Guest, cy: Guest
) -> None:
    table, (one, two, _) = await sealing(ana, bo, cy)
    assert (await cy.request("DELETE", "/v1/players/me")).status_code == 204
    log = await table.log()
    assert (log[-1]["type"], log[-1]["seat"]) == ("seat_resigned", 2)
    await one.reveals()
    await two.reveals()
    assert table.game["sealing"]["waiting"] == [2]


async def test_no_unrevealed_value_is_told(ana: Guest, bo: Guest) -> None:
    """Neither the server's nor another player's."""
    table, (one, two) = await sealing(ana, bo)
    await one.reveals()
    seen = [(await bo.get(f"{table.path}{path}")).text for path in ("", "/events", "/fairness")]
    seen.append((await bo.get(f"{table.path}/states/5")).text)
    assert one.seed(0).hex() in seen[1]
    hidden = [two.seed(0).hex(), one.seed(1).hex(), two.seed(1).hex()]
    await two.reveals()
    await table.do("end", by=ana)
    seeds = (await table.log())[-1]["seeds"]
    assert len(seeds) == 3
    assert not any(value in text for value in (*hidden, *seeds) for text in seen)


async def test_server_committed_only_is_no_way_around_those_who_contribute(
    ana: Guest, bo: Guest
) -> None:
    table, (_, two) = await seated(ana, bo)
    await two.commits()
    body = {"server_committed_only": True}
    problem = await table.refused("seats_contribute", "start", body, by=ana)
    assert problem["seats"] == [1]
    alone, _ = await seated(ana, bo)
    await alone.do("start", body, by=ana)
    assert alone.game["status"] == "playing"
