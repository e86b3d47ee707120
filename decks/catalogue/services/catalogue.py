"""Write imports to the catalogue: plan, one transaction, new version number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import F, Model
from django.dispatch import Signal

from decks.catalogue.importing.files import CatalogueFile, read_catalogue
from decks.catalogue.importing.plan import (
    CatalogueImportPlan,
    OnConflict,
    make_plan,
)
from decks.catalogue.importing.records import LONGEST_KEY, make_slug
from decks.catalogue.importing.stored import (
    PrintingColumns,
    StoredCard,
    StoredCatalogue,
    StoredPrinting,
    StoredSet,
)
from decks.catalogue.models import Card, CardSet, CatalogueState, Printing
from decks.shared.rows import save_fields

BATCH = 500

catalogue_changed = Signal()
"""Sent inside the transaction of every change, with the `game` of the catalogue."""


def raise_version(game: str) -> None:
    """Record that a game's catalogue changed.

    This is called inside the transaction of the change.
    """
    CatalogueState.objects.get_or_create(game=game)
    CatalogueState.objects.filter(game=game).update(version=F("version") + 1, stamp=uuid4().hex)
    catalogue_changed.send(CatalogueState, game=game)


def catalogue_stamp(game: str) -> str:
    """Return the mark of the catalogue as it is.

    A different mark means that someone changed the catalogue in between.
    """
    row = CatalogueState.objects.filter(game=game).values_list("version", "stamp").first()
    return f"{row[0]}:{row[1]}" if row else "0:"


def preview_catalogue(
    data: bytes | str, *, game: str | None = None, on_conflict: OnConflict = "keep"
) -> CatalogueImportPlan:
    """Return what importing the file would change.

    It includes every conflict and unreadable record. Nothing is written. `game` is needed where the file does
    not name its game. Raises Refused when nothing can be read from it.
    """
    return plan_import(read_catalogue(data, game=game), on_conflict)


@transaction.atomic
def import_catalogue(
    data: bytes | str, *, game: str | None = None, on_conflict: OnConflict = "keep"
) -> CatalogueImportPlan:
    """Import a catalogue file and return what was done.

    Importing the same file twice changes nothing. Unreadable records are listed in the plan's problems and
    left out; conflicts stay as stored unless `on_conflict` is "replace". Raises Refused when no catalogue can
    be read from the file.
    """
    content = read_catalogue(data, game=game)
    lock_catalogue(content.game)
    plan = plan_import(content, on_conflict)
    apply_plan(plan)
    return plan


def plan_import(
    content: CatalogueFile, on_conflict: OnConflict, tick: Callable[[int], None] = lambda _count: None
) -> CatalogueImportPlan:
    """Return what importing the file would do to the catalogue as it is.

    `tick` hears of every 500 records.
    """
    state = load_stored_catalogue(content.game)
    plan = make_plan(
        content.game, content.card_records, state, sets=content.sets, on_conflict=on_conflict, tick=tick
    )
    plan.problems += content.problems
    plan.kind, plan.notes = content.kind, list(content.notes)
    return plan


def apply_plan(plan: CatalogueImportPlan) -> None:
    """Write a plan in the transaction in which it was made.

    The version is raised if anything changes.
    """
    if plan.writes_something:
        _write(plan)
        raise_version(plan.game)


def lock_catalogue(game: str) -> None:
    """Lock the row of the game's version.

    An import must see everything that the one before it wrote.
    """
    CatalogueState.objects.get_or_create(game=game)
    CatalogueState.objects.select_for_update().get(game=game)


def load_stored_catalogue(game: str) -> StoredCatalogue:
    """Return everything that is stored of a game's catalogue, as values."""
    state = StoredCatalogue()
    for each in CardSet.objects.filter(game=game):
        state.sets[each.code] = StoredSet(
            each.code, each.name, each.size, each.is_hidden, list(each.other_codes), each.pk
        )
    cards: dict[int, StoredCard] = {}
    of_card = ("pk", "identity", "name", "attributes")
    for pk, identity, name, facts in Card.objects.filter(game=game).values_list(*of_card):
        cards[pk] = state.cards[identity] = StoredCard(identity, name, facts, pk)
    fields = (
        "pk", "key", "card_id", "card_set__code", "number", "number_as_printed", "printed_name", "variant",
        "is_deck_card", "external_ids", "attributes",
    )  # fmt: skip
    for row in Printing.objects.filter(game=game).values(*fields):
        columns = PrintingColumns(row["card_set__code"] or "", *(row[name] for name in fields[4:9]))
        card = cards[row["card_id"]]
        state.add(
            StoredPrinting(row["key"], card, columns, row["external_ids"], row["attributes"], row["pk"])
        )
    return state


