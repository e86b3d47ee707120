"""Tables of leagues: events, linked registrations, log."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from tournament.log.models import EntryWords


class League(models.Model):
    """Events over a season.

    `points` is the table of points by place; empty means the Ringside default.
    """

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=80, unique=True)
    notes = models.TextField(blank=True, help_text="Information for players.")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="leagues"
    )
    points = models.JSONField(default=dict, blank=True, help_text="Points by place.")
    best_of = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How many of a player's best results count. Leave empty for all."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "name"]
        constraints = [
            models.CheckConstraint(
                name="league_counts_a_result", condition=Q(best_of__isnull=True) | Q(best_of__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return self.name


class LeagueEvent(models.Model):
    """One event of a league."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="entries")
    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="league_entries")

    class Meta:
        ordering = ["event__starts_at", "event_id"]
        constraints = [models.UniqueConstraint(fields=["league", "event"], name="one_entry_per_league_event")]

    def __str__(self) -> str:
        return f"{self.event} in {self.league}"


class SamePerson(models.Model):
    """The organizer's word that two registrations of a league are one person."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="persons")
    one = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="+")
    two = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="+")
    said_by = models.CharField(max_length=120)
    said_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["league", "one", "two"], name="one_word_per_two_registrations"),
            models.CheckConstraint(name="two_registrations_in_order", condition=Q(one__lt=F("two"))),
        ]

    def __str__(self) -> str:
        return f"{self.one} and {self.two}"


class LeagueLine(models.Model):
    """One line of a league's log: who changed what when, with old and new values.

    `code` and `params` say what was done; `selectors.show_lines` makes the sentence of them. `actor` is a
    text only where there is no `user`.

    `before` and `after` are columns of the league, one event or one pair of registrations, by `kind`; null
    where there was nothing.
    """

    class Kind(models.TextChoices):
        MADE = "made", gettext_lazy("Creation")
        LEAGUE = "league", gettext_lazy("Settings")
        EVENT = "event", gettext_lazy("Event")
        PERSON = "person", gettext_lazy("Merged people")

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    actor = models.CharField(max_length=120, blank=True)
    code = models.CharField(max_length=40)
    params = models.JSONField(default=dict, blank=True)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    undone_by = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    words: EntryWords | None = None

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.code

    @property
    def sentence(self) -> str:
        """The change, in words.

        Raises LookupError before `selectors.show_lines` has read the names.
        """
        if self.words is None:
            raise LookupError("the line was not put into words")
        return self.words.sentence

    @property
    def actor_name(self) -> str:
        """The person who made it. Raises LookupError as `sentence`."""
        if self.words is None:
            raise LookupError("the line was not put into words")
        return self.words.actor

    @property
    def can_be_taken_back(self) -> bool:
        """Whether the line is in effect and says how it was before."""
        return self.kind != self.Kind.MADE and self.undone_by_id is None
