"""Search for garbage as seldom as a web server can: half of a large page's time went into it."""

from __future__ import annotations

import gc

from django.urls import get_resolver

# New objects before a search. A page with 250 tables makes about 50,000, nearly none of them in cycles.
OBJECTS_BEFORE_SEARCH = 20_000
SEARCHES_BEFORE_OLDER = 20


def exempt_loaded_code() -> None:
    """Load what all pages need, and leave it out of every later search: it stays as long as the process."""
    len(get_resolver().url_patterns)
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BEFORE_SEARCH, SEARCHES_BEFORE_OLDER, SEARCHES_BEFORE_OLDER)
