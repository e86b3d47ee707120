"""Rounds, matches, seats and result reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import models
from django.db.models import F, Q
from django.utils.functional import cached_property
from django.utils.translation import pgettext_lazy

import rules
from decks.shared.wording import format_reason
from rules.endings import state_ending
from rules.reason import Param, Reason, reason
from rules.result_fields import describe_details
from tournament.engine.boards import format_boards, has_contradiction
from tournament.events.models.match_result import (
    REPORTED,
    Ending,
    Outcome,
    ReportColumns,
    ResultColumns,
    format_score,
    result_names,
)
from tournament.events.models.match_sides import (
    DUEL_SIDES,
    Side,
    describe_places,
    give_places,
    name_others,
)
from tournament.events.models.result_sentences import Games, Names, describe_winner, name_players

# The public sees no penalties: a match that one decided looks to it as if it had been played out.
_STAFF_ENDINGS = frozenset({"penalty", "disqualified"})


class Round(models.Model):
    """One round of one stage. Its seed makes the pairing repeatable."""

    class State(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("state", "Draft")
        PUBLISHED = "published", pgettext_lazy("state", "Published")
        FINISHED = "finished", pgettext_lazy("state", "Finished")

    stage = models.ForeignKey("tournament.Stage", on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    seed = models.BigIntegerField()
    pairing = models.JSONField(default=dict, blank=True, help_text="Cost and certificate of the pairing.")
    paired_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    amended_at = models.DateTimeField(
        null=True, blank=True, help_text="When tables changed after publication."
    )

    class Meta:
        ordering = ["stage__position", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="one_round_per_number")]

    def __str__(self) -> str:
        return f"{self.stage.event}, round {self.number}"

    @property
    def is_draft(self) -> bool:
        """Whether players cannot see it yet."""
        return self.state == self.State.DRAFT


# A prefetch to an attribute builds no relation for each match.
LOADED_REPORTS = "loaded_reports"


class Match(ResultColumns):
    """Two players at a table, or one without an opponent.

    An empty outcome: still playing. A table with more than two sides has `side_count` of them: `p1` and `p2`
    are the first two, and the seats say all, with the place of each.
    """

    Outcome, Ending = Outcome, Ending

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    table = models.PositiveIntegerField(null=True, blank=True)
    bracket_match = models.PositiveIntegerField(null=True, blank=True)
    p1 = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, related_name="matches_as_p1")
    p2 = models.ForeignKey(
        "tournament.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="matches_as_p2"
    )
    side_count = models.PositiveSmallIntegerField(
        default=2, help_text="How many sides the table has. A bye counts as two."
    )
    why = models.JSONField(default=list, blank=True, help_text="Reasons why these players meet.")
    amended_at = models.DateTimeField(
        null=True, blank=True, help_text="When the match was paired after publication."
    )
    revision = models.PositiveIntegerField(default=0)
    result_by = models.CharField(max_length=120, blank=True)
    result_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["table", "id"]
        constraints = [
            models.UniqueConstraint(fields=["round", "table"], name="one_match_per_table"),
            models.UniqueConstraint(
                fields=["round", "bracket_match"],
                condition=Q(bracket_match__isnull=False),
                name="one_match_per_bracket_place",
            ),
            models.CheckConstraint(
                name="nobody_plays_himself", condition=Q(p2__isnull=True) | ~Q(p1=F("p2"))
            ),
            models.CheckConstraint(
                name="a_bye_has_no_opponent",
                condition=Q(
                    p2__isnull=False, side_count=2, outcome__in=["", "p1", "p2", "draw", "double_loss"]
                )
                | Q(p2__isnull=False, side_count__gt=2, outcome__in=["", "places"])
                | Q(p2__isnull=True, side_count=2, outcome__in=["bye", "loss_no_opponent"]),
            ),
            models.CheckConstraint(
                name="a_result_has_a_time",
                condition=Q(outcome="", result_at__isnull=True)
                | (~Q(outcome="") & Q(result_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="an_ending_belongs_to_a_result", condition=Q(ending="") | ~Q(outcome="")
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.table}: {self.p1} against {self.p2 or 'nobody'}"

    @property
    def is_finished(self) -> bool:
        """Whether a result is entered."""
        return self.outcome != self.Outcome.PLAYING

    @property
    def is_bye(self) -> bool:
        """Whether there is no opponent."""
        return self.p2_id is None

    @property
    def is_pod(self) -> bool:
        """Whether more than two sides sit at the table."""
        return self.side_count > DUEL_SIDES

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides in their order, each with its place.

        Reads the seats of a table of more than two.
        """
        if not self.is_pod:
            both = enumerate((self.p1, self.p2), 1)
            return tuple(Side(number, player) for number, player in both if player is not None)
        seats = sorted(self.seats.all(), key=lambda seat: seat.side)
        return tuple(Side(seat.side, seat.player, seat.place) for seat in seats)

    @property
    def winners(self) -> tuple[Side, ...]:
        """Return who is first at a table of more than two sides; several if level."""
        return tuple(side for side in self.sides if side.place == 1) if self.is_pod else ()

    @property
    def others_name(self) -> str:
        """The second player, or all others at a table of more than two sides."""
        if self.is_pod:
            return name_others(self.sides, self.p1_id)
        return self.p2.name if self.p2 else ""

    @property
    def names(self) -> Names:
        """The names of both players, distinguished; an empty one if there is no opponent."""
        if self.is_pod:
            return self.p1.name, self.others_name
        return name_players(self.p1, self.p2) if self.p2 else (self.p1.name, "")

    @property
    def winner_id(self) -> int | None:
        """The id of the winner, if there is one."""
        if self.outcome in (self.Outcome.P1, self.Outcome.BYE):
            return self.p1_id
        if self.outcome == self.Outcome.PLACES:
            return self.winners[0].player.pk if len(self.winners) == 1 else None
        return self.p2_id if self.outcome == self.Outcome.P2 else None

    @property
    def is_disputed(self) -> bool:
        """Whether it is open and its players' reports differ. Reads the reports."""
        return not self.is_finished and is_contradictory(self.list_reports())

    def list_reports(self) -> list[ResultReport]:
        """List the players' reports, from a prefetch if loaded, else read now."""
        loaded_reports: list[ResultReport] | None = self.__dict__.get(LOADED_REPORTS)
        return list(self.reports.all()) if loaded_reports is None else loaded_reports

    @property
    def how_it_ended(self) -> str:
        """Return what the games do not say, in words; empty if it was played out."""
        winner, loser = (self.p1, self.p2) if self.winner_id == self.p1_id else (self.p2, self.p1)
        code = "match_ended.both" if self.outcome == Outcome.DOUBLE_LOSS else "match_ended"
        sides: dict[str, Param] = {"winner": str(winner), "loser": str(loser)}
        ending = state_ending(self.ending, **sides if self.winner_id else {})
        ending_reason = Reason(code, {"ending": ending, **sides})
        return _join_words(ending_reason if self.ending else None, _detail_words(self, self))

    def describe_result(self) -> Reason:
        """Return who won a match that was played: “Ada won 2-1 (Bob conceded)”."""
        if self.outcome == Outcome.PLACES:
            return describe_places(self.sides)
        if self.outcome == Outcome.DOUBLE_LOSS:
            return reason("result_said.both_lose", how=self.how_it_ended or None)
        return describe_winner((self.p1_games, self.p2_games, self.draws), self.names, self.how_it_ended)

    @property
    def result_sentence(self) -> str:
        """The same in words; empty while it is played, and for a bye."""
        return format_reason("reason", self.describe_result()) if self.is_finished and self.p2 else ""

    @property
    def public_ending(self) -> str:
        """The public ending; empty for a match that was played out, and for penalties."""
        return "" if self.ending in _STAFF_ENDINGS else self.ending

    @property
    def how_it_publicly_ended(self) -> str:
        """The same in words."""
        return "" if self.ending in _STAFF_ENDINGS else self.how_it_ended

    @property
    def score(self) -> str:
        """The games as people write them; of a table of more than two sides who is first."""
        if self.outcome == Outcome.PLACES:
            return format_reason("reason", describe_places(self.sides))
        return format_score(self)


