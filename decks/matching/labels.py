"""Labels of printings: what to write on a line to get exactly that one.

Each is tried out before it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from decks.importers.model import DeckLine
from decks.importers.parsing import parse
from decks.importers.places import join_facts
from decks.matching.model import IndexedPrinting, LineMatch

_WAYS = (("{}", 1), ("4 {}", 4))
"""Lines in which a label is tried: alone, and behind a number of copies."""


@dataclass(frozen=True, slots=True)
class Label:
    """The text to type for a card.

    `tells_printing` is false if it leaves the printing open.
    """

    text: str
    tells_printing: bool = True


class Labeller:
    """Writes labels.

    `resolve` matches a line; a label is right when it comes back as its own printing.
    """

    def __init__(
        self, printings: Sequence[IndexedPrinting], resolve: Callable[[DeckLine], LineMatch]
    ) -> None:
        self._printings = printings
        self._resolve = resolve
        self._labels: dict[int, Label] = {}

    def label(self, place: int, name: str) -> Label:
        """Return the plainest label of a printing with that name that reads back as it."""
        label = self._labels.get(place)
        if label is None:
            label = self._labels[place] = self._find(self._printings[place], name)
        return label

    def reads_as(self, text: str, card_key: str) -> bool:
        """Return whether a text on a line is read back as that card.

        This must be so for the text alone and after a number of copies.
        """
        matches = [self._read(way.format(text), qty) for way, qty in _WAYS]
        return all(match and match.card_key == card_key for match in matches)

    def _find(self, printing: IndexedPrinting, name: str) -> Label:
        for text in _candidates(printing, name):
            matches = [self._read(way.format(text), qty) for way, qty in _WAYS]
            if all(match and match.printing_key == printing.key for match in matches):
                return Label(text)
            is_bare = not (printing.set_code or printing.variant)
            if is_bare and all(match and match.card_key == printing.card_key for match in matches):
                return Label(text, tells_printing=False)
        return Label(f"{name} {join_facts(key=printing.key)}")

    def _read(self, text: str, qty: int) -> LineMatch | None:
        lines = parse(text).cards
        if len(lines) != 1 or (lines[0].qty, lines[0].zone) != (qty, "main"):
            return None
        return self._resolve(lines[0])


def _candidates(printing: IndexedPrinting, name: str) -> Iterator[str]:
    number = printing.number_text or ("" if printing.number is None else str(printing.number))
    tag = f"({printing.set_code} {number})".replace(" )", ")") if printing.set_code else ""
    variant = f"[{printing.variant}]" if printing.variant else ""
    braces = join_facts(set=printing.set_code, number=number, variant=printing.variant)
    names = (name, _quote(name, printing))
    for written_name in names:
        yield from dict.fromkeys(" ".join(filter(None, (written_name, tag, mark))) for mark in ("", variant))
    for written_name in names:
        yield from (f"{written_name} {facts}" for facts in (braces, join_facts(key=printing.key)) if facts)


def _quote(name: str, printing: IndexedPrinting) -> str:
    """Return the name in quotation marks, its rank dots behind them."""
    bare = name.rstrip("● ") if printing.dots else name
    return " ".join(filter(None, ('"' + bare.replace('"', '""') + '"', "●" * (printing.dots or 0))))
