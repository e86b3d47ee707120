"""UFS when time is called.

Games won decide in Swiss, and 102.3.1 where a match cannot be drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
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

SWISS, TIEBREAK, ORGANIZER = "102.3", "102.3.1", "100.2"

_IN_PROGRESS = ask("game_in_progress", "yes_no", "100.4")
_LAST_TURN = ask("last_turn_winner.running-game", "player_or_none", SWISS, unless_no=_IN_PROGRESS.key)
_VITALITY = (*ask_both_players("vitality", TIEBREAK), *ask_both_players("character_vitality", TIEBREAK))
_REMOVED = ask_both_players("removed", TIEBREAK)
_FIRST_BLOOD = ask("first_blood_winner", "player", TIEBREAK, later=True)
_RULING = ask("organizer_ruling", "player", ORGANIZER, later=True)


# The message of each step of the tiebreak.
_TIEBREAKS: Mapping[str, str] = {
    "vitality_difference": "won-by-vitality",
    "removed_count": "won-by-removed-cards",
    "first_blood": "won-by-first-blood",
}


@dataclass(frozen=True, slots=True)
class Stopped:
    """A match as it was after the last turn.

    Holds the games won, and whether a game was still unfinished.
    """

    score: Score
    has_open_game: bool


@register_procedure("ufs")
class UfsTimed(Procedure):
    """UFS clauses 100.4 and 102.3, and the elimination tiebreak of 102.3.1.

    The tiebreak has First Blood in the versions that have it.
    """

    @property
    def has_first_blood(self) -> bool:
        """Whether this version ends the tiebreak with First Blood (UFS-T20, T21)."""
        versions = self.tables["first_blood"]["versions"]
        return isinstance(versions, list) and self.version in versions

    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        draw_is_possible, still_open = (
            can_draw(stage),
            facts.list_missing(self._about_games(match_form, facts)),
        )
        if still_open:
            return still_open
        stopped_match = self._stop(match_form, facts)
        if draw_is_possible or leading_player(stopped_match.score):
            return ()
        return self._about_tiebreak(stopped_match, facts)

    def _about_games(self, match_form: str, facts: Facts) -> tuple[Question, ...]:
        self.form(match_form)
        games_won = ask_both_players("games", SWISS)
        none_was_played = facts.flag(_IN_PROGRESS.key) is False
        return (*games_won, _IN_PROGRESS) if none_was_played else (*games_won, _IN_PROGRESS, _LAST_TURN)

    def _about_tiebreak(self, stopped_match: Stopped, facts: Facts) -> tuple[Question, ...]:
        if stopped_match.has_open_game:
            still_open = facts.list_missing(_VITALITY)
            if not still_open and _level(self._lost_vitality(facts)):
                still_open = facts.list_missing(_REMOVED)
            if still_open or self._by_numbers(facts):
                return still_open
        return facts.list_missing((_FIRST_BLOOD if self.has_first_blood else _RULING,))

    def _stop(self, match_form: str, facts: Facts) -> Stopped:
        games_won = (facts.count("games_p1") or 0, facts.count("games_p2") or 0)
        is_unfinished, winner = facts.flag("game_in_progress") is True, facts.player("last_turn_winner")
        if winner and not is_unfinished:
            raise BadFact("no-game-to-win")
        needed_wins = self.form(match_form).games_to_win
        is_decided = max(games_won) >= needed_wins
        if sum(games_won) > 2 * needed_wins - 1 or (is_unfinished and is_decided):
            raise BadFact("impossible-score", needed=needed_wins, first=games_won[0], second=games_won[1])
        return Stopped(add_win(games_won, winner) if winner else games_won, is_unfinished and winner is None)

    def outcome(self, stage: str, match_form: str, facts: Facts) -> TimedOutcome:
        stopped_match = self._stop(match_form, facts)
        ahead = leading_player(stopped_match.score)
        if ahead:
            first, second = stopped_match.score
            return self.settle(
                "won-more-games.score",
                ahead,
                "games",
                SWISS,
                stopped_match.score,
                winner=ahead,
                first=first,
                second=second,
            )
        if can_draw(stage):
            code = "level-on-games.unfinished" if stopped_match.has_open_game else "level-on-games"
            return self.settle(code, "draw", None, SWISS, stopped_match.score)
        return self._broken_tie(stopped_match, facts)

    def _broken_tie(self, stopped_match: Stopped, facts: Facts) -> TimedOutcome:
        by_numbers = self._by_numbers(facts) if stopped_match.has_open_game else None
        if by_numbers:
            return self._won_by(stopped_match, *by_numbers)
        return (
            self._first_blood(stopped_match, facts)
            if self.has_first_blood
            else self._settle_by_organizer(stopped_match, facts)
        )

    def _won_by(self, stopped_match: Stopped, winner: Player, step: str) -> TimedOutcome:
        score = add_win(stopped_match.score, winner)
        return self.settle(_TIEBREAKS[step], winner, step, TIEBREAK, score, winner=winner)

    def _by_numbers(self, facts: Facts) -> tuple[Player, str] | None:
        """Return the winner by vitality lost, else by cards removed.

        The step that decided is returned too. None on a tie.
        """
        vitality_losses = self._lost_vitality(facts)
        if not _level(vitality_losses):
            return ("p1" if vitality_losses[0] < vitality_losses[1] else "p2"), "vitality_difference"
        removed_counts = facts.counts("removed")
        if None in removed_counts or _level(removed_counts):
            return None
        return ("p1" if (removed_counts[0] or 0) < (removed_counts[1] or 0) else "p2"), "removed_count"

    def _lost_vitality(self, facts: Facts) -> tuple[int, int]:
        """Return what each player is below the character's printed vitality (UFS-T18)."""
        return self._lost_by(facts, "p1"), self._lost_by(facts, "p2")

    def _lost_by(self, facts: Facts, player: Player) -> int:
        now, printed_vitality = (
            facts.count(f"vitality_{player}") or 0,
            facts.count(f"character_vitality_{player}") or 0,
        )
        if now > printed_vitality:
            raise BadFact("vitality-too-high", printed=printed_vitality)
        return printed_vitality - now

    def _first_blood(self, stopped_match: Stopped, facts: Facts) -> TimedOutcome:
        winner = facts.player("first_blood_winner")
        if winner:
            return self._won_by(stopped_match, winner, "first_blood")
        return self.settle(
            "play-first-blood", "play_on", None, TIEBREAK, stopped_match.score, next_step="first_blood"
        )

    def _settle_by_organizer(self, stopped_match: Stopped, facts: Facts) -> TimedOutcome:
        winner = facts.player("organizer_ruling")
        if winner:
            score = add_win(stopped_match.score, winner)
            return self.settle(
                "organizer-names.as-winner", winner, "organizer", ORGANIZER, score, winner=winner
            )
        return self.settle(
            "no-further-tiebreak", "ask_organizer", None, ORGANIZER, stopped_match.score, version=self.version
        )

    def first_turn(self, game_in_match: int, previous_loser: Player | None) -> FirstTurn:
        if game_in_match > 1 and previous_loser:
            return FirstTurn(
                previous_loser, "choice", self.text("first_turn", "loser"), self.text("first_turn", "clause")
            )
        return FirstTurn(None, "random", self.text("first_turn", "random"), self.text("first_turn", "clause"))


def _level(pair: tuple[int | None, int | None]) -> bool:
    return pair[0] == pair[1]
