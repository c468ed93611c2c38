"""The parts a running server is made of, as the routes find them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from starlette.requests import Request

from app.accounts import Accounts
from app.analysis.desk import AnalysisDesk
from app.features import Features
from app.lag import LoopLag
from app.limits import RateLimits, TicketGuard
from app.live.announcers import Condition
from app.live.live import Live
from app.notices import NoticeBoard
from app.operators import Operators
from app.players import PlayerService
from app.ports import Announcer, Clock, EventStore, RandomBytes
from app.purses import PurseBook
from app.scoped_tokens import TokenDesk
from app.settings import Settings
from app.statistics import Statistics
from app.tickets import TicketOffice
from app.tokens import Doorkeeper

if TYPE_CHECKING:
    from app.service import GameService


@dataclass(frozen=True, slots=True)
class Parts:
    settings: Settings
    features: Features
    store: EventStore
    accounts: Accounts
    announcer: Announcer
    announcing: Callable[[], Condition]
    """How the announcer does."""
    clock: Clock
    random_bytes: RandomBytes
    limits: RateLimits
    ticket_guard: TicketGuard
    doorkeeper: Doorkeeper
    players: PlayerService
    statistics: Statistics
    games: GameService
    analyses: AnalysisDesk
    tickets: TicketOffice
    scoped_tokens: TokenDesk
    operators: Operators
    purses: PurseBook
    notices: NoticeBoard
    live: Live
    bot_decisions: Callable[[], int]
    """Moves that bots made in this process."""
    lag: LoopLag
    uncounted: Callable[[], Awaitable[int]]
    """Games that ended and wait to be counted, in all processes together."""
    check_store: Callable[[], Awaitable[None]]
    """Raises where the database cannot be reached or has another schema than this server's."""
    stop: Callable[[], None]
    """Sends home whoever waits for news, so that a stop need not wait for them. Twice is fine."""
    close: Callable[[], Awaitable[None]]
    """Lets running commands end, then closes connections."""


def parts_of(request: Request) -> Parts:
    """The parts of the server that received this request."""
    return cast("Parts", request.scope["app"].parts)
