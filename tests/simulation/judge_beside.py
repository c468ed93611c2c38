"""What must hold in the end of strangers, series and purses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from app.purses import Credited, Purchase
from app.series.plan import plan
from app.store.purses import JOURNAL
from tests.simulation.contests import Contest
from tests.simulation.disk import Disk
from tests.simulation.people import Json

Logs = Mapping[str, list[Json]]


def strangers_met(disk: Disk, logs: Logs) -> None:
    """After each commit: nobody waits beside an open table, and no table is over-filled."""
    waits: dict[str, object] = {}
    for meeting in disk.meetings:
        waits.pop(meeting.game_id, None)
        if meeting.waits:
            assert meeting.wish not in waits.values(), "two tables wait for the same"
            waits[meeting.game_id] = meeting.wish
        assert len(set(meeting.seated)) == len(meeting.seated), "somebody sits there twice"
    for game_id in {meeting.game_id for meeting in disk.meetings}:
        _seated_once(logs[game_id])


def _seated_once(log: list[Json]) -> None:
    """A seat is taken while it is free; who plays has a seat, and nobody starts with one free."""
    seats: dict[int, str | None] = dict.fromkeys(range(len(log[0]["seats"])))
    for event in log:
        match event["type"]:
            case "player_joined":
                assert seats[event["seat"]] is None, "a seat was given away twice"
                assert event["player_id"] not in seats.values(), "somebody sits there twice"
                seats[event["seat"]] = event["player_id"]
            case "player_left":
                seats[event["seat"]] = None
            case "seat_changed":
                assert seats[event["seat"]] is None, "a bot took somebody's seat"
                seats[event["seat"]] = event["kind"]
            case "game_started":
                assert None not in seats.values(), "a game of strangers began with a free seat"


def series_were_played(contests: Iterable[Contest], logs: Logs) -> None:
    """Each makes exactly its games, and its results are those of the games' logs."""
    for contest in contests:
        series, told = contest.series, contest.told
        sides = len(series.participants)
        pairings = list(plan(sides, series.seats, series.games))
        assert len(set(contest.game_ids.values())) == len(pairings) == told["progress"]["planned"]
        opened = {n: logs[g] for n, g in contest.game_ids.items() if g in logs}
        if series.status == "finished":
            assert len(opened) == len(pairings), "a game was never played"
        assert list(opened) == list(range(len(opened))), "a game was left out"
        results = [_result(log) for log in opened.values()]
        counted = [n for n in opened if results[n][0] not in ("ended_early", "voided")]
        assert told["progress"]["playing"] == 0
        assert told["progress"]["counted"] == len(counted)
        assert told["progress"]["uncounted"] == len(opened) - len(counted)
        rows: dict[int, Counter[str]] = defaultdict(Counter)
        for number in counted:
            _, winners, scores = results[number]
            for seat, side in enumerate(pairings[number].participants):
                won = seat in winners
                rows[side] += Counter(
                    games=1,
                    wins=won and len(winners) == 1,
                    shared=won and len(winners) > 1,
                    losses=bool(winners) and not won,
                    points=scores[seat],
                    first_games=seat == 0,
                    first_wins=seat == 0 and winners == [0],
                )
        for side in range(sides):
            row = told["results"][side]
            for name in ("games", "wins", "shared", "losses", "points", "first_games"):
                assert row[name] == rows[side][name], f"{name} of {side} in {series.id}"


def _result(log: list[Json]) -> tuple[str, list[int], dict[int, int]]:
    """Reason, winners and scores, by the events."""
    end = next(event for event in log if event["type"] == "game_finished")
    scores = dict.fromkeys(range(len(log[0]["seats"])), 0)
    for event in log:
        if event["type"] == "turn_banked":
            scores[event["seat"]] = event["total"]
    if any(event["type"] == "result_voided" for event in log):
        return "voided", [], scores
    return end["reason"], list(end["winners"]), scores


def purses_are_right(
    disk: Disk, purchases: Iterable[tuple[Purchase, Credited]], logs: Logs
) -> None:
    """Never below zero, each the fold of its journal; spent once, credited once."""
    held: Counter[str] = Counter()
    entries: Counter[str] = Counter()
    spent: Counter[tuple[str, str]] = Counter()
    credited: dict[str, Json] = {}
    for entry in disk.journal:
        row = dict(zip(JOURNAL, entry, strict=True))
        player = row["player_id"]
        held[player] += row["delta"]
        entries[player] += 1
        assert row["entry"] == entries[player], "a journal has a gap"
        assert row["balance"] == held[player] >= 0, "a purse is in debt"
        if row["kind"] == "spent":
            assert row["delta"] == -1, "one command spent several"
            spent[player, row["reference"].split("/")[0]] += 1
        if row["kind"] == "credited":
            assert row["reference"] not in credited, "a payment was credited twice"
            credited[row["reference"]] = row
    assert {p: purse.balance for p, purse in disk.purses.items()} == dict(held)
    paid: Counter[tuple[str, str]] = Counter()
    for game_id, log in logs.items():
        seats = {e["seat"]: e["player_id"] for e in log if e["type"] == "player_joined"}
        paid.update((seats[e["seat"]], game_id) for e in log if e["type"] == "purse_spent")
    assert paid == spent, "what the games spent is not what the journal says"
    for purchase, told in purchases:
        row = credited[purchase.reference]
        assert (row["player_id"], row["delta"]) == (purchase.player_id, purchase.wild_rolls)
        assert (told.balance, told.at) == (row["balance"], row["at"]), "two answers to a payment"
