"""What the rules say about an event: its game, its format, its match form."""

from __future__ import annotations

import rules
from tournament.models import Event


def game_of(event: Event) -> rules.Game:
    """The game this event plays."""
    return next(game for game in rules.games() if game.key == event.game)


def format_of(event: Event) -> rules.Format:
    """The format with the event's rules version and overlay."""
    return rules.load_format(
        event.game, event.format, rules=event.rules_version, overlay=event.overlay or None
    )


def match_form_of(event: Event) -> rules.MatchForm:
    """How a match is played: games to win and minutes."""
    return next(form for form in game_of(event).match_forms if form.key == event.match_form)


def games_to_win(event: Event) -> int:
    """Games that win a match."""
    return match_form_of(event).games_to_win
