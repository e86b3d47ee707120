"""Card Fighters' Clash when time is called (CFC-T04).

Contains our default, and higher HP where it was announced.
"""

from __future__ import annotations

from rules.timed.facts import Facts, ask_both_players
from rules.timed.model import Player, Question, ask, leading_player
from rules.timed.procedure import NOT_IN_DOCUMENT, DefaultProcedure, register_procedure

_TIEBREAK = ask("hp_tiebreak", "yes_no", NOT_IN_DOCUMENT)


@register_procedure("cfc")
class CfcTimed(DefaultProcedure):
    """Games won, then a draw.

    Higher HP comes before the draw only where the organizer has announced that.
    """

    def _about_tiebreak(self, facts: Facts) -> tuple[Question, ...]:
        still_open = facts.list_missing((_TIEBREAK,))
        if still_open or not facts.flag("hp_tiebreak"):
            return still_open
        return facts.list_missing(ask_both_players("hp", NOT_IN_DOCUMENT))

    def _by_tiebreak(self, facts: Facts) -> tuple[Player, str, str] | None:
        if not facts.flag("hp_tiebreak"):
            return None
        ahead = leading_player((facts.count("hp_p1") or 0, facts.count("hp_p2") or 0))
        return (ahead, "hp", "won-by-hp") if ahead else None
