"""Highlander at time: the last turn, then End Game (HL-T03 to T05)."""

from __future__ import annotations

from dataclasses import replace

from rules.games.highlander.end_game import MAX_ABILITY, play_end_game
from rules.reason import Reason, reason
from rules.timed.facts import Facts, ask_both_players
from rules.timed.model import FirstTurn, Player, Question, Score, TimedOutcome, add_win, ask, opponent_of
from rules.timed.procedure import Procedure, can_draw, register_procedure

TIME = "Official Tournament Rules (l.2050)"

_LAST_TURN = ask("last_turn_winner.turn", "player_or_none", TIME)

_FINISHED = ask("finished_turn", "player", TIME)

_WINNER = ask("end_game_winner", "player", TIME, later=True)


@register_procedure("highlander")
class HighlanderTimed(Procedure):
    """The last turn decides, else End Game (HL-T04).

    No one can draw, whatever the stage.
    """

    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        can_draw(stage)
        self.form(match_form)
        still_open = facts.list_missing((_LAST_TURN,))
        if still_open or facts.player("last_turn_winner"):
            return still_open
        return facts.list_missing((_FINISHED,)) or facts.list_missing((*self._abilities(), _WINNER))

    def _abilities(self) -> tuple[Question, ...]:
        return ask_both_players("ability", TIME, later=True)

    def outcome(self, stage: str, match_form: str, facts: Facts) -> TimedOutcome:
        in_time = facts.player("last_turn_winner")
        winner = in_time or facts.player("end_game_winner")
        if winner is None:
            return self._goes_on(facts)
        score: Score = add_win((0, 0), winner)
        if in_time:
            return self.settle("won-last-turn", winner, "last_turn", TIME, score, winner=winner)
        return self.settle("won-end-game", winner, "end_game", TIME, score, winner=winner)

    def _goes_on(self, facts: Facts) -> TimedOutcome:
        finishing_player = facts.player("finished_turn") or "p1"
        first = opponent_of(finishing_player)
        begins = self.settle(
            "end-game-begins",
            "play_on",
            None,
            TIME,
            next_step="end_game",
            first=first,
            procedure=self.text("time_called", "sentence"),
        )
        return replace(begins, reasons=(*begins.reasons, *self._forecast(first, finishing_player, facts)))

    def _forecast(self, first: Player, second: Player, facts: Facts) -> tuple[Reason, ...]:
        ability = facts.counts("ability")
        if ability[0] is None or ability[1] is None or max(ability[0], ability[1]) > MAX_ABILITY:
            return ()
        ending = play_end_game(first, second, {"p1": ability[0], "p2": ability[1]})
        return (reason("end-game-forecast", winner=ending.winner, turn=ending.turn),)

    def first_turn(self, game_in_match: int, previous_loser: Player | None) -> FirstTurn:
        clause, sentence = self.text("first_turn", "clause"), self.text("first_turn", "sentence")
        return FirstTurn(None, "gem_count", sentence, clause)
