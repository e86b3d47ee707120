"""A document of rules as drafts of editions: each paragraph matched to its cards, or listed as unread.

Whatever the catalogue contradicts is not taken over. A card that the catalogue does not have is taken by the
name that stands there, and said to be unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from decks.documents.model import Document, Named, Says
from decks.editions.domain.matching import Found, Mention, find
from decks.matching.index import CardIndex
from rules.lint_lists import with_zeros
from rules.words import listed

KINDS_OF = {"text": "text", "keyword": "keyword", "wording": "wording", "as-printed": "printing"}
PREFIXES = {"ufs": "UFS-", "highlander": "HL-"}
LONGEST_SAYS = 4000


@dataclass(frozen=True, slots=True)
class ReadEntry:
    """An entry read from a document: where it stood, and how sure the catalogue is of its card."""

    entry: dict[str, Any]
    line: int
    clause: str
    text: str
    found: Found


@dataclass(frozen=True, slots=True)
class OpenParagraph:
    """A paragraph that nobody could read, or that the catalogue contradicts; people have to settle it."""

    line: int
    clause: str
    text: str
    why: str
    suggestions: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "line": self.line,
            "clause": self.clause,
            "text": self.text[:LONGEST_SAYS],
            "why": self.why,
            "suggestions": list(self.suggestions[:6]),
        }


@dataclass(slots=True)
class ReadList:
    """What a document gives for one kind of list."""

    kind: str
    entries: list[ReadEntry] = field(default_factory=list)
    unread: list[OpenParagraph] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Card:
    """A named card and what the catalogue makes of it; `named` is as it is to be written."""

    named: Named
    found: Found


def read_lists(document: Document, index: CardIndex) -> dict[str, ReadList]:
    """The lists of bans, errata and identities that a document gives, with all that stays open."""
    lists = {kind: ReadList(kind) for kind in ("bans", "errata", "identities")}
    numbers = _numbers(document)
    for place, paragraph in enumerate(document.paragraphs):
        home = lists["bans" if paragraph.is_ban else "errata"]
        cards = [_looked_up(named, paragraph, index) for named in paragraph.cards]
        wrong = [card for card in cards if card.found.sure == "conflict"]
        home.unread += [_contradicted(paragraph, card) for card in wrong]
        sound = [card for card in cards if card not in wrong]
        if paragraph.is_ban:
            home.entries += [_read(paragraph, card, _ban(paragraph, card)) for card in sound]
        else:
            home.entries += _errata(paragraph, sound, PREFIXES[document.game] + numbers[place])
            lists["identities"].entries += _identities(paragraph, sound if not wrong else [])
    for left in document.unread:
        home = lists["bans" if left.is_ban else "errata"]
        home.unread.append(OpenParagraph(left.line, left.clause, left.text, left.why))
    return lists


def _numbers(document: Document) -> list[str]:
    """The number of each paragraph; where one is given twice, a, b, … tell them apart, in their order."""
    given = Counter(paragraph.clause for paragraph in document.paragraphs if not paragraph.is_ban)
    used: Counter[str] = Counter()
    numbers = []
    for paragraph in document.paragraphs:
        clause = paragraph.clause
        letter = chr(ord("a") + used[clause]) if given[clause] > 1 and not paragraph.is_ban else ""
        used[clause] += 1
        numbers.append(paragraph.number or clause + letter)
    return numbers


def _looked_up(named: Named, paragraph: Says, index: CardIndex) -> _Card:
    """What the catalogue says to a card; a letter O is read as zero where the catalogue bears that out."""
    code = with_zeros(named.set_code)
    if code != named.set_code:
        mended = replace(named, set_code=code)
        found = find(_mention(mended), index)
        if found.sure == "certain":
            note = f"{named.set_code} is written with a letter O; the catalogue has this card in {code}."
            return _Card(mended, replace(found, sure="likely", note=note))
    found = find(_mention(named), index)
    if found.sure == "conflict" and _shares_its_place(named, paragraph):
        found = find(Mention(named.name, named.dots), index)
    if named.stray_dots and found.sure == "certain":
        note = "The dots between set and number were not read: they belong to no name."
        found = replace(found, sure="likely", note=note)
    return _Card(named, found)


def _shares_its_place(named: Named, paragraph: Says) -> bool:
    """Whether the paragraph says of this very number that it bears two names: then either is right."""
    place = (named.set_code, named.number)
    same = [card for card in paragraph.cards if (card.set_code, card.number) == place]
    return paragraph.meaning == "same" and len(same) > 1


def _mention(named: Named) -> Mention:
    if not named.set_code:
        return Mention(named.name, card_id=named.ids[0] if named.ids else None)
    return Mention(named.name, named.dots, named.set_code, str(named.number))


def _contradicted(paragraph: Says, card: _Card) -> OpenParagraph:
    found = card.found
    return OpenParagraph(paragraph.line, paragraph.clause, paragraph.text, found.note, found.suggestions)


def _read(paragraph: Says, card: _Card, entry: dict[str, Any]) -> ReadEntry:
    return ReadEntry(entry, paragraph.line, paragraph.clause, paragraph.text, card.found)


def _name(named: Named) -> str:
    """The name with straight apostrophes, as catalogues write it."""
    return named.name.replace("’", "'")


def _card(named: Named) -> dict[str, Any]:
    name = _name(named)
    return {"name": name} if named.dots is None else {"name": name, "dots": named.dots}


def _facts(named: Named) -> dict[str, Any]:
    """Where the card is printed; of Highlander its numbers, else its owner, and its mark and restriction.

    An owner is written there in short ("Duncan"), so he is only used where nothing else finds the card.
    """
    if named.set_code:
        return {"printed": _printed(named)}
    owner = "" if named.ids else named.owner
    is_generic = owner.casefold() == "generic"
    told = {
        "ids": list(named.ids),
        "owner": "" if is_generic else owner,
        "owner_kind": "generic" if is_generic else "",
        "mark": named.mark,
        "restriction": named.restriction,
    }
    return {fact: value for fact, value in told.items() if value not in ("", None, [])}


def _printed(named: Named) -> dict[str, Any]:
    return {"set": named.set_code, "number": named.number, "set_size": named.set_size}


def _ban(paragraph: Says, card: _Card) -> dict[str, Any]:
    named = card.named
    if named.set_code:
        return {"card": _card(named), "printed": _printed(named), "clause": paragraph.clause}
    known = {"id": named.ids[0]} if named.ids else {}
    return {"card": {**_card(named), **known}, "clause": paragraph.clause}


def _errata(paragraph: Says, cards: list[_Card], number: str) -> Iterator[ReadEntry]:
    if paragraph.meaning == "distinct":
        cards = cards[:1]  # both bear the name that the entry speaks of
    for card in cards:
        entry = {
            "id": number,
            "clause": number.partition("-")[2] if card.named.set_code else paragraph.clause,
            "card": _card(card.named),
            **_facts(card.named),
            "kinds": [KINDS_OF.get(paragraph.meaning, "identity")],
            "plays_differently": paragraph.plays_differently,
            "says": _words(paragraph, card)[:LONGEST_SAYS],
        }
        yield _read(paragraph, card, entry)


def _words(paragraph: Says, card: _Card) -> str:
    names = dict.fromkeys(_name(named) for named in paragraph.cards)
    if paragraph.meaning == "same":
        return f"counts as one card together with {listed(n for n in names if n != _name(card.named))}."
    if paragraph.meaning == "distinct":
        sets = listed(f"one of set {named.set_code}" for named in paragraph.cards)
        return f"{len(paragraph.cards)} cards bear this name, {sets}; each counts for itself."
    return paragraph.says


def _identities(paragraph: Says, cards: list[_Card]) -> Iterator[ReadEntry]:
    """What a paragraph says of cards that are one, or of one name that is several cards."""
    if not cards:
        return
    first = cards[0]
    if paragraph.meaning == "same":
        names = [_name(card.named) for card in cards]
        entry: dict[str, Any] = {"same": names, "clause": paragraph.clause}
        places = [_printed(card.named) for card in cards]
        if all(place == places[0] for place in places):
            entry["printed"] = places[0]
        yield _read(paragraph, first, entry)
    elif paragraph.meaning == "distinct":
        places = [{"set": card.named.set_code, "number": card.named.number} for card in cards]
        name = _name(first.named)
        yield _read(paragraph, first, {"name": name, "clause": paragraph.clause, "distinct": places})
