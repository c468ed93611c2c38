"""Series: planned, joined, looked at, cancelled. `app.service.series_runner` moves them on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import NamedTuple, Protocol

from app.errors import SeriesNotFound
from app.limits import JoinCodeGuard
from app.ports import Answer, Player
from app.series import model, results
from app.series.model import Participant, Series, SeriesGame
from app.series.plan import Pairing
from app.series.store import SeriesStore
from app.service.calls import SeriesAsked
from app.service.codes import new_code, opens
from app.service.desk import Desk
from app.service.opening import Opening
from app.service.series_runner import SeriesRunner
from engine.setup import checked
from engine.state import Bots, Place, Setup
from engine.units import Millis


class Caps(NamedTuple):
    """Settings of the server."""

    games: int
    """Of one series."""
    at_once: int
    per_player: int
    """Series of one owner that are not over."""


class Standing(NamedTuple):
    """How far a series has come."""

    playing: int
    table: results.Table


class SeriesRender(Protocol):
    """The body of an answer; pure."""

    def __call__(
        self, series: Series, standing: Standing, now: Millis, viewer: str | None, /
    ) -> bytes: ...


class SeriesCall(NamedTuple):
    """A changing call."""

    player: Player
    render: SeriesRender
    key: str | None
    fingerprint: bytes
    address: str
    """Where it comes from; wrong join codes are counted by it too."""


class GamesOf(NamedTuple):
    """A page of a series' games."""

    series: Series
    games: list[tuple[SeriesGame, Pairing]]


def location(series_id: str) -> str:
    """Where a series is found."""
    return f"/v1/series/{series_id}"


class SeriesService:
    def __init__(
        self,
        desk: Desk,
        store: SeriesStore,
        opening: Opening,
        guard: JoinCodeGuard,
        caps: Caps,
    ) -> None:
        self._desk = desk
        self._store = store
        self._opening = opening
        self._guard = guard
        self.caps = caps
        self._runner = SeriesRunner(desk, store)
        self.look = self._runner.look
        self.close = self._runner.close

    async def create(self, call: SeriesCall, asked: SeriesAsked) -> Answer:
        """
        A new series; it runs as soon as every place is taken.

        Raises: MalformedRules, MalformedSettings, NotAvailable, TooManySeries, TooManyBotTables.
        """
        setup = self._setup(asked)
        me = Participant(None, call.player.id, call.player.name, call.player.bot)
        sides = tuple(me if side is None else side for side in asked.participants)
        at = self._desk.now()
        code = new_code(self._desk.random_bytes)
        series = model.begun(
            Series(
                *(setup.game_id, call.player.id, "open", code, setup, sides),
                *(asked.games, asked.at_once, at),
            )
        )
        ids = [self._desk.new_id() for _ in range(series.planned)]
        nothing = Standing(0, results.table(len(sides), ()))
        body = call.render(series, nothing, at, call.player.id)
        answer = await self._store.create(
            series,
            ids,
            Answer(201, body, None, location(series.id)),
            most=self.caps.per_player,
            key=call.key,
            fingerprint=call.fingerprint,
        )
        self._runner.push(series.id)
        return answer

    def _setup(self, asked: SeriesAsked) -> Setup:
        chosen = self._opening.chosen(asked.rules)
        bots = Bots(pace_ms=asked.pace_ms)
        self._opening.check(
            places=tuple(
                Place("bot", s.character) for s in asked.participants if s and s.character
            ),
            dice=asked.dice,
            clocks=asked.clocks,
            bots=bots,
            advice=asked.advice,
        )
        return checked(
            Setup(
                game_id=self._desk.new_id(),
                rules=chosen.rules,
                preset=chosen.preset,
                places=(Place("human"),) * asked.seats,
                host=None,
                visibility="unlisted",
                dice=asked.dice,
                clocks=asked.clocks,
                pass_and_play=False,
                bots=bots,
                advice=asked.advice,
                cheats=None,
                start_seat=0,
                server_commits=(),
            )
        )

    async def join(self, call: SeriesCall, series_id: str, join_code: str) -> Answer:
        """
        Raises: SeriesNotFound, CodeNotFound, AlreadyTakesPart, SeriesFull, RateLimited after too
        many guesses.
        """

        def change(series: Series) -> Series:
            has_code = opens(join_code, series.join_code)
            return model.joined(series, call.player, has_code=has_code)

        with self._guard.guess(call.player.id, call.address):
            return await self._change(call, series_id, change)

    async def leave(self, call: SeriesCall, series_id: str) -> Answer:
        """Raises: SeriesNotFound, NotTakingPart, SeriesOver."""
        return await self._change(call, series_id, partial(model.left, player_id=call.player.id))

    async def cancel(self, call: SeriesCall, series_id: str) -> Answer:
        """Raises: SeriesNotFound, NotOwner, SeriesOver."""
        cancelled = partial(model.cancelled, player_id=call.player.id)
        return await self._change(call, series_id, cancelled)

    async def _change(self, call: SeriesCall, series_id: str, change: model.Change) -> Answer:
        _, standing = await self.series(series_id)
        at = self._desk.now()

        def decide(series: Series) -> tuple[Series, Answer]:
            after = change(series)
            return after, Answer(200, call.render(after, standing, at, call.player.id))

        answer = await self._store.change(
            series_id, decide, author=call.player.id, key=call.key, fingerprint=call.fingerprint
        )
        self._runner.push(series_id)
        return answer

    async def series(self, series_id: str) -> tuple[Series, Standing]:
        """Raises: SeriesNotFound."""
        series = await self._get(series_id)
        # In this order: what is recorded in between is seen twice rather than not at all.
        waiting = await self._store.unrecorded(series_id, series.at_once * 2)
        ended_since = await self._runner.ended(waiting)
        known = ended_since | await self._store.results(series_id)
        pairings = series.plan()
        ended = [(pairings[number], result) for number, result in known.items()]
        table = results.table(len(series.participants), ended)
        playing = sum(game.is_open and game.number not in known for game in waiting)
        return series, Standing(playing, table)

    async def games(self, series_id: str, first: int, limit: int) -> GamesOf:
        """Games by number, from `first` on. Raises: SeriesNotFound."""
        series = await self._get(series_id)
        pairings = series.plan()
        found = await self._store.games(series_id, first, limit)
        ended = await self._runner.ended(found)
        whole = [game._replace(result=ended.get(game.number, game.result)) for game in found]
        return GamesOf(series, [(game, pairings[game.number]) for game in whole])

    async def open_games(self, series_id: str) -> AsyncIterator[str]:
        """The ids of all games that were opened, by number."""
        first, page = 0, 200
        while found := await self._store.games(series_id, first, page):
            for game in found:
                if game.is_open:
                    yield game.game_id
            first = found[-1].number + 1

    async def _get(self, series_id: str) -> Series:
        series = await self._store.get(series_id)
        if series is None:
            raise SeriesNotFound
        return series

    async def forget(self, player_id: str) -> None:
        """What the player takes part in is cancelled. May be repeated."""
        await self._of_player(player_id, partial(model.gone, player_id=player_id))

    async def forget_names(self, player_id: str, name: str) -> None:
        """Replaces the player's name in every series it takes part in."""
        await self._of_player(player_id, partial(model.renamed, player_id=player_id, name=name))

    async def _of_player(self, player_id: str, change: model.Change) -> None:
        for series_id in await self._store.of_player(player_id):
            await self._store.change(series_id, lambda series: (change(series), Answer(200, b"")))
            self._runner.push(series_id)
