"""Roll back the writes of one case before the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from tests.scenarios.event_cache import memory


@contextmanager
def rolled_back() -> Iterator[None]:
    """Undo what is written inside; for tests in a transaction."""
    with memory.unchanged_after(), transaction.atomic():
        yield
        transaction.set_rollback(True)
