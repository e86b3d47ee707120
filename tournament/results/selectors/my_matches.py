"""From tournament.selectors.player."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Round

Games = tuple[int, int, int]


def words(games: Games) -> str:
    """Games as people write them, with the drawn ones only where there are any."""
    return f"{games[0]}–{games[1]}" + (f"–{games[2]}" if games[2] else "")


def turned(games: Games, is_second: bool) -> Games:
    """Games of first and second player as mine and theirs, or the other way round."""
    return (games[1], games[0], games[2]) if is_second else games


def _games(row: Match | ResultReport) -> Games:
    return row.p1_games, row.p2_games, row.draws


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A match as one of its players sees it: the opponent, and games as mine, theirs, drawn."""

    match: Match
    me: Player
    opponent: Player | None
    mine: Games | None
    theirs: Games | None

    @property
    def played(self) -> Round:
        """The round it belongs to."""
        return self.match.round

    @property
    def is_elimination(self) -> bool:
        """Whether it belongs to the cut."""
        return self.match.round.stage.is_elimination

    @property
    def score(self) -> str:
        """The result that stands, my games first."""
        return words(turned(_games(self.match), self.is_second)) if self.match.is_finished else ""

    @property
    def is_second(self) -> bool:
        """Whether I am the second player of the match."""
        return self.match.p2_id == self.me.pk

    @property
    def outcome(self) -> str:
        """won, lost, drawn, bye, absent, both_lost, or empty while it is played."""
        fixed = {
            "draw": "drawn",
            "bye": "bye",
            "loss_no_opponent": "absent",
            "double_loss": "both_lost",
            "": "",
        }
        if self.match.outcome in fixed:
            return fixed[self.match.outcome]
        return "won" if self.match.winner_id == self.me.pk else "lost"

    @property
    def their_ending(self) -> str:
        """How the opponent says it ended; empty for played out."""
        theirs = (report for report in self.match.reports.all() if report.player_id != self.me.pk)
        return next((report.ending for report in theirs), "")

    @property
    def their_ending_words(self) -> str:
        """The same in words."""
        return Match.Ending(self.their_ending).label.lower() if self.their_ending else ""

    @property
    def my_words(self) -> str:
        """What I reported, my games first; empty when I did not."""
        return words(self.mine) if self.mine else ""

    @property
    def their_words(self) -> str:
        """What the opponent reported, my games first; empty when he did not."""
        return words(self.theirs) if self.theirs else ""


def my_matches(player: Player) -> list[MyMatch]:
    """The player's published matches, the latest first, with the reports on each. Two queries."""
    rows = Match.objects.filter(Q(p1=player) | Q(p2=player), round__stage__event=player.event_id)
    rows = rows.exclude(round__state=Round.State.DRAFT).select_related("p1", "p2", "round__stage")
    rows = rows.prefetch_related("reports").order_by("-round__stage__position", "-round__number")
    return [_as_mine(match, player) for match in rows]


def _as_mine(match: Match, player: Player) -> MyMatch:
    is_second = match.p2_id == player.pk
    reports = {report.player_id: turned(_games(report), is_second) for report in match.reports.all()}
    opponent = match.p1 if is_second else match.p2
    if opponent is not None:
        opponent.event = player.event
    return MyMatch(
        match=match,
        me=player,
        opponent=opponent,
        mine=reports.get(player.pk),
        theirs=reports.get(opponent.pk) if opponent else None,
    )
