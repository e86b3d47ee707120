"""The typed copy of a list that came as a file: what changes are written into.

The file stays as it came.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from decks.catalogue.selectors import LoadedCatalogue
from decks.checking.export_entries import to_typed_entry
from decks.exporters.exporting import CannotExport, export_for_typing
from decks.exporters.model import ZONES, ExportEntry, to_export_entry
from decks.importers.model import DeckLine, ParsedDeck
from decks.importers.parsing import parse
from decks.matching.model import SearchBudget
from decks.matching.reading import CheckedLine, ReadList, read_list


@dataclass(frozen=True, slots=True)
class TypedCopy:
    """A list as typed text.

    `numbers` has the lines of the copy for each line of the file.
    """

    text: str
    parsed_deck: ParsedDeck
    lines: tuple[CheckedLine, ...]
    numbers: Mapping[int, frozenset[int]]


def make_typed_copy(
    read_lines: ReadList, parsed_deck: ParsedDeck, catalogue: LoadedCatalogue
) -> TypedCopy | None:
    """Return the typed copy of a list that was read from a file.

    None if typed text cannot express all of it.
    """
    if parsed_deck.problems or parsed_deck.questions or any(line.zone == "pool" for line in read_lines.lines):
        return None
    cards = [pair for pair in zip(read_lines.lines, parsed_deck.lines, strict=True) if pair[0].kind == "card"]
    in_order = sorted(cards, key=lambda pair: ZONES.index(pair[0].zone))
    try:
        text = export_for_typing([_to_entry(*pair, catalogue) for pair in in_order], title=parsed_deck.title)
    except CannotExport:
        return None
    again = parse(text)
    lines = read_list(again, catalogue, options=read_lines.written_list.options, budget=SearchBudget()).lines
    copied_lines = [line for line in lines if line.kind == "card"]
    if [_content(line) for line in copied_lines] != [_content(line) for line, _ in in_order]:
        return None
    return TypedCopy(text, again, lines, _pair_numbers([line for line, _ in in_order], copied_lines))


def _to_entry(line: CheckedLine, source_line: DeckLine, catalogue: LoadedCatalogue) -> ExportEntry:
    if line.card_key is None:
        return to_export_entry(source_line)
    return to_typed_entry(
        {
            "zone": line.zone,
            "card": line.card_key,
            "printing": line.printing_key,
            "name": line.name,
            "qty": line.qty,
            "line": line.number,
        },
        catalogue,
    )


def _content(line: CheckedLine) -> tuple[object, ...]:
    """Return the part of a line that the rules judge."""
    return line.zone, line.qty, line.card_key, line.is_resolved, frozenset(line.may_be)


def _pair_numbers(
    originals: Sequence[CheckedLine], copied_lines: Sequence[CheckedLine]
) -> Mapping[int, frozenset[int]]:
    numbers: dict[int, set[int]] = defaultdict(set)
    for line, copy in zip(originals, copied_lines, strict=True):
        numbers[line.number].add(copy.number)
    return {number: frozenset(of_copy) for number, of_copy in numbers.items()}
