"""Street Fighter miniatures at time: rounds won, Time Out, organizer ruling."""

from __future__ import annotations

from dataclasses import dataclass

from rules.timed.facts import BadFact, Facts, ask_both_players
from rules.timed.model import (
    FirstTurn,
    Player,
    Question,
    Score,
    TimedOutcome,
    add_win,
    ask,
    leading_player,
)
from rules.timed.procedure import Procedure, can_draw, register_procedure

TIME_OUT = "Time Out p.9 (l.632)"

_AGREED = ask("time_out_agreed", "yes_no", TIME_OUT)

_NUMBERS = (*ask_both_players("health", TIME_OUT), *ask_both_players("meter", TIME_OUT))

_RULING = ask("organizer_ruling", "player", TIME_OUT, later=True)

_RULING_OR_DRAW = ask("organizer_ruling.or-draw", "player_or_none", TIME_OUT, later=True)


@register_procedure("sf_miniatures")
class SfMiniaturesTimed(Procedure):
    """The running round by the order of Time Out, if agreed.

    What is still level goes to the organizer.
    """

    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        ruling = _ask_organizer(stage)
        form = self.form(match_form)
        # In a match of one round no one has won a round when time is called.
        still_open = facts.list_missing(ask_both_players("rounds", ROUNDS)) if form.games_to_win > 1 else ()
        if still_open or max(self._rounds(match_form, facts)) >= form.games_to_win:
            return still_open
        if form.games_to_win > 1:
            still_open = facts.list_missing((_AGREED,))
            if not still_open and facts.flag("time_out_agreed"):
                still_open = facts.list_missing(_NUMBERS)
        if still_open or self._settle(match_form, facts).result in ("p1", "p2"):
            return still_open
        return facts.list_missing((ruling,))

    def outcome(self, stage: str, match_form: str, facts: Facts) -> TimedOutcome:
        outcome = self._settle(match_form, facts)
        ruling = _ask_organizer(stage)
        if outcome.result != "ask_organizer" or ruling is _RULING or facts.list_missing((ruling,)):
            return outcome
        level = min(outcome.score or (0, 0))
        score = (level, level)
        return self.settle("organizer-names-nobody", "draw", "organizer", outcome.clause, score, is_ours=True)

    def _settle(self, match_form: str, facts: Facts) -> TimedOutcome:
        needed_wins, score = self.form(match_form).games_to_win, self._rounds(match_form, facts)
        if max(score) < needed_wins and needed_wins > 1 and facts.flag("time_out_agreed"):
            return self._by_time_out(needed_wins, score, facts)
        return self._by_rounds(needed_wins, score, "rounds", ROUNDS, facts)

    def _by_time_out(self, needed_wins: int, score: Score, facts: Facts) -> TimedOutcome:
        health, meter = facts.counts("health"), facts.counts("meter")
        time_out_end = settle_time_out((health[0] or 0, health[1] or 0), (meter[0] or 0, meter[1] or 0))
        if time_out_end.winner is None:
            return self._by_rounds(needed_wins, score, "rounds", TIME_OUT, facts)
        winner: Player = "p1" if time_out_end.winner == 0 else "p2"
        return self._by_rounds(
            needed_wins, add_win(score, winner), str(time_out_end.decided_by), TIME_OUT, facts
        )

    def _by_rounds(
        self, needed_wins: int, score: Score, step: str, clause: str, facts: Facts
    ) -> TimedOutcome:
        ahead = leading_player(score)
        if ahead and max(score) >= needed_wins:
            rounds = max(score)
            return self.settle("won-the-rounds", ahead, step, clause, score, winner=ahead, rounds=rounds)
        winner = facts.player("organizer_ruling")
        if winner:
            return self.settle(
                "organizer-names", winner, "organizer", clause, score, is_ours=True, winner=winner
            )
        return self.settle("rounds-not-won", "ask_organizer", None, clause, score, needed=needed_wins)

    def _rounds(self, match_form: str, facts: Facts) -> Score:
        needed_wins = self.form(match_form).games_to_win
        score = (facts.count("rounds_p1") or 0, facts.count("rounds_p2") or 0)
        if max(score) > needed_wins or min(score) >= needed_wins:
            raise BadFact("impossible-rounds", needed=needed_wins, first=score[0], second=score[1])
        return score

    def first_turn(self, game_in_match: int, previous_loser: Player | None) -> FirstTurn:
        clause = self.text("first_turn", "clause")
        if game_in_match > 1 and previous_loser:
            return FirstTurn(previous_loser, "choice", self.text("first_turn", "later"), clause)
        key = "after_draw" if game_in_match > 1 else "first"
        return FirstTurn(None, "dice", self.text("first_turn", key), clause)


def _ask_organizer(stage: str) -> Question:
    """Ask the organizer; a drawn Swiss match is a Ringside default. Raises `BadFact`."""
    return _RULING_OR_DRAW if can_draw(stage) else _RULING


ROUNDS = "Number of Game Rounds p.10 (l.652)"

ONE_AGAINST_ONE = frozenset({"versus", "classic_arcade"})

TEAM_MODES = frozenset({"2v2", "3v3", "2v2v2", "tag2", "tag3", "tag2v2v2"})

OTHER_MODES = frozenset({"ffa", "3-on-3"})

MODES = ONE_AGAINST_ONE | TEAM_MODES | OTHER_MODES


def rounds_to_win(mode: str) -> int:
    """Return how many rounds win a match: two or one (SFM-L10 to L12).

    Two are needed in the modes played as best of three, one in all others.
    """
    return 2 if mode in ONE_AGAINST_ONE else 1


def allows_time_out(mode: str) -> bool:
    """Return whether a mode is one against one (SFM-L14).

    In such a mode, players may agree on Time Out.
    """
    return mode in ONE_AGAINST_ONE


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The end of a round.

    `winner` is the index of the side (None: drawn), `decided_by` the step.
    """

    winner: int | None
    decided_by: str | None


def settle_time_out(health: tuple[int, int], meter: tuple[int, int]) -> RoundResult:
    """Award the round to the side with more health, then more meter.

    If both are equal, both sides lose it (SFM-T04).
    """
    for step, pair in (("health", health), ("meter", meter)):
        if pair[0] != pair[1]:
            return RoundResult(0 if pair[0] > pair[1] else 1, step)
    return RoundResult(None, None)
