"""How a visitor wants every page to look: light or dark, still or moving. A script keeps it in cookies."""

from __future__ import annotations

from django.http import HttpRequest

# By cookie: the attribute of the page that the styles read, and what may be chosen.
CHOICES = {
    "ringside-theme": ("data-theme", ("light", "dark")),
    "ringside-motion": ("data-motion", ("off",)),
}


def chosen_looks(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    """The attributes of the page with their values; nothing for what was not chosen, or is no choice."""
    chosen = ((attribute, request.COOKIES.get(cookie, "")) for cookie, (attribute, _) in CHOICES.items())
    allowed = dict(CHOICES.values())
    return tuple((attribute, value) for attribute, value in chosen if value in allowed[attribute])
