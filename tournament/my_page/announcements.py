"""Announcements to a player, in the words that the page reads aloud."""

from __future__ import annotations

from django.template import Context, Engine

from tournament.events.models.player import Player
from tournament.events.selectors import get_published_rounds
from tournament.judging.selectors import player_judging
from tournament.my_page.selectors import find_next_task
from tournament.results.selectors import list_my_matches

TEMPLATE = "tournament/my_page/_announce.html"


def say_news(player: Player) -> str:
    """Return the next step of a player in one sentence.

    It is in the active language, and empty if there is none.
    """
    rounds = get_published_rounds(player.event)
    matches = list_my_matches(player, rounds)
    is_disqualified = player_judging(player).is_disqualified
    task = find_next_task(player, matches, None, rounds, is_disqualified=is_disqualified)
    # The words go to a phone as they are: no page escapes them.
    template = Engine.get_default().get_template(TEMPLATE)
    return " ".join(str(template.render(Context({"task": task}, autoescape=False))).split())
