"""Console pages of the archive: download an event, restore one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods

from decks.shared.refusals import Refused
from tournament.access.permissions import Actor, Right
from tournament.archive.deletion import delete_event, mark_exported, preview_deletion
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event
from tournament.web.console_page import console_page, render_console_page
from tournament.web.refusals import show_refusal


@console_page(Right.EXPORT)
@require_GET
def download(request: HttpRequest, event: Event) -> HttpResponse:
    """Send the event as one file."""
    document = export_event(event)
    mark_exported(event)
    response = JsonResponse(document, json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{event.slug}.ringside.json"'
    return response


@login_required
@require_http_methods(["GET", "POST"])
def restore(request: HttpRequest) -> HttpResponse:
    """Choose an archive and bring its event back."""
    upload = request.FILES.get("archive")
    if request.method == "POST" and upload is None:
        messages.error(request, gettext("Choose the archive file first."))
    if request.method == "POST" and upload is not None:
        try:
            event = restore_event(upload.file or b"", Actor.of_user(request.user))
        except Refused as refusal:
            show_refusal(request, refusal)
        else:
            messages.success(request, gettext("“%(event)s” is imported.") % {"event": event.name})
            return redirect("console_event", event.slug)
    return render(request, "tournament/archive/import.html")


@console_page(Right.OWN)
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what a deletion takes; delete the event once its name is entered."""
    if request.method == "POST":
        try:
            delete_event(event, request.POST.get("confirm", ""))
        except Refused as refusal:
            show_refusal(request, refusal)
            return redirect("console_delete", event.slug)
        messages.success(request, gettext("“%(event)s” is deleted.") % {"event": event.name})
        return redirect("console")
    context = {"deletion": preview_deletion(event)}
    return render_console_page(request, event, "tournament/archive/delete.html", "settings", **context)
