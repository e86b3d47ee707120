"""Say to the desk where a player who was just added plays."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from tournament.events.models.player import Player

IN_MATCH, AT_ONCE, AFTER_BYES, AFTER_LOSSES = "match", "now", "byes", "losses"

ADDED_WORDS: Mapping[str, Promise] = {
    IN_MATCH: gettext_lazy("%(player)s is number %(number)s and plays %(opponent)s at table %(table)s now."),
    AT_ONCE: gettext_lazy("%(player)s is number %(number)s and plays from now on."),
    AFTER_BYES: gettext_lazy(
        "%(player)s is number %(number)s and plays from round %(round)s on. Earlier rounds count as byes."
    ),
    AFTER_LOSSES: gettext_lazy(
        "%(player)s is number %(number)s and plays from round %(round)s on. Earlier rounds count as losses."
    ),
}
LET_IN_WORDS: Mapping[str, Promise] = {
    IN_MATCH: gettext_lazy("%(player)s plays %(opponent)s at table %(table)s now."),
    AT_ONCE: gettext_lazy("%(player)s plays from now on."),
    AFTER_BYES: gettext_lazy("%(player)s plays from round %(round)s on. Earlier rounds count as byes."),
    AFTER_LOSSES: gettext_lazy("%(player)s plays from round %(round)s on. Earlier rounds count as losses."),
}


def describe_added_player(player: Player) -> str:
    """Return the number of an added player, and where they play.

    An example is “Zoe is number 5.” It takes at most one query.
    """
    if player.status == Player.Status.WAITING:
        words = gettext("%(player)s is number %(number)s, on the waiting list.")
    elif player.event.is_playing:
        return _describe_late_entry(player, ADDED_WORDS)
    else:
        words = gettext("%(player)s is number %(number)s.")
    return words % {"player": player.name, "number": player.number}


def describe_admitted_player(player: Player) -> str:
    """Return where an admitted player plays.

    An example is “Zoe plays Bob at table 3 now.” It takes one query.
    """
    return _describe_late_entry(player, LET_IN_WORDS)


def _describe_late_entry(player: Player, words: Mapping[str, Promise]) -> str:
    kind, facts = _find_first_match(player)
    return str(words[kind]) % {"player": player.name, "number": player.number, **facts}


def _find_first_match(player: Player) -> tuple[str, dict[str, object]]:
    """Return how a player who came while rounds run begins, and the facts of it."""
    last = player.seats.select_related("match__p1", "match__p2", "round").order_by("round__number").last()
    match = last.match if last else None
    if match is None or last is None:
        return AT_ONCE, {}
    if match.p2 is not None:
        opponent = match.p1 if match.p2_id == player.pk else match.p2
        return IN_MATCH, {"opponent": opponent, "table": match.table}
    kind = AFTER_BYES if match.outcome == match.Outcome.BYE else AFTER_LOSSES
    return kind, {"round": last.round.number + 1}