def _write(plan: CatalogueImportPlan) -> None:
    _write_sets(plan)
    _write_cards(plan)
    _write_printings(plan)
    removed_ids = [card.pk for card in plan.emptied_cards if card.pk is not None]
    Card.objects.filter(pk__in=removed_ids, printings__isnull=True).delete()


def _write_sets(plan: CatalogueImportPlan) -> None:
    rows = [(stored_set, _set_row(plan.game, stored_set)) for stored_set in plan.state.sets.values()]
    _store(CardSet, rows, ["name", "size", "is_hidden", "other_codes"])


def _set_row(game: str, stored_set: StoredSet) -> CardSet:
    return CardSet(
        pk=stored_set.pk,
        game=game,
        code=stored_set.code,
        name=stored_set.name,
        size=stored_set.size,
        is_hidden=stored_set.is_hidden,
        other_codes=stored_set.other_codes,
    )


def _write_cards(plan: CatalogueImportPlan) -> None:
    taken_keys = set(Card.objects.filter(game=plan.game).values_list("key", flat=True))
    rows = []
    for stored_card in plan.state.cards.values():
        row = Card(pk=stored_card.pk, game=plan.game, identity=stored_card.identity, name=stored_card.name)
        row.attributes = stored_card.facts
        if stored_card.pk is None:
            row.key = _free_key(stored_card, taken_keys)
        rows.append((stored_card, row))
    _store(Card, rows, ["attributes"])


def _free_key(card: StoredCard, taken_keys: set[str]) -> str:
    """Return a key for addresses that no other card has.

    It is the name and its dots, then a count.
    """
    dots = card.facts.get("dots") or ""
    base = "-".join(part for part in (make_slug(card.name), str(dots)) if part)[: LONGEST_KEY - 8] or "card"
    key, count = base, 1
    while key in taken_keys:
        count += 1
        key = f"{base}-no{count}"
    taken_keys.add(key)
    return key


def _write_printings(plan: CatalogueImportPlan) -> None:
    sets = dict(CardSet.objects.filter(game=plan.game).values_list("code", "pk"))
    rows = []
    for stored_printing in plan.state.printings.values():
        columns = stored_printing.columns
        row = Printing(
            pk=stored_printing.pk,
            game=plan.game,
            key=stored_printing.key,
            card_id=stored_printing.card.row_id,
            card_set_id=sets.get(columns.card_set),
            number=columns.number,
            number_as_printed=columns.number_as_printed,
            printed_name=columns.printed_name,
            variant=columns.variant,
            is_deck_card=columns.is_deck_card,
            external_ids=stored_printing.external_ids,
            attributes=stored_printing.facts,
        )
        rows.append((stored_printing, row))
    changing = ["card", "card_set", "number", "number_as_printed", "variant", "is_deck_card"]
    _store(Printing, rows, [*changing, "external_ids", "attributes"])


def _store(model: type[Model], rows: Iterable[tuple[Any, Any]], fields: list[str]) -> None:
    """Insert what is new, update what changed, and note the keys of the new rows."""
    rows = list(rows)
    new = [(record, row) for record, row in rows if record.pk is None]
    changed_rows = [row for record, row in rows if record.pk is not None and record.is_changed]
    model._default_manager.bulk_create([row for _, row in new], batch_size=BATCH)
    for record, row in new:
        record.pk = row.pk
    save_fields(changed_rows, fields)
