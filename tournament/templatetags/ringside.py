"""Template tags and filters: icons, times in a zone, exact figures, forms."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache, lru_cache
from html import escape
from typing import Any
from zoneinfo import ZoneInfo

from django import forms, template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.serializers.json import DjangoJSONEncoder
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy, npgettext

from decks.shared.form_fields import is_asked
from rules.reason import Reason
from rules.rendering import get_messages, translate_text
from rules.wording import SOURCE_LANGUAGE
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.names import format_reasons, names_of_match
from tournament.languages.script_texts import get_mark
from tournament.shared.coded_texts import format_coded_text
from tournament.shared.links import get_base_url
from tournament.shared.text import (
    format_decimals,
    format_exact,
    format_moment,
    format_percent,
    get_length_class,
)
from tournament.standings.selectors.table import TiebreakerCell
from tournament.web import display_preferences

register = template.Library()

DECORATION = SafeString('aria-hidden="true"')


@cache
def _draw_icon(name: str) -> SafeString:
    return SafeString(render_to_string(f"components/icons/{name}.svg").strip())


@register.simple_tag
def icon(name: str, words: str = "") -> SafeString:
    """Return an icon: with words, read out on its own; without, decoration."""
    label = format_html('role="img" aria-label="{}"', words) if words else DECORATION
    return format_html('<svg class="icon" viewBox="0 0 24 24" {}>{}</svg>', label, _draw_icon(name))


@register.filter
def say(reasons: Reason | Iterable[Reason | dict[str, object]] | dict[str, object], names: Any = None) -> str:
    """Format reasons, or their stored form, as text.

    `names` are those of an event, or a match.
    """
    if isinstance(reasons, Reason | dict):
        reasons = (reasons,)
    parsed_reasons = [each if isinstance(each, Reason) else Reason.from_json(each) for each in reasons]
    return format_reasons(parsed_reasons, names_of_match(names) if isinstance(names, Match) else names)


@register.simple_tag
@lru_cache(maxsize=1 << 14)
def address(name: str, *parts: str | int) -> str:
    """Reverse an address as Django's `url` does, cached for rows of long lists."""
    return reverse(name, args=parts)


@register.simple_tag(takes_context=True)
def list_address(context: template.Context, page: str, *parts: str | int) -> str:
    """Return the address of a page of a player's list (`version`, `days`, …).

    Staff get the page of the console, players their own page.
    """
    player = context["player"]
    if context.get("is_staff"):
        return reverse(f"console_list_{page}", args=[context["event"].slug, player.number, *parts])
    return reverse(f"player_list_{page}", args=[player.token, *parts])


@register.inclusion_tag("tournament/registration/_player_button.html", takes_context=True)
def player_button(
    context: template.Context, action: str, words: str, look: str = "", player: Player | None = None
) -> dict[str, object]:
    """Render a staff button that acts on a player and returns to `next` or here."""
    return {
        "event": context["event"],
        "player": player or context["player"],
        "action": action,
        "words": words,
        "look": look,
        "next": context.get("next") or context["request"].path,
    }


HTMX_SETTINGS = {
    "includeIndicatorStyles": False,
    "allowEval": False,
    "allowScriptTags": False,
    "selfRequestsOnly": True,
    "historyCacheSize": 0,
    "timeout": 30000,
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "[23]..", "swap": True},
        {"code": "422", "swap": True},
        {"code": "[45]..", "swap": False, "error": True},
    ],
}


@register.simple_tag
def htmx_settings() -> str:
    """Return the configuration of htmx, as JSON."""
    return json.dumps(HTMX_SETTINGS)


@register.simple_tag
def script_texts() -> SafeString:
    """Return the script with what scripts say in the reader's language.

    Scripts are written in English: nothing is returned for it.
    """
    language = get_language() or SOURCE_LANGUAGE
    if language == SOURCE_LANGUAGE:
        return SafeString("")
    address = reverse("script_texts", args=[language])
    return format_html('<script src="{}?v={}" defer></script>', address, get_mark(language))


@register.simple_tag(takes_context=True)
def base_url(context: template.Context) -> str:
    """Return the address of this installation, for links that leave it."""
    return get_base_url(context["request"]) if "request" in context else ""


@register.simple_tag
def event_summary(event: Event, rounds: Sequence[Round]) -> str:
    """Return a one-sentence summary of an event for shared links to it.

    It says when and where the event is, and how far it is.
    """
    day = format_moment(event.starts_local, "date")
    place = f"{day}, {event.place}" if event.place else day
    if not event.is_playing or not rounds:
        return f"{place} · {event.phase_words}"
    played_round = gettext("Round %(round)s") % {"round": rounds[-1].number}
    return f"{place} · {event.phase_words} · {played_round}"


@register.filter
def first_rows(rows: Sequence[Any], count: int) -> Sequence[Any]:
    """Return so many of the rows."""
    return rows[:count]


register.filter("coded", format_coded_text)


@register.filter
def as_json(value: Any) -> str:
    """Return a value as JSON, for a data attribute that a script reads."""
    return json.dumps(value, cls=DjangoJSONEncoder)


@register.simple_tag
def site_description() -> str:
    """Return what search engines read of a page that does not describe itself."""
    return gettext(
        "Ringside runs card-game events: registration and checked decklists, Swiss rounds, cuts, and "
        "standings on your phone."
    )


@register.simple_tag(takes_context=True)
def chosen_looks(context: template.Context) -> SafeString:
    """Return the page attributes for the display preferences of the visitor.

    There are none if there is no request.
    """
    attributes = display_preferences.theme_attributes(context["request"]) if "request" in context else ()
    return format_html_join("", ' {}="{}"', attributes)


