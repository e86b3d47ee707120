"""Enter results of tables with more than two sides.

The ways are the typed line, the buttons and the page of a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy

from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.entry_line.responses import WayOut
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.settings import get_sides
from tournament.matches import format_result
from tournament.results.places import ParsedPlaces, parse_places, read_table
from tournament.results.selectors import list_reports
from tournament.results.services import places as places_services
from tournament.results.services import results
from tournament.shared.coded_texts import format_coded_text
from tournament.web.console_page import redirect_back, render_console_page
from tournament.web.refusals import add_form_errors, show_refusal

QUESTIONS = frozenset({"reason_needed", "another_result_stands", "result_changed_meanwhile"})
MAX_DIGITS = 10


def read_typed(request: HttpRequest) -> tuple[str, bool]:
    """Return the typed line without a final “!”, and whether it had one.

    With “!”, the line replaces the result.
    """
    line = request.POST.get("line", "").replace("\0", "").strip()
    return line.removesuffix("!"), line.endswith("!")


def read_line(request: HttpRequest, event: Event, round_: Round) -> tuple[Match, ParsedPlaces]:
    """Return a typed line and its table. Raises Refused if it is neither."""
    line, _ = read_typed(request)
    table = read_table(line)
    if table is None:
        parse_places(line, 0, get_sides(event))
    match = round_.matches.select_related("round__stage__event", "p1", "p2").filter(table=table).first()
    if match is None:
        raise Refused("no_such_table.in_round", table=table, round=round_.number)
    return match, parse_places(line, match.side_count, get_sides(event))


def find_table(request: HttpRequest) -> int | None:
    """Return the table whose row asks about a refused line."""
    return read_table(request.POST.get("line", ""))


def enter_line(request: HttpRequest, event: Event, round_: Round) -> str:
    """Enter a typed line with the answers given so far; returns what was entered."""
    match, parsed_places = read_line(request, event, round_)
    revision = parse_revision(request.POST.get("replace", ""))
    if revision is None and read_typed(request)[1]:
        revision = match.revision
    entered_match = enter(
        request, match, parsed_places, seen_revision=revision, overwrite=revision is not None
    )
    return describe_entry(entered_match)


def enter(
    request: HttpRequest,
    match: Match,
    parsed_places: ParsedPlaces,
    *,
    seen_revision: int | None = None,
    overwrite: bool = True,
) -> Match:
    """Enter places as the signed-in person. Raises Refused."""
    if parsed_places.drop:
        permissions.require_right(request.user, match.round.stage.event, Right.PLAYERS)
    return places_services.enter_places(
        match,
        Actor.of_user(request.user),
        parsed_places.places,
        drop=parsed_places.drop,
        seen_revision=seen_revision,
        overwrite=overwrite,
        reason=request.POST.get("reason", "").replace("\0", "")[:400],
    )


def describe_entry(match: Match) -> str:
    """Return the entered result as a sentence, such as “Table 3: Ada won.”."""
    values = {"table": match.table, "result": format_result(match)}
    return gettext("Table %(table)s: %(result)s.") % values


def find_ways(request: HttpRequest, event: Event, round_: Round, refusal: Refused) -> Iterator[WayOut]:
    """Yield how a refused line can be answered: say why, or replace the result."""
    codes = {problem.code for problem in refusal.problems}
    if not codes & QUESTIONS:
        return
    match, _ = read_line(request, event, round_)
    if "reason_needed" in codes:
        yield WayOut(gettext("Enter with this reason"), asks="reason")
    else:
        label = gettext("Replace “%(old)s”") % {"old": format_result(match)}
        yield WayOut(label, values={"replace": str(match.revision)})


def parse_revision(text: str) -> int | None:
    """Return a revision of a match that a page showed."""
    return int(text) if text.isdecimal() and len(text) < MAX_DIGITS else None


def press_button(request: HttpRequest, match: Match, score: str) -> None:
    """Press one of the buttons of a table: a winner, an order, or “clear”.

    Raises Refused.
    """
    seen_revision = parse_revision(request.POST.get("revision", ""))
    if score == "clear":
        results.clear_result(match, Actor.of_user(request.user), seen_revision=seen_revision)
        return
    parsed_places = parse_places(
        f"{match.table or 0} {score}", match.side_count, get_sides(match.round.stage.event)
    )
    messages.success(
        request, describe_entry(enter(request, match, parsed_places, seen_revision=seen_revision))
    )


class PlacesForm(forms.Form):
    """The place of each side, with a reason."""

    reason = forms.CharField(
        required=False,
        max_length=400,
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Shown in the log"),
    )
    revision = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, match: Match, **kwargs: Any) -> None:
        self.match = match
        initial = {"revision": match.revision, **{f"place{side.number}": side.place for side in match.sides}}
        super().__init__(*args, **{"initial": initial, **kwargs})
        for side in match.sides:
            label = gettext("Place of %(player)s") % {"player": side.player.name}
            self.fields[f"place{side.number}"] = forms.IntegerField(
                min_value=1, max_value=match.side_count, label=label
            )

    @property
    def place_fields(self) -> list[forms.BoundField]:
        """The fields of the sides, in their order."""
        return [self[f"place{side.number}"] for side in self.match.sides]

    @property
    def places(self) -> tuple[int, ...]:
        """The places that were entered, in the order of the sides."""
        return tuple(self.cleaned_data[field.name] for field in self.place_fields)


def show_table(request: HttpRequest, event: Event, match: Match) -> HttpResponse:
    """Show the page of a table: its sides, reports, and a form for their places."""
    form = PlacesForm(request.POST or None, match=match)
    if request.method == "POST":
        permissions.require_right(request.user, event, Right.SCORE)
        if form.is_valid() and (answer := _enter_form(request, match, form)) is not None:
            return answer
    context = {
        "match": match,
        "form": form,
        "sides": get_sides(event),
        "reports": list_reports(match),
        "result_by": format_coded_text(match.result_by),
    }
    return render_console_page(request, event, "tournament/results/table_of_sides.html", "rounds", **context)


def _enter_form(request: HttpRequest, match: Match, form: PlacesForm) -> HttpResponse | None:
    try:
        entered_match = enter(
            request, match, ParsedPlaces(form.places), seen_revision=form.cleaned_data["revision"]
        )
    except Refused as refusal:
        add_form_errors(form, refusal)
        return None
    messages.success(request, describe_entry(entered_match))
    stage = match.round.stage
    return redirect_back(request, "console_round", stage.event.slug, stage.position, match.round.number)


def enter_slip_page(request: HttpRequest, event: Event, round_: Round) -> HttpResponse:
    """Enter one line of a slip without a script, or ask on the page of the table."""
    try:
        messages.success(request, enter_line(request, event, round_))
    except Refused as refusal:
        show_refusal(request, refusal)
        table = find_table(request)
        match = round_.matches.filter(table=table).first() if refusal.code in QUESTIONS else None
        if match is not None:
            return redirect("console_match", event.slug, match.pk)
    return redirect_back(request, "console_round", event.slug, round_.stage.position, round_.number)
