"""Dated facts of a round clock, and settlements of matches at time."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from tournament.engine.boards import SEAT_LETTERS
from tournament.engine.clock import ClockAction

ACTS = [
    (ClockAction.START.value, gettext_lazy("Started")),
    (ClockAction.PAUSE.value, gettext_lazy("Paused")),
    (ClockAction.RESUME.value, gettext_lazy("Resumed")),
    (ClockAction.EXTEND.value, gettext_lazy("Time changed")),
    (ClockAction.CALL_TIME.value, gettext_lazy("Time called")),
]


class ClockEntry(models.Model):
    """One fact about the clock of a round.

    The clock itself is never stored. It follows from these facts. `seconds` is the length of the round where
    it starts, and the time added (or taken away) by an extension; `match` limits an extension to one table.
    If the end is drawn at random, a start keeps the range in seconds and what was `drawn`, which no page, log
    or answer shows before it has come.
    """

    ACTS = ACTS

    round = models.ForeignKey("tournament.Round", on_delete=models.CASCADE, related_name="clock")
    act = models.CharField(max_length=12, choices=ACTS)
    at = models.DateTimeField()
    seconds = models.IntegerField(default=0)
    match = models.ForeignKey(
        "tournament.Match", null=True, blank=True, on_delete=models.CASCADE, related_name="extensions"
    )
    reason = models.CharField(max_length=200, blank=True)
    earliest = models.PositiveIntegerField(null=True, blank=True)
    latest = models.PositiveIntegerField(null=True, blank=True)
    drawn = models.PositiveIntegerField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["at", "id"]
        verbose_name = "clock of a round"
        constraints = [
            models.UniqueConstraint(
                fields=["round"], condition=Q(act="start"), name="a_round_is_started_once"
            ),
            models.UniqueConstraint(
                fields=["round"], condition=Q(act="call_time"), name="time_is_called_once"
            ),
            models.CheckConstraint(
                name="only_extensions_are_of_one_table", condition=Q(match__isnull=True) | Q(act="extend")
            ),
            models.CheckConstraint(
                name="a_drawn_end_has_a_range",
                condition=Q(drawn__isnull=True, earliest__isnull=True, latest__isnull=True)
                | Q(act="start", drawn__gte=F("earliest"), drawn__lte=F("latest")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_act_display()}: {self.round}"


class BuildClockEntry(models.Model):
    """One fact about the clock of an event's build time.

    It is like `ClockEntry` for the clock of a round. Tables have no time of their own here, and the end is
    never hidden.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="build_clock")
    act = models.CharField(max_length=12, choices=ACTS)
    at = models.DateTimeField()
    seconds = models.IntegerField(default=0)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["at", "id"]
        verbose_name = "clock of a build time"
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(act="start"), name="a_build_time_is_started_once"
            ),
            models.UniqueConstraint(
                fields=["event"], condition=Q(act="call_time"), name="a_build_time_ends_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_act_display()}: {self.event}"


class TimeSettlement(models.Model):
    """The answers given at a table when time was called.

    Also holds what the game's rule makes of them. Where teams play on boards, each board has one: `board` is
    the number of its seat, from 1; else 0.
    """

    match = models.ForeignKey("tournament.Match", on_delete=models.CASCADE, related_name="settlements")
    board = models.PositiveSmallIntegerField(default=0)
    facts = models.JSONField(default=dict, blank=True, help_text="Answers by question.")
    result = models.CharField(max_length=16)
    decided_by = models.CharField(max_length=40, blank=True)
    clause = models.CharField(max_length=120, blank=True)
    document = models.CharField(max_length=200, blank=True)
    reasons = models.JSONField(default=list, blank=True, help_text="Result of the answers by the rules.")
    is_ours = models.BooleanField(default=False)
    settled_by = models.CharField(max_length=120, blank=True)
    settled_at = models.DateTimeField()

    class Meta:
        verbose_name = "result of a match when time was called"
        ordering = ["match", "board"]
        constraints = [
            models.UniqueConstraint(fields=["match", "board"], name="one_settlement_per_match_and_board"),
            models.CheckConstraint(name="a_board_has_a_letter", condition=Q(board__lte=len(SEAT_LETTERS))),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.result}"

    @property
    def seat(self) -> str:
        """The letter of its seat; empty if a match has no boards."""
        return SEAT_LETTERS[self.board - 1] if self.board else ""
