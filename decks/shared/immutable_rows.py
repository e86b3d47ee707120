"""Base model for rows that are inserted and never changed."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.db import models


class ImmutableRowError(Exception):
    """Raised on an attempt to change or delete a row kept as it was submitted."""


Row = TypeVar("Row", bound=models.Model)


class ImmutableQuerySet(models.QuerySet[Row]):
    """Rows that are only ever added: changing or deleting them in bulk is refused."""

    def update(self, **values: Any) -> NoReturn:
        raise ImmutableRowError(f"A {self.model._meta.verbose_name} is never changed; add a new one.")

    def delete(self) -> NoReturn:
        raise ImmutableRowError(f"A {self.model._meta.verbose_name} goes only with the list it belongs to.")


class ImmutableRow(models.Model):
    """A row that is written once.

    Deleting the whole list still takes its rows with it.
    """

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row. Raises Unchangeable for a row that is stored already."""
        if not self._state.adding:
            raise ImmutableRowError(f"A {self._meta.verbose_name} is never changed; add a new one.")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ImmutableRowError(f"A {self._meta.verbose_name} goes only with the list it belongs to.")
