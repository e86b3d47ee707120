"""Read deck files in XML, safely: OCTGN, LackeyCCG, Magic Online, Cockatrice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from decks.importers.audit import add_notice
from decks.importers.entry import EntryFields, make_card_line, make_section_line
from decks.importers.headings import names_another_zone
from decks.importers.model import DeckBuilder, DeckLine, ParsedDeck, ParseProblem
from decks.importers.names import clean
from rules.reason import Reason, plain_reason, reason

_IGNORED = {
    "sleeve",
    "sleeveid",
    "netdeckid",
    "preconstructeddeckid",
    "lastloadedtimestamp",
    "version",
    "meta",
}

_NO = {"", "false", "no", "0"}

_REMARKS = {"notes", "comments", "tags", "bannercard", "description", "author"}


def read_xml_deck(text: str, builder: DeckBuilder, max_lines: int) -> ParsedDeck:
    """Read a deck file in XML.

    Unknown parts are reported; a document type or entities are refused.
    """
    root, stop_reason = read_xml(text, 4 * max_lines)
    if stop_reason:
        builder.add_problem(stop_reason)
    if root is None:
        builder.format = "unknown"
        return builder.finish()
    builder.format, reader = _kind(root)
    if reader is None:
        builder.add_problem(ParseProblem(reason("xml_unknown", element=root.name[:40]), root.line))
        return builder.finish()
    builder.lines.extend(reader(root, builder))
    return builder.finish()


def _kind(root: XmlNode) -> tuple[str, Callable[[XmlNode, DeckBuilder], Iterator[DeckLine]] | None]:
    children = {child.name for child in root.children}
    if root.name == "cockatrice_deck":
        return "cockatrice", _cockatrice
    if root.name != "deck":
        return "unknown", None
    if "superzone" in children:
        return "lackey", _lackey
    if children & {"cards", "netdeckid"}:
        return "mtgo", _mtgo
    return "octgn", _octgn


def _octgn(root: XmlNode, builder: DeckBuilder) -> Iterator[DeckLine]:
    builder.game_hint = root.get("game") or None
    yield from _zones(root, "section", lambda card: _fields(card, card.text, card.get("qty"), card.get("id")))


def _cockatrice(root: XmlNode, builder: DeckBuilder) -> Iterator[DeckLine]:
    builder.title = clean(root.child_text("deckname")) or None
    yield from _zones(
        root, "zone", lambda card: _fields(card, card.get("name"), card.get("number"), card.get("uuid"))
    )


def _lackey(root: XmlNode, builder: DeckBuilder) -> Iterator[DeckLine]:
    meta = next((child for child in root.children if child.name == "meta"), None)
    builder.game_hint = (clean(meta.child_text("game")) or None) if meta else None
    yield from _zones(root, "superzone", _lackey_fields)


def _mtgo(root: XmlNode, _builder: DeckBuilder) -> Iterator[DeckLine]:
    for child in root.children:
        if child.name == "cards" and _is_plain(child):
            identifier = child.get("CatID")
            fields = _fields(
                child, child.get("Name"), child.get("Quantity"), "" if identifier == "0" else identifier
            )
            yield _check_attributes(make_card_line(replace(fields, zone=_mtgo_zone(child))), child)
        else:
            yield from _read_other(child)
    yield from _stray(root, "main", None)


def _mtgo_zone(card: XmlNode) -> str:
    """Return the zone of a card.

    Magic Online knows two zones. The others are in an attribute that OCTGN ignores.
    """
    ours = card.get("Zone").lower()
    if ours in {"pregame", "pool", "aside"}:
        return ours
    return "sideboard" if card.get("Sideboard").strip().lower() in {"true", "1", "yes"} else "main"


def may_name_zone(key: str, value: str, zone: str) -> bool:
    """Return whether an unread attribute may name another zone than the card's."""
    says_so = names_another_zone(key, zone) and value.strip().lower() not in _NO
    return says_so or (key.lower() != "name" and names_another_zone(value, zone))


