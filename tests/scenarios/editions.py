"""Editions for tests: a draft of UFS's bans that needs nothing but publishing."""

from __future__ import annotations

from datetime import date
from typing import Any

from decks.editions import services
from decks.editions.models import ListEdition

TODAY = date(2026, 11, 21)
TOMORROW = date(2026, 11, 22)


def draft(
    *banned_card: str, kind: str = "bans", game: str = "ufs", in_force: date | None = TODAY
) -> ListEdition:
    """Return a draft with the entries of the last edition, and a ban for each name."""
    draft = services.create_draft(game, kind, actor="Lena")
    for name in banned_card:
        entry = {"card": {"name": name}, "clause": "News 1"}
        services.add_entry(draft, entry, revision=draft.revision)
    details(draft, in_force=in_force)
    return draft


def details(list_edition: ListEdition, **changed_details: Any) -> None:
    """Change some values of a draft, and keep the rest."""
    sent_values = {
        "name": list_edition.name,
        "document": "News of the day",
        "clause": "News",
        "versions": list_edition.versions,
    }
    services.change_details(
        list_edition, revision=list_edition.revision, **{**sent_values, **changed_details}
    )


def publish(list_edition: ListEdition, **more: Any) -> ListEdition:
    """Publish despite warnings, on the day of these tests."""
    sent_values = {
        "actor": "Lena",
        "accept_warnings": True,
        "today": TODAY,
        "revision": list_edition.revision,
    }
    return services.publish_draft(list_edition, **{**sent_values, **more})
