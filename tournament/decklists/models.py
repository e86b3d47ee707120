"""Tables of decklists.

They hold added cards, checked exchanges, and notices about rechecked lists.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from decks.catalogue.models import validate_facts
from decks.matching.added_cards import AddedCardRecord
from decks.submissions.models import VerdictOutcome


class ExchangeCheck(models.Model):
    """One exchange as it was presented at the table, and the verdict on it.

    `stage` and `round` are plain numbers: a round that is undone does not take the record with it.
    `taken_out` and `brought_in` hold records with `card`, `name` and `qty`.
    """

    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="exchange_checks")
    version = models.ForeignKey("decks.DeckVersion", on_delete=models.PROTECT, related_name="exchange_checks")
    stage = models.PositiveSmallIntegerField(null=True, blank=True)
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    game_in_round = models.PositiveSmallIntegerField()
    taken_out = models.JSONField(default=list, blank=True)
    brought_in = models.JSONField(default=list, blank=True)
    verdict = models.JSONField()
    outcome = models.CharField(max_length=8, choices=VerdictOutcome.choices)
    checked_at = models.DateTimeField()
    checked_by = models.CharField(max_length=120)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(game_in_round__gte=1), name="games_of_a_round_start_at_one"),
            models.CheckConstraint(
                condition=Q(outcome__in=VerdictOutcome.values), name="exchange_outcome_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}, game {self.game_in_round}: {self.get_outcome_display()}"


class AddedCard(models.Model):
    """A card that the organizer added for one event.

    The reason is that its lists need it and no catalogue has it. `key` is made of name, set and number.
    `facts` are those that the game declares; unknown ones are absent.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="added_cards")
    key = models.CharField(max_length=120)
    name = models.CharField(max_length=200)
    set_code = models.CharField(max_length=32, blank=True)
    number = models.CharField(max_length=32, blank=True)
    facts = models.JSONField(default=dict, blank=True, validators=[validate_facts])

    class Meta:
        ordering = ["name", "key"]
        constraints = [models.UniqueConstraint(fields=["event", "key"], name="one_added_card_a_key")]

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> str:
        """Set and number as people write them, as far as they are known."""
        return f"{self.set_code} {self.number}".strip()

    def to_record(self) -> AddedCardRecord:
        """Return the card as lists are checked with it."""
        number = int(self.number) if self.number.isascii() and self.number.isdecimal() else None
        place = {"set": self.set_code, "number": number, "number_as_printed": self.number}
        known_place = {fact: value for fact, value in place.items() if value not in (None, "")}
        return {"key": self.key, "name": self.name, "facts": {**self.facts, **known_place}}


class ListNotice(models.Model):
    """A notice of one round of checks to one person.

    It is to a player about their own list, or to staff about the lists of the event. The row is written
    before the email goes out, so that no one hears of the same thing twice; `mail` says what became of it.
    `rechecked` is the verdict in the notice to a player. In an archive the players' notices travel; staff are
    known by account only.
    """

    class Mail(models.TextChoices):
        NONE = "none", gettext_lazy("No email address")
        WAITING = "waiting", gettext_lazy("Not sent yet")
        SENT = "sent", gettext_lazy("Sent")
        FAILED = "failed", gettext_lazy("Rejected by the mail server")

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="list_notices")
    recheck = models.ForeignKey(
        "decks.Recheck", null=True, blank=True, on_delete=models.SET_NULL, related_name="notices"
    )
    player = models.ForeignKey(
        "tournament.Player", null=True, blank=True, on_delete=models.CASCADE, related_name="list_notices"
    )
    rechecked = models.ForeignKey(
        "decks.Rechecked", null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="list_notices"
    )
    written_at = models.DateTimeField()
    mail = models.CharField(max_length=7, choices=Mail.choices, default=Mail.NONE)
    mail_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["rechecked"], name="one_notice_a_later_verdict"),
            models.UniqueConstraint(
                fields=["event", "recheck", "user"], name="one_notice_a_recheck_and_staff"
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=False, rechecked__isnull=False, user__isnull=True)
                | Q(player__isnull=True, rechecked__isnull=True, user__isnull=False),
                name="a_notice_is_for_one_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: notice for {self.player or self.user}"
