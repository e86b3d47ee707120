"""Tables of submitted lists: immutable versions, verdicts, rulings and answers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import pgettext_lazy

from decks.shared.causes import render_causes
from decks.shared.immutable_rows import ImmutableRow


class VerdictOutcome(models.TextChoices):
    """The outcome of a check."""

    LEGAL = "legal", pgettext_lazy("verdict", "Legal")
    ILLEGAL = "illegal", pgettext_lazy("verdict", "Not legal")
    UNKNOWN = "unknown", pgettext_lazy("verdict", "Cannot be checked")


class DeckList(models.Model):
    """One player's list for one event.

    Holds the sequence of what was submitted, and which version counts. Nothing here points to the event: the
    caller knows it. A `locked_at` of None is open.
    """

    game = models.CharField(max_length=32)
    format_key = models.CharField(max_length=64)
    rules_version = models.CharField(max_length=32, blank=True)
    current = models.OneToOneField(
        "decks.DeckVersion",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    locked_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"List {self.pk} ({self.game} {self.format_key})"


class DeckVersion(ImmutableRow):
    """A list exactly as it was submitted.

    Also holds the verdict of that moment and what it depends on. `lines` tells what each source line became,
    `entries` the cards that came of it, `verdict` the findings. `judged_under` names format, version, dated
    lists and local rules; `options` the declarations made. `pool_text` is the pool of a Sealed or Draft deck
    as it was entered beside the list, `original_text` the deck file of which the list is a changed copy;
    empty if the list is as it came.
    """

    deck_list = models.ForeignKey(DeckList, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    source_text = models.TextField()
    pool_text = models.TextField(blank=True, default="")
    original_text = models.TextField(blank=True, default="")
    source_format = models.CharField(max_length=32)
    lines = models.JSONField()
    entries = models.JSONField()
    verdict = models.JSONField()
    outcome = models.CharField(max_length=8, choices=VerdictOutcome.choices)
    rules_version = models.CharField(max_length=32)
    judged_under = models.JSONField()
    options = models.JSONField(default=dict)
    submitted_at = models.DateTimeField()
    submitted_by = models.CharField(max_length=160)
    by_staff = models.BooleanField(default=False)
    after_deadline = models.BooleanField(default=False)
    after_lock = models.BooleanField(default=False)
    reason = models.CharField(max_length=400, blank=True)
    short_hash = models.CharField(max_length=16)

    class Meta:
        verbose_name = "submitted decklist"
        ordering = ["deck_list", "number"]
        constraints = [
            models.UniqueConstraint(fields=["deck_list", "number"], name="one_version_per_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="version_numbers_start_at_one"),
            models.CheckConstraint(
                condition=Q(outcome__in=VerdictOutcome.values), name="version_outcome_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"Version {self.number} ({self.short_hash})"


class Rechecked(ImmutableRow):
    """The result of a later check of a submitted version.

    It was judged for the `day` of its event. `brings_news` tells whether it breaks or leaves open a rule that
    the verdict before it did not, `mends` whether it is legal and the verdict before it was not. `causes` are
    the reasons that brought it about, `since` is the day of the edition; `recheck` is None for one that came
    along in an event's archive.
    """

    recheck = models.ForeignKey(
        "decks.Recheck", null=True, blank=True, on_delete=models.SET_NULL, related_name="rows"
    )
    version = models.ForeignKey(DeckVersion, on_delete=models.CASCADE, related_name="rechecks")
    causes = models.JSONField(default=list)
    since = models.DateField(null=True, blank=True)
    day = models.DateField()
    outcome = models.CharField(max_length=8, choices=VerdictOutcome.choices)
    verdict = models.JSONField()
    judged_under = models.JSONField()
    brings_news = models.BooleanField()
    mends = models.BooleanField(default=False)
    checked_at = models.DateTimeField()

    class Meta:
        verbose_name = "later verdict"
        ordering = ["version", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["recheck", "version"], name="one_verdict_a_recheck_and_version"),
            models.CheckConstraint(
                condition=Q(outcome__in=VerdictOutcome.values), name="recheck_outcome_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_outcome_display()} ({self.cause})"

    @property
    def cause(self) -> str:
        """Return what brought it about, in words without the last full stop."""
        return render_causes(self.causes)


class Ruling(ImmutableRow):
    """An organizer's decision about a submitted list.

    The verdict that it overrules stays beside it. The latest ruling of a version counts.
    """

    version = models.ForeignKey(DeckVersion, on_delete=models.CASCADE, related_name="rulings")
    outcome = models.CharField(max_length=8, choices=VerdictOutcome.choices)
    reason = models.CharField(max_length=400)
    ruled_at = models.DateTimeField()
    ruled_by = models.CharField(max_length=160)

    class Meta:
        ordering = ["version", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="a_ruling_gives_its_reason"),
            models.CheckConstraint(
                condition=Q(outcome__in=VerdictOutcome.values), name="ruling_outcome_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_outcome_display()}: {self.reason}"


class ListAnswer(ImmutableRow):
    """A player's response to a list submitted for them, or to a ruling on their list.

    Whatever is newer than the latest answer is new to them. `agrees` of None: seen, and nothing more.
    """

    version = models.ForeignKey(DeckVersion, on_delete=models.CASCADE, related_name="answers")
    answered_at = models.DateTimeField()
    agrees = models.BooleanField(null=True, blank=True)
    words = models.CharField(max_length=400, blank=True)

    class Meta:
        verbose_name = "answer to a decklist"
        ordering = ["version", "pk"]

    def __str__(self) -> str:
        return {True: "Agrees", False: "Does not agree", None: "Seen"}[self.agrees]
