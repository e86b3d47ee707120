"""From decks.models.submission."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models


class Unchangeable(Exception):
    """Raised on an attempt to change or delete a row that is kept as it was submitted."""


class KeptQuerySet(models.QuerySet[Any]):
    """Rows that are only ever added: changing or deleting them in bulk is refused."""

    def update(self, **values: Any) -> NoReturn:
        raise Unchangeable(f"A {self.model._meta.verbose_name} is never changed; add a new one.")

    def delete(self) -> NoReturn:
        raise Unchangeable(f"A {self.model._meta.verbose_name} goes only with the list it belongs to.")


class KeptRow(models.Model):
    """A row that is written once. Deleting the whole list still takes its rows with it."""

    objects = KeptQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row. Raises Unchangeable for a row that is stored already."""
        if not self._state.adding:
            raise Unchangeable(f"A {self._meta.verbose_name} is never changed; add a new one.")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise Unchangeable(f"A {self._meta.verbose_name} goes only with the list it belongs to.")
