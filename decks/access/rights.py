"""Who may draft and publish lists: holders of `decks.publish_lists`, as the group “List keepers” has it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

RIGHT = "decks.publish_lists"
Page = Callable[..., HttpResponse]


def may_keep_lists(person: Any) -> bool:
    """Whether somebody may draft and publish lists; an administrator of the site always may."""
    return bool(person.is_authenticated and person.has_perm(RIGHT))


def keepers_only(page: Page) -> Page:
    """Let in who may keep lists; others learn whom to ask."""

    @wraps(page)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_keep_lists(request.user):
            sentence = "Only list keepers may draft and publish lists."
            way_out = "Ask an administrator of this site to add you to the group “List keepers”."
            raise PermissionDenied(f"{sentence} {way_out}")
        return page(request, *args, **kwargs)

    return login_required(guarded)
