"""The stored catalogue of a game.

It is held as values that a plan compares with and changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.names import normalize_name


@dataclass(slots=True)
class StoredCard:
    """A card as it is now, or as it will be. A `pk` of None is not stored yet."""

    identity: str
    name: str
    facts: dict[str, object]
    pk: int | None = None
    is_changed: bool = False

    @property
    def row_id(self) -> int:
        """The id of its row. Raises LookupError as long as it has none."""
        if self.pk is None:
            raise LookupError(f"{self.name} is not stored yet")
        return self.pk


@dataclass(slots=True)
class PrintingColumns:
    """Facts that have a column of their own in the table of printings.

    The set is named by its code.
    """

    card_set: str
    number: int | None
    number_as_printed: str
    printed_name: str
    variant: str
    is_deck_card: bool


@dataclass(slots=True)
class StoredPrinting:
    """A printing as it is now, or as it will be."""

    key: str
    card: StoredCard
    columns: PrintingColumns
    external_ids: dict[str, str]
    facts: dict[str, object]
    pk: int | None = None
    is_changed: bool = False

    @property
    def names(self) -> list[str]:
        """Return the normalized names by which files may refer to it.

        These are the card's name and its further names.
        """
        aliases = self.facts.get("aliases")
        others = [each for each in aliases if isinstance(each, str)] if isinstance(aliases, list) else []
        return list(dict.fromkeys(map(normalize_name, (self.card.name, *others))))


def number_mark(number: int | None, as_printed: str) -> str:
    """Return a number in the form in which numbers of one set are compared.

    It has no size, leading zeros or case.
    """
    bare = "".join(filter(str.isalnum, as_printed.partition("/")[0])).casefold().lstrip("0")
    return bare or ("" if number is None else str(number))


@dataclass(slots=True)
class StoredSet:
    """A set as it is now, or as it will be."""

    code: str
    name: str = ""
    size: int | None = None
    is_hidden: bool = False
    other_codes: list[str] = field(default_factory=list)
    pk: int | None = None
    is_changed: bool = False


@dataclass(slots=True)
class StoredCatalogue:
    """All that is stored of a game's catalogue.

    It is held by the names under which it is looked up.
    """

    sets: dict[str, StoredSet] = field(default_factory=dict)
    cards: dict[str, StoredCard] = field(default_factory=dict)
    printings: dict[str, StoredPrinting] = field(default_factory=dict)
    by_place: dict[tuple[str, int | None, str], list[StoredPrinting]] = field(default_factory=dict)
    by_number: dict[tuple[str, str], list[StoredPrinting]] = field(default_factory=dict)

    def find_set(self, code: str) -> str:
        """Return the code of the set that has this code.

        Otherwise it is the only set that has it among its other codes.
        """
        if code in self.sets:
            return code
        named_sets = [
            each.code for each in self.sets.values() if code.casefold() in map(str.casefold, each.other_codes)
        ]
        return named_sets[0] if len(named_sets) == 1 else code

    def add(self, printing: StoredPrinting) -> None:
        """Remember a printing under its key and its place."""
        self.printings[printing.key] = printing
        columns = printing.columns
        if number := number_mark(columns.number, columns.number_as_printed):
            self.by_number.setdefault((columns.card_set, number), []).append(printing)
        for name in printing.names:
            place = (printing.columns.card_set, printing.columns.number, name)
            self.by_place.setdefault(place, []).append(printing)
