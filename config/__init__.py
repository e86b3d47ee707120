"""Project configuration: settings, URLs, server, worker and live updates."""

import gc

from config.celery import app as celery_app

__all__ = ["celery_app"]

# New objects before a search for garbage. A page with 250 tables makes 50,000, and loading the code half
# a million, nearly none of them in cycles. Searches took a tenth of each start.
OBJECTS_BEFORE_SEARCH = 20_000
SEARCHES_BEFORE_OLDER = 20
gc.set_threshold(OBJECTS_BEFORE_SEARCH, SEARCHES_BEFORE_OLDER, SEARCHES_BEFORE_OLDER)
