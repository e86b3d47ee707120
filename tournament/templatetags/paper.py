"""What sheets of paper need beyond Django's own tags."""

from __future__ import annotations

from django import template

from tournament.printing.forms import boxes as boxes_for

register = template.Library()


@register.filter
def boxes(quantity: int) -> str:
    """A box to tick for every copy of a card."""
    return boxes_for(quantity)
