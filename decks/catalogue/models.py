"""Tables of the catalogue: sets, cards, printings, and imports of files.

A fact is either stored or unknown; there is no third way to say "no one has entered it". Which cards count as
one card is not decided here: that is what the dated identity lists of the rules are for.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from decks.shared.refusals import render_records
from rules.rendering import get_messages

LONGEST_CODE = 32


def validate_facts(value: object) -> None:
    """Refuse attributes that are not a JSON object or that hold a null.

    Unknown facts are left out.
    """
    if not isinstance(value, dict):
        raise ValidationError(gettext("Facts are written as a JSON object."), code="facts_not_an_object")
    empty = sorted(name for name, fact in value.items() if fact is None)
    if empty:
        sentence = gettext("Leave out what is unknown instead of writing null: %(facts)s.")
        raise ValidationError(sentence % {"facts": get_messages().join(empty)}, code="fact_is_null")


def validate_codes(value: object) -> None:
    """Refuse other codes of a set that are not a list of short texts."""
    codes = value if isinstance(value, list) else [None]
    if not all(isinstance(code, str) and 0 < len(code.strip()) <= LONGEST_CODE for code in codes):
        raise ValidationError(gettext("Codes are written as a JSON list of texts."), code="codes_not_a_list")


def clean_facts(row: models.Model, *names: str) -> None:
    """Settle empty facts.

    No validator is called for them. Nothing at all is an empty object.
    """
    for name in names:
        if getattr(row, name) is None:
            setattr(row, name, {})
        try:
            validate_facts(getattr(row, name))
        except ValidationError as error:
            raise ValidationError({name: error}) from error


class CatalogueState(models.Model):
    """The version number of a game's catalogue.

    Every change to the catalogue raises it in its transaction. `stamp` is drawn again with each version, so
    that a restored or rolled back database is not taken for the one that bore the same number before.
    """

    game = models.CharField(max_length=32, primary_key=True)
    version = models.PositiveBigIntegerField(default=0)
    stamp = models.CharField(max_length=32, blank=True)

    def __str__(self) -> str:
        return f"{self.game} {self.version}"


class CardSet(models.Model):
    """A set as it is printed on its cards; a size of None is unknown.

    `other_codes` are those by which people and programs name it too: "darkpath" for "SF04".
    """

    game = models.CharField(max_length=32)
    code = models.CharField(max_length=LONGEST_CODE)
    name = models.CharField(max_length=120, blank=True)
    size = models.PositiveIntegerField(null=True, blank=True)
    other_codes = models.JSONField(
        default=list, blank=True, validators=[validate_codes], help_text="Other codes that lists use for it."
    )
    is_hidden = models.BooleanField(
        default=False, help_text="The set has only markers and buttons, no deck cards."
    )

    class Meta:
        ordering = ["game", "code"]
        constraints = [models.UniqueConstraint(fields=["game", "code"], name="one_set_per_code")]

    def __str__(self) -> str:
        return f"{self.code} {self.name}".strip()


class Card(models.Model):
    """A card as its name tells it apart; its printings may add facts of their own.

    `identity` is the normalized text by which a new printing finds its card, `key` the same for addresses.
    """

    game = models.CharField(max_length=32)
    key = models.CharField(max_length=120)
    identity = models.CharField(max_length=320, editable=False)
    name = models.CharField(max_length=200)
    attributes = models.JSONField(default=dict, blank=True, validators=[validate_facts])

    class Meta:
        ordering = ["game", "name", "key"]
        constraints = [
            models.UniqueConstraint(fields=["game", "key"], name="one_card_per_key"),
            models.UniqueConstraint(fields=["game", "identity"], name="one_card_per_identity"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {'●' * self.dots}".strip()

    def get_absolute_url(self) -> str:
        return reverse("card", args=[self.game, self.key])

    def clean(self) -> None:
        """Refuse facts that are not an object, even if they are empty."""
        clean_facts(self, "attributes")

    @property
    def dots(self) -> int:
        """Return the rank dots that distinguish versions of a character.

        0 if there are none or none are known.
        """
        facts = self.attributes
        dots = facts.get("dots") if isinstance(facts, dict) else None
        return dots if isinstance(dots, int) and 0 <= dots <= 12 else 0


class Printing(models.Model):
    """One printing of a card.

    Holds where it is in its set, how its name is printed, and outside identifiers. `key` is the name of the
    printing in catalogue files; `attributes` are facts that hold for this printing and not for every printing
    of the card. `external_ids` maps a source ("octgn", …) to its identifier.
    """

    game = models.CharField(max_length=32)
    key = models.CharField(max_length=120)
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="printings")
    card_set = models.ForeignKey(
        CardSet, null=True, blank=True, on_delete=models.PROTECT, related_name="printings"
    )
    number = models.PositiveIntegerField(null=True, blank=True)
    number_as_printed = models.CharField(max_length=32, blank=True)
    printed_name = models.CharField(max_length=200)
    variant = models.CharField(max_length=40, blank=True)
    external_ids = models.JSONField(default=dict, blank=True, validators=[validate_facts])
    attributes = models.JSONField(default=dict, blank=True, validators=[validate_facts])
    is_deck_card = models.BooleanField(default=True)

    class Meta:
        ordering = ["game", "card_set__code", "number", "number_as_printed", "key"]
        constraints = [models.UniqueConstraint(fields=["game", "key"], name="one_printing_per_key")]
        indexes = [models.Index(fields=["card_set", "number"], name="printing_by_number")]

    def __str__(self) -> str:
        return f"{self.place} {self.printed_name}".strip()

    def clean(self) -> None:
        """Require that card and set are of the game of the printing.

        Facts must be objects even if empty.
        """
        clean_facts(self, "attributes", "external_ids")
        others = (self.card if self.card_id else None, self.card_set)
        if any(other is not None and other.game != self.game for other in others):
            raise ValidationError(gettext("Card, set and printing must be of one game."), code="games_differ")

    @property
    def place(self) -> str:
        """Set and number as people write them ("SF01 38/143"), as far as they are known."""
        code = self.card_set.code if self.card_set else ""
        number = self.number_as_printed or ("" if self.number is None else str(self.number))
        return f"{code} {number}".strip()

    def facts(self) -> dict[str, object]:
        """Return what is known of this printing: the card's facts, overlaid with its own."""
        return {**self.card.attributes, **self.attributes}


