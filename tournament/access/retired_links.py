"""From tournament.services.links."""

from __future__ import annotations

from tournament.access.models import RetiredLink, digest_of


def is_retired(token: str) -> bool:
    """Whether this was once somebody's private link."""
    return RetiredLink.objects.filter(digest=digest_of(token)).exists()
