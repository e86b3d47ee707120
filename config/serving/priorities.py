"""Threads that answer requests.

Staff come first, and never are all threads at players' pages. A thousand phones that load their pages at once
must not make a scorekeeper wait. Requests wait in two lines. The line of phones has fewer threads than there
are: one is free for staff whatever comes. While a request of staff runs, no phone begins, so that staff have
the processor. One that has waited for a second does, one at a time: staff that works without a pause leaves
half of the processor to phones.
"""

from __future__ import annotations

import asyncio
import atexit
import re
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from time import monotonic
from typing import Any

# Addresses that phones of players and visitors request automatically. What someone sends goes first.
OF_PHONES = re.compile(r"/(p|e|api/me|api/events/[-\w]+/clock)/|/player-worker\.js$|/offline/$")
READ = frozenset({"GET", "HEAD"})
PHONES_AT_ONCE = 4
# Threads share the processor evenly: beside staff, phones that waited this long take the share of one.
SECONDS_BEHIND_STAFF = 1.0
PHONES_BESIDE_STAFF = 1
# A thread that waited for the database takes the processor back from one that renders. The default, 5 ms for
# each of its queries, would add up to more than the request takes.
SWITCH_SECONDS = 0.001


@dataclass(frozen=True, slots=True)
class Work:
    """A function that waits in one of the lines, and since when."""

    future: Future[Any]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    since: float


def is_of_phones(method: str, path: str) -> bool:
    """Return whether phones read this address by themselves."""
    return method in READ and OF_PHONES.match(path) is not None


class PriorityThreads:
    """A few threads with two lines of work: that of staff goes first."""

    def __init__(
        self,
        threads: int,
        phones_at_once: int = PHONES_AT_ONCE,
        *,
        between_requests: Callable[[], object] = lambda: None,
    ) -> None:
        self._most = threads
        self._between_requests = between_requests
        self._phones_at_once = max(1, min(phones_at_once, threads - 1))
        self._staff: deque[Work] = deque()
        self._phones: deque[Work] = deque()
        self._phones_running = 0
        self._staff_running = 0
        self._idle = 0
        self._threads: list[threading.Thread] = []
        self.is_closing = False
        self._condition = threading.Condition()

    async def run(self, is_of_phones: bool, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what the function returns when called in one of the threads.

        Raises what the function raises.
        """
        return await asyncio.wrap_future(self.submit(function, *arguments, is_of_phones=is_of_phones))

    def shutdown(self) -> None:
        """Finish what has begun or waits, and end the threads."""
        with self._condition:
            self.is_closing = True
            self._condition.notify_all()
        for thread in self._threads:
            thread.join()

    def submit(
        self, function: Callable[..., Any], *arguments: Any, is_of_phones: bool = False
    ) -> Future[Any]:
        """Put a function into one of the lines."""
        future: Future[Any] = Future()
        with self._condition:
            line = self._phones if is_of_phones else self._staff
            line.append(Work(future, function, arguments, monotonic()))
            waiting_count = len(self._staff) + len(self._phones)
            if waiting_count > self._idle and len(self._threads) < self._most:
                self._start_thread()
            self._condition.notify()
        return future

    def _start_thread(self) -> None:
        if not self._threads:
            sys.setswitchinterval(SWITCH_SECONDS)
            atexit.register(self.shutdown)
        thread = threading.Thread(target=self._serve, name=f"pages_{len(self._threads)}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        while job := self._take():
            work, is_of_phones = job
            try:
                if work.future.set_running_or_notify_cancel():
                    _perform(work)
            finally:
                self._finish(is_of_phones)
            # Nothing of the last request stays alive while this thread waits.
            del job, work
            if self._is_quiet():
                self._between_requests()

    def _take(self) -> tuple[Work, bool] | None:
        """Return the next piece of work and its line; None at the end."""
        with self._condition:
            self._idle += 1
            while not self._can_take() and not self._is_at_end():
                self._condition.wait(self._seconds_behind_staff())
            self._idle -= 1
            if not self._can_take():
                return None
            if self._staff:
                self._staff_running += 1
                return self._staff.popleft(), False
            self._phones_running += 1
            return self._phones.popleft(), True

    @property
    def is_serving_staff(self) -> bool:
        """Whether a request of staff runs or waits."""
        return bool(self._staff or self._staff_running)

    def _is_quiet(self) -> bool:
        with self._condition:
            return not (self._staff or self._phones or self._staff_running or self._phones_running)

    def _is_at_end(self) -> bool:
        return self.is_closing and not self._phones

    def _can_take(self) -> bool:
        return bool(self._staff) or bool(self._phones and self._phones_running < self._count_phones_at_once())

    def _count_phones_at_once(self) -> int:
        if not self._staff_running:
            return self._phones_at_once
        return 0 if self._seconds_behind_staff() else PHONES_BESIDE_STAFF

    def _seconds_behind_staff(self) -> float | None:
        """Return the seconds that the first phone still waits for staff.

        Returns None if staff keep no phone waiting.
        """
        if not (self._staff_running and self._phones):
            return None
        return max(0.0, self._phones[0].since + SECONDS_BEHIND_STAFF - monotonic()) or None

    def _finish(self, is_of_phones: bool) -> None:
        with self._condition:
            if is_of_phones:
                self._phones_running -= 1
            else:
                self._staff_running -= 1
            self._condition.notify_all()


def _perform(work: Work) -> None:
    try:
        result = work.function(*work.arguments)
    except BaseException as problem:
        work.future.set_exception(problem)
    else:
        work.future.set_result(result)
