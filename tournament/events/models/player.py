"""Registrations of players, and blocked pairings."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from tournament.engine.boards import SEAT_LETTERS


def new_token() -> str:
    """Return a private link that cannot be guessed.

    It has 120 random bits, which is short enough for a small QR code.
    """
    return secrets.token_urlsafe(15)


# The number of a member follows from that of the team: 300012 is seat C of team 12.
SEAT_NUMBERS = 100_000


class RegisteredPlayers(models.Manager["Player"]):
    """Those who registered: players and teams, without the members of teams."""

    def get_queryset(self) -> models.QuerySet[Player]:
        """Leave the members of teams out."""
        return super().get_queryset().filter(team__isnull=True)


class Player(models.Model):
    """One person or team in one event.

    The token is the key of the private link; no account is needed. Where teams play on boards, each seat has
    a row beside that of the team, for its decklist and link. Such a member never plays, ranks or counts:
    `event.players` leaves members out, `Player.objects` has everyone.
    """

    class Status(models.TextChoices):
        REGISTERED = "registered", pgettext_lazy("state", "Registered")
        WAITING = "waiting", gettext_lazy("On the waiting list")
        WITHDRAWN = "withdrawn", pgettext_lazy("state", "Withdrawn")
        MEMBER = "member", gettext_lazy("Member of a team")

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="players")
    number = models.PositiveIntegerField(help_text="Registration number within the event.")
    name = models.CharField(max_length=80)
    folded_name = models.CharField(
        max_length=160, blank=True, editable=False, help_text="The name without capitals, accents and spaces."
    )
    namesake = models.PositiveSmallIntegerField(
        default=0, help_text="0 for the first player of a name, 1 and more for others of that name."
    )
    members = models.JSONField(default=list, blank=True, help_text="Names of the team members.")
    team = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="seat_holders"
    )
    seat = models.PositiveSmallIntegerField(default=0, help_text="The seat of a member in the team, from 1.")
    email = models.EmailField(blank=True)
    character = models.CharField(max_length=80, blank=True)
    details = models.JSONField(
        default=dict, blank=True, help_text="Answers to the registration fields, by key."
    )
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.REGISTERED)
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    deck_list = models.OneToOneField(
        "decks.DeckList", null=True, blank=True, on_delete=models.PROTECT, related_name="player"
    )
    club = models.CharField(
        max_length=80, blank=True, help_text="Club, team or family. Its members can be kept apart."
    )
    seed = models.PositiveIntegerField(null=True, blank=True, help_text="Place in the organizer's seeding.")
    rating = models.PositiveIntegerField(null=True, blank=True)
    fixed_table = models.PositiveIntegerField(
        null=True, blank=True, help_text="For a player who needs the same table in every round."
    )
    first_byes = models.PositiveSmallIntegerField(default=0, help_text="Number of byes in the first rounds.")
    lot = models.PositiveIntegerField(help_text="Random number from the event's seed, the last tiebreaker.")
    registered_at = models.DateTimeField()
    waiting_since = models.DateTimeField(null=True, blank=True)
    moved_up_at = models.DateTimeField(
        null=True, blank=True, help_text="When the player moved up from the waiting list."
    )
    has_paid = models.BooleanField(default=False, help_text="Whether the entry fee is paid.")
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="doubles"
    )
    checked_in_at = models.DateTimeField(null=True, blank=True)
    entered_round = models.PositiveSmallIntegerField(
        default=1, help_text="The first Swiss round in which the player is paired."
    )
    dropped_after = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The last Swiss round before the drop (0 before round 1)."
    )
    drop_reason = models.CharField(max_length=200, blank=True)
    declined_cut = models.BooleanField(default=False)

    objects = models.Manager()
    registered = RegisteredPlayers()

    class Meta:
        ordering = ["number"]
        default_manager_name = "registered"
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_player_per_number"),
            models.CheckConstraint(
                name="a_member_has_a_seat",
                condition=(Q(team__isnull=True, seat=0) & ~Q(status="member"))
                | Q(team__isnull=False, seat__range=(1, len(SEAT_LETTERS)), status="member"),
            ),
            models.UniqueConstraint(
                "event",
                Lower("email"),
                condition=~Q(email="") & ~Q(status="withdrawn"),
                name="one_registration_per_email",
            ),
            models.UniqueConstraint(
                fields=["event", "folded_name", "namesake"],
                condition=~Q(folded_name="") & ~Q(status="withdrawn"),
                name="one_registration_per_name",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def entrant(self) -> Player:
        """The registered side: the team of a member, else the player itself."""
        return self.team or self

    @property
    def seat_letter(self) -> str:
        """The letter of a member's seat; empty for those who are registered."""
        return SEAT_LETTERS[self.seat - 1] if self.seat else ""

    @property
    def submitted_seats(self) -> int:
        """How many members of a team have submitted a decklist; needs them prefetched."""
        return sum(
            each.deck_list is not None and each.deck_list.current_id is not None
            for each in self.seat_holders.all()
        )

    @property
    def full_name(self) -> str:
        """The name, with team and seat for a member: “Ann (Foxes, seat A)”.

        Reads the team.
        """
        if self.team is None:
            return self.name
        values = {"member": self.name, "team": self.team.name, "seat": self.seat_letter}
        return gettext("%(member)s (%(team)s, seat %(seat)s)") % values

    @property
    def is_in(self) -> bool:
        """Registered, not waiting, not withdrawn and not dropped."""
        return self.status == self.Status.REGISTERED and self.dropped_after is None

    @property
    def is_dropped(self) -> bool:
        """Whether the player left after the start."""
        return self.dropped_after is not None


class ForbiddenPair(models.Model):
    """Two players who never meet, with the reason; for staff alone."""

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="forbidden_pairs")
    one = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    two = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=200)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["one", "two"], name="one_line_per_forbidden_pair"),
            models.CheckConstraint(name="forbidden_pair_in_order", condition=Q(one__lt=F("two"))),
        ]

    def __str__(self) -> str:
        return f"{self.one} and {self.two}"
