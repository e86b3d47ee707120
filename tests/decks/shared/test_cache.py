"""A value that follows a version.

There is one per key, computed once for all callers that miss it.
"""

from __future__ import annotations

import re
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest

from decks.shared.cache import CurrentValueCache

ROOT = Path(__file__).parents[3]
THREADS = 8


def test_a_value_lasts_as_long_as_its_version() -> None:
    cache: CurrentValueCache[str, list[int]] = CurrentValueCache()
    first = cache.get_or_compute("ufs", 1, lambda: [1])
    assert cache.get_or_compute("ufs", 1, lambda: [2]) is first
    assert cache.get_or_compute("ufs", 2, lambda: [3]) == [3]
    assert cache.get_or_compute("cfc", 1, lambda: [4]) == [4]
    cache.clear()
    assert cache.get_or_compute("ufs", 2, lambda: [5]) == [5]


def test_threads_that_miss_a_version_make_it_once_while_other_keys_go_on() -> None:
    cache: CurrentValueCache[str, int] = CurrentValueCache()
    cache.get_or_compute("ufs", 1, lambda: 1)
    made_values, computed_values, start, may_end = [], [], Barrier(THREADS), Event()

    def make() -> int:
        made_values.append(1)
        assert may_end.wait(60)
        return 2

    def ask() -> None:
        start.wait(60)
        computed_values.append(cache.get_or_compute("ufs", 2, make))

    threads = [Thread(target=ask) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    assert cache.get_or_compute("cfc", 1, lambda: 7) == 7
    may_end.set()
    for thread in threads:
        thread.join(60)
    assert (made_values, computed_values) == ([1], [2] * THREADS)


def test_a_slow_value_is_made_beside_the_one_before_which_holds_until_then() -> None:
    may_end, is_closed = Event(), Event()
    cache: CurrentValueCache[str, int] = CurrentValueCache(slow_seconds=0, after_thread=is_closed.set)

    def make() -> int:
        assert may_end.wait(60)
        return 2

    assert cache.get_or_swap("ufs", 1, lambda: 1) == 1
    assert [cache.get_or_swap("ufs", 2, make) for _ in range(3)] == [1, 1, 1]
    may_end.set()
    assert is_closed.wait(60)
    assert cache.get_or_swap("ufs", 2, lambda: 3) == 2


def test_a_value_that_is_made_fast_is_waited_for() -> None:
    cache: CurrentValueCache[str, int] = CurrentValueCache(slow_seconds=60)
    cache.get_or_swap("ufs", 1, lambda: 1)
    assert cache.get_or_swap("ufs", 2, lambda: 2) == 2


def test_a_reader_who_needs_the_current_value_waits_for_the_one_that_is_being_made() -> None:
    cache: CurrentValueCache[str, int] = CurrentValueCache(slow_seconds=0)
    may_end = Event()
    cache.get_or_swap("ufs", 1, lambda: 1)
    cache.get_or_swap("ufs", 2, lambda: (may_end.wait(60) and 2) or 0)
    computed_values: list[int] = []
    reader = Thread(target=lambda: computed_values.append(cache.get_or_compute("ufs", 2, lambda: 3)))
    reader.start()
    may_end.set()
    reader.join(60)
    assert computed_values in ([2], [3])
    assert cache.get_or_compute("ufs", 2, lambda: 4) == computed_values[0]


def test_what_cannot_be_made_beside_is_tried_again() -> None:
    has_failed = Event()
    cache: CurrentValueCache[str, int] = CurrentValueCache(slow_seconds=0, after_thread=has_failed.set)
    cache.get_or_swap("ufs", 1, lambda: 1)
    assert cache.get_or_swap("ufs", 2, lambda: 1 // 0) == 1
    assert has_failed.wait(60)
    assert cache.get_or_compute("ufs", 2, lambda: 2) == 2


def test_what_cannot_be_made_leaves_the_turn_to_the_next() -> None:
    cache: CurrentValueCache[str, int] = CurrentValueCache()
    with pytest.raises(ZeroDivisionError):
        cache.get_or_compute("ufs", 1, lambda: 1 // 0)
    assert cache.get_or_compute("ufs", 1, lambda: 3) == 3


def test_no_other_module_keeps_a_cache_of_its_own() -> None:
    by_hand = re.compile(
        # A module-level cache that fills while the program runs.
        r"^_\w*(?:cache|cached|remembered|checkers|digests)\w*(?::[^=]*)? = (?:\{\}|\[\]|dict\(|OrderedDict)",
        re.M,
    )
    texts = {
        str(path.relative_to(ROOT))
        for room in ("decks", "tournament")
        for path in (ROOT / room).rglob("*.py")
        if by_hand.search(path.read_text(encoding="utf-8"))
    }
    assert texts == set()
