"""Console pages of player tables: export, and import with a preview or as a job."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from decks.jobs.models import Job
from decks.shared.fingerprints import is_fingerprint
from decks.shared.refusals import Refused
from decks.shared.wording import say_reason
from tournament.access.permissions import Actor, Right
from tournament.access.player_details import list_fields
from tournament.events.models.event import Event
from tournament.pairing.selectors.drafts import find_draft_notice
from tournament.registration import player_csv
from tournament.registration.import_choices import ImportChoices
from tournament.registration.player_csv import export_player_csv
from tournament.registration.services import player_import
from tournament.web.console_page import attempt_step, console_page, get_request_rights, render_console_page
from tournament.web.refusals import show_refusal

# If no worker starts an import within this time, the page says why.
SLOW_START = timedelta(seconds=20)

# The values that a column without a known heading can be read as.
IMPORT_COLUMN_LABELS = {
    "name": gettext_lazy("Name"),
    "first": gettext_lazy("First name"),
    "last": gettext_lazy("Last name"),
    "email": gettext_lazy("Email"),
    "character": gettext_lazy("Character"),
    "members": gettext_lazy("Team members"),
    "club": gettext_lazy("Club"),
    "seed": gettext_lazy("Seed"),
    "rating": gettext_lazy("Rating"),
    "fixed_table": gettext_lazy("Fixed table"),
    "first_byes": gettext_lazy("First-round byes"),
    "has_paid": gettext_lazy("Paid"),
}

EXAMPLE_HEADER = gettext_lazy("Name;Email;Character;Club;Rating")


@console_page(Right.PLAYERS)
@require_safe
def export_players(request: HttpRequest, event: Event) -> HttpResponse:
    """Export the players as CSV."""
    answer = HttpResponse(export_player_csv(event), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{event.slug}-players.csv"'
    return answer


@console_page(Right.PLAYERS)
@require_http_methods(["GET", "HEAD", "POST"])
def import_players(request: HttpRequest, event: Event) -> HttpResponse:
    """Import players: paste or upload CSV, preview each row, then carry it out."""
    if request.method != "POST":
        return _import_page(request, event, "")
    text, note, choices = "", "", ImportChoices.from_form(request.POST)
    try:
        text, note = _submitted_text(request)
        table = player_csv.read_player_csv(text, event, choices.columns)
    except Refused as refusal:
        # The page itself says that no column has names, and asks for it.
        if refusal.code != "no_name_column":
            show_refusal(request, refusal)
        columns = _columns_to_choose(text, event, choices) if refusal.code in COLUMN_CODES else {}
        return _import_page(request, event, text, columns, status=422)
    fingerprint = request.POST.get("mark", "")
    is_long = len(table.lines) > player_import.LINES_AT_ONCE
    # Another mark is none that a page showed; the step refuses it.
    if is_long and is_fingerprint(fingerprint):
        actor = Actor.of_user(request.user)
        job = player_import.request_player_import(event, actor, text, fingerprint, choices)
        return redirect("console_players_import_job", event.slug, job.pk)
    if fingerprint and _run_import(request, event, table, choices, fingerprint):
        return redirect("console_players", event.slug)
    rights = get_request_rights(request, event)
    context: dict[str, object] = {
        "plan": player_import.plan_player_import(event, table, rights, choices),
        "notes": [*([note] if note else []), *map(say_reason, table.notes)],
        **(_describe_columns(table, event) if table.asks_for_columns else {}),
    }
    return _import_page(request, event, text, context)


# Refusals after which columns can be chosen by hand.
COLUMN_CODES = frozenset({"no_name_column", "column_twice"})


def _columns_to_choose(text: str, event: Event, choices: ImportChoices) -> dict[str, object]:
    return _describe_columns(player_csv.read_columns(text, event, choices.columns), event)


def _describe_columns(table: player_csv.PlayerCsv, event: Event) -> dict[str, object]:
    """Return the columns not read by their heading.

    Also return what each can be read as.
    """
    is_without_names = not any(column.read_as in player_csv.NAME_COLUMNS for column in table.columns)
    shown_columns = [column for column in table.columns if not column.is_known or is_without_names]
    labels = [(field.key, field.label) for field in list_fields(event.game)]
    return {
        "table": table,
        "columns": shown_columns,
        "column_choices": [*IMPORT_COLUMN_LABELS.items(), *labels],
    }


def _run_import(
    request: HttpRequest,
    event: Event,
    table: player_csv.PlayerCsv,
    choices: ImportChoices,
    fingerprint: str,
) -> bool:
    rights = get_request_rights(request, event)
    counts = player_import.plan_player_import(event, table, rights, choices).counts
    words = gettext("%(add)s added, %(change)s changed, %(refused)s rejected.") % counts
    actor = Actor.of_user(request.user)
    return attempt_step(
        request,
        lambda: player_import.run_player_import(
            event, actor, table, rights, choices=choices, seen_mark=fingerprint
        ),
        words,
    )


@console_page(Right.PLAYERS)
@require_safe
def import_job(request: HttpRequest, event: Event, job_id: UUID) -> HttpResponse:
    """Return how far the import of a long table is, and what it did."""
    job = get_object_or_404(Job, pk=job_id, kind=player_import.IMPORT_JOB_KIND, payload__event=event.pk)
    is_late = job.state == Job.State.QUEUED and timezone.now() - job.created_at > SLOW_START
    context = {"job": job, "is_late": is_late}
    if getattr(request, "htmx", False):
        return render(request, "tournament/registration/_import_job.html", {"event": event, **context})
    return render_console_page(
        request, event, "tournament/registration/players_import_job.html", "players", **context
    )


def _submitted_text(request: HttpRequest) -> tuple[str, str]:
    """Return the submitted CSV text.

    It is the uploaded file if there is one, else the pasted text.
    """
    uploaded_file = request.FILES.get("file")
    if uploaded_file is None:
        return request.POST.get("text", ""), ""
    if (uploaded_file.size or 0) > player_csv.MAX_BYTES:
        raise Refused("file_too_large.players_form", field="file")
    return player_csv.decode_csv(uploaded_file.read())


def _describe_name_columns() -> str:
    columns = dict(zip(("name", "first", "last"), player_csv.NAME_HEADINGS, strict=True))
    return gettext("%(name)s (or %(first)s and %(last)s)") % columns


def _import_page(
    request: HttpRequest,
    event: Event,
    text: str,
    preview: Mapping[str, object] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    labels = [field.label for field in list_fields(event.game)]
    context = {
        **(preview or {}),
        "text": text,
        "draft": find_draft_notice(event),
        "example_header": EXAMPLE_HEADER,
        "column_names": [_describe_name_columns(), *player_csv.READ_COLUMNS, *labels],
    }
    answer = render_console_page(
        request, event, "tournament/registration/players_import.html", "players", **context
    )
    answer.status_code = status
    return answer
