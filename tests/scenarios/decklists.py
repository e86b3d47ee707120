"""Submitted decklists without an event: checked and stored in one step."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from decks.submissions.models import DeckList, DeckVersion
from decks.submissions.services import check_list, store_version


def submit(
    deck_list: DeckList,
    text: str | bytes,
    *,
    actor: str,
    by_staff: bool = False,
    reason: str = "",
    due_at: datetime | None = None,
    **check: Any,
) -> DeckVersion:
    """Check a list and store it as the version that counts.

    `check` is passed to `check_list`.
    """
    checked_list = check_list(deck_list, text, **check)
    return store_version(
        deck_list, checked_list, actor=actor, by_staff=by_staff, reason=reason, due_at=due_at
    )


def lock(deck_list: DeckList) -> None:
    """Lock a list as the start of round 1 does."""
    with transaction.atomic():
        locked_list = DeckList.objects.select_for_update().get(pk=deck_list.pk)
        locked_list.locked_at = deck_list.locked_at = timezone.now()
        locked_list.save(update_fields=["locked_at"])
