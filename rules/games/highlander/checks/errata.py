"""Notes on cards that play differently from their print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.checks import check
from rules.deck import Deck, Entry
from rules.finding import Finding
from rules.rule import Rule
from rules.words import listed

from ..table import table


@check("highlander.errata_notes", says=lambda: "A card whose text was corrected plays as corrected.")
def errata_notes(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """A note for each correction that makes a card of the list play differently from its print."""
    met: dict[str, tuple[Mapping[str, object], list[Entry]]] = {}
    laid = table(deck, rule.lists)
    for entry, view in (*laid.tally.noted, *laid.pregame):
        for erratum in view.errata:
            if erratum.get("plays_differently") is True:
                met.setdefault(str(erratum.get("id")), (erratum, []))[1].append(entry)
    for row, (erratum, entries) in met.items():
        message = f"{listed(entry.card.name for entry in entries)}: {erratum.get('says')}"
        clause = str(erratum.get("clause", rule.clause))
        yield rule.note("plays-as-corrected", message, entries=entries, row=row, clause=clause)
