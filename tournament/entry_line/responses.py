"""Answer the entry line of a page: accepted, or the problem with its options."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, JsonResponse
from django.urls import reverse

from decks.shared.refusals import Conflict, Refused
from tournament.access.permissions import Right, get_signed_in_user
from tournament.entry_line.services import Acceptance, accept_once
from tournament.events.models.event import Event
from tournament.web.console_page import get_request_rights
from tournament.web.refusals import REASON_HEADER, list_problems


@dataclass(frozen=True, slots=True)
class WayOut:
    """One answer to a refusal, as a button: the line is sent again with these values.

    `asks` names a value to type first; a way with an `href` is a link instead.
    """

    label: str
    values: dict[str, str] = field(default_factory=dict)
    asks: str = ""
    href: str = ""


def is_entry_request(request: HttpRequest) -> bool:
    """Return whether the script of the entry line sent this, and not a form."""
    return request.headers.get("Accept") == "application/json"


def answer_entry(
    request: HttpRequest,
    event: Event,
    enter: Callable[[], str],
    find_ways: Callable[[Refused], Iterable[WayOut]] = lambda refusal: (),
    find_table: Callable[[], int | None] = lambda: None,
) -> JsonResponse:
    """Enter a typed line once.

    `find_ways` says how a refusal can be answered, `find_table` at which table. 200: accepted, with a
    sentence and where it can be undone. 400 and 409: refused, with problems, ways and table. 403 with
    `X-Ringside-Why: signed-out`: typed by someone else than who is signed in now.
    """
    if request.POST.get("account") != str(request.user.pk):
        refusal = Refused("other_account")
        return _refusal_response(refusal, status=403, reason="signed-out")
    try:
        acceptance = accept_once(
            event, get_signed_in_user(request.user), _parse_key(request), request.POST.get("line", ""), enter
        )
    except Refused as refusal:
        status = 409 if isinstance(refusal, Conflict) else 400
        return _refusal_response(refusal, find_ways(refusal), table=find_table(), status=status)
    except PermissionDenied as denial:
        return _refusal_response(_not_allowed(denial), status=403)
    return _acceptance_response(request, event, acceptance)


def _parse_key(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        raise Refused("key_invalid") from None


def _acceptance_response(request: HttpRequest, event: Event, acceptance: Acceptance) -> JsonResponse:
    entry = acceptance.log_entry
    may_undo = entry is not None and Right.UNDO in get_request_rights(request, event)
    undo = reverse("console_undo", args=[event.slug, entry.pk]) if entry is not None and may_undo else ""
    version = Event.objects.values_list("version", flat=True).get(pk=event.pk)
    return JsonResponse({"sentence": acceptance.sentence, "undo": undo, "version": version})


def _refusal_response(
    refusal: Refused, ways: Iterable[WayOut] = (), *, table: int | None = None, status: int, reason: str = ""
) -> JsonResponse:
    content = {"problems": list_problems(refusal), "ways": [asdict(way) for way in ways], "table": table}
    return JsonResponse(content, status=status, headers={REASON_HEADER: reason} if reason else {})


def _not_allowed(denial: PermissionDenied) -> Refused:
    return Refused("not_allowed", told=str(denial)) if str(denial) else Refused("not_allowed")
