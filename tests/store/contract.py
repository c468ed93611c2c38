"""One suite that SQLite and Postgres must both pass; a test class names the `url`."""

from __future__ import annotations

import pytest

from app.store.accounts import SqlAccounts
from app.store.codec import decode
from app.store.counting import Counting
from app.store.database import Database
from app.store.queries import SqlEventStore
from tests.store.accounts_contract import AccountsContract
from tests.store.append_contract import AppendContract
from tests.store.counting_contract import CountingContract
from tests.store.following_contract import FollowingContract
from tests.store.kept_contract import KeptContract
from tests.store.orders import LIVES, StoppedClock
from tests.store.purses_contract import PursesContract
from tests.store.races_contract import RacesContract
from tests.store.reads_contract import ReadsContract
from tests.store.rebuild_contract import RebuildContract
from tests.store.series_contract import SeriesContract
from tests.store.sitting_contract import SittingContract
from tests.store.streams_contract import StreamsContract
from tests.store.watching_contract import WatchingContract


class Contract(
    AppendContract,
    KeptContract,
    RacesContract,
    ReadsContract,
    FollowingContract,
    WatchingContract,
    AccountsContract,
    PursesContract,
    SittingContract,
    RebuildContract,
    StreamsContract,
    SeriesContract,
    CountingContract,
):
    @pytest.fixture
    def clock(self) -> StoppedClock:
        return StoppedClock()

    @pytest.fixture
    def store(self, database: Database, clock: StoppedClock) -> SqlEventStore:
        return SqlEventStore(database, clock)

    @pytest.fixture
    def counting(self, database: Database) -> Counting:
        return Counting(database, decode)

    @pytest.fixture
    def accounts(self, database: Database) -> SqlAccounts:
        return SqlAccounts(database, StoppedClock(), LIVES)
