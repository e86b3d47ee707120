"""Read catalogue files into card facts; the content decides the file type.

A catalogue tells what is known of each card. What a record leaves out stays unknown. The content decides
which kind of file it is; records that cannot be used are named in `problems`, never dropped in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules.catalogue_files import json_file, octgn_set, package, table
from rules.catalogue_files.known_facts import KnownFacts
from rules.catalogue_files.records import (
    CatalogueContent,
    CatalogueProblem,
    CatalogueRecord,
    UnreadableCatalogue,
)
from rules.deck import CardFacts
from rules.game import Game
from rules.names import move_rank_marks
from rules.reason import reason
from rules.rendering import render

__all__ = ["Catalogue", "UnreadableCatalogue", "read_catalogue"]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The cards of a file by key, and what could not be read of it."""

    cards: Mapping[str, CardFacts]
    problems: tuple[CatalogueProblem, ...] = ()


def read_catalogue(data: bytes, game: Game) -> Catalogue:
    """Return the cards of a catalogue file for a game.

    Raises `UnreadableCatalogue` for a file that is not text, is of another game, or has no records.
    """
    from rules import games

    content = read_records(data, _decode, KnownFacts.of((*games(), game), game.key))
    if content.game not in (None, game.key):
        raise UnreadableCatalogue(
            reason("catalogue_unreadable.other_game", game=content.game, requested=game.key)
        )
    return _collect_cards(content, game)


def _decode(data: bytes | str) -> str:
    if isinstance(data, str):
        return data
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as problem:
        raise UnreadableCatalogue(reason("catalogue_unreadable.no_text")) from problem


def _collect_cards(content: CatalogueContent, game: Game) -> Catalogue:
    cards: dict[str, CardFacts] = {}
    problems = list(content.problems)
    for record in content.records:
        facts = _clean_facts({**_of_set(record, content), **record.facts})
        if not any(isinstance(facts.get(part), str) for part in ("name", "title")):
            problems.append(CatalogueProblem(record.place, reason("name_missing.record")))
            continue
        key = _key(record, facts, cards)
        cards[key] = CardFacts.of(key, move_rank_marks(facts, game.rank_attribute, game.ranked_types))
    if not cards:
        raise UnreadableCatalogue(reason("catalogue_unreadable.empty"))
    return Catalogue(cards, tuple(problems))


def _of_set(record: CatalogueRecord, content: CatalogueContent) -> Mapping[str, object]:
    """Return the other codes and the name of a record's set, as the file gives them.

    Lines are matched with them.
    """
    code = record.facts.get("set") or ""
    of_set = content.sets.get(str(code), {})
    codes = of_set.get("other_codes")
    names = [name for name in (of_set.get("name"), record.facts.get("set_name")) if name and name != code]
    known_codes = [*(codes if isinstance(codes, list | tuple) else ()), *names]
    return {"set_codes": known_codes} if known_codes else {}


def _clean_facts(facts: Mapping[str, object]) -> dict[str, object]:
    """Return the facts that are known.

    A collector's number that is numeric becomes a number.
    """
    known_facts = {n: value for n, value in facts.items() if value not in ("", None) and n != "external_ids"}
    number = known_facts.get("number")
    bare, slash, _ = number.partition("/") if isinstance(number, str) else ("", "", "")
    if bare.isascii() and bare.isdecimal() and len(bare) < 10:
        known_facts["number"] = int(bare)
        if slash:
            known_facts.setdefault("number_as_printed", number)
    return known_facts


def _key(record: CatalogueRecord, facts: Mapping[str, object], records_by_key: Mapping[str, object]) -> str:
    """Return the record's own key, else set and number, else its name.

    A key that is already taken is made distinct.
    """
    printing = f"{facts['set']}-{facts['number']}" if facts.get("set") and facts.get("number") else None
    key = record.key or _identifier(facts) or printing or str(facts.get("name", facts.get("title")))
    return key if key not in records_by_key else f"{key} ({render('reason', record.place)})"


def _identifier(facts: Mapping[str, object]) -> str | None:
    identifier = facts.get("id")
    return None if identifier is None else str(identifier)


_CARDS_WITHIN = 4_000


def read_records(
    data: bytes | str, decode: Callable[[bytes | str], str], known_facts: KnownFacts
) -> CatalogueContent:
    """Return the records of a catalogue file.

    The file is JSON, a table, an OCTGN set, or a package of these. `decode` turns the bytes of one file into
    text; what it raises is passed on. Raises UnreadableCatalogue when no card can be taken from the file.
    """
    if isinstance(data, bytes) and package.is_package(data):
        return package.read(data, lambda member: _member(decode(member), known_facts))
    return read_text(decode(data), known_facts)


def read_text(text: str, known_facts: KnownFacts) -> CatalogueContent:
    """Return the records of a single file that is not a package."""
    start = text.lstrip()[:1]
    if start and start in "{[":
        return json_file.read(text)
    return octgn_set.read(text, known_facts) if start == "<" else table.read(text, known_facts)


def _member(text: str, known_facts: KnownFacts) -> CatalogueContent | None:
    """Return the content of one file of a package.

    None if the file does not hold cards.
    """
    start = text.lstrip()[:1]
    if start == "<":
        try:
            return octgn_set.read(text, known_facts)
        except octgn_set.NotAnOctgnSet:
            return None
    if start == "{":
        return json_file.read(text) if '"cards"' in text[:_CARDS_WITHIN] else None
    return table.read(text, known_facts) if _is_card_table(text) else None


def _is_card_table(text: str) -> bool:
    """Return whether the first line names the columns of a card table.

    These are a name and something that only cards have.
    """
    first = text.lstrip("\r\n ").splitlines()[:1]
    if not first or len(first[0]) > _CARDS_WITHIN:
        return False
    delimiter = max("\t;,", key=first[0].count)
    columns = set(table.parse_header(first[0], delimiter))
    return bool({"name", "title"} & columns and {"set", "type", "number", "imagefile"} & columns)
