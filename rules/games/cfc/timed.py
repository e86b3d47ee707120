"""Card Fighters' Clash when time is called: our default, and higher HP where it was announced (CFC-T04)."""

from __future__ import annotations

from ...timed.defaults import SILENT, OurDefault
from ...timed.facts import Facts, both
from ...timed.model import Question
from ...timed.players import Player, leader, name
from ...timed.registry import procedure

_TIEBREAK = Question(
    "hp_tiebreak", "Has the organizer announced that the higher HP wins a level match?", "yes_no", SILENT
)


@procedure("cfc")
class CfcTimed(OurDefault):
    """Games won, then a draw; higher HP before it only where the organizer has announced that."""

    def _about_tiebreak(self, facts: Facts) -> tuple[Question, ...]:
        still_open = facts.missing((_TIEBREAK,))
        if still_open or not facts.flag("hp_tiebreak"):
            return still_open
        return facts.missing(both("hp", "How many HP has {player} left?", SILENT))

    def _by_tiebreak(self, facts: Facts) -> tuple[Player, str, str] | None:
        if not facts.flag("hp_tiebreak"):
            return None
        ahead = leader((facts.count("hp_p1") or 0, facts.count("hp_p2") or 0))
        return (ahead, "hp", f"{name(ahead)} has more HP and wins, as announced.") if ahead else None
