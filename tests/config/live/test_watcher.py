"""Listeners are notified of a new version, without a database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from config.live.versions import Reader
from config.live.watcher import LISTENERS_AT_ONCE, Listener, VersionWatcher
from tests.scenarios.event_loop import run_aside


class FixedReader(Reader):
    """Knows one version of every event."""

    version = 1

    async def versions(self, slugs: Iterable[str]) -> dict[str, int]:
        """Return the version for each of them."""
        return dict.fromkeys(slugs, self.version)


async def follow(count: int) -> tuple[VersionWatcher, FixedReader, list[Listener]]:
    """Return a watcher with so many listeners of one event, and no watch of its own."""
    watcher, reader = VersionWatcher(), FixedReader()
    watcher._reader = reader
    watcher._watch = asyncio.create_task(asyncio.sleep(60))
    listeners = [await watcher.join("open") for _ in range(count)]
    return watcher, reader, [listener for listener in listeners if listener]


def test_update_listeners_lets_the_loop_run_between_a_few_of_them() -> None:
    async def measure_turns() -> list[int]:
        watcher, reader, listeners = await follow(3 * LISTENERS_AT_ONCE)
        reader.version, told_counts = 2, []
        update = asyncio.create_task(watcher._update_listeners())
        while not update.done():
            await asyncio.sleep(0)
            told_counts.append(sum(listener.version == 2 for listener in listeners))
        return sorted(set(told_counts) - {0})

    assert run_aside(measure_turns()) == [n * LISTENERS_AT_ONCE for n in (1, 2, 3)]


def test_join_while_others_are_told_gets_the_new_version() -> None:
    async def join_late() -> int | None:
        watcher, reader, listeners = await follow(3 * LISTENERS_AT_ONCE)
        reader.version = 2
        update = asyncio.create_task(watcher._update_listeners())
        while not any(listener.version == 2 for listener in listeners):
            await asyncio.sleep(0)
        late_listener = await watcher.join("open")
        await update
        return late_listener.version if late_listener else None

    assert run_aside(join_late()) == 2


def test_leave_of_the_last_listener_forgets_the_version() -> None:
    async def come_back() -> int | None:
        watcher, reader, listeners = await follow(1)
        watcher.leave(listeners[0])
        reader.version = 3
        new_listener = await watcher.join("open")
        if watcher._watch:
            watcher._watch.cancel()
        return new_listener.version if new_listener else None

    assert run_aside(come_back()) == 3


def test_update_listeners_gives_way_before_it_goes_on() -> None:
    async def tell_behind_others() -> tuple[int, bool]:
        watcher, reader, listeners = await follow(LISTENERS_AT_ONCE + 1)
        others_have_gone = asyncio.Event()

        async def give_way(until: float) -> None:
            await others_have_gone.wait()

        reader.version, watcher._give_way = 2, give_way
        update = asyncio.create_task(watcher._update_listeners())
        while sum(listener.version == 2 for listener in listeners) < LISTENERS_AT_ONCE:
            await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        told_before = sum(listener.version == 2 for listener in listeners)
        others_have_gone.set()
        await update
        return told_before, all(listener.version == 2 for listener in listeners)

    assert run_aside(tell_behind_others()) == (LISTENERS_AT_ONCE, True)