def _check_attributes(line: DeckLine, card: XmlNode) -> DeckLine:
    """Ask about an unread attribute that may name the part of the list of the card."""
    for key, value in card.attributes.items():
        if line.kind == "card" and may_name_zone(key, value, line.zone):
            return add_notice(line, reason("zone_unread.attribute", words=key[:40]))
    return line


def _fields(card: XmlNode, name: str, qty: str, identifier: str) -> EntryFields:
    return EntryFields(
        card.line,
        card.source,
        name,
        qty,
        set_code=card.get("set", "setShortName"),
        collector_number=card.get("collectorNumber"),
        variant=card.get("variant"),
        card_id=identifier,
    )


def _lackey_fields(card: XmlNode) -> EntryFields:
    """Read a card of LackeyCCG, which writes one element per copy.

    Without a number, one copy is meant.
    """
    name = next((child for child in card.children if child.name == "name"), None)
    return EntryFields(
        card.line,
        f"<card>{''.join(child.source for child in card.children) or card.text}</card>",
        name.text if name else card.text,
        card.get("qty", "count") or "1",
        set_code=card.child_text("set"),
        collector_number=card.child_text("number"),
        variant=card.child_text("variant"),
        card_id=name.get("id") if name else "",
    )


def _zones(root: XmlNode, tag: str, read_fields: Callable[[XmlNode], EntryFields]) -> Iterator[DeckLine]:
    for child in root.children:
        if child.name == tag:
            yield from _zone(child, read_fields)
        elif child.name != "deckname":
            yield from _read_other(child)
    yield from _stray(root, "main", None)


def _zone(node: XmlNode, read_fields: Callable[[XmlNode], EntryFields]) -> Iterator[DeckLine]:
    words = node.get("name")
    section_line = make_section_line(node.line, f'<{node.name} name="{words}">', words)
    yield section_line
    for child in node.children:
        if child.name == "card" and (_is_plain(child) or _is_lackey_card(child)):
            line = make_card_line(
                replace(read_fields(child), zone=section_line.zone, section=section_line.section)
            )
            yield _check_attributes(line, child)
        else:
            yield _not_understood(child, section_line.zone)
    yield from _stray(node, section_line.zone, section_line.section)


def _is_plain(card: XmlNode) -> bool:
    """Recognize a card without children that says nothing twice in two ways."""
    given_names = {clean(name) for name in (card.text, card.get("name")) if name.strip()}
    keys = {key.lower() for key in card.attributes}
    return card.is_closed and not card.children and len(given_names) < 2 and len(keys) == len(card.attributes)


def _is_lackey_card(card: XmlNode) -> bool:
    """Return whether an element is a card made of elements.

    It has its name once, perhaps a set, and nothing between them.
    """
    names = [child.name for child in card.children]
    is_lackey = set(names) <= {"name", "set", "number", "variant"} and len(set(names)) == len(names)
    return card.is_closed and is_lackey and "name" in names and not card.text.strip()


def _read_other(node: XmlNode) -> Iterator[DeckLine]:
    """Yield what is not a card.

    Remarks become comments. Settings of the program are skipped.
    """
    if node.name in _REMARKS:
        if node.text.strip():
            yield DeckLine(node.line, node.source, "comment", written_text=clean(node.text))
    elif node.name not in _IGNORED:
        yield _not_understood(node, "main")


def _not_understood(node: XmlNode, zone: str) -> DeckLine:
    problem = ParseProblem(reason("element_not_understood", element=node.name[:40]), node.line)
    return DeckLine(node.line, node.source or f"<{node.name}>", "problem", zone=zone, problem=problem)


def _stray(node: XmlNode, zone: str, section: str | None) -> Iterator[DeckLine]:
    """Ask about text between the elements.

    Someone may have typed a card there by hand.
    """
    if text := clean(node.text):
        problem = ParseProblem(reason("element_not_understood.text", words=text[:60]), node.line)
        yield DeckLine(node.line, text, "problem", zone=zone, section=section, problem=problem)


