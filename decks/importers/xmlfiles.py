"""The deck files that are XML: OCTGN, LackeyCCG, Magic Online, Cockatrice. Their elements tell which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from decks.importers.entry import Fields, card_line, section_line
from decks.importers.model import Draft, Line, ParsedDeck, Problem
from decks.importers.names import clean
from decks.importers.xmltree import Node, read_xml

_IGNORED = {
    "sleeve",
    "sleeveid",
    "netdeckid",
    "preconstructeddeckid",
    "lastloadedtimestamp",
    "version",
    "meta",
}
_REMARKS = {"notes", "comments", "tags", "bannercard", "description", "author"}


def read_xml_deck(text: str, draft: Draft, max_lines: int) -> ParsedDeck:
    """Read a deck file in XML. What is not understood is told; a document type or entities are refused."""
    root, stopped = read_xml(text, 4 * max_lines)
    if stopped:
        draft.tell(stopped)
    if root is None:
        draft.format = "unknown"
        return draft.finish()
    draft.format, reader = _kind(root)
    if reader is None:
        sentence = f"The element <{root.name[:40]}> opens no deck file that is known here."
        draft.tell(Problem("xml_unknown", sentence, root.line))
        return draft.finish()
    draft.lines.extend(reader(root, draft))
    return draft.finish()


def _kind(root: Node) -> tuple[str, Callable[[Node, Draft], Iterator[Line]] | None]:
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


def _octgn(root: Node, draft: Draft) -> Iterator[Line]:
    draft.game_hint = root.get("game") or None
    yield from _zones(root, "section", lambda card: _fields(card, card.text, card.get("qty"), card.get("id")))


def _cockatrice(root: Node, draft: Draft) -> Iterator[Line]:
    draft.title = clean(root.child_text("deckname")) or None
    yield from _zones(
        root, "zone", lambda card: _fields(card, card.get("name"), card.get("number"), card.get("uuid"))
    )


def _lackey(root: Node, draft: Draft) -> Iterator[Line]:
    meta = next((child for child in root.children if child.name == "meta"), None)
    draft.game_hint = (clean(meta.child_text("game")) or None) if meta else None
    yield from _zones(root, "superzone", _lackey_fields)


def _mtgo(root: Node, _draft: Draft) -> Iterator[Line]:
    for child in root.children:
        if child.name == "cards" and _is_plain(child):
            identifier = child.get("CatID")
            fields = _fields(
                child, child.get("Name"), child.get("Quantity"), "" if identifier == "0" else identifier
            )
            yield card_line(replace(fields, zone=_mtgo_zone(child)))
        else:
            yield from _other(child)
    yield from _stray(root, "main", None)


def _mtgo_zone(card: Node) -> str:
    """Magic Online knows two zones; others are told by an attribute of our own, which it passes over."""
    ours = card.get("Zone").lower()
    if ours in {"pregame", "pool", "aside"}:
        return ours
    return "sideboard" if card.get("Sideboard").strip().lower() in {"true", "1", "yes"} else "main"


def _fields(card: Node, name: str, qty: str, identifier: str) -> Fields:
    return Fields(
        card.line,
        card.source,
        name,
        qty,
        set_code=card.get("set", "setShortName"),
        collector_number=card.get("collectorNumber"),
        variant=card.get("variant"),
        card_id=identifier,
    )


def _lackey_fields(card: Node) -> Fields:
    """LackeyCCG writes one element a copy: no number of copies stands there, and one is meant."""
    name = next((child for child in card.children if child.name == "name"), None)
    return Fields(
        card.line,
        f"<card>{''.join(child.source for child in card.children) or card.text}</card>",
        name.text if name else card.text,
        card.get("qty", "count") or "1",
        set_code=card.child_text("set"),
        collector_number=card.child_text("number"),
        variant=card.child_text("variant"),
        card_id=name.get("id") if name else "",
    )


def _zones(root: Node, called: str, read: Callable[[Node], Fields]) -> Iterator[Line]:
    for child in root.children:
        if child.name == called:
            yield from _zone(child, read)
        elif child.name != "deckname":
            yield from _other(child)
    yield from _stray(root, "main", None)


def _zone(node: Node, read: Callable[[Node], Fields]) -> Iterator[Line]:
    words = node.get("name")
    opened = section_line(node.line, f'<{node.name} name="{words}">', words)
    yield opened
    for child in node.children:
        if child.name == "card" and (_is_plain(child) or _is_lackey_card(child)):
            yield card_line(replace(read(child), zone=opened.zone, section=opened.section))
        else:
            yield _not_understood(child, opened.zone)
    yield from _stray(node, opened.zone, opened.section)


def _is_plain(card: Node) -> bool:
    return card.closed and not card.children


def _is_lackey_card(card: Node) -> bool:
    """A card that is made of elements: its name once, perhaps a set, and nothing between them."""
    names = [child.name for child in card.children]
    known = set(names) <= {"name", "set", "number", "variant"} and len(set(names)) == len(names)
    return card.closed and known and "name" in names and not card.text.strip()


def _other(node: Node) -> Iterator[Line]:
    """What is no card: remarks come back as comments, settings of the program are passed over."""
    if node.name in _REMARKS:
        if node.text.strip():
            yield Line(node.line, node.source, "comment", written=clean(node.text))
    elif node.name not in _IGNORED:
        yield _not_understood(node, "main")


def _not_understood(node: Node, zone: str) -> Line:
    sentence = f"The element <{node.name[:40]}> is not understood, so nothing of it was read."
    problem = Problem("element_not_understood", sentence, node.line)
    return Line(node.line, node.source or f"<{node.name}>", "problem", zone=zone, problem=problem)


def _stray(node: Node, zone: str, section: str | None) -> Iterator[Line]:
    """Text between the elements may be a card that someone typed in by hand."""
    if text := clean(node.text):
        sentence = f"The text '{text[:60]}' stands between the elements, so it was not read."
        problem = Problem("element_not_understood", sentence, node.line)
        yield Line(node.line, text, "problem", zone=zone, section=section, problem=problem)