@register.simple_tag
def gathered_file(path: str) -> str:
    """Return the address of a gathered static file; empty if none are gathered."""
    hashed_files = getattr(staticfiles_storage, "hashed_files", {})
    return staticfiles_storage.url(path) if path in hashed_files else ""


@register.filter
def moment(instant: datetime | None, place: Event | ZoneInfo | None) -> SafeString | str:
    """Return the day and time of an instant at the place of an event, or in a zone.

    If no place is known, it is shown in universal time, until the device shows it in its own.
    """
    return _format_time_element(instant, place, "full")


@register.filter
def moment_date(instant: datetime | None, place: Event | ZoneInfo | None) -> SafeString | str:
    """Return the day alone, as `moment`."""
    return _format_time_element(instant, place, "date")


@register.filter
def moment_time(instant: datetime | None, place: Event | ZoneInfo | None) -> SafeString | str:
    """Return the time of the day alone, as `moment`."""
    return _format_time_element(instant, place, "time")


def _format_time_element(
    instant: datetime | None, place: Event | ZoneInfo | None, face: str
) -> SafeString | str:
    if instant is None:
        return ""
    if place is None:
        words = format_moment(instant.astimezone(UTC), face)
        return format_html('<time datetime="{}" data-time-here>{}</time>', instant.isoformat(), words)
    local = instant.astimezone(place.zone if isinstance(place, Event) else place)
    return format_html('<time datetime="{}">{}</time>', local.isoformat(), format_moment(local, face))


register.filter("figure", format_exact)


VALUE_CELL = (
    '<td role="cell" class="num extra" data-label="{}" title="{}"><a class="plain" href="{}{}">{}</a></td>'
)


@register.simple_tag
def value_cells(cells: Iterable[TiebreakerCell], page: str, after: int | None = None) -> SafeString:
    """Return the tiebreakers of one line of the standings as links.

    Each leads to where `page` works it out. A tag with Python's own `escape`: a template takes twenty times
    as long for the thousand values of a large event.
    """
    url = escape(f"{page}?after={after}" if after else page)
    worded_cells = ((*_column_words(cell.column.key), cell) for cell in cells)
    return SafeString(
        "".join(
            VALUE_CELL.format(head, escape(cell.exact), url, mark, escape(cell.shown_value))
            for head, mark, cell in worded_cells
        )
    )


@cache
def _column_words(key: str) -> tuple[str, str]:
    """Return the code of a column and the anchor of where its value is worked out.

    The code is the same in every language.
    """
    return escape(key.upper()), escape(f"#worked-{key}")


@register.filter
def listed(values: Iterable[object]) -> str:
    """Return values as a list in a sentence, in the reader's language: "A, B and C"."""
    return get_messages().join([str(value) for value in values])


@register.filter
def bracket_round(event: Event, number: int) -> str:
    """Return the shortest name of a round of the bracket, for a narrow column."""
    values = {"number": number}
    return (
        gettext("Bracket %(number)s") % values
        if event.cut == Event.Cut.NONE
        else gettext("Cut %(number)s") % values
    )


@register.filter
def unit_of_points(points: int | Fraction) -> str:
    """Return the word that follows a number of points in a style of its own."""
    return _unit_of_points(get_language(), points == 1)


@cache
def _unit_of_points(language: str, is_one: bool) -> str:  # a long table asks for it in every row
    return npgettext("after a number", "point", "points", 1 if is_one else 2)


@register.filter
def whole_scores(sentence: str) -> SafeString:
    """Return a sentence whose scores, such as 2-1, stay whole.

    Neither a line break nor another script separates their parts.
    """
    if isinstance(sentence, SafeString):
        return sentence
    return format_html_join(" ", "{}", ((_keep_score_whole(word),) for word in sentence.split()))


def _keep_score_whole(word: str) -> SafeString | str:
    is_score = "-" in word and "".join(filter(str.isalnum, word)).isdecimal()
    return format_html('<bdi class="nowrap">{}</bdi>', word) if is_score else word


@register.filter
def translated(text: str) -> str:
    """Return a text of a game's data, such as a format, in the reader's language."""
    return translate_text(text)


@register.filter
def per_cent(value: Any) -> str:
    """Return an exact share in percent with one decimal, rounded half up."""
    return format_percent(format_decimals(Fraction(value) * 100, 1))


@register.filter
def name_length(name: str) -> str:
    """Return the class for the size of a name where room is short.

    It is empty, or is-longish to is-longest.
    """
    return get_length_class(name or "")


@register.filter
def is_tick(field: forms.BoundField) -> bool:
    """Return whether the field is a single tick box, whose label is behind it."""
    return isinstance(field.field.widget, forms.CheckboxInput)


@register.filter
def is_long(field: forms.BoundField) -> bool:
    """Return whether the field needs the whole width of a form."""
    return isinstance(field.field.widget, forms.Textarea)


@register.filter
def may_stay_empty(field: forms.BoundField) -> bool:
    """Return whether the label should say so.

    A choice from a list always has a value.
    """
    is_required = field.field.required or is_asked(field.field)
    return not is_required and not isinstance(field.field.widget, forms.Select)


OUTCOMES = {
    "legal": ("badge-legal", "check", gettext_lazy("Legal")),
    "illegal": ("badge-illegal", "cross", gettext_lazy("Not legal")),
    "unknown": ("badge-unknown", "alert", gettext_lazy("Cannot be checked")),
}


@register.simple_tag
def verdict_badge(outcome: str) -> SafeString:
    """Return a one-word verdict on a list, with a sign independent of color."""
    look, sign, words = OUTCOMES.get(outcome, ("badge-unknown", "alert", gettext("No decklist")))
    return format_html('<span class="badge {}">{} {}</span>', look, icon(sign), words)
