"""The work of judges at the tables: deck checks, penalties, calls and rulings.

`stage`, `round` and `table` are plain numbers: a round that is undone does not take the record with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_lazy

from decks.shared.wording import format_reason
from rules.reason import Reason
from tournament.events.models.round import EventLocation

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise


class CheckDraw(EventLocation):
    """Tables drawn for deck checks.

    The same seed draws the same from the same `pool`, on every machine. `pool` are the tables that could be
    drawn, `passed_over` those left out as someone at them had been checked before, `tables` the drawn ones in
    the order of the draw.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="check_draws")
    seed = models.BigIntegerField()
    pool = models.JSONField(default=list, blank=True)
    passed_over = models.JSONField(default=list, blank=True)
    tables = models.JSONField(default=list, blank=True)
    drawn_at = models.DateTimeField()
    drawn_by = models.CharField(max_length=120)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"draw with seed {self.seed}"


class DeckCheck(EventLocation):
    """One player's deck compared with their registered list.

    An empty outcome: being checked. `ticks` are the places of the ticked rows of the list; `extension` the
    minutes proposed for the table.
    """

    class Outcome(models.TextChoices):
        OPEN = "", gettext_lazy("Being checked")
        OK = "ok", gettext_lazy("As registered")
        PROBLEM = "problem", gettext_lazy("Problem found")

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="deck_checks")
    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="deck_checks")
    version = models.ForeignKey(
        "decks.DeckVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="deck_checks"
    )
    draw = models.ForeignKey(
        CheckDraw, null=True, blank=True, on_delete=models.SET_NULL, related_name="checks"
    )
    ticks = models.JSONField(default=list, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome.choices, blank=True, default=Outcome.OPEN)
    note = models.CharField(max_length=400, blank=True)
    extension = models.PositiveSmallIntegerField(null=True, blank=True)
    started_at = models.DateTimeField()
    started_by = models.CharField(max_length=120)
    finished_at = models.DateTimeField(null=True, blank=True)
    finished_by = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = "deck check"
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(outcome=""), name="one_open_deck_check_a_player"
            ),
            models.CheckConstraint(
                condition=Q(outcome="", finished_at__isnull=True)
                | Q(outcome__in=["ok", "problem"], finished_at__isnull=False),
                name="a_deck_check_ends_with_an_outcome",
            ),
            models.CheckConstraint(
                condition=~Q(outcome="problem") | ~Q(note=""), name="a_problem_of_a_deck_has_a_note"
            ),
        ]

    def __str__(self) -> str:
        return f"deck check of {self.player}"

    @property
    def is_open(self) -> bool:
        """Whether the judge is still counting."""
        return self.outcome == self.Outcome.OPEN

    @property
    def round_words(self) -> str:
        """When it was made: “Round 2” or “Before round 1”."""
        if self.round:
            return gettext("Round %(round)s") % {"round": self.round}
        return gettext("Before round 1")


def _name_topic(topic: str) -> StrOrPromise:
    return lazy(format_reason, str)("reason", Reason(f"call_topic.{topic}"))


class JudgeCall(EventLocation):
    """A player asks for a judge.

    Not taken: they wait; taken: a judge is coming; closed: it is settled.
    """

    class Topic(models.TextChoices):
        """The topic of a call, chosen by the player."""

        RULES = "rules", _name_topic("rules")
        GAME = "game", _name_topic("game")
        SLOW_PLAY = "slow_play", _name_topic("slow_play")
        BEHAVIOR = "behavior", _name_topic("behavior")
        OTHER = "other", _name_topic("other")

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="judge_calls")
    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="judge_calls")
    topic = models.CharField(max_length=16, choices=Topic.choices, blank=True)
    words = models.CharField(max_length=200, blank=True)
    called_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True, blank=True)
    taken_by = models.CharField(max_length=120, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(closed_at__isnull=True), name="one_open_call_a_player"
            )
        ]

    def __str__(self) -> str:
        return f"call of {self.player}"


class TableRuling(EventLocation):
    """A ruling of a judge at a table, with the reason."""

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="table_rulings")
    player = models.ForeignKey(
        "tournament.Player", null=True, blank=True, on_delete=models.CASCADE, related_name="table_rulings"
    )
    call = models.ForeignKey(
        JudgeCall, null=True, blank=True, on_delete=models.SET_NULL, related_name="rulings"
    )
    question = models.CharField(max_length=400, blank=True)
    ruling = models.CharField(max_length=400)
    reason = models.CharField(max_length=400, blank=True)
    given_at = models.DateTimeField()
    given_by = models.CharField(max_length=120)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(ruling=""), name="a_ruling_at_a_table_says_something")
        ]

    def __str__(self) -> str:
        return self.ruling
