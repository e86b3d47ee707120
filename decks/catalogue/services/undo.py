"""The undoing of a written import.

Rows that it made are removed, rows that it changed are as before. Only the last change of a catalogue can be
undone. An older import can be undone after the ones behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from decks.catalogue.importing.plan import CatalogueImportPlan
from decks.catalogue.importing.stored import StoredCard, StoredPrinting, StoredSet
from decks.catalogue.models import Card, CardSet, CatalogueImport, Printing
from decks.catalogue.services.catalogue import BATCH, catalogue_stamp, lock_catalogue, raise_version
from decks.shared.refusals import Refused
from decks.shared.rows import update_rows

MODELS: dict[str, type[Model]] = {"sets": CardSet, "cards": Card, "printings": Printing}
Stored = StoredSet | StoredCard | StoredPrinting
# Any: columns of a model.
Row = dict[str, Any]
UndoRows = dict[str, object]


class ImportRecorder:
    """Records what an import changes, so that it can be undone.

    It does so before and after the plan of the import is written.
    """

    def __init__(self, plan: CatalogueImportPlan) -> None:
        state = plan.state
        rows: dict[str, Sequence[Stored]] = {
            "sets": list(state.sets.values()),
            "cards": [*state.cards.values(), *plan.emptied_cards],
            "printings": list(state.printings.values()),
        }
        unchanged_cards = {id(card) for card in plan.emptied_cards}
        self._game, self._base = plan.game, catalogue_stamp(plan.game)
        self._new_rows = {
            name: [each for each in stored_rows if each.pk is None] for name, stored_rows in rows.items()
        }
        changed_rows = {
            name: [
                each.pk
                for each in stored_rows
                if each.pk and (each.is_changed or id(each) in unchanged_cards)
            ]
            for name, stored_rows in rows.items()
        }
        self._before = {name: _read_rows(MODELS[name], pks) for name, pks in changed_rows.items()}

    def to_rows(self) -> UndoRows:
        """Return what undoing needs, once the plan is written; empty if nothing was."""
        created_ids = {name: [each.pk for each in new] for name, new in self._new_rows.items()}
        if not any(created_ids.values()) and not any(self._before.values()):
            return {}
        stamps = {"base": self._base, "stamp": catalogue_stamp(self._game)}
        return {**stamps, "before": self._before, "made": created_ids}


def _read_rows(model: type[Model], pks: Sequence[int | None]) -> list[Row]:
    batches = (pks[start : start + BATCH] for start in range(0, len(pks), BATCH))
    return [row for batch in batches for row in model._default_manager.filter(pk__in=batch).values()]


def can_undo(catalogue_import: CatalogueImport) -> bool:
    """Return whether the import was written and is the last change of its catalogue."""
    rows = catalogue_import.undo_rows
    is_done = catalogue_import.state == CatalogueImport.State.DONE
    return bool(is_done and rows) and rows["stamp"] == catalogue_stamp(catalogue_import.game)


@transaction.atomic
def undo_import(catalogue_import: CatalogueImport, person: User) -> None:
    """Take the import back.

    Raises Refused (import_not_undoable) if the catalogue changed after it.
    """
    lock_catalogue(catalogue_import.game)
    locked_import = CatalogueImport.objects.select_for_update().get(pk=catalogue_import.pk)
    if not can_undo(locked_import):
        raise Refused("import_not_undoable")
    rows = locked_import.undo_rows
    _restore(rows["before"], rows["made"])
    locked_import.state = CatalogueImport.State.UNDONE
    locked_import.undo_rows = {}
    locked_import.finished_by_name = person.get_full_name() or person.get_username()
    locked_import.finished_at = timezone.now()
    locked_import.save(update_fields=["state", "undo_rows", "finished_by_name", "finished_at"])
    raise_version(locked_import.game)
    _reopen_import_before(locked_import.game, rows["base"])


def _reopen_import_before(game: str, stamp: str) -> None:
    """Let the import that made the catalogue of this stamp be undone next.

    It is the last change again.
    """
    imports = CatalogueImport.objects.filter(game=game, state=CatalogueImport.State.DONE)
    for earlier_import in imports.filter(undo_rows__stamp=stamp):
        earlier_import.undo_rows["stamp"] = catalogue_stamp(game)
        earlier_import.save(update_fields=["undo_rows"])


def _restore(before: dict[str, list[Row]], created_ids: dict[str, list[int]]) -> None:
    """Return printings to their cards before the cards go that the import made."""
    _delete(Printing, created_ids["printings"])
    for name in ("sets", "cards", "printings"):
        _write(MODELS[name], before[name])
    _delete(Card, created_ids["cards"])
    _delete(CardSet, created_ids["sets"])


def _write(model: type[Model], rows: Sequence[Row]) -> None:
    """Write the rows as they were.

    New rows are removed, and the others get their former values.
    """
    columns = [field for field in model._meta.concrete_fields if not field.primary_key]
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        stored_rows = model._default_manager.filter(pk__in=[row["id"] for row in batch])
        present = set(stored_rows.values_list("pk", flat=True))
        model._default_manager.bulk_create([model(**row) for row in batch if row["id"] not in present])
        kept_rows = [row for row in batch if row["id"] in present]
        update_rows(
            model, columns, [[*(row[each.attname] for each in columns), row["id"]] for row in kept_rows]
        )


def _delete(model: type[Model], pks: Sequence[int]) -> None:
    for start in range(0, len(pks), BATCH):
        rows = model._default_manager.filter(pk__in=pks[start : start + BATCH])
        rows._raw_delete(rows.db)
