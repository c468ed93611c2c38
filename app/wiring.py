"""The one place that picks real parts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from pydantic_core import to_json

from app.analysis.desk import PATIENT_S, QUICK_S, AnalysisDesk
from app.api import render
from app.api.views import summary
from app.bots.allowance import Allowance
from app.bots.player import BotPlayer
from app.bots.preparing import Preparing
from app.clock import SystemClock
from app.clocks.due import Waits, due_at
from app.clocks.pulse import Pulse
from app.clocks.runner import Runner
from app.features import features_of
from app.ids import new_id, random_bytes
from app.lag import LoopLag
from app.limits import JoinCodeGuard, RateLimits, TicketGuard
from app.live.announcers import InProcessAnnouncer
from app.live.bus import RETRY_S, BusAnnouncer, Link
from app.live.connections import Connections, Limits
from app.live.live import Live
from app.live.loops import Loops
from app.live.presence import Presence
from app.live.source import Source
from app.live.timing import Timing
from app.operators import Operators
from app.parts import Parts
from app.players import PlayerService
from app.ports import Announcer, Clock, Head, RandomBytes, Recorded, Summary
from app.recent import Recent
from app.rulebook import Rulebook
from app.scoped_tokens import TokenDesk
from app.service import GameService
from app.service.series import Caps
from app.settings import Settings
from app.store.accounts import SqlAccounts
from app.store.clocks import SqlClockRows
from app.store.codec import decode
from app.store.counting import Counting
from app.store.database import check_file, open_database
from app.store.notices import SqlNotices
from app.store.operator_journal import SqlOperatorJournal
from app.store.presence import SqlPresence
from app.store.purse_book import SqlPurseBook
from app.store.queries import SqlEventStore
from app.store.schema import SchemaOutdated, check_schema, migrate
from app.store.scoped_tokens import SqlScopedTokens
from app.store.series import SqlSeries
from app.store.statistics import SqlStatistics
from app.store.tickets import SqlTickets
from app.tally.counts import MemoryTally
from app.tally.shared import SharedTally
from app.tickets import TicketOffice
from app.tokens import DAY_MS, REFRESHED_S, Doorkeeper, Lifetimes
from engine.units import Millis

SWEEP_S = 600.0
"""Answers are kept for days: when exactly they go matters to nobody."""
EXPIRED_TOKENS_KEPT_MS = 30 * DAY_MS
"""For so long whoever brings one is told that it has expired."""
SERIES_S = 3.0
"""A series whose process died waits no longer for its next game."""
COUNT_S = 1.0
"""Games that end here are counted at once; this is for those of a process that has gone."""
PULSE_S = 1.0
BOTS_S = 1.0
"""Bots are woken; this is for a round that failed."""
SCHEMA_CHECK_S = 10.0
"""It reads files; a readiness probe may come often and from anybody."""
HEALTH_S = 0.5
"""For the same reason what the database says of itself is asked of it so seldom."""


class _Rendered:
    """`app.live.frames.Renderer`, by the API."""

    def game(self, head: Head, now: Millis) -> bytes:
        return render.game(head, (), now, None)

    def events(self, records: Sequence[Recorded]) -> bytes:
        return render.event_list(records)

    def summary(self, row: Summary) -> bytes:
        return to_json(summary(row))


async def build_parts(
    settings: Settings,
    *,
    announcer: Announcer | None = None,
    timing: Timing | None = None,
    runs_tables: bool = True,
    clock: Clock | None = None,
    entropy: RandomBytes = random_bytes,
    ids: Callable[[], str] = new_id,
    quick_s: float = QUICK_S,
    store_type: type[SqlEventStore] = SqlEventStore,
) -> Parts:
    """
    A server's parts, in the event loop they will serve in.

    On SQLite the database is brought up to date; on Postgres that is its owner's to do.

    Args:
        announcer: instead of the one that the settings ask for.
        timing: for streams.
        runs_tables: False: what falls due is left to other processes.
        clock: instead of the machine's.
        entropy: instead of the machine's.
        ids: where games, series and players get theirs.
        quick_s: whoever asks for an analysis waits so long for the answer itself; four times as
            long where it is little work.
        store_type: one that counts, or fails when told to.
    Raises: UnfitDatabase, SchemaOutdated, StoreUnavailable.
    """
    check_file(settings.database_url)
    database = open_database(settings.database_url)
    try:
        try:
            await check_schema(database)
        except SchemaOutdated:
            if not settings.on_sqlite:
                raise
            await migrate(settings.database_url)
            await check_schema(database)
    except BaseException:
        await database.dispose()
        raise
    clock = clock or SystemClock()
    waits = waits_of(settings)
    features = features_of(settings)
    store = store_type(
        database,
        clock,
        due=lambda head: due_at(head, waits),
        notices=features["notices"],
        bot_tables=settings.bot_tables,
    )
    notices = SqlNotices(database, round((timing or Timing()).presence_forgotten * 1000))
    rows = SqlClockRows(database)
    pulse = Pulse(rows, lambda: 1000 * time.monotonic())
    lives = Lifetimes(settings.token_idle_days * DAY_MS, settings.token_max_days * DAY_MS)
    accounts = SqlAccounts(database, clock, lives)
    local, missed = InProcessAnnouncer(), asyncio.Event()
    link = _link(settings)
    bus = None if link is None or announcer else BusAnnouncer(link, local, missed.set)
    announcer = announcer or bus or local
    timing = timing or Timing()
    shared_tally = _shared_tally(settings)
    tally = shared_tally or MemoryTally()
    join_codes = JoinCodeGuard(settings, tally)
    rate_limits = RateLimits(settings, tally)
    doorkeeper = Doorkeeper(accounts, found=rate_limits.belongs)
    preparing = Preparing()
    games = GameService(
        knows=preparing.soon,
        store=store,
        announcer=announcer,
        clock=clock,
        random_bytes=entropy,
        new_id=ids,
        rulebook=Rulebook.shipped(),
        features=features,
        guard=join_codes,
        decode=decode,
        series=SqlSeries(database, clock, bot_tables=settings.bot_tables),
        series_caps=Caps(
            settings.series_games, settings.series_at_once, settings.series_per_player
        ),
        gaps=lambda: pulse.gaps,
        reveal_ms=1000 * settings.reveal_after,
    )

    announcer.listen(store.kept.moved)  # what another process has moved is not at hand any more
    limits = None
    if settings.rate_limits:
        limits = Limits(
            per_player=settings.sockets_player,
            per_address=settings.sockets_address,
            unauthenticated=settings.sockets_waiting,
            spectators=settings.sockets_spectators,
            long_polls=settings.long_polls,
        )
    presence = Presence(SqlPresence(database, new_id(), round(timing.presence_forgotten * 1000)))
    live = Live(
        Source(store, decode, _Rendered(), clock),
        announcer,
        Connections(accounts, clock, limits, timing),
        presence,
        timing,
    )
    bots = BotPlayer(games.desk, Allowance(settings.bot_decisions), preparing)
    runner = Runner(games.desk, rows, pulse, waits, decode, presence.seats, bots.wake)
    analyses = AnalysisDesk(
        settings.analyses,
        clock.now,
        quick_s,
        patient_s=quick_s * PATIENT_S / QUICK_S,
        per_caller=settings.analyses_per_caller,
    )
    lag = LoopLag()
    if settings.metrics:
        lag.start()
    schema_checked = time.monotonic()

    async def expire() -> None:
        await store.expire_answers(clock.now() - settings.answers_kept_h * 3_600_000)
        await accounts.expire_tokens(clock.now() - EXPIRED_TOKENS_KEPT_MS)
        if features["notices"]:
            await notices.expire(clock.now() - settings.notices_kept_h * 3_600_000)

    async def look_again() -> None:
        for watched in (live.hub, live.players, live.lobby):
            await watched.poll()

    games.desk.stored.append(live.hub.stored)
    counting = Counting(database, decode)
    sweeps = Loops()
    if runs_tables:
        # Before the first command: it may come late through no fault of its own. And before any
        # work that writes too: a start that has to wait its turn may wait too long.
        await pulse.beat()
        sweeps.start("heartbeat", pulse.beat, PULSE_S)
        sweeps.start("clocks", runner.poll, timing.clocks, runner.more)
        games.desk.moved.append(bots.wake)
        sweeps.start("bots", bots.round, BOTS_S, bots.awake)
        sweeps.start("series", games.series.look, SERIES_S)
    sweeps.start("callers", doorkeeper.refresh, REFRESHED_S)
    sweeps.start("answers", expire, SWEEP_S)
    sweeps.start("statistics", counting.round, COUNT_S, store.some_ended)
    if shared_tally is not None:
        sweeps.start("rate limits", shared_tally.share, RETRY_S)
    if bus is not None:
        sweeps.start("missed", look_again, SWEEP_S, missed)
        bus.start()

    def stop() -> None:
        live.stop()
        games.stop()
        local.close()

    async def close() -> None:
        stop()
        lag.stop()
        await games.drain()
        if bus is not None:
            await bus.close()
        await sweeps.close()
        bots.close()
        await preparing.close()
        await analyses.close()
        await live.close()
        await database.dispose()

    async def check_store() -> None:
        nonlocal schema_checked
        if time.monotonic() < schema_checked + SCHEMA_CHECK_S:
            await database.ping()
        else:
            await check_schema(database)
            schema_checked = time.monotonic()

    return Parts(
        settings=settings,
        features=features,
        store=store,
        accounts=accounts,
        announcer=announcer,
        announcing=(bus or local).condition,
        clock=clock,
        random_bytes=entropy,
        limits=rate_limits,
        ticket_guard=TicketGuard(settings, tally),
        doorkeeper=doorkeeper,
        players=PlayerService(
            accounts, clock, doorkeeper, games.forget, games.forget_names, accounts
        ),
        statistics=SqlStatistics(database),
        games=games,
        tickets=TicketOffice(SqlTickets(database, lives), clock),
        scoped_tokens=TokenDesk(
            SqlScopedTokens(database, lives), clock, doorkeeper, lives, settings.tokens_per_player
        ),
        analyses=analyses,
        operators=Operators(settings.operator_token, SqlOperatorJournal(database), clock),
        purses=SqlPurseBook(database),
        notices=notices,
        live=live,
        bot_decisions=lambda: bots.decisions,
        lag=lag,
        uncounted=Recent(counting.uncounted, HEALTH_S),
        check_store=Recent(check_store, HEALTH_S),
        stop=stop,
        close=close,
    )


def waits_of(settings: Settings) -> Waits:
    """How long tables wait."""
    return Waits(
        lobby=1000 * settings.lobby_after,
        host=1000 * settings.host_after,
        absent=1000 * settings.absent_after,
        abandoned=1000 * settings.abandon_after,
        most_events=settings.most_events,
    )


def _shared_tally(settings: Settings) -> SharedTally | None:
    """Counts that other processes know, where there is a Redis and something to count."""
    if settings.redis_url is None or not settings.rate_limits:
        return None
    from app.tally.redis_pool import RedisPools

    return SharedTally(RedisPools(settings.redis_url))


def _link(settings: Settings) -> Link | None:
    """The way to other processes; imported where it is asked for: the drivers are extras."""
    if settings.announces_by == "redis" and settings.redis_url is not None:
        from app.live.redis_link import RedisLink

        return RedisLink(settings.redis_url)
    if settings.announces_by == "postgres":
        from app.live.postgres_link import PostgresLink

        return PostgresLink(settings.database_url)
    return None
