"""What the rules say about an event: its game, its format, its match form."""

from __future__ import annotations

import rules
from decks.editions.selectors import editions
from rules import timed
from rules.timed import Concession, Spoils
from tournament.events.models.event import Event


def game_of(event: Event) -> rules.Game:
    """The game this event plays."""
    return next(game for game in rules.games() if game.key == event.game)


def format_of(event: Event) -> rules.Format:
    """The format with the event's rules version, the lists in force on its day, and its local rules."""
    return editions.load_format(
        event.game,
        event.format,
        rules_version=event.rules_version,
        on=event.starts_local.date(),
        overlay=event.overlay or None,
    )


def terms_of(event: Event) -> rules.Format:
    """The format as `format_of`, for what no dated list can change: asks the database nothing."""
    return rules.load_format(
        event.game, event.format, rules=event.rules_version, overlay=event.overlay or None
    )


def usual_team_size(rulebook: rules.Format) -> int | None:
    """How many play as one in this format: partners in Street Fighter's team modes (SFM-L12), a pair for
    Highlander's two heads (HL-L45); None where everybody plays alone.
    """
    checks = {rule.check: rule for rule in rulebook.rules}
    if "sf_miniatures.partners" in checks:
        return int(checks["sf_miniatures.shape"].params["characters"])
    return 2 if "highlander.two_heads" in checks else None


def match_form_of(event: Event) -> rules.MatchForm:
    """How a match is played: games to win and minutes."""
    return next(form for form in game_of(event).match_forms if form.key == event.match_form)


def games_to_win(event: Event) -> int:
    """Games that win a match."""
    return match_form_of(event).games_to_win


def concession_of(event: Event) -> Concession:
    """What giving up means in the event's game, with its clause."""
    return timed.concession(event.game, event.rules_version)


def head_shot_of(event: Event) -> Spoils | None:
    """What a head shot costs the loser, in a game that knows one."""
    return timed.spoils(event.game, event.rules_version)
