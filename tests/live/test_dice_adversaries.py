"""Players who want other dice, at real processes on both stores: races, silence, replays."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from tests.api.contributing import seat_commit
from tests.live.player import Player, all_events
from tests.live.server import Live, healthy
from tests.live.wire import Reply
from tests.servers.cluster import processes
from tests.verify.javascript import JavaScript, javascript
from tests.verify.verdicts import report_of

Json = dict[str, Any]
SEATS = 3
ASKED: Json = {"rules": {"preset": "farkle"}, "seats": [{"kind": "human"}] * SEATS}

pytestmark = pytest.mark.wide


@pytest.fixture(scope="module")
def js() -> Iterator[JavaScript]:
    with javascript() as verifier:
        yield verifier


@contextmanager
def serving(url: str, reveal_s: int) -> Iterator[list[Live]]:
    """
    Two processes over Postgres, one over SQLite.

    Args:
        reveal_s: whoever is silent for so long has failed.
    """
    folders = [None, None] if url.startswith("postgresql") else [None]
    settings = {"HOTDICE_REVEAL_AFTER": str(reveal_s)}
    with processes(Live, url, folders=folders, settings=settings) as running:
        yield running
        for server in running:
            healthy(server)


class Party:
    """People at one table, who ask any of the processes."""

    def __init__(self, servers: Sequence[Live], chance: random.Random) -> None:
        self._ports = [server.port for server in servers]
        self.chance = chance
        self.values: dict[str, bytes] = {}
        """By what was committed to."""

    async def sit_down(self) -> None:
        people = [await Player.make(self._ports[0], name) for name in ("Ana", "Bo", "Cy")]
        self.people = people
        self.id = (await people[0].table(ASKED, *people[1:], start=False))["id"]

    async def ask(self, seat: int, verb: str, body: Json | None = None) -> Reply:
        method = "PUT" if verb == "entropy" else "POST"
        port = self.chance.choice(self._ports)
        path = f"/v1/games/{self.id}/{verb}"
        return await self.people[seat].ask(method, path, body, port=port)

    def commit_of(self, epoch: int, seat: int) -> str:
        """To a new value."""
        value = secrets.token_bytes(32)
        commit = seat_commit(self.id, epoch, seat, value)
        self.values[commit] = value
        return commit

    def reveal_of(self, commit: str, epoch: int, seat: int) -> Json:
        return {
            "seed": self.values[commit].hex(),
            "next_commit": self.commit_of(epoch + 1, seat),
        }

    async def log(self) -> list[Json]:
        return await all_events(self.people[0], self.id)

    async def refused(self, seat: int, body: Json, code: str) -> None:
        """With that code, and nothing is in the log."""
        before = await self.log()
        answer = await self.ask(seat, "entropy", body)
        assert (answer.status, answer.code) == (409, code)
        assert await self.log() == before

    async def until(self, kind: str, number: int = 1) -> list[Json]:
        """The log, once it has so many events of a kind."""
        for _ in range(200):
            log = await self.log()
            if sum(event["type"] == kind for event in log) >= number:
                return log
            await asyncio.sleep(0.05)
        raise AssertionError(f"no {kind}")

    async def over(self, js: JavaScript) -> Json:
        """Ended by everybody at once; what both verifiers say of it."""
        await asyncio.gather(*(self.ask(0, "end") for _ in range(3)))
        export = (await self.people[0].ask("GET", f"/v1/games/{self.id}/export")).body
        report = report_of(js, export)
        assert report["verdict"] == "valid", report
        return report


def of(log: Sequence[Json], kind: str) -> list[Json]:
    return [event for event in log if event["type"] == kind]


async def race(party: Party, js: JavaScript) -> None:
    """Fifteen commitments and two starts at once; then each right value four times, and others."""
    await party.sit_down()
    calls = [
        party.ask(seat, "entropy", {"commit": party.commit_of(0, seat)})
        for seat in range(SEATS)
        for _ in range(5)
    ]
    calls += [party.ask(0, "start"), party.ask(0, "start")]
    party.chance.shuffle(calls)
    answers = await asyncio.gather(*calls)
    assert {answer.code for answer in answers} <= {None, "already_started"}
    log = await party.log()
    [closed] = of(log, "entropy_closed")
    last = {each["seat"]: each["commit"] for each in of(log, "entropy_committed")}
    assert {each["seat"]: each["commit"] for each in closed["commits"]} == last
    assert of(log[closed["version"] :], "entropy_committed") == []

    others = [commit for commit in party.values if commit not in last.values()]
    reveals = [
        party.ask(seat, "entropy", party.reveal_of(commit, 0, seat))
        for seat, right in last.items()
        for commit in (right, right, right, right, *party.chance.sample(others, 3))
    ]
    party.chance.shuffle(reveals)
    told = Counter(answer.code for answer in await asyncio.gather(*reveals))
    assert told[None] == len(last)
    log = await party.log()
    assert len(of(log, "entropy_revealed")) == len(last)
    [sealed] = of(log, "entropy_sealed")
    assert sealed["seats"] == sorted(last)
    await party.ask(0, "roll")
    assert (await party.over(js))["mixed"] == sorted(last)


async def test_whoever_races_for_a_commitment_or_a_reveal_gets_one(
    fresh_url: str, js: JavaScript
) -> None:
    with serving(fresh_url, reveal_s=60) as servers:
        for number in range(3):
            await race(Party(servers, random.Random(number)), js)


async def seals_sought(party: Party, js: JavaScript) -> None:
    """Two of three stay away, one after the other, once they have seen what others contribute."""
    await party.sit_down()
    commits = [party.commit_of(0, seat) for seat in range(SEATS)]
    for seat, commit in enumerate(commits):
        await party.ask(seat, "entropy", {"commit": commit})
    await party.ask(0, "start")
    reveals = [party.reveal_of(commit, 0, seat) for seat, commit in enumerate(commits)]
    for seat in (0, 1):
        assert (await party.ask(seat, "entropy", reveals[seat])).ok
    assert (await party.ask(2, "leave")).code == "already_started"
    log = await party.until("entropy_failed")
    assert of(log, "entropy_failed")[0]["missing"] == [2]
    await party.refused(2, reveals[2], "nothing_to_reveal")
    await party.refused(2, {"commit": commits[2]}, "already_started")
    await party.refused(0, reveals[0], "reveal_does_not_match")
    await party.refused(1, reveals[0], "reveal_does_not_match")
    # Now the second one: it has seen what the first contributes, and stays away.
    again = party.reveal_of(reveals[0]["next_commit"], 1, 0)
    assert (await party.ask(0, "entropy", again)).ok
    await party.until("entropy_failed", 2)
    last = party.reveal_of(again["next_commit"], 2, 0)
    assert (await party.ask(0, "entropy", last)).ok
    told = (await party.people[0].do("GET", f"/v1/games/{party.id}/fairness"))["failed_attempts"]
    assert told == 2
    await party.ask(0, "roll")
    report = await party.over(js)
    assert (report["mixed"], report["not_mixed"]) == ([0], [1, 2])
    assert report["failed_attempts"] == [
        {"epoch": 0, "missing": [2]},
        {"epoch": 1, "missing": [1]},
    ]


async def silence(party: Party, js: JavaScript) -> None:
    """Of all who contribute: then it is said openly whose dice they are."""
    await party.sit_down()
    commit = party.commit_of(0, 1)
    await party.ask(1, "entropy", {"commit": commit})
    await party.ask(0, "start")
    await party.until("entropy_failed")
    await party.refused(1, {"commit": party.commit_of(1, 1)}, "contributes_no_more")
    await party.refused(1, party.reveal_of(commit, 0, 1), "not_sealing")
    assert (await party.ask(0, "start")).code == "sealing_failed"
    assert (await party.ask(0, "start", {"server_committed_only": True})).ok
    report = await party.over(js)
    assert (report["mixed"], len(report["failed_attempts"])) == ([], 1)


async def test_whoever_is_silent_to_get_another_seal_is_out_and_counted(
    fresh_url: str, js: JavaScript
) -> None:
    with serving(fresh_url, reveal_s=3) as servers:
        parties = [Party(servers, random.Random(number)) for number in (7, 8)]
        await asyncio.gather(seals_sought(parties[0], js), silence(parties[1], js))
