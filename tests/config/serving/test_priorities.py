"""Staff are served before phones, and phones never get all threads."""

from __future__ import annotations

import threading
import time

import pytest

from config.serving import priorities
from config.serving.priorities import PriorityThreads, is_of_phones
from tests.everyday import each_case
from tests.fixtures.workers import wait_for
from tests.scenarios.event_loop import run_aside


@each_case(
    ("method", "path", "is_expected"),
    [
        ("GET", "/p/8f2c/", True),
        ("GET", "/p/8f2c/version", True),
        ("HEAD", "/e/spring-open/pairings/", True),
        ("GET", "/api/events/spring-open/clock/", True),
        ("POST", "/p/8f2c/report/", False),
        ("GET", "/console/spring-open/", False),
        ("GET", "/judge/spring-open/", False),
        ("GET", "/api/events/spring-open/players/", False),
        ("GET", "/", False),
    ],
)
def test_what_phones_read_by_themselves_is_known_by_its_address(
    method: str, path: str, is_expected: bool
) -> None:
    assert is_of_phones(method, path) is is_expected


def test_staff_goes_ahead_of_phones_that_wait() -> None:
    threads, gate, order = PriorityThreads(2), threading.Event(), []
    first = threads.submit(gate.wait, is_of_phones=True)
    blocking = threads.submit(gate.wait)
    waiting_phones = [threads.submit(order.append, "phone", is_of_phones=True) for _ in range(3)]
    waiting_phones.append(threads.submit(order.append, "staff"))
    gate.set()
    for future in (first, blocking, *waiting_phones):
        future.result(timeout=60)
    threads.shutdown()
    assert order.index("staff") <= 1


def test_a_thread_is_free_for_staff_however_many_phones_ask() -> None:
    threads, gate = PriorityThreads(3), threading.Event()
    phones = [threads.submit(gate.wait, is_of_phones=True) for _ in range(20)]
    assert threads.submit(lambda: "answered").result(timeout=60) == "answered"
    wait_for(lambda: sum(future.running() for future in phones) == 2)
    gate.set()
    assert all(future.result(timeout=60) for future in phones)
    threads.shutdown()


def test_phones_wait_for_staff_and_begin_when_it_is_served() -> None:
    threads, staff_gate, has_begun = PriorityThreads(4), threading.Event(), threading.Event()
    staff = threads.submit(staff_gate.wait)
    wait_for(staff.running)
    phone = threads.submit(has_begun.set, is_of_phones=True)
    assert threads.submit(lambda: "answered").result(timeout=60) == "answered"
    assert threads.is_serving_staff
    assert not has_begun.is_set()
    staff_gate.set()
    phone.result(timeout=60)
    assert not threads.is_serving_staff
    threads.shutdown()


def test_phones_that_waited_long_begin_one_at_a_time_beside_staff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(priorities, "SECONDS_BEHIND_STAFF", 0.05)
    threads, staff_gate, phone_gate = PriorityThreads(4), threading.Event(), threading.Event()
    staff = threads.submit(staff_gate.wait)
    wait_for(staff.running)
    phones = [threads.submit(phone_gate.wait, is_of_phones=True) for _ in range(20)]
    wait_for(lambda: sum(future.running() for future in phones) == 1)
    assert threads.submit(lambda: "answered").result(timeout=60) == "answered"
    assert sum(future.running() for future in phones) == 1
    staff_gate.set()
    wait_for(lambda: sum(future.running() for future in phones) == 3)
    phone_gate.set()
    assert all(future.result(timeout=60) for future in phones)
    threads.shutdown()


def test_between_requests_is_called_once_nothing_runs_or_waits() -> None:
    order: list[str] = []
    gate = threading.Event()
    threads = PriorityThreads(1, between_requests=lambda: order.append("between"))
    threads.submit(gate.wait)
    threads.submit(order.append, "first")
    threads.submit(order.append, "second", is_of_phones=True)
    gate.set()
    threads.shutdown()
    assert order == ["first", "second", "between"]


def test_a_fault_reaches_the_one_who_waits_and_the_thread_goes_on() -> None:
    threads = PriorityThreads(1)

    async def ask() -> str:
        with pytest.raises(ZeroDivisionError):
            await threads.run(True, lambda: 1 / 0)
        return str(await threads.run(True, lambda: "next"))

    assert run_aside(ask()) == "next"
    threads.shutdown()


def test_shutdown_finishes_what_waits() -> None:
    threads, done_numbers = PriorityThreads(2), []

    def work(number: int) -> None:
        time.sleep(0.01)
        done_numbers.append(number)

    for number in range(10):
        threads.submit(work, number, is_of_phones=bool(number % 2))
    threads.shutdown()
    assert sorted(done_numbers) == list(range(10))
