"""What every page of judges shares."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from tournament.access import rights as permissions
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.web.camera import with_camera
from tournament.web.console_page import console_page

judge_page = console_page(Right.JUDGE)


def sent(request: HttpRequest) -> QueryDict | None:
    """What a form was sent with; an empty form that was sent is one too."""
    return request.POST if request.method == "POST" else None


def show(
    request: HttpRequest, event: Event, template: str, *, section: str, status: int = 200, **context: Any
) -> HttpResponse:
    """Render a page of judges with what its frame needs; its field may be filled by the camera."""
    rights = {right.value for right in permissions.rights_in(request.user, event)}
    shared = {"event": event, "section": section, "rights": rights}
    return with_camera(render(request, template, {**shared, **context}, status=status))
