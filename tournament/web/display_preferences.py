"""Theme and motion that a visitor chose, read from cookies."""

from __future__ import annotations

from django.http import HttpRequest

# By cookie: the attribute of the page that the styles read, and what may be chosen.
PREFERENCE_COOKIES = {
    "ringside-theme": ("data-theme", ("light", "dark")),
    "ringside-motion": ("data-motion", ("off",)),
}


def theme_attributes(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    """Return the display attributes of the page with their values.

    Attributes that were not chosen, or have an invalid choice, are left out.
    """
    cookie_values = (
        (attribute, request.COOKIES.get(cookie, "")) for cookie, (attribute, _) in PREFERENCE_COOKIES.items()
    )
    allowed_values = dict(PREFERENCE_COOKIES.values())
    return tuple(
        (attribute, value) for attribute, value in cookie_values if value in allowed_values[attribute]
    )
