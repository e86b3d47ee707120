"""A web server collects garbage between requests, once enough was left behind."""

from __future__ import annotations

import gc

from config.serving.garbage import OBJECTS_LEFT_BEHIND, search_between_requests


def test_search_between_requests_comes_only_after_enough_was_left_behind() -> None:
    gc.collect()
    left_behind: list[list[object]] = [[] for _ in range(OBJECTS_LEFT_BEHIND // 2)]
    search_between_requests()
    assert gc.get_count()[0] >= len(left_behind)
    left_behind += [[] for _ in range(OBJECTS_LEFT_BEHIND)]
    search_between_requests()
    assert gc.get_count()[0] < len(left_behind)
