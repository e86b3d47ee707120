"""What is made once and asked for by many: one thread makes it, the others wait a while and take it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")

# Far longer than anything takes to make: who has waited so long makes it himself and waits for nobody.
PATIENCE_SECONDS = 5.0


class Shelf(Generic[Key, Thing]):
    """Things by key; of more than `most` the ones used longest ago make room.

    A key holds the version of what the thing was made from, so that nothing on the shelf is ever stale.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[Key, Thing] = OrderedDict()
        self._making: dict[Key, Event] = {}
        self._lock = Lock()

    def get(self, key: Key) -> Thing | None:
        """The thing, if it is kept."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
            return self._things.get(key)

    def put(self, key: Key, thing: Thing) -> None:
        """Keep a thing."""
        with self._lock:
            self._things[key] = thing
            while len(self._things) > self._most:
                self._things.popitem(last=False)

    def made(self, key: Key, make: Callable[[], Thing]) -> Thing:
        """The thing as it is kept, or made now, by one thread at a time."""
        found = self.get(key)
        if found is not None:
            return found
        with self.turn(key):
            # It may have been put here since we looked, whether we had to wait or not.
            found = self.get(key)
            if found is None:
                found = make()
                self.put(key, found)
            return found

    @contextmanager
    def turn(self, key: Key) -> Iterator[bool]:
        """Whoever makes a thing that is not kept. True after waiting for another who may have made it."""
        has_waited = False
        while (other := self._begin(key)) is not None:
            has_waited = True
            if not other.wait(PATIENCE_SECONDS) or self.get(key) is not None:
                yield True
                return
        try:
            yield has_waited
        finally:
            with self._lock:
                self._making.pop(key).set()

    def _begin(self, key: Key) -> Event | None:
        """What tells that the thing is made, where another thread makes it; None: now it is our turn."""
        with self._lock:
            other = self._making.get(key)
            if other is None:
                self._making[key] = Event()
            return other

    def keys(self) -> list[Key]:
        """Of what is kept, the longest unused first."""
        with self._lock:
            return list(self._things)

    def clear(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._things.clear()