class CatalogueImport(models.Model):
    """One file on its way into the catalogue.

    `base` is the stamp of the catalogue that the preview was made against; another stamp makes it stale.
    `decisions` holds "all" ("keep" or "take") and "each", by the tokens of conflicts. `preview` and `report`
    are kept after the file is gone, which without a decision is forgotten after `IMPORT_KEEP_DAYS`.
    `undo_rows` are the rows that a written import made, and those that it changed as they were.
    """

    class State(models.TextChoices):
        READING = "reading", gettext_lazy("Being read")
        OPEN = "open", gettext_lazy("Needs a decision")
        APPLYING = "applying", gettext_lazy("Being written")
        DONE = "done", pgettext_lazy("state", "Written")
        THROWN_AWAY = "thrown_away", gettext_lazy("Discarded")
        UNREADABLE = "unreadable", gettext_lazy("Not readable")
        FORGOTTEN = "forgotten", pgettext_lazy("state", "Deleted")
        UNDONE = "undone", pgettext_lazy("state", "Undone")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    asked_game = models.CharField(max_length=32, blank=True)
    game = models.CharField(max_length=32, blank=True)
    file_name = models.CharField(max_length=200, blank=True)
    size = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of the file, in hexadecimal.")
    state = models.CharField(max_length=12, choices=State.choices, default=State.READING)
    base = models.CharField(max_length=64, blank=True)
    preview = models.JSONField(default=dict, blank=True)
    decisions = models.JSONField(default=dict, blank=True)
    report = models.JSONField(default=dict, blank=True)
    undo_rows = models.JSONField(default=dict, blank=True, editable=False)
    failure = models.JSONField(
        default=list, blank=True, help_text="Why the file cannot be read: problems as codes with parameters."
    )
    job = models.ForeignKey(
        "decks.Job", null=True, blank=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    sent_by_name = models.CharField(max_length=200, blank=True)
    sent_at = models.DateTimeField(default=timezone.now)
    finished_by_name = models.CharField(max_length=200, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-sent_at"]
        indexes = [models.Index(fields=["game", "sent_at"], name="import_by_game")]
        permissions = [("import_catalogue", "Can import catalogue files")]

    def __str__(self) -> str:
        return f"{self.file_name or 'Pasted text'} ({self.get_state_display().lower()})"

    @property
    def error(self) -> str:
        """Why the file cannot be read, in words; empty for one that can."""
        return render_records(self.failure)

    @property
    def is_at_work(self) -> bool:
        """Whether a worker has the file: it is being read or written."""
        return self.state in (self.State.READING, self.State.APPLYING)

    @property
    def kept_until(self) -> datetime:
        """The time when the file is deleted if no one has decided on it."""
        return self.sent_at + timedelta(days=settings.IMPORT_KEEP_DAYS)

    def side(self, token: str) -> str:
        """Return what was decided of a conflict: "keep" (the default) or "take"."""
        return str(self.decisions.get("each", {}).get(token, self.decisions.get("all", "keep")))


class ImportedFile(models.Model):
    """The bytes of a file, compressed; they go once it is written or discarded.

    What was entered in the grid of facts is a file too. `removed_facts` are the facts that were cleared
    there, by the keys of their printings.
    """

    catalogue_import = models.OneToOneField(CatalogueImport, on_delete=models.CASCADE, related_name="file")
    content = models.BinaryField()
    removed_facts = models.JSONField(default=dict, blank=True, editable=False)

    def __str__(self) -> str:
        return f"File of {self.catalogue_import_id}"