MAX_XML_DEPTH = 12

MAX_TEXT = 20_000

"""Characters of text inside one element: notes may be long, names never are."""


@dataclass(slots=True)
class XmlNode:
    """One XML element.

    Holds its name in lower case without namespace, its content, and where it is.
    """

    name: str
    attributes: dict[str, str]
    line: int
    start: int
    source: str = ""
    is_closed: bool = False
    text: str = ""
    children: list[XmlNode] = field(default_factory=list)

    def get(self, *names: str) -> str:
        """Return the first attribute of these names that is there, compared without case."""
        lower = {key.lower(): value for key, value in self.attributes.items()}
        return next((lower[name.lower()] for name in names if lower.get(name.lower())), "")

    def child_text(self, name: str) -> str:
        """Return the text of the first child of that name."""
        return next((child.text.strip() for child in self.children if child.name == name), "")


class _Refused(Exception):
    """Stops the parser; carries what to tell."""

    def __init__(self, why: Reason) -> None:
        super().__init__(why.code)
        self.why = why


class _Builder:
    """Builds the tree from the parser's events and refuses what no deck file needs."""

    def __init__(self, source: bytes, max_elements: int) -> None:
        self.source = source
        self.max_elements = max_elements
        self.elements = 0
        self.root: XmlNode | None = None
        self.open_nodes: list[XmlNode] = []
        self.parser = expat.ParserCreate(encoding="utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.doctype
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def doctype(self, *_: object) -> None:
        raise _Refused(reason("xml_forbidden_construct"))

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if self.elements > self.max_elements:
            raise _Refused(reason("too_many_lines.elements", most=self.max_elements))
        if len(self.open_nodes) >= MAX_XML_DEPTH:
            raise _Refused(reason("xml_too_deep", most=MAX_XML_DEPTH))
        parser = self.parser
        local = name.rpartition(":")[2].lower()
        node = XmlNode(local, attributes, parser.CurrentLineNumber, parser.CurrentByteIndex)
        if self.open_nodes:
            self.open_nodes[-1].children.append(node)
        else:
            self.root = node
        self.open_nodes.append(node)

    def characters(self, text: str) -> None:
        if not self.open_nodes or (text.isspace() and not self.open_nodes[-1].text):
            return
        node = self.open_nodes[-1]
        if len(node.text) + len(text) > MAX_TEXT:
            raise _Refused(reason("too_large.element", line=node.line))
        node.text += text

    def end(self, _name: str) -> None:
        node = self.open_nodes.pop()
        node.is_closed = True
        if not node.children:
            node.source = self.source[node.start : self._end_of(node)].decode("utf-8", "replace")

    def _end_of(self, node: XmlNode) -> int:
        """Return where an element without children ends.

        Expat points before its end tag, or behind an empty tag.
        """
        here = self.parser.CurrentByteIndex
        if not node.text and self.source[here - 2 : here] == b"/>":
            return here
        return self.source.find(b">", here) + 1


def read_xml(text: str, max_elements: int) -> tuple[XmlNode | None, ParseProblem | None]:
    """Return the root of a document, and what stopped the reading, if anything did.

    A document that breaks off gives what came before; one that is refused gives nothing.
    """
    source = text.encode("utf-8")
    builder = _Builder(source, max_elements)
    try:
        builder.parser.Parse(source, True)
    except _Refused as refusal:
        return None, ParseProblem(refusal.why, builder.parser.CurrentLineNumber)
    except expat.ExpatError as error:
        return builder.root, _describe_error(error)
    return builder.root, None


def _describe_error(error: expat.ExpatError) -> ParseProblem:
    says = plain_reason(expat.ErrorString(error.code))
    return ParseProblem(reason("xml_malformed", line=error.lineno, says=says), error.lineno)
