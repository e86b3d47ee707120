"""Street Fighter miniatures when the clock ends: Time Out where it was agreed, else the organizer."""

from __future__ import annotations

from ...timed.facts import BadFact, Facts, both
from ...timed.model import FirstTurn, Outcome, Question
from ...timed.players import Player, Score, leader, name, plus_one
from ...timed.procedure import Procedure
from ...timed.registry import procedure
from ...timed.stages import draws_possible
from .rounds import ROUNDS, TIME_OUT, time_out

_AGREED = Question(
    "time_out_agreed", "Had both players agreed on Time Out before the match?", "yes_no", TIME_OUT
)
_NUMBERS = (
    *both("health", "How much health has {player} left?", TIME_OUT),
    *both("meter", "How much meter has {player}?", TIME_OUT),
)
_KEY = "organizer_ruling"
_RULING = Question(_KEY, "Whom does the organizer name as the winner?", "player", TIME_OUT, later=True)
_RULING_OR_DRAW = Question(
    _KEY,
    "Whom does the organizer name as the winner? If nobody, the match is drawn.",
    "player_or_none",
    TIME_OUT,
    later=True,
)


@procedure("sf_miniatures")
class SfMiniaturesTimed(Procedure):
    """The running round by the order of Time Out, if agreed; what is still level goes to the organizer."""

    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        ruling = _ruling(stage)
        form = self.form(match_form)
        still_open = facts.missing(both("rounds", "How many rounds has {player} won?", ROUNDS))
        if still_open or max(self._rounds(match_form, facts)) >= form.games_to_win:
            return still_open
        if form.games_to_win > 1:
            still_open = facts.missing((_AGREED,))
            if not still_open and facts.flag("time_out_agreed"):
                still_open = facts.missing(_NUMBERS)
        if still_open or self._settled(match_form, facts).result in ("p1", "p2"):
            return still_open
        return facts.missing((ruling,))

    def outcome(self, stage: str, match_form: str, facts: Facts) -> Outcome:
        settled = self._settled(match_form, facts)
        ruling = _ruling(stage)
        if settled.result != "ask_organizer" or ruling is _RULING or facts.missing((ruling,)):
            return settled
        level = min(settled.score or (0, 0))
        sentence = "The organizer names nobody: the match is drawn."
        return self.settled("draw", "organizer", settled.clause, sentence, (level, level), is_ours=True)

    def _settled(self, match_form: str, facts: Facts) -> Outcome:
        needed, score = self.form(match_form).games_to_win, self._rounds(match_form, facts)
        if max(score) < needed and needed > 1 and facts.flag("time_out_agreed"):
            return self._by_time_out(needed, score, facts)
        return self._by_rounds(needed, score, "rounds", ROUNDS, facts)

    def _by_time_out(self, needed: int, score: Score, facts: Facts) -> Outcome:
        health, meter = facts.counts("health"), facts.counts("meter")
        ended = time_out((health[0] or 0, health[1] or 0), (meter[0] or 0, meter[1] or 0))
        if ended.winner is None:
            return self._by_rounds(needed, score, "rounds", TIME_OUT, facts)
        winner: Player = "p1" if ended.winner == 0 else "p2"
        return self._by_rounds(needed, plus_one(score, winner), str(ended.decided_by), TIME_OUT, facts)

    def _by_rounds(self, needed: int, score: Score, step: str, clause: str, facts: Facts) -> Outcome:
        ahead = leader(score)
        if ahead and max(score) >= needed:
            sentence = f"{name(ahead)} has won {max(score)} of the rounds and with them the match."
            return self.settled(ahead, step, clause, sentence, score)
        winner = facts.player("organizer_ruling")
        if winner:
            sentence = f"The organizer names a winner: {name(winner).lower()}."
            return self.settled(winner, "organizer", clause, sentence, score, is_ours=True)
        sentence = f"Nobody has the {needed} rounds needed; the book has no step for the end of the clock."
        return self.settled("ask_organizer", None, clause, f"{sentence} The organizer decides.", score)

    def _rounds(self, match_form: str, facts: Facts) -> Score:
        needed = self.form(match_form).games_to_win
        score = (facts.count("rounds_p1") or 0, facts.count("rounds_p2") or 0)
        if max(score) > needed or min(score) >= needed:
            raise BadFact(f"A match to {needed} rounds cannot stand {score[0]}-{score[1]}.")
        return score

    def first_turn(self, game_in_match: int, previous_loser: Player | None) -> FirstTurn:
        clause = self.text("first_turn", "clause")
        if game_in_match > 1 and previous_loser:
            return FirstTurn(previous_loser, "choice", self.text("first_turn", "later"), clause)
        key = "after_draw" if game_in_match > 1 else "first"
        return FirstTurn(None, "dice", self.text("first_turn", key), clause)


def _ruling(stage: str) -> Question:
    """What the organizer is asked; that a Swiss match may then be drawn is ours. Raises `BadFact`."""
    return _RULING_OR_DRAW if draws_possible(stage) else _RULING
