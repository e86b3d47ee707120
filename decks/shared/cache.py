"""In-process caches with single flight.

Threads that miss a value at once compute it once. The key of a `SingleFlightCache` says what its value was
made of, so a value is never stale. A `CurrentValueCache` has one value a key, which gives way to the next
version.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic
from typing import Generic, TypeVar

import structlog

Key = TypeVar("Key", bound=Hashable)
CachedValue = TypeVar("CachedValue")

log = structlog.get_logger(__name__)

# Far longer than any value takes to compute; after it a waiting thread computes the value itself.
WAIT_TIMEOUT_SECONDS = 5.0


class SingleFlightCache(Generic[Key, CachedValue]):
    """Values by key; beyond `max_size` the least recently used ones are dropped.

    A key holds the version of what its value was computed from, so no cached value is ever stale. A thread
    waits `wait_timeout` seconds for another that computes the value, then computes it itself.
    """

    def __init__(self, max_size: int, *, wait_timeout: float | None = None) -> None:
        self._max_size = max_size
        self._wait_timeout = wait_timeout
        self._values: OrderedDict[Key, CachedValue] = OrderedDict()
        self._events_by_key: dict[Key, Event] = {}
        self._lock = Lock()

    def get(self, key: Key) -> CachedValue | None:
        """Return the cached value, or None."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Key, value: CachedValue) -> None:
        """Store a value and drop the least recently used one if the cache is full."""
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._max_size:
                self._values.popitem(last=False)

    def get_or_compute(self, key: Key, compute: Callable[[], CachedValue]) -> CachedValue:
        """Return the cached value; on a miss one thread computes it and the others wait."""
        value = self.get(key)
        if value is not None:
            return value
        with self.compute_lock(key):
            # Another thread may have stored it since the first look.
            value = self.get(key)
            if value is None:
                value = compute()
                self.put(key, value)
            return value

    @contextmanager
    def compute_lock(self, key: Key) -> Iterator[bool]:
        """Hold the turn to compute a missing value.

        Yields True after waiting for another thread.
        """
        has_waited = False
        while (other := self._begin(key)) is not None:
            has_waited = True
            if not other.wait(self._wait_timeout or WAIT_TIMEOUT_SECONDS) or self.get(key) is not None:
                yield True
                return
        try:
            yield has_waited
        finally:
            with self._lock:
                self._events_by_key.pop(key).set()

    def _begin(self, key: Key) -> Event | None:
        """Return the event of the thread that computes the value.

        None if it is now this thread's turn.
        """
        with self._lock:
            other = self._events_by_key.get(key)
            if other is None:
                self._events_by_key[key] = Event()
            return other

    def keys(self) -> list[Key]:
        """Return the cached keys, least recently used first."""
        with self._lock:
            return list(self._values)

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._values.clear()


@dataclass(frozen=True, slots=True)
class _VersionedValue(Generic[CachedValue]):
    """A value, the version that it was computed from, and how many seconds that took."""

    version: object
    value: CachedValue
    seconds: float


class CurrentValueCache(Generic[Key, CachedValue]):
    """One value for each key, of the current version.

    A new version takes the place of the old one. A value that took `slow_seconds` or more counts as slow for
    `get_or_swap`. `after_thread` is called at the end of each thread that computes one, as to close its
    connections.
    """

    def __init__(
        self,
        *,
        max_size: int = 64,
        wait_timeout: float = 60.0,
        slow_seconds: float = 0.5,
        after_thread: Callable[[], object] = lambda: None,
    ) -> None:
        self._values: SingleFlightCache[Key, _VersionedValue[CachedValue]] = SingleFlightCache(
            max_size, wait_timeout=wait_timeout
        )
        self._slow_seconds = slow_seconds
        self._after_thread = after_thread
        self._swapping_keys: set[Key] = set()
        self._lock = Lock()

    def get_or_compute(self, key: Key, version: object, compute: Callable[[], CachedValue]) -> CachedValue:
        """Return the value of a version.

        If another version is cached, one thread computes the value and the others wait.
        """
        cached_value = self._values.get(key)
        if cached_value is None or cached_value.version != version:
            with self._values.compute_lock(key):
                # Another thread may have stored it since the first look.
                cached_value = self._values.get(key)
                if cached_value is None or cached_value.version != version:
                    start = monotonic()
                    value = compute()
                    cached_value = _VersionedValue(version, value, monotonic() - start)
                    self._values.put(key, cached_value)
        return cached_value.value

    def get_or_swap(self, key: Key, version: object, compute: Callable[[], CachedValue]) -> CachedValue:
        """Return a value without waiting for a slow one.

        The previous value is used until the new one is computed.
        """
        cached_value = self._values.get(key)
        if (
            cached_value is None
            or cached_value.version == version
            or cached_value.seconds < self._slow_seconds
        ):
            return self.get_or_compute(key, version, compute)
        with self._lock:
            is_first = key not in self._swapping_keys
            self._swapping_keys.add(key)
        if is_first:
            Thread(target=self._swap, args=(key, version, compute), daemon=True).start()
        return cached_value.value

    def _swap(self, key: Key, version: object, compute: Callable[[], CachedValue]) -> None:
        try:
            self.get_or_compute(key, version, compute)
        except Exception:
            log.exception("A new version of a cached value could not be computed.", key=str(key))
        finally:
            with self._lock:
                self._swapping_keys.discard(key)
            self._after_thread()

    def clear(self) -> None:
        """Drop all values."""
        self._values.clear()