def _join_words(ending_reason: Reason | None, details: Iterable[str]) -> str:
    parts = (*([ending_reason] if ending_reason else ()), *details)
    return format_reason("reason", reason("match_endings", parts=parts)) if parts else ""


def _detail_words(match: Match, result_source: Match | ResultReport) -> list[str]:
    """Return what was answered beside the games, in words.

    Reads the event if anything was answered.
    """
    boards = [format_boards(result_source.boards)] if result_source.boards else []
    if not result_source.details:
        return boards
    names = {"p1": f"{match.p1}", "p2": f"{match.p2}"}
    winner, loser = ("p2", "p1") if result_source.p2_games > result_source.p1_games else ("p1", "p2")
    names |= {"winner": names[winner], "loser": names[loser]}
    fields = rules.get_game(match.round.stage.event.game).result_fields
    return [*boards, *describe_details(fields, result_source.details, names)]


def describe_games(score: str | None, how: str) -> Reason:
    """Return games and ending: “2-1 (time was called)”; both lost if no score."""
    return reason("games_and_ending", score=score, how=how or None)


class Seat(models.Model):
    """One player's seat in one round.

    The database refuses a second match of a player in a round. At a table of more than two sides, `side` is
    the player's number there (from 1) and `place` their place once it has ended; sides that are level share
    the best of their places.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    player = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, related_name="seats")
    side = models.PositiveSmallIntegerField(default=0)
    place = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "player"], name="one_seat_per_player_and_round")
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.round}"


def is_contradictory(reports: Sequence[ResultReport]) -> bool:
    """Return whether the players of one match report different results."""
    return any(report.contradicts(reports[0]) for report in reports[1:])


class ResultReport(ReportColumns):
    """A player's report; two equal ones, or one confirmed, make a result."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reports")
    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="reports")
    reported_at = models.DateTimeField()
    places = models.JSONField(
        default=list,
        blank=True,
        help_text="The places of all sides in their order, where there are more than two.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="one_report_per_player_and_match")
        ]

    def __str__(self) -> str:
        return f"{self.player} says {self.score}"

    @property
    def reported_values(self) -> dict[str, object]:
        """The whole report. Two players agree where it is the same."""
        return {**{name: getattr(self, name) for name in result_names(REPORTED)}, "places": self.places}

    def contradicts(self, other: ResultReport) -> bool:
        """Return whether both cannot be true. Of boards, those count that both report."""
        if self.boards and other.boards:
            return has_contradiction(self.boards, other.boards) or (
                self.is_whole and other.is_whole and self.reported_values != other.reported_values
            )
        return self.reported_values != other.reported_values

    @property
    def is_whole(self) -> bool:
        """Return whether it says the whole result: no board is missing."""
        return None not in self.boards

    @property
    def score(self) -> str:
        """The games as people write them; the boards where some are missing."""
        return format_score(self) if self.is_whole else format_boards(self.boards)

    @property
    def games(self) -> Games:
        """The games of the first and the second player, and the drawn ones."""
        return self.p1_games, self.p2_games, self.draws

    def describe(self, names: Names | None = None) -> Reason:
        """Return who won, as reported: “Ada won 2-1 (Bob conceded)”; by these names.

        Reads the match.
        """
        if self.places:
            return describe_places(give_places(self.match.sides, self.places))
        if not self.is_whole:
            return reason("boards_reported", boards=format_boards(self.boards))
        p1, p2 = names or self.match.names
        winner, loser = (p2, p1) if self.p2_games > self.p1_games else (p1, p2)
        sides: dict[str, Param] = {"winner": winner, "loser": loser}
        ending_reason = Reason("match_ended", {"ending": state_ending(self.ending, **sides), **sides})
        how = _join_words(ending_reason if self.ending else None, _detail_words(self.match, self))
        return describe_winner(self.games, (p1, p2), how)

    @property
    def words(self) -> str:
        """The result that is reported, as a sentence with names."""
        return format_reason("reason", self.describe())

    def as_reason(self) -> Reason:
        """Return who says what. Reads the match with its players."""
        who = next(side.player for side in self.match.sides if side.player.pk == self.player_id)
        return reason("report_says", player=str(who), result=self.describe())

    @property
    def sentence(self) -> str:
        """Who says what: “Ada says: Ada won 2-1”. Reads the match with its players."""
        return format_reason("reason", self.as_reason())


class EventLocation(models.Model):
    """Where something happened; empty before the first round."""

    stage = models.PositiveSmallIntegerField(null=True, blank=True)
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    table = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def place(self) -> tuple[int, int]:
        """Return stage and round as a pair that sorts in the order of play.

        Both are zero before the first round.
        """
        return self.stage or 0, self.round or 0

    @property
    def place_words(self) -> str:
        """Round and table: “Round 2, table 5”; empty before the first round."""
        if not self.round:
            return ""
        return format_reason("reason", reason("round_and_table", round=self.round, table=self.table or None))
