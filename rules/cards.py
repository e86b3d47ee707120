"""The description of a game's cards and lists, as in its `cards.toml`."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

from rules.tables import Table, get_table, get_tables, get_words, to_record

Choices = tuple[tuple[str, str], ...]
"""Values with their words."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a card.

    `kind` says how its values look (`rules.lint_cards.FACT_KINDS`). Where one `is_expected` and no one has
    entered it, the card's page says so; with `types`, of cards of these types alone. What `is_of_printing`
    may differ between printings of a card. `separator` parts the words of a cell that has no semicolon. If
    there are `names`, a table has no others. `octgn` are the properties of an OCTGN set that tell of it, if
    they are not called like the fact.
    """

    key: str
    kind: str = "term"
    label: str = ""
    is_expected: bool = False
    types: tuple[str, ...] = ()
    is_of_printing: bool = False
    separator: str = ""
    names: tuple[str, ...] = ()
    octgn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IdentityPart:
    """A fact that distinguishes cards of one name.

    `otherwise` counts if the fact is not known. A card that `is_alone_without` the fact is no other
    printing's card: its own number is used instead.
    """

    fact: str
    otherwise: str = ""
    is_alone_without: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a record that people fill in.

    Without a `label` the part is known, and on no form. Kinds are those of `rules.lint_cards.FIELD_KINDS`.
    `longest` counts characters, `largest` is a number.
    """

    key: str
    kind: str = "text"
    label: str = ""
    help: str = ""
    is_required: bool = False
    longest: int = 300
    largest: int = 99
    choices: Choices = ()


@dataclass(frozen=True, slots=True)
class EntryKind:
    """Parts that entries of a list have besides those of every list."""

    list: str
    name: str = ""
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Declaration:
    """Something that a list registers beside its cards.

    An example is the option `key` of a deck. The format asks for it that has one of the `checks`. Kinds are
    those of `rules.lint_cards.DECLARATIONS`. `choices` are the words of its values or names, `one` and `unit`
    those for one of them, `parts` the parts of its records and `says` the sentence they make. `implies` is an
    option that comes with it. Forms show `help`, with a tag where it `is_ours`, and `empty` in a field
    without an answer. A record is typed as `line`, with its parts in braces.
    """

    key: str
    label: str
    kind: str
    checks: tuple[str, ...]
    choices: Choices = ()
    one: str = ""
    unit: str = ""
    parts: tuple[DeclaredPart, ...] = ()
    says: str = ""
    implies: str = ""
    help: str = ""
    is_ours: bool = False
    empty: str = ""
    line: str = ""

    @property
    def written_line(self) -> str:
        """Return the form in which a record is typed.

        It is the form that the game declares, else the parts of the record joined by equals signs.
        """
        return self.line or " = ".join(f"{{{part.key}}}" for part in self.parts)


@dataclass(frozen=True, slots=True)
class DeclaredPart:
    """A part of a declared record: text or a whole number.

    The value is `otherwise` if nothing is declared. `choices` are short forms with their words, `says` how it
    is said where it is there.
    """

    key: str
    kind: str = "text"
    is_required: bool = False
    otherwise: int = 0
    choices: Choices = ()
    says: str = "{}"


@dataclass(frozen=True, slots=True)
class ListTerms:
    """How a game keeps its dated lists.

    An edition holds `waiting_weeks` after its publication at the earliest, as `waiting_source` says. Errata
    read from a document are numbered behind `errata_prefix`. The examples are shown in forms.
    """

    waiting_weeks: int = 0
    waiting_source: str = ""
    errata_prefix: str = ""
    example_erratum: str = ""
    example_cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ByName:
    """How cards that share a name are distinguished on a line.

    `owner` is the fact that names whom a card belongs to. A card of the `leader_types` in the list makes the
    cards of its owner the ones that are meant; one with a fact of `unowned` belongs to no one. Of the names
    in `told_by_number`, each number is another card, and the fact `subject` names whom it is of. The facts
    `of_one_text` bind the copies of one text: they are open for a name whose text is not known.
    """

    owner: str = ""
    subject: str = ""
    leader_types: tuple[str, ...] = ()
    told_by_number: tuple[str, ...] = ()
    of_one_text: tuple[str, ...] = ()
    unowned: Choices = ()


