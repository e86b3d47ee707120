"""Template tag {% how_to %}: a link from a page of staff to its how-to guide."""

from __future__ import annotations

from django import template

from tournament.guide.how_tos import find_how_to
from tournament.guide.selectors import GuidePage, find_page

register = template.Library()


@register.inclusion_tag("tournament/guide/_how_to.html", takes_context=True)
def how_to(context: template.Context, name: str = "") -> dict[str, GuidePage | None]:
    """Return the how-to guide of this name, or of the page that is shown.

    Returns nothing if there is none.
    """
    if name:
        return {"how_to": find_page(f"how-to/{name}")}
    match = getattr(context.get("request"), "resolver_match", None)
    return {"how_to": find_how_to(match.view_name) if match else None}
