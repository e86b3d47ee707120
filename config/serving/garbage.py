"""Search for garbage as seldom as a web server can.

Half of a large page's time went into it. A search in the middle of a page goes through all that the page is
made of, and takes it for older than it is. Between two pages little is left to go through.
"""

from __future__ import annotations

import gc

from django.urls import get_resolver

from config import SEARCHES_BEFORE_OLDER
from rules.rendering import get_messages
from rules.wording import SOURCE_LANGUAGE

# New objects before a search where searches come between requests.
OBJECTS_OF_ONE_REQUEST = 300_000
OBJECTS_LEFT_BEHIND = 5_000
SEARCHES_BETWEEN_OLDER = 10


def exempt_loaded_code() -> None:
    """Load what all pages need, and exempt it from garbage collection.

    It stays as long as the process.
    """
    len(get_resolver().url_patterns)
    get_messages(SOURCE_LANGUAGE)
    gc.collect()
    gc.freeze()


def expect_searches_between_requests() -> None:
    """Restrict automatic garbage collection to exceptional cases.

    It starts by itself only within a request that makes very many objects, or where requests never pause.
    """
    gc.set_threshold(OBJECTS_OF_ONE_REQUEST, SEARCHES_BEFORE_OLDER, SEARCHES_BEFORE_OLDER)


def search_between_requests() -> None:
    """Search once enough was left behind. Called when no request runs or waits."""
    left_behind, searches, older_searches = gc.get_count()
    if left_behind < OBJECTS_LEFT_BEHIND:
        return
    is_older = searches >= SEARCHES_BETWEEN_OLDER
    is_oldest = is_older and older_searches >= SEARCHES_BETWEEN_OLDER
    gc.collect(is_older + is_oldest)
