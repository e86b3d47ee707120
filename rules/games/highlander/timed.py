"""Highlander when time is called: the last turn, then End Game, which always finds a winner."""

from __future__ import annotations

from ...timed.facts import Facts, both
from ...timed.model import FirstTurn, Outcome, Question
from ...timed.players import Player, Score, name, other, plus_one
from ...timed.procedure import Procedure
from ...timed.registry import procedure
from ...timed.stages import draws_possible
from .end_game import MOST_ABILITY, end_game

TIME = "Official Tournament Rules (l.2050)"

_LAST_TURN = Question(
    "last_turn_winner",
    "Who won in the turn that was finished after time was called, if anybody did?",
    "player_or_none",
    TIME,
)
_FINISHED = Question("finished_turn", "Whose turn was it when time was called?", "player", TIME)
_WINNER = Question("end_game_winner", "Who won End Game?", "player", TIME, later=True)


@procedure("highlander")
class HighlanderTimed(Procedure):
    """The last turn decides, else End Game; nobody can draw, whatever the stage (HL-T04)."""

    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        draws_possible(stage)
        self.form(match_form)
        still_open = facts.missing((_LAST_TURN,))
        if still_open or facts.player("last_turn_winner"):
            return still_open
        return facts.missing((_FINISHED,)) or facts.missing((*self._abilities(), _WINNER))

    def _abilities(self) -> tuple[Question, ...]:
        asked = both("ability", "How much ability has {player} at the start of End Game?", TIME)
        return tuple(Question(q.key, q.sentence, q.kind, q.clause, later=True) for q in asked)

    def outcome(self, stage: str, match_form: str, facts: Facts) -> Outcome:
        in_time = facts.player("last_turn_winner")
        winner = in_time or facts.player("end_game_winner")
        if winner is None:
            return self._goes_on(facts)
        step = "last_turn" if in_time else "end_game"
        where = "in the last turn; End Game is not entered" if in_time else "End Game"
        score: Score = plus_one((0, 0), winner)
        return self.settled(winner, step, TIME, f"{name(winner)} wins {where}.", score)

    def _goes_on(self, facts: Facts) -> Outcome:
        finished = facts.player("finished_turn") or "p1"
        first = other(finished)
        sentence = f"End Game begins with {name(first).lower()}. {self.text('time_called', 'sentence')}"
        forecast = self._forecast(first, finished, facts)
        return self.settled("play_on", None, TIME, f"{sentence}{forecast}", next_step="end_game")

    def _forecast(self, first: Player, second: Player, facts: Facts) -> str:
        ability = facts.counts("ability")
        if ability[0] is None or ability[1] is None or max(ability[0], ability[1]) > MOST_ABILITY:
            return ""
        ending = end_game(first, second, {"p1": ability[0], "p2": ability[1]})
        winner: Player = "p1" if ending.winner == "p1" else "p2"
        return f" If nothing else happens, {name(winner).lower()} wins in turn {ending.turn} of it."

    def first_turn(self, game_in_match: int, previous_loser: Player | None) -> FirstTurn:
        clause, sentence = self.text("first_turn", "clause"), self.text("first_turn", "sentence")
        return FirstTurn(None, "gem_count", sentence, clause)
