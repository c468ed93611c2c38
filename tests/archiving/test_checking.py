"""`hotdice verify --all --archive FOLDER`: logs in files are held against what the database has."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

from app.archiving import files
from app.archiving.moving import archive
from app.store.parts import canonical
from app.verifying.stored import ARCHIVED, NOT_OVER, judged_all
from tests.archiving.games import Place, play
from tests.store.orders import NOW, StoppedClock
from tests.verify.mutations import events_of
from tests.verify.recording import exported


def gone(path: Path, other: Path) -> None:
    path.unlink()


def anothers(path: Path, other: Path) -> None:
    path.write_bytes(other.read_bytes())


def damaged(path: Path, other: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def cut(path: Path, other: Path) -> None:
    export = gzip.decompress(path.read_bytes())
    path.write_bytes(gzip.compress(export[: export.rindex(b"\n", 0, -1) + 1]))


def headless(path: Path, other: Path) -> None:
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).split(b"\n")[0]))


def chained_anew(path: Path, other: Path) -> None:
    """As good a game as the first, but another."""
    game_id, events = events_of(gzip.decompress(path.read_bytes()))
    events[-1]["at"] = events[-2]["at"] = events[-2]["at"] + 1
    path.write_bytes(gzip.compress(exported(game_id, [canonical(event) for event in events])))


def nothing(path: Path, other: Path) -> None: ...


EDITS: dict[Callable[[Path, Path], None], str | None] = {
    nothing: None,
    gone: "there is no such file",
    anothers: "the file of its log is another game's",
    damaged: "the gzip is damaged",
    cut: "the file of its log is not the log that was taken out",
    headless: "or empty",
    chained_anew: "the file of its log is not the log that was taken out",
}


async def test_a_file_that_is_not_the_log_taken_out_is_found(place: Place, tmp_path: Path) -> None:
    *over, running = await play(place)
    folder = tmp_path / "archive"
    folder.mkdir()
    await archive(place.owner, folder, 0, StoppedClock(NOW + 10**12), lambda *_: None)
    reasons = {report.game_id: report.reason async for report in judged_all(place.player)}
    assert reasons == {**dict.fromkeys(over, ARCHIVED), running: NOT_OVER}
    first, second = (files.path_of(folder, game_id) for game_id in over[:2])
    kept = first.read_bytes()
    for edit, reason in EDITS.items():
        edit(first, second)
        told = {r.game_id: r async for r in judged_all(place.player, files.of(folder))}
        verdicts = {game_id: told[game_id].verdict for game_id in over}
        expected = dict.fromkeys(over, "valid")
        assert verdicts == expected | ({over[0]: "invalid"} if reason else {}), edit
        assert reason is None or reason in str(told[over[0]].reason), edit
        first.write_bytes(kept)
