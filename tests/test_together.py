"""Orders that share transactions: who goes with whom, and who waits for whom."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import pytest

from app.errors import Overloaded, StoreUnavailable
from app.ports import Decision, Order, Outcome, Tell
from app.service import together
from app.service.together import Together
from engine.errors import GameOver

FOREVER_S = 3600.0
"""No transaction is long by this: a slow machine does not change who goes with whom."""


def order(name: str) -> Order:
    def decide(*_: object) -> Decision:
        raise AssertionError("these stores decide by themselves")

    return Order(name, decide)


class Transactions:
    """An append whose transactions end when they are told to; outcomes are errors, by name."""

    def __init__(self) -> None:
        self.begun: list[list[str]] = []
        self._ends: list[asyncio.Future[BaseException | None]] = []

    async def append(self, orders: Sequence[Order], tell: Tell) -> None:
        self.begun.append([each.game_id for each in orders])
        end: asyncio.Future[BaseException | None] = asyncio.get_running_loop().create_future()
        self._ends.append(end)
        if (error := await end) is not None:
            raise error
        for each in orders:
            tell(each, LookupError(each.game_id))

    def end(self, number: int, error: BaseException | None = None) -> None:
        self._ends[number].set_result(error)


async def settle() -> None:
    """Until nothing more happens by itself."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_whoever_finds_nothing_under_way_begins_at_once() -> None:
    store = Transactions()
    shared = Together(store.append, long_s=FOREVER_S)
    asked = shared.ask(order("a"))
    await settle()
    assert store.begun == [["a"]]
    assert not asked.done(), "nobody is answered before the commit"
    store.end(0)
    assert str(await asked) == "a"
    await shared.idle()
    assert shared.is_idle


async def test_who_comes_meanwhile_shares_the_next_one_in_order() -> None:
    store = Transactions()
    shared = Together(store.append, long_s=FOREVER_S)
    first = shared.ask(order("a"))
    await settle()
    later = [shared.ask(order(name)) for name in "bcd"]
    await settle()
    assert store.begun == [["a"]]
    store.end(0)
    await settle()
    assert first.done()
    assert store.begun == [["a"], ["b", "c", "d"]]
    store.end(1)
    assert [str(outcome) for outcome in await asyncio.gather(*later)] == ["b", "c", "d"]


async def test_a_transaction_has_a_bounded_number_of_orders() -> None:
    store = Transactions()
    shared = Together(store.append, long_s=FOREVER_S)
    asked = [shared.ask(order(str(n))) for n in range(together.MOST + 1)]
    await settle()
    assert [len(begun) for begun in store.begun] == [together.MOST]
    store.end(0)
    await settle()
    assert [len(begun) for begun in store.begun] == [together.MOST, 1]
    store.end(1)
    await asyncio.gather(*asked)


async def test_a_long_transaction_is_not_waited_for() -> None:
    store = Transactions()
    shared = Together(store.append)
    slow = shared.ask(order("slow"))
    await settle()
    quick = [shared.ask(order(name)) for name in "bc"]
    for _ in range(1_000):
        if len(store.begun) == 1:
            await asyncio.sleep(together.LONG_S / 4)
    assert store.begun == [["slow"], ["b", "c"]]
    store.end(1)
    await asyncio.gather(*quick)
    assert not slow.done()
    store.end(0)
    await slow


async def test_so_many_transactions_run_beside_each_other_and_no_more() -> None:
    store = Transactions()
    shared = Together(store.append)
    asked = []
    for n in range(together.AT_ONCE + 2):
        asked.append(shared.ask(order(str(n))))
        await asyncio.sleep(2 * together.LONG_S)
    assert len(store.begun) == together.AT_ONCE
    store.end(0)
    await settle()
    assert store.begun[together.AT_ONCE] == ["3", "4"]
    for number in range(1, together.AT_ONCE + 1):
        store.end(number)
    outcomes = await asyncio.gather(*asked)
    assert all(int(str(a)) < int(str(b)) for a, b in pairwise(outcomes))


async def test_who_gives_up_the_wait_takes_nothing_back() -> None:
    store = Transactions()
    shared = Together(store.append, long_s=FOREVER_S)
    cut, other = shared.ask(order("a")), shared.ask(order("b"))
    waits = asyncio.create_task(_shielded(cut))
    await settle()
    waits.cancel()
    await settle()
    store.end(0)
    assert str(await other) == "b"
    assert str(await cut) == "a"


async def _shielded(asked: asyncio.Future[Outcome]) -> Outcome:
    return await asyncio.shield(asked)


async def test_who_is_cut_off_does_not_end_the_others() -> None:
    store = Transactions()
    shared = Together(store.append, long_s=FOREVER_S)
    cut, other = shared.ask(order("a")), shared.ask(order("b"))
    await settle()
    cut.cancel()
    store.end(0)
    assert str(await other) == "b"


async def test_a_transaction_that_breaks_is_everybodys_and_the_next_one_begins() -> None:
    store = Transactions()
    shared = Together(store.append, long_s=FOREVER_S)
    first = [shared.ask(order(name)) for name in "ab"]
    await settle()
    second = shared.ask(order("c"))
    store.end(0, StoreUnavailable())
    outcomes = await asyncio.gather(*first)
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 2
    await settle()
    assert store.begun[1] == ["c"]
    store.end(1)
    assert str(await second) == "c"


async def test_an_end_of_the_process_ends_every_wait() -> None:
    store = Transactions()
    shared = Together(store.append, long_s=FOREVER_S)
    asked = shared.ask(order("a"))
    await settle()
    store.end(0, KeyboardInterruptLike())
    with pytest.raises(KeyboardInterruptLike):
        await asked


class KeyboardInterruptLike(BaseException):
    """Ends a process, in a simulation."""


async def test_a_refusal_is_handed_on_as_it_is() -> None:
    async def append(orders: Sequence[Order], tell: Tell) -> None:
        for each in orders:
            tell(each, GameOver())

    assert isinstance(await Together(append).ask(order("a")), GameOver)


async def test_whose_outcome_stands_does_not_wait_for_neighbours() -> None:
    held = asyncio.Event()

    async def append(orders: Sequence[Order], tell: Tell) -> None:
        tell(orders[0], GameOver())
        await held.wait()
        tell(orders[1], LookupError())

    shared = Together(append)
    first, second = shared.ask(order("a")), shared.ask(order("b"))
    assert isinstance(await first, GameOver)
    assert not second.done()
    assert not shared.is_idle
    held.set()
    assert isinstance(await second, LookupError)


async def test_who_has_waited_too_long_is_told_to_come_back() -> None:
    store = Transactions()
    shared = Together(store.append, wait_s=0.2)
    first = []
    for n in range(together.AT_ONCE):
        first.append(shared.ask(order(str(n))))
        await asyncio.sleep(2 * together.LONG_S)
    late = shared.ask(order("late"))
    await asyncio.sleep(0.4)
    store.end(0)
    assert isinstance(await late, Overloaded)
    for number in range(1, together.AT_ONCE):
        store.end(number)
    await asyncio.gather(*first)
    assert store.begun == [["0"], ["1"], ["2"]], "it never ran"