@dataclass(frozen=True, slots=True)
class Headings:
    """Headings of the parts of a deck list.

    The marked ones are names of cards as well.
    """

    main: tuple[str, ...] = ()
    sideboard: tuple[str, ...] = ()
    pregame: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    marked_pregame: tuple[str, ...] = ()
    marked_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeclaredFigure:
    """A count that the game shows.

    It counts the values of a `fact` of the cards in `zones`, or is the output of `measure`.
    """

    key: str
    label: str
    fact: str = ""
    measure: str = ""
    zones: tuple[str, ...] = ("main",)


@dataclass(frozen=True, slots=True)
class NameMarks:
    """Words in brackets that lists add after the names of cards.

    They are types of cards, and symbols.
    """

    types: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()


class CardData:
    """All that a game says of its cards.

    `apart_if` is the fact that says: this name is several cards. A format with one of the `pool_checks` asks
    for the pool that a deck was built from, as those with the shared check `within_pool` do.
    """

    def __init__(self, data: Table, where: str) -> None:
        """Read the data.

        Raises ValueError naming the part that lacks something, with the file `where`.
        """
        self.data = data
        self.facts = {
            fact.key: fact for table in get_tables(data, "facts") for fact in [to_record(Fact, table, where)]
        }
        self.identity = tuple(to_record(IdentityPart, each, where) for each in get_tables(data, "identity"))
        self.apart_if = str(data.get("apart_if", ""))
        self.octgn_game = str(data.get("octgn_game", "")).casefold()
        self.lists = to_record(ListTerms, get_table(data, "lists"), where)
        self.by_name = to_record(ByName, get_table(data, "by_name"), where)
        self.headings = _headings(get_table(data, "headings"))
        self.name_marks = to_record(NameMarks, get_table(data, "name_marks"), where)
        self.entries = {
            kind.list: kind for table in get_tables(data, "entries") for kind in [_entry_kind(table, where)]
        }
        self.pool_checks = get_words(data, "pool_checks")
        self.declarations = tuple(_declaration(table, where) for table in get_tables(data, "declarations"))
        self.figures = tuple(to_record(DeclaredFigure, each, where) for each in get_tables(data, "figures"))

    @cached_property
    def printing_facts(self) -> frozenset[str]:
        """The facts in which printings of one card may differ."""
        return frozenset(fact.key for fact in self.facts.values() if fact.is_of_printing)

    def expected_facts(self, type: str) -> tuple[str, ...]:
        """Return the facts that a card of a type has: first those that every card has."""
        facts = [fact for fact in self.facts.values() if fact.is_expected]
        of_type = [fact.key for fact in facts if type in fact.types]
        return (*(fact.key for fact in facts if not fact.types), *of_type)

    def label(self, fact: str) -> str:
        """Return a fact, or a part of an entry, in words."""
        declared_fact = self.facts.get(fact)
        return (declared_fact.label if declared_fact else "") or fact.replace("_", " ")

    def entry_fields(self, kind: str) -> tuple[Field, ...]:
        """Return what entries of a list have of the game's own."""
        return self.entries[kind].fields if kind in self.entries else ()


def _headings(table: Table) -> Headings:
    return Headings(*(get_words(table, each.name) for each in fields(Headings)))


def _entry_kind(table: Table, where: str) -> EntryKind:
    fields = tuple(to_record(Field, each, where) for each in get_tables(table, "fields"))
    return replace(to_record(EntryKind, table, where), fields=fields)


def _declaration(table: Table, where: str) -> Declaration:
    parts = tuple(to_record(DeclaredPart, each, where) for each in get_tables(table, "parts"))
    return replace(to_record(Declaration, table, where), parts=parts)
