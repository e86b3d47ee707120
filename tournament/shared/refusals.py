"""Refusals of an event's services; lists and catalogue refuse with the same classes."""

from __future__ import annotations

from decks.shared.refusals import Invalid, Refused, refuse_all

__all__ = ["Conflict", "Invalid", "Refused", "refuse_all"]


class Conflict(Refused):
    """Somebody else was faster: what the page showed is no longer what stands."""
