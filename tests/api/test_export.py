"""The canonical log, and what anybody can check with it."""

from __future__ import annotations

import hashlib
import hmac
import json

from app.store.codec import decode
from engine.evolve import replay
from engine.state import Finished
from tests.api.live import Guest
from tests.api.table import EVENTS, Json, Table, create, modelled, started


def lp(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def u(number: int, size: int) -> bytes:
    return number.to_bytes(size, "big")


def h(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


async def exported(table: Table, by: Guest) -> tuple[Json, list[Json]]:
    """The header and the lines of an export."""
    answer = await by.get(f"{table.path}/export")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.text.endswith("\n")
    header, *lines = [json.loads(line) for line in answer.text.splitlines()]
    return header, lines


async def test_the_chain_holds(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    await table.roll()
    header, lines = await exported(table, bo)
    assert (header["protocol"], header["game_id"]) == ("pf1", table.id)
    chain, game_id = bytes(32), table.id.encode()
    for number, line in enumerate(lines, 1):
        assert line["version"] == number
        data = line["bytes"].encode()
        event = json.loads(data)
        again = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert again.encode() == data
        chain = h(lp(b"pf1/event"), lp(game_id), u(number, 8), lp(chain), lp(data))
        assert chain.hex() == line["hash"]
    assert len(lines) == table.game["version"]


async def test_the_export_is_the_log(ana: Guest) -> None:
    table = await started(ana)
    _, lines = await exported(table, ana)
    told = [{"version": line["version"], **json.loads(line["bytes"])} for line in lines]
    assert told == await table.log()


async def test_every_die_is_the_seeds(ana: Guest, bo: Guest) -> None:
    """Commitments, seal and faces, recomputed from the export alone."""
    table = await started(ana, bo)
    for _ in range(5):
        await table.roll()
        if table.game["legal"]["selections"]:
            await table.select(*table.game["legal"]["selections"][0]["dice"])
    await table.do("end", by=ana)
    _, lines = await exported(table, ana)
    log = [json.loads(line["bytes"]) for line in lines]
    [seeds] = [e["seeds"] for e in log if e["type"] == "fairness_revealed"]
    game_id = table.id.encode()

    commits = [*log[0]["server_commits"]]
    commits += [e["server_commit"] for e in log if e["type"] == "entropy_closed"]
    for e, (seed, commit) in enumerate(zip(seeds, commits, strict=True)):
        made = h(lp(b"pf1/server-commit"), lp(game_id), u(e, 4), lp(bytes.fromhex(seed)))
        assert made.hex() == commit

    [sealed] = [e["seal"] for e in log if e["type"] == "entropy_sealed"]
    seal = h(
        *(lp(b"pf1/seal"), lp(game_id), u(0, 4), lp(bytes(32))),
        *(lp(bytes.fromhex(commits[0])), u(0, 4)),
    )
    assert seal.hex() == sealed

    rolls = [e for e in log if e["type"] == "dice_rolled"]
    assert len(rolls) == 5
    for index, event in enumerate(rolls):
        assert (event["roll"], event["epoch"], event["sides"]) == (index, 0, 6)
        assert event["dice"] == faces(
            bytes.fromhex(seeds[0]), game_id, index, seal, len(event["dice"])
        )


def faces(seed: bytes, game_id: bytes, index: int, seal: bytes, count: int) -> list[int]:
    found: list[int] = []
    block = 0
    while len(found) < count:
        data = lp(b"pf1/roll") + lp(game_id) + u(0, 4) + u(index, 8) + lp(seal) + u(block, 4)
        found += [byte % 6 + 1 for byte in hmac.digest(seed, data, "sha256") if byte < 252]
        block += 1
    return found[:count]


async def test_the_export_replays(ana: Guest, bo: Guest) -> None:
    table = await started(ana, bo)
    await table.roll()
    await table.do("resign", by=bo)
    _, lines = await exported(table, ana)
    game = replay(decode(line["bytes"].encode()) for line in lines)
    assert isinstance(game, Finished)
    assert [seat.score for seat in game.seats] == table.scores
    assert game.result.reason == table.game["result"]["reason"] == "walkover"


async def test_no_name_is_in_the_log(ana: Guest) -> None:
    table = await create(ana)
    answer = await ana.get(f"{table.path}/export")
    assert '"Ana"' not in answer.text.replace("\\", "")
    assert ana.id in answer.text
    page = modelled(EVENTS, await ana.get(f"{table.path}/events"))
    assert page["items"][1]["player_id"] == ana.id
