"""The facts of a set's cards as a table, to be filled in here or in a spreadsheet and imported again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

import rules
from decks.catalogue.models import CardSet, Printing

PLACE = ("key", "name", "set", "number", "variant")
"""The columns that tell which printing a row is about."""


def write_facts_table(card_set: CardSet) -> str:
    """The cards of a set, one a line below a line of headings; cells are parted by tabs."""
    cards = rules.get_game(card_set.game).cards
    expected = [fact.key for fact in cards.facts.values() if fact.is_expected]
    printings = Printing.objects.filter(card_set=card_set, is_deck_card=True).select_related("card")
    rows = [_write_row(card_set, each, expected) for each in printings.order_by("number", "key")]
    return "".join(f"{line}\n" for line in _join_cells([(*PLACE, *expected), *rows]))


def _write_row(card_set: CardSet, printing: Printing, expected: Iterable[str]) -> tuple[str, ...]:
    facts = {**printing.card.attributes, **printing.attributes}
    number = printing.number_as_printed or ("" if printing.number is None else str(printing.number))
    place = (
        printing.key,
        printing.printed_name or printing.card.name,
        card_set.code,
        number,
        printing.variant,
    )
    return (*place, *(format_cell(facts.get(fact)) for fact in expected))


def format_cell(value: object) -> str:
    """A fact as the importer reads it from a cell; empty while it is unknown."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(each, str) and ";" not in each for each in value) and value:
        return "; ".join(value)
    if isinstance(value, list | Mapping):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _join_cells(rows: Iterable[Iterable[str]]) -> Iterator[str]:
    return ("\t".join(" ".join(cell.split()) for cell in row) for row in rows)
