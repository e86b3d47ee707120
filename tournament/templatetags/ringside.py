"""What the pages need beyond Django's own tags: drawings, times in the event's zone, exact figures, forms."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from typing import Any

from django import forms, template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournament.models import Event, Match

register = template.Library()

ICONS = {
    "alert": SafeString('<path d="M12 3 2.5 20h19L12 3z"/><path d="M12 9.5v5M12 17.4v.1"/>'),
    "arrow": SafeString('<path d="M4 12h15M13 6l6 6-6 6"/>'),
    "bell": SafeString('<path d="M5 16c1.5-1 2-2.5 2-6a5 5 0 0 1 10 0c0 3.5.5 5 2 6H5z"/><path d="M10 19.5a2 2 0 0 0 4 0"/>'),
    "calendar": SafeString('<rect x="3.5" y="5" width="17" height="15.5" rx="2"/><path d="M3.5 10h17M8 2.5v4M16 2.5v4"/>'),
    "cards": SafeString('<rect x="3" y="6.5" width="11" height="15" rx="1.8"/><path d="M8 3h11a2 2 0 0 1 2 2v13.5"/>'),
    "check": SafeString('<path d="M4.5 12.5 10 18 19.5 6.5"/>'),
    "clock": SafeString('<circle cx="12" cy="12" r="9"/><path d="M12 7v5.3l3.3 2"/>'),
    "copy": SafeString('<rect x="8" y="8" width="12" height="13" rx="2"/><path d="M16 4.5A1.5 1.5 0 0 0 14.5 3H6a2 2 0 0 0-2 2v9.5A1.5 1.5 0 0 0 5.5 16"/>'),
    "cross": SafeString('<path d="m5.5 5.5 13 13M18.5 5.5l-13 13"/>'),
    "gavel": SafeString('<path d="m13 4 7 7M10.5 6.5l7 7M15 4.5 7.5 12l4.5 4.5L19.5 9M9.5 14.5 3.5 20.5"/>'),
    "info": SafeString('<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.5v.1"/>'),
    "link": SafeString('<path d="M9.5 14.5 14.5 9.5"/><path d="m11 6.5 2-2a4.6 4.6 0 0 1 6.5 6.5l-2 2M13 17.5l-2 2A4.6 4.6 0 0 1 4.5 13l2-2"/>'),
    "list": SafeString('<path d="M8.5 6h12M8.5 12h12M8.5 18h12M4 6v.1M4 12v.1M4 18v.1"/>'),
    "menu": SafeString('<path d="M3.5 6.5h17M3.5 12h17M3.5 17.5h17"/>'),
    "moon": SafeString('<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/>'),
    "person": SafeString('<circle cx="12" cy="8" r="4"/><path d="M4 21c0-4.5 3.5-7 8-7s8 2.5 8 7"/>'),
    "pin": SafeString('<path d="M12 21.5c4.5-5 7-8.5 7-11.5a7 7 0 0 0-14 0c0 3 2.5 6.5 7 11.5z"/><circle cx="12" cy="10" r="2.5"/>'),
    "print": SafeString('<path d="M7 8V3h10v5M7 17H4.5A1.5 1.5 0 0 1 3 15.5V10a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v5.5a1.5 1.5 0 0 1-1.5 1.5H17"/><path d="M7 14h10v7H7z"/>'),
    "ring": SafeString('<rect x="4" y="4" width="16" height="16" rx="1.5"/><rect x="8.5" y="8.5" width="7" height="7" rx=".8"/>'),
    "search": SafeString('<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5.5 5.5"/>'),
    "trophy": SafeString('<path d="M7 4h10v6a5 5 0 0 1-10 0V4zM12 15v4M8 20.5h8"/><path d="M7 5.5H3.5c0 3.5 1.5 5 3.8 5.3M17 5.5h3.5c0 3.5-1.5 5-3.8 5.3"/>'),
}  # fmt: skip
DECORATION = SafeString('aria-hidden="true"')


@register.simple_tag
def icon(name: str, words: str = "") -> SafeString:
    """A drawing; with words it stands alone and is read out, without it is decoration beside text."""
    label = format_html('role="img" aria-label="{}"', words) if words else DECORATION
    return format_html('<svg class="icon" viewBox="0 0 24 24" {}>{}</svg>', label, ICONS[name])


@register.simple_tag
def moment(at: datetime | None, event: Event, face: str = "full") -> SafeString | str:
    """A point in time as the clocks at the place of the event show it: `full`, `date` or `time`."""
    if at is None:
        return ""
    local = at.astimezone(event.zone)
    return format_html('<time datetime="{}">{}</time>', local.isoformat(), words_for(local, face))


def words_for(local: datetime, face: str) -> str:
    """The moment in words; the zone is named where it could be mistaken."""
    if face == "time":
        return f"{local:%H:%M}"
    if face == "date":
        return f"{local:%a} {local.day} {local:%B %Y}"
    return f"{local:%A} {local.day} {local:%B %Y}, {local:%H:%M} ({local.tzname()})"


@register.filter
def figure(value: Any) -> str:
    """An exact value for people: whole numbers as they are, fractions with three decimals, rounded half up."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return decimals(value, 3)
    return str(value)


@register.filter
def percent(value: Any) -> str:
    """A ratio as per cent with one decimal, rounded half up: 2/3 is 66.7 %."""
    return f"{decimals(Fraction(value) * 100, 1)} %"


@register.filter
def exact(value: Any) -> str:
    """The value as it is kept: a fraction or a whole number."""
    return str(value)


def decimals(value: Fraction, places: int) -> str:
    """A fraction with the given number of decimals, rounded half up, computed in whole numbers."""
    scale = 10**places
    shifted = (abs(value.numerator) * scale * 2 + value.denominator) // (2 * value.denominator)
    sign = "-" if value < 0 and shifted else ""
    return f"{sign}{shifted // scale}.{shifted % scale:0{places}d}"


@register.filter
def signed_score(match: Match, player_id: int) -> str:
    """The score as the given player sees it: his games first."""
    mine, theirs = match.p1_games, match.p2_games
    if player_id == match.p2_id:
        mine, theirs = theirs, mine
    return f"{mine}–{theirs}–{match.draws}" if match.draws else f"{mine}–{theirs}"


@register.filter
def dashed(score: str) -> str:
    """A score with proper dashes: 2–1."""
    return score.replace("-", "–")


@register.filter
def is_tick(field: forms.BoundField) -> bool:
    """Whether the field is a single tick box, whose label stands behind it."""
    return isinstance(field.field.widget, forms.CheckboxInput)


@register.filter
def is_long(field: forms.BoundField) -> bool:
    """Whether the field needs the whole width of a form."""
    return isinstance(field.field.widget, forms.Textarea)


OUTCOMES = {
    "legal": ("badge-legal", "check", "Legal"),
    "illegal": ("badge-illegal", "cross", "Not legal"),
    "unknown": ("badge-unknown", "alert", "Cannot be checked"),
}


@register.simple_tag
def verdict_badge(outcome: str) -> SafeString:
    """The verdict on a list in one word, with a sign that does not depend on colour."""
    look, sign, words = OUTCOMES.get(outcome, ("badge-unknown", "alert", "No list"))
    return format_html('<span class="badge {}">{} {}</span>', look, icon(sign), words)
