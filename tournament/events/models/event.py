"""Events, their staff roles, stages and stage entrants."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from rules.rendering import get_messages
from tournament.engine.problems import EngineError
from tournament.engine.standings.systems.custom import OWN_SYSTEM_KEY, own_system
from tournament.engine.standings.systems.loading import system_names
from tournament.events.models.rounds_words import ROUNDS_LABELS, ROUNDS_WORDS
from tournament.shared.names import AS_WRITTEN, BY_BARE_SURNAME, BY_SURNAME

# Near the ends of the calendar, a time has no local time in some zone.
FIRST_YEAR, LAST_YEAR = 1900, 2999


def validate_standings_system(name: str) -> None:
    """Raise ValidationError for a system of standings that there is not."""
    known_keys = (*system_names(), OWN_SYSTEM_KEY)
    if name not in known_keys:
        sentence = gettext("There is no system “%(name)s”. The systems are %(known)s.")
        raise ValidationError(sentence % {"name": name, "known": get_messages().join(known_keys)})


def validate_own_system(data: object) -> None:
    """Raise ValidationError with every reason if data describe no system."""
    if data == {}:
        return
    try:
        own_system(data)
    except EngineError as fault:
        raise ValidationError([str(problem) for problem in fault.problems]) from fault


class Event(models.Model):
    """One tournament on one day, with everything the organizer decided about it."""

    class Phase(models.TextChoices):
        PREPARING = "preparing", gettext_lazy("In preparation")
        REGISTRATION = "registration", gettext_lazy("Registration open")
        CHECK_IN = "check_in", gettext_lazy("Check-in open")
        SWISS = "swiss", gettext_lazy("Swiss rounds")
        CUT = "cut", pgettext_lazy("stage", "Cut")
        FINISHED = "finished", pgettext_lazy("state", "Finished")

    class Cut(models.TextChoices):
        NONE = "none", gettext_lazy("No cut")
        TOP = "top", gettext_lazy("Top cut")
        DIVERSITY = "diversity", gettext_lazy("Diversity cut")

    class ShortCut(models.TextChoices):
        SHRINK = "shrink", gettext_lazy("Smaller bracket with byes")
        FILL = "fill", gettext_lazy("Fill with the best left out")

    class ListsOpen(models.TextChoices):
        PRIVATE = "private", gettext_lazy("Owner and staff")
        CUT = "cut", gettext_lazy("Everyone in the cut")
        ALL = "all", gettext_lazy("Everyone")

    class NameOrder(models.TextChoices):
        WRITTEN = AS_WRITTEN, pgettext_lazy("order of names", "As written")
        SURNAME = BY_SURNAME, gettext_lazy("By surname: Ann de Jong under D")
        BARE = BY_BARE_SURNAME, gettext_lazy("By surname: Ann de Jong under J")

    class Paper(models.TextChoices):
        A4 = "A4", gettext_lazy("A4")
        LETTER = "Letter", gettext_lazy("US Letter")

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=80, unique=True)
    starts_at = models.DateTimeField()
    time_zone = models.CharField(max_length=64, default="UTC")
    place = models.CharField(max_length=200, blank=True)
    notes = models.TextField(blank=True, help_text="Information for players before the event.")

    game = models.CharField(max_length=32)
    format = models.CharField(max_length=32)
    rules_version = models.CharField(max_length=32)
    overlay = models.JSONField(default=dict, blank=True)

    capacity = models.PositiveIntegerField(null=True, blank=True)
    entry_fee = models.CharField(
        max_length=120,
        blank=True,
        default="",
        help_text="A note such as “10 € at check-in”. Ringside takes no payments.",
    )
    team_size = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Players per team or pair. Leave empty for a singles event."
    )
    has_boards = models.BooleanField(
        default=False, help_text="Each member of a team plays the opponent at the same seat."
    )
    swiss_rounds = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Leave empty for the number recommended for the players."
    )
    match_form = models.CharField(max_length=32)
    round_minutes = models.PositiveSmallIntegerField()
    standings_system = models.CharField(max_length=32, default="ufs", validators=[validate_standings_system])
    own_system = models.JSONField(
        default=dict,
        blank=True,
        validators=[validate_own_system],
        help_text="The organizer's points and tiebreakers, if the system is “own”.",
    )

    place_points = models.JSONField(
        default=list,
        blank=True,
        help_text="Points by place at tables of more than two sides. Leave empty for those of the format.",
    )

    cut = models.CharField(max_length=12, choices=Cut.choices, default=Cut.NONE)
    cut_size = models.PositiveSmallIntegerField(null=True, blank=True)
    short_cut = models.CharField(max_length=8, choices=ShortCut.choices, default=ShortCut.SHRINK)

    plan = models.JSONField(
        default=list,
        blank=True,
        help_text="The stages in order. Leave empty for Swiss rounds and the cut, if any.",
    )
    pairing_options = models.JSONField(default=dict, blank=True, help_text="How rounds are paired.")

    hall = models.CharField(
        max_length=120, blank=True, help_text="Events in the same venue on the same day never share a table."
    )
    first_table = models.PositiveIntegerField(default=1)
    table_count = models.PositiveIntegerField(null=True, blank=True, help_text="Leave empty for no limit.")
    reserved_tables = models.JSONField(default=list, blank=True, help_text="Table numbers that are not used.")

    decklists_required = models.BooleanField(default=False)
    decklists_due_at = models.DateTimeField(null=True, blank=True)
    lists_open = models.CharField(max_length=8, choices=ListsOpen.choices, default=ListsOpen.PRIVATE)
    intentional_draws = models.BooleanField(default=False)
    no_show_minutes = models.PositiveSmallIntegerField(
        default=10, help_text="Minutes after which an absent player loses the match."
    )
    prizes = models.JSONField(default=list, blank=True, help_text="Prizes by place.")
    paper = models.CharField(
        max_length=8,
        choices=Paper.choices,
        blank=True,
        default="",
        help_text="Leave empty for the default paper size.",
    )

    language = models.CharField(
        max_length=16, default=settings.LANGUAGE_CODE, help_text="Of paper, the hall screen and emails."
    )

    name_order = models.CharField(
        max_length=8,
        choices=NameOrder.choices,
        default=NameOrder.WRITTEN,
        help_text="How lists of players are sorted.",
    )

    clock_options = models.JSONField(
        default=dict,
        blank=True,
        help_text="Further round timer settings. Leave empty for those of the rules.",
    )
    screen = models.JSONField(default=list, blank=True, help_text="The views of the venue screen in order.")

    phase = models.CharField(max_length=16, choices=Phase.choices, default=Phase.PREPARING)
    seed = models.BigIntegerField()
    version = models.BigIntegerField(default=1, editable=False)
    is_demo = models.BooleanField(default=False, editable=False)
    archived_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Set where the event is out of the lists of events."
    )
    exported_version = models.BigIntegerField(
        null=True, blank=True, editable=False, help_text="The version that was exported last."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-starts_at", "name"]
        constraints = [
            models.CheckConstraint(
                name="event_cut_has_a_size",
                condition=Q(cut="none", cut_size__isnull=True) | (~Q(cut="none") & Q(cut_size__gte=2)),
            ),
            models.CheckConstraint(
                name="event_boards_need_teams", condition=Q(has_boards=False) | Q(team_size__gte=2)
            ),
            models.CheckConstraint(name="event_rounds_take_time", condition=Q(round_minutes__gte=1)),
            models.CheckConstraint(name="event_tables_start_at_one", condition=Q(first_table__gte=1)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which all times of this event are shown."""
        return ZoneInfo(self.time_zone)

    @property
    def starts_local(self) -> datetime:
        """Start of the event in its own zone."""
        return self.starts_at.astimezone(self.zone)

    @property
    def board_count(self) -> int:
        """Return how many boards a match of two teams has; 0 if it is one game."""
        return (self.team_size or 0) if self.has_boards else 0

    @property
    def is_public(self) -> bool:
        """Whether people who are not staff may see the event."""
        return self.phase != self.Phase.PREPARING

    @property
    def is_playing(self) -> bool:
        """Whether rounds are being played."""
        return self.phase in (self.Phase.SWISS, self.Phase.CUT)

    @property
    def takes_registrations(self) -> bool:
        """Whether players can register themselves and change what they declared."""
        return self.phase in (self.Phase.REGISTRATION, self.Phase.CHECK_IN)

    @property
    def is_before_start(self) -> bool:
        """Whether no round was paired yet."""
        return self.takes_registrations or self.phase == self.Phase.PREPARING

    @property
    def has_bracket(self) -> bool:
        """Whether the event ends in a bracket, after a cut or from the start."""
        if self.plan:
            return self.plan[-1]["kind"] in (Stage.Kind.SINGLE, Stage.Kind.DOUBLE)
        return self.cut != self.Cut.NONE

    @property
    def phase_words(self) -> str:
        """Return the phase as the venue calls it, by the kind of rounds and bracket."""
        if self.phase == self.Phase.CUT:
            return self.bracket_word
        if self.phase != self.Phase.SWISS:
            return self.get_phase_display()
        return str(ROUNDS_LABELS[self.rounds_kind])

    @property
    def rounds_kind(self) -> str:
        """Of which kind the rounds are that have standings: swiss, robin, groups or both."""
        kinds = {str(stage["kind"]) for stage in self.plan} & ROUNDS_LABELS.keys()
        if len(kinds) > 1:
            return "both"
        return next(iter(kinds), "swiss")

    @property
    def rounds_word(self) -> str:
        """Return what people call the rounds that have standings, inside a sentence."""
        return str(ROUNDS_WORDS[self.rounds_kind])

    @property
    def bracket_word(self) -> str:
        """Return what people call the bracket: the cut, where one led into it."""
        return gettext("Bracket") if self.cut == self.Cut.NONE else pgettext("stage", "Cut")

    @property
    def has_table_rounds(self) -> bool:
        """Whether rounds with standings are played: it does not begin with a bracket."""
        return not self.plan or self.plan[0]["kind"] in ROUNDS_LABELS

    @property
    def has_round_robin(self) -> bool:
        """Whether one of its stages is a round robin."""
        return any(stage["kind"] == Stage.Kind.ROBIN for stage in self.plan)

    @property
    def has_groups(self) -> bool:
        """Whether one of its stages is a round robin or is played in groups of four."""
        return self.has_round_robin or any(stage["kind"] == Stage.Kind.GROUPS for stage in self.plan)

    @property
    def groups_word(self) -> str:
        """Return what people call the stages in groups, as a heading."""
        return gettext("Round robin") if self.has_round_robin else gettext("Groups")

    @property
    def needs_character(self) -> bool:
        """Whether each player must declare a character."""
        return self.cut == self.Cut.DIVERSITY


