"""Where the code on a result slip leads: one address for everybody, with nothing secret in it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.access import rights as permissions
from tournament.access.rights import Right
from tournament.events.models.round import Match, Round
from tournament.shared.addresses import public_base
from tournament.shared.qr import code_png
from tournament.web.own_registration import remembered


def _match(match_id: int) -> Match:
    found = Match.objects.select_related("round__stage__event").exclude(round__state=Round.State.DRAFT)
    if match_id > 2**62:
        raise Http404("There is no such slip.")
    return get_object_or_404(found, pk=match_id)


@require_safe
def slip(request: HttpRequest, match_id: int) -> HttpResponse:
    """To entering the result for staff, to reporting for the two who play, to the match for others."""
    match = _match(match_id)
    stage, event = match.round.stage, match.round.stage.event
    if permissions.can(request.user, event, Right.SCORE):
        page = reverse("console_round", args=[event.slug, stage.position, match.round.number])
        return redirect(f"{page}#table-{match.table}")
    me = remembered(request, event)
    if me is not None and me.pk in (match.p1_id, match.p2_id):
        return redirect("player_report", me.token)
    return redirect("match", event.slug, match.pk)


@require_safe
def slip_code(request: HttpRequest, match_id: int) -> HttpResponse:
    """The code of a slip as a picture, for slips that are printed from the browser."""
    match = _match(match_id)
    png = code_png(f"{public_base(request)}{reverse('slip', args=[match.pk])}")
    return HttpResponse(png, content_type="image/png")
