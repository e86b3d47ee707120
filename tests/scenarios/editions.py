"""Editions for tests: a draft of UFS's bans that needs nothing but publishing."""

from __future__ import annotations

from datetime import date
from typing import Any

from decks.editions import services
from decks.editions.models import ListEdition

TODAY = date(2026, 11, 21)
TOMORROW = date(2026, 11, 22)


def draft(*banned: str, kind: str = "bans", game: str = "ufs", in_force: date | None = TODAY) -> ListEdition:
    """A draft with the entries of the last edition, and a ban for each name."""
    made = services.create_draft(game, kind, actor="Lena")
    for name in banned:
        entry = {"card": {"name": name}, "clause": "News 1"}
        services.add_entry(made, entry, revision=made.revision)
    details(made, in_force=in_force)
    return made


def details(made: ListEdition, **changed: Any) -> None:
    """Change what a draft says of itself, the rest as it is."""
    told = {"name": made.name, "document": "News of the day", "clause": "News", "versions": made.versions}
    services.change_details(made, revision=made.revision, **{**told, **changed})


def publish(made: ListEdition, **more: Any) -> ListEdition:
    """Publish whatever the warnings say, as on the day of these tests."""
    told = {"actor": "Lena", "accept_warnings": True, "today": TODAY, "revision": made.revision}
    return services.publish_draft(made, **{**told, **more})