class StaffRole(models.Model):
    """The rights of a signed-in person in one event."""

    class Kind(models.TextChoices):
        OWNER = "owner", gettext_lazy("Owner")
        ORGANIZER = "organizer", gettext_lazy("Co-organizer")
        JUDGE = "judge", gettext_lazy("Judge")
        SCOREKEEPER = "scorekeeper", gettext_lazy("Scorekeeper")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="staff")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="event_roles")
    kind = models.CharField(max_length=12, choices=Kind.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "user"], name="one_role_per_person_and_event")
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.get_kind_display()} of {self.event}"


class Stage(models.Model):
    """A part of an event played by one system: the Swiss rounds, then the bracket."""

    class Kind(models.TextChoices):
        SWISS = "swiss", gettext_lazy("Swiss")
        ROBIN = "robin", gettext_lazy("Round robin")
        GROUPS = "groups", gettext_lazy("Groups of four")
        SINGLE = "single", gettext_lazy("Single elimination")
        DOUBLE = "double", gettext_lazy("Double elimination")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stages")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    planned_rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    groups = models.PositiveSmallIntegerField(default=1, help_text="The number of groups of a round robin.")
    twice = models.BooleanField(default=False, help_text="All players of a round robin meet twice.")
    third_place = models.BooleanField(
        default=False, help_text="A match between the losers of the semi-finals."
    )
    consolation = models.BooleanField(
        default=False, help_text="A bracket for those beaten in the first round of a single elimination."
    )
    wins_in = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="This many wins qualify a player of Swiss rounds."
    )
    losses_out = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="This many losses eliminate a player of Swiss rounds."
    )
    reset = models.BooleanField(
        default=True, help_text="A second grand final if the winner of the losers’ side wins the first."
    )
    selection = models.JSONField(default=list, blank=True, help_text="Why each player qualified or not.")

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["event", "position"], name="one_stage_per_position")]

    def __str__(self) -> str:
        return f"{self.event}: {self.get_kind_display()}"

    @property
    def is_elimination(self) -> bool:
        """Whether a lost match can put a player out."""
        return self.kind in (self.Kind.SINGLE, self.Kind.DOUBLE)

    @property
    def needs_winner(self) -> bool:
        """Whether each match has a winner: others wait for them."""
        return self.is_elimination or self.kind == self.Kind.GROUPS

    @property
    def has_schedule(self) -> bool:
        """Whether the groups determine the pairings: no swaps, and no late players."""
        return self.kind in (self.Kind.ROBIN, self.Kind.GROUPS)

    @property
    def has_groups(self) -> bool:
        """Whether players are ranked by group."""
        return self.groups > 1 or self.kind == self.Kind.GROUPS


class StageEntrant(models.Model):
    """A player's seed in a stage, and their group (from 1) if it has groups, else 0.

    The first Swiss rounds have none: everyone who is registered plays in them.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="stage_places")
    seed = models.PositiveSmallIntegerField()
    group = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["seed"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "seed"], name="one_entrant_per_seed"),
            models.UniqueConstraint(fields=["stage", "player"], name="one_seed_per_entrant"),
        ]

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.player}"
