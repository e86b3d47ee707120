"""Parse the `set.xml` of an OCTGN game package; DTDs and entities are refused.

A document type, which could declare entities or fetch from the network, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from xml.parsers import expat

from rules.cards import Fact
from rules.catalogue_files.json_file import MAX_CODE_LENGTH, MAX_SET_NAME_LENGTH
from rules.catalogue_files.known_facts import KnownFacts
from rules.catalogue_files.records import (
    MOST_RECORDS,
    CatalogueContent,
    CatalogueRecord,
    UnreadableCatalogue,
    too_many_records,
)
from rules.catalogue_files.table import normalize_column_name
from rules.reason import plain_reason, reason

MAX_DEPTH = 40
ELEMENT_PATH = ("set", "cards", "card", "property")
"""The elements that are read, each inside the one before."""


class NotAnOctgnSet(UnreadableCatalogue):
    """Well-formed XML that is not an OCTGN set.

    `root` is the name of its outermost element.
    """

    def __init__(self, root: str) -> None:
        super().__init__(reason("catalogue_unreadable.no_set"))
        self.root = root


def read(text: str, known_facts: KnownFacts) -> CatalogueContent:
    """Return records of a set.

    Raises UnreadableCatalogue for XML that is broken, declares entities or is no set.
    """
    reader = _SetReader(known_facts)
    source = re.sub(r"^\s*<\?xml[^>]{0,200}\?>", "", text).encode("utf-8", "replace")
    try:
        reader.parser.Parse(source, True)
    except expat.ExpatError as error:
        why = reason(
            "catalogue_unreadable.xml", line=error.lineno, says=plain_reason(expat.ErrorString(error.code))
        )
        raise UnreadableCatalogue(why) from error
    return reader.content


class _SetReader:
    """A reader that collects the cards from the parser's events.

    It takes properties of the card itself, not of its other side. `depth` is how many elements are open,
    `matched_depth` how many of them, from the outermost, follow the `ELEMENT_PATH`; `by_property` are the
    facts that properties of another name tell of.
    """

    def __init__(self, known_facts: KnownFacts) -> None:
        self.facts, self.games = known_facts.facts, known_facts.octgn_games
        self.by_property = _by_property(known_facts.facts)
        self.content = CatalogueContent("octgn_set")
        self.is_hidden = False
        self.code = ""
        self.depth = 0
        self.matched_depth = 0
        self.card: tuple[str, dict[str, object]] | None = None
        self.property: str | None = None
        self.words: list[str] = []
        self.parser = self._parser()

    def _parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate(encoding="utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self.open_element
        parser.EndElementHandler = self.close_element
        parser.CharacterDataHandler = self.read_text
        parser.StartDoctypeDeclHandler = self.refuse_entity
        parser.EntityDeclHandler = self.refuse_entity
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        return parser

    def refuse_entity(self, *_: object) -> None:
        raise UnreadableCatalogue(reason("catalogue_unreadable.entities"))

    def open_element(self, tag: str, attributes: dict[str, str]) -> None:
        if self.depth >= MAX_DEPTH:
            raise UnreadableCatalogue(reason("catalogue_unreadable.deep", most=MAX_DEPTH))
        if not self.depth:
            self._open_set(tag, attributes)
        if self.matched_depth == self.depth < len(ELEMENT_PATH) and tag == ELEMENT_PATH[self.depth]:
            self.matched_depth += 1
        self.depth += 1
        if self.matched_depth < self.depth:
            return
        if self.depth == 3:
            self._open_card(attributes)
        elif self.depth == 4:
            self.property, self.words = attributes.get("name", ""), [attributes.get("value", "")]

    def read_text(self, text: str) -> None:
        if self.property is not None and not self.words[0]:
            self.words.append(text)

    def close_element(self, _tag: str) -> None:
        if self.matched_depth == self.depth:
            self.matched_depth -= 1
            if self.depth == 4:
                self._close_property()
            elif self.depth == 3:
                self._close_card()
        self.depth -= 1

    def _open_set(self, tag: str, attributes: dict[str, str]) -> None:
        name = attributes.get("name", "").strip()
        if tag != "set" or not name:
            raise NotAnOctgnSet(tag)
        self.is_hidden = attributes.get("hidden", "").strip().casefold() == "true"
        self.code = _code(name, attributes.get("id", ""))
        game = self.games.get(attributes.get("gameId", "").strip().casefold())
        if game is not None:
            self.content.game = game.key
            self.facts = game.cards.facts
            self.by_property = _by_property(self.facts)
        self.content.sets[self.code] = {"name": name[:MAX_SET_NAME_LENGTH], "is_hidden": self.is_hidden}

    def _open_card(self, attributes: dict[str, str]) -> None:
        guid = attributes.get("id", "").strip().casefold()
        self.card = (guid, {"name": attributes.get("name", "").strip(), "set": self.code})

    def _close_property(self) -> None:
        column_name, value = normalize_column_name(self.property or ""), "".join(self.words).strip()
        self.property = None
        if self.card is None or not column_name or not value:
            return
        fact = self.by_property.get(column_name) or self.facts.get(column_name) or Fact(column_name)
        if fact.kind == "words" and fact.octgn:
            words = self.card[1].setdefault(fact.key, [])
            if isinstance(words, list):
                words.append(value)
        else:
            self.card[1][fact.key] = _value(fact, value)

    def _close_card(self) -> None:
        guid, facts = self.card or ("", {})
        if len(self.content.records) >= MOST_RECORDS:
            raise too_many_records()
        if guid:
            facts["external_ids"] = {"octgn": guid}
        if self.is_hidden:
            facts["is_deck_card"] = False
        place = reason("catalogue_place.card", card=len(self.content.records) + 1)
        self.content.records.append(CatalogueRecord(place, guid or None, facts))
        self.card = None


def _by_property(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    return {name: fact for fact in facts.values() for name in fact.octgn}


def _code(name: str, identifier: str) -> str:
    """Make a code from the name, because OCTGN gives sets none.

    The code is shortened so that two long names remain distinct.
    """
    if len(name) <= MAX_CODE_LENGTH:
        return name
    mark = sha256(f"{name}|{identifier}".encode("utf-8", "replace")).hexdigest()[:6]
    return f"{name[: MAX_CODE_LENGTH - 7]}~{mark}"


def _value(fact: Fact, value: str) -> object:
    is_count = fact.kind == "whole" and value.isascii() and value.isdecimal() and len(value) < 10
    return int(value) if is_count else value
