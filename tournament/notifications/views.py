"""Where the page of a player asks for notifications."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from decks.shared.refusals import Refused
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.notifications import services
from tournament.notifications.forms import SubscriptionForm
from tournament.notifications.sending import get_public_key
from tournament.web.player_page import player_page


@player_page
@require_http_methods(["GET", "HEAD", "POST"])
def push(request: HttpRequest, player: Player) -> HttpResponse:
    """Return the push key, or subscribe or unsubscribe a browser.

    Browsers need the key to subscribe.
    """
    if request.method != "POST":
        return JsonResponse({"key": get_public_key()})
    form = SubscriptionForm(request.POST)
    if not form.is_valid():
        sentences = [str(sentence) for errors in form.errors.values() for sentence in errors]
        return JsonResponse({"sentences": sentences}, status=400)
    try:
        _save(player, form)
    except Refused as refusal:
        return JsonResponse({"code": refusal.code, "sentences": [refusal.message]}, status=400)
    return JsonResponse({})


def _save(player: Player, form: SubscriptionForm) -> None:
    values = form.cleaned_data
    if values.pop("off"):
        services.unsubscribe(player, values["endpoint"])
    elif player.event.phase == Event.Phase.FINISHED:
        raise Refused("push_event_over")
    else:
        services.subscribe(player, **values, language=get_language() or player.event.language)
