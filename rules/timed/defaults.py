"""Our procedure for a game whose document has none: games won, then a draw, else the organizer's word."""

from __future__ import annotations

from .facts import Facts, both
from .model import FirstTurn, Outcome, Question, Result
from .players import Player, Score, leader, name, plus_one
from .procedure import Procedure
from .stages import draws_possible

SILENT = "not in the document"

_LAST_TURN = Question(
    "last_turn_winner", "Who won a game in the last turn, if anybody did?", "player_or_none", SILENT
)
_RULING = Question(
    "organizer_ruling", "Whom does the organizer name as the winner?", "player", SILENT, later=True
)


class OurDefault(Procedure):
    """Everything here is ours and says so; a game may put tiebreaks of its own before the draw."""

    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        drawn = draws_possible(stage)
        self.form(match_form)
        won = both("games", "How many games of this match has {player} won?", SILENT)
        still_open = facts.missing((*won, _LAST_TURN))
        if still_open or leader(self._score(facts)):
            return still_open
        still_open = self._about_tiebreak(facts)
        if still_open or drawn or self._by_tiebreak(facts):
            return still_open
        return facts.missing((_RULING,))

    def _about_tiebreak(self, facts: Facts) -> tuple[Question, ...]:
        """What a tiebreak of the game must know; there is none by default."""
        return ()

    def _by_tiebreak(self, facts: Facts) -> tuple[Player, str, str] | None:
        """The winner by a tiebreak, its name and a sentence; None where it settles nothing."""
        return None

    def _score(self, facts: Facts) -> Score:
        won = (facts.count("games_p1") or 0, facts.count("games_p2") or 0)
        winner = facts.player("last_turn_winner")
        return plus_one(won, winner) if winner else won

    def outcome(self, stage: str, match_form: str, facts: Facts) -> Outcome:
        score = self._score(facts)
        ahead, tiebreak = leader(score), self._by_tiebreak(facts)
        if ahead:
            return self._ours(ahead, "games", f"{name(ahead)} has won more games and wins.", score)
        if tiebreak:
            winner, step, sentence = tiebreak
            return self._ours(winner, step, sentence, plus_one(score, winner))
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
