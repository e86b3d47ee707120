"""Names and kinds of what a `cards.toml` may hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from string import Formatter

from rules.cards import CardData, Declaration
from rules.figures import has_measure
from rules.lint_parts import FIELD_KINDS, Kinds, describe_misfits, find_misfits
from rules.rendering import say
from rules.tables import Table, get_table, get_tables

FACT_KINDS = ("text", "whole", "yes_no", "words", "table", "term")
"""The kinds of a fact: "term" is a number, a word or a list of words."""

DECLARATION_KINDS = ("numbers", "yes_no", "records", "cards")
"""Numbers by name, yes or no, records of parts, cards by name."""

PART_KINDS = ("text", "whole")

CARDS: Kinds = {
    "facts": "tables", "identity": "tables", "apart_if": "text", "octgn_game": "text", "lists": "table",
    "headings": "table", "by_name": "table", "entries": "tables", "declarations": "tables",
    "pool_checks": "words", "name_marks": "table", "figures": "tables",
}  # fmt: skip
FIGURE: Kinds = {"key": "text", "label": "text", "fact": "text", "measure": "text", "zones": "words"}
FACT: Kinds = {
    "key": "text", "kind": "text", "label": "text", "is_expected": "yes_no", "types": "words",
    "is_of_printing": "yes_no", "separator": "text", "octgn": "words", "names": "words",
}  # fmt: skip
IDENTITY: Kinds = {"fact": "text", "otherwise": "text", "is_alone_without": "yes_no"}
LISTS: Kinds = {
    "waiting_weeks": "whole", "waiting_source": "text", "errata_prefix": "text", "example_erratum": "text",
    "example_cards": "words",
}  # fmt: skip
BY_NAME: Kinds = {
    "owner": "text", "subject": "text", "leader_types": "words", "told_by_number": "words",
    "of_one_text": "words", "unowned": "pairs",
}  # fmt: skip
HEADINGS: Kinds = dict.fromkeys(
    ("main", "sideboard", "pregame", "types", "marked_pregame", "marked_types"), "words"
)
NAME_MARKS: Kinds = {"types": "words", "symbols": "words"}
ENTRIES: Kinds = {"list": "text", "name": "text", "fields": "tables"}
FIELD: Kinds = {
    "key": "text", "kind": "text", "label": "text", "help": "text", "is_required": "yes_no",
    "longest": "whole", "largest": "whole", "choices": "pairs",
}  # fmt: skip
DECLARATION: Kinds = {
    "key": "text", "label": "text", "kind": "text", "checks": "words", "choices": "pairs", "one": "text",
    "unit": "text", "parts": "tables", "says": "text", "implies": "text", "help": "text", "is_ours": "yes_no",
    "empty": "text", "line": "text",
}  # fmt: skip
PART: Kinds = {
    "key": "text", "kind": "text", "is_required": "yes_no", "otherwise": "whole", "choices": "pairs",
    "says": "text",
}  # fmt: skip


def card_misfits(cards: CardData) -> Iterator[str]:
    """Yield what is wrong with the parts of a `cards.toml`."""
    data = cards.data
    yield from describe_misfits("the file", find_misfits(data, CARDS))
    yield from describe_misfits("[lists]", find_misfits(get_table(data, "lists"), LISTS))
    yield from describe_misfits("[by_name]", find_misfits(get_table(data, "by_name"), BY_NAME))
    yield from describe_misfits("[headings]", find_misfits(get_table(data, "headings"), HEADINGS))
    yield from describe_misfits("[name_marks]", find_misfits(get_table(data, "name_marks"), NAME_MARKS))
    yield from _tables(data, "facts", FACT, FACT_KINDS)
    yield from _tables(data, "identity", IDENTITY)
    yield from _tables(data, "figures", FIGURE)
    for figure in cards.figures:
        if not figure.measure and figure.fact not in cards.facts:
            yield say("lint", "figure-of-no-fact", key=figure.key, fact=figure.fact)
        if figure.measure and not has_measure(figure.measure):
            yield say("lint", "figure-of-no-measure", key=figure.key, measure=figure.measure)
    yield from _tables(data, "entries", ENTRIES)
    for table in get_tables(data, "entries"):
        yield from _tables(table, "fields", FIELD, FIELD_KINDS)
    for kind in cards.entries.values():
        for field in kind.fields:
            if field.label and field.kind == "table":
                yield say("lint", "label-of-table", field=field.key)
    yield from _tables(data, "declarations", DECLARATION, DECLARATION_KINDS)
    for table in get_tables(data, "declarations"):
        yield from _tables(table, "parts", PART, PART_KINDS)
    yield from (problem for each in cards.declarations for problem in _lint_sentence(each))


def _tables(data: Table, part: str, known_parts: Kinds, kinds: Collection[str] = ()) -> Iterator[str]:
    """Yield the problems of the tables of a list.

    These are their parts, the kind that each names, and keys that occur twice.
    """
    seen_names: set[object] = set()
    for table in get_tables(data, part):
        name = str(table.get("key") or table.get("list") or table.get("fact"))
        yield from describe_misfits(f"[[{part}]] {name}", find_misfits(table, known_parts))
        kind = table.get("kind")
        if kinds and isinstance(kind, str) and kind not in kinds:
            owner = f"[[{part}]] {name}"
            yield say("lint", "no-such-kind.of-table", owner=owner, kind=kind, kinds=tuple(kinds))
        if name in seen_names:
            yield say("lint", "named-twice", part=part, name=name)
        seen_names.add(name)


def _lint_sentence(declaration: Declaration) -> Iterator[str]:
    """Require that the sentence of a declared record names its parts.

    The line in which it is typed must have all that it needs.
    """
    yield from _misnamed_parts(declaration, str(declaration.says), is_needed=False)
    yield from _misnamed_parts(declaration, str(declaration.written_line), is_needed=True)


def _misnamed_parts(declaration: Declaration, words: str, *, is_needed: bool) -> Iterator[str]:
    try:
        field_names = {name for _, name, _, _ in Formatter().parse(words) if name}
    except ValueError as problem:
        yield say("lint", "declaration-unsayable", key=declaration.key, problem=str(problem))
        return
    required_keys = {part.key for part in declaration.parts if part.is_required} if is_needed else set()
    for name in sorted(field_names - {part.key for part in declaration.parts}):
        yield say("lint", "declaration-part", key=declaration.key, part=name)
    for name in sorted(required_keys - field_names):
        yield say("lint", "declaration-line", key=declaration.key, part=name)


def unused_fields(cards: CardData, used_fields: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield fields that are on no form and that no shipped entry has.

    This is a mistake in one place or the other.
    """
    for kind in cards.entries.values():
        for field in kind.fields:
            if not field.label and field.key not in used_fields.get(kind.list, ()):
                yield say("lint", "declared-nowhere", owner=f"[[entries]] {kind.list}", name=field.key)
