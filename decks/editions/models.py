"""Table of dated lists (bans, errata, identities).

Published editions are immutable. They go on counting where the shipped editions (`rules/games/*/lists`) end.
A draft may change; once it is published it stays as it is for good, because past verdicts name it.
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q
from django.utils.translation import pgettext_lazy

from decks.shared.immutable_rows import ImmutableRowError


class EditionQuerySet(models.QuerySet["ListEdition"]):
    """Editions; in bulk, too, only drafts can be changed or discarded."""

    def only_published(self) -> EditionQuerySet:
        return self.filter(state=ListEdition.State.PUBLISHED)

    def drafts(self) -> EditionQuerySet:
        return self.filter(state=ListEdition.State.DRAFT)

    def update(self, **values: Any) -> int:
        """Change drafts.

        The database itself refuses a published row that slips in between.
        """
        _refuse_published(self)
        return super().update(**values)

    def delete(self) -> tuple[int, dict[str, int]]:
        _refuse_published(self)
        return super().delete()


def _refuse_published(rows: EditionQuerySet) -> None:
    if rows.only_published().exists():
        raise ImmutableRowError("A published version cannot change. Publish a new one.")


class ListEdition(models.Model):
    """One edition of one list of a game: a whole list as it is from a day on.

    `number` continues from the shipped editions of that kind. `versions` are the versions of the rules it
    belongs to (empty: all). `entries` are records as `rules.Edition.from_mapping` takes them. `based_on` is
    the number of the edition that it was drafted from. `revision` counts the changes of a draft, so that no
    one changes or publishes what another has changed meanwhile. `unread` keeps the paragraphs of a document
    that no one has settled yet. `digest` is drawn from the content when it is published.
    """

    class State(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("state", "Draft")
        PUBLISHED = "published", pgettext_lazy("state", "Published")

    game = models.CharField(max_length=32)
    kind = models.CharField(max_length=32)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    document = models.CharField(max_length=200, blank=True)
    clause = models.CharField(max_length=120, blank=True)
    versions = models.JSONField(default=list, blank=True)
    entries = models.JSONField(default=list, blank=True)
    in_force = models.DateField(null=True, blank=True)
    note = models.CharField(max_length=1000, blank=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.DRAFT)
    based_on = models.PositiveIntegerField(null=True, blank=True)
    unread = models.JSONField(default=list, blank=True)
    revision = models.PositiveIntegerField(default=1)
    drafted_by = models.CharField(max_length=160)
    drafted_at = models.DateTimeField()
    published_by = models.CharField(max_length=160, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    digest = models.CharField(max_length=64, blank=True)

    objects = EditionQuerySet.as_manager()

    class Meta:
        verbose_name = "version of a list"
        verbose_name_plural = "versions of lists"
        ordering = ["game", "kind", "-number"]
        permissions = [("publish_lists", "Can draft and publish lists of bans, errata and identities")]
        constraints = [
            models.UniqueConstraint(fields=["game", "kind", "number"], name="one_edition_per_number"),
            models.UniqueConstraint(
                fields=["game", "kind"], condition=Q(state="draft"), name="one_draft_per_list"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="edition_numbers_start_at_one"),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "published"]), name="edition_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state="draft")
                | (Q(in_force__isnull=False) & Q(published_at__isnull=False) & ~Q(digest="")),
                name="a_published_edition_has_its_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.game} {self.kind} {self.number})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store a draft. Raises Unchangeable for an edition that is published already."""
        if not self._state.adding and type(self).objects.only_published().filter(pk=self.pk).exists():
            raise ImmutableRowError("A published version cannot change. Publish a new one.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Delete a draft. Raises Unchangeable for a published edition."""
        if type(self).objects.only_published().filter(pk=self.pk).exists():
            raise ImmutableRowError("A published version cannot be deleted. Publish a new one.")
        return super().delete(*args, **kwargs)

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT


EDITION_TABLE = "decks_listedition"

IMMUTABLE_MESSAGE = "A published edition is never changed"

SQLITE_TRIGGERS = (
    f"""CREATE TRIGGER IF NOT EXISTS published_editions_stay BEFORE UPDATE ON {EDITION_TABLE}
WHEN OLD.state = 'published' BEGIN SELECT RAISE(ABORT, '{IMMUTABLE_MESSAGE}'); END""",
)

POSTGRESQL_TRIGGERS = (
    f"""CREATE OR REPLACE FUNCTION published_editions_stay() RETURNS trigger AS $$ BEGIN
RAISE EXCEPTION '{IMMUTABLE_MESSAGE}' USING ERRCODE = 'integrity_constraint_violation';
END $$ LANGUAGE plpgsql""",
    f"""CREATE OR REPLACE TRIGGER published_editions_stay BEFORE UPDATE ON {EDITION_TABLE}
FOR EACH ROW WHEN (OLD.state = 'published') EXECUTE FUNCTION published_editions_stay()""",
)


def add_immutability_triggers(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the database refuse every change of a published edition; safe to run again."""
    vendor = schema_editor.connection.vendor
    for statement in {"sqlite": SQLITE_TRIGGERS, "postgresql": POSTGRESQL_TRIGGERS}.get(vendor, ()):
        # No parameters, so that a percent sign would be none either.
        schema_editor.execute(statement, params=None)


def drop_immutability_triggers(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again, before the table goes."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            f"DROP TRIGGER IF EXISTS published_editions_stay ON {EDITION_TABLE}", params=None
        )
        schema_editor.execute("DROP FUNCTION IF EXISTS published_editions_stay()", params=None)
    else:
        schema_editor.execute("DROP TRIGGER IF EXISTS published_editions_stay", params=None)
