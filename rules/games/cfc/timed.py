"""Card Fighters' Clash when time is called. No document says anything, so all of it is ours (CFC-T04)."""

from __future__ import annotations

from ...timed.facts import Facts, both
from ...timed.model import FirstTurn, Outcome, Question, Result
from ...timed.players import Player, Score, leader, name, plus_one
from ...timed.procedure import Procedure
from ...timed.registry import procedure
from ...timed.stages import draws_possible

SILENT = "not in the document"

_LAST_TURN = Question(
    "last_turn_winner", "Who won a game in the last turn, if anybody did?", "player_or_none", SILENT
)
_TIEBREAK = Question(
    "hp_tiebreak", "Has the organizer announced that the higher HP wins a level match?", "yes_no", SILENT
)
_RULING = Question(
    "organizer_ruling", "Whom does the organizer name as the winner?", "player", SILENT, later=True
)


@procedure("cfc")
class CfcTimed(Procedure):
    """Our default: games won, then a draw; higher HP only where the organizer has announced it."""

    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        drawn = draws_possible(stage)
        self.form(match_form)
        won = both("games", "How many games of this match has {player} won?", SILENT)
        still_open = facts.missing((*won, _LAST_TURN))
        if still_open or leader(self._score(facts)):
            return still_open
        return self._about_tie(drawn, facts)

    def _about_tie(self, drawn: bool, facts: Facts) -> tuple[Question, ...]:
        still_open = facts.missing((_TIEBREAK,))
        if not still_open and facts.flag("hp_tiebreak"):
            still_open = facts.missing(both("hp", "How many HP has {player} left?", SILENT))
        if still_open or drawn or self._by_hp(facts):
            return still_open
        return facts.missing((_RULING,))

    def _score(self, facts: Facts) -> Score:
        won = (facts.count("games_p1") or 0, facts.count("games_p2") or 0)
        winner = facts.player("last_turn_winner")
        return plus_one(won, winner) if winner else won

    def _by_hp(self, facts: Facts) -> Player | None:
        if not facts.flag("hp_tiebreak"):
            return None
        return leader((facts.count("hp_p1") or 0, facts.count("hp_p2") or 0))

    def outcome(self, stage: str, match_form: str, facts: Facts) -> Outcome:
        score = self._score(facts)
        ahead, by_hp = leader(score), self._by_hp(facts)
        if ahead:
            return self._ours(ahead, "games", f"{name(ahead)} has won more games and wins.", score)
        if by_hp:
            sentence = f"{name(by_hp)} has more HP and wins, as announced."
            return self._ours(by_hp, "hp", sentence, plus_one(score, by_hp))
        if draws_possible(stage):
            return self._ours("draw", None, "The match is level and is drawn.", score)
        return self._ruled(facts, score)

    def _ruled(self, facts: Facts, score: Score) -> Outcome:
        winner = facts.player("organizer_ruling")
        if winner:
            sentence = f"The organizer names a winner: {name(winner).lower()}."
            return self._ours(winner, "organizer", sentence, plus_one(score, winner))
        sentence = "The match is level and cannot be drawn; the document is silent, so the organizer decides."
        return self._ours("ask_organizer", None, sentence, score)

    def _ours(self, result: Result, step: str | None, sentence: str, score: Score) -> Outcome:
        return self.settled(result, step, SILENT, sentence, score, is_ours=True)

    def first_turn(self, game_in_match: int, previous_loser: Player | None) -> FirstTurn:
        clause, sentence = self.text("first_turn", "clause"), self.text("first_turn", "sentence")
        return FirstTurn(None, "random", sentence, clause, is_ours=True)
