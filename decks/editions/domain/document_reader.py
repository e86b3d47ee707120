"""Turn a document of rules into entries of lists, or unresolved paragraphs.

Whatever the catalogue contradicts is not taken over. A card that the catalogue does not have is taken by the
name that is there, and said to be unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NotRequired, TypedDict

from decks.editions.domain.matching import CardMatch, CardMention, find_card
from decks.matching.index import CardIndex
from decks.matching.reading import reasons_from_json
from rules.documents import CardStatement, Document, NamedCard, cite_line
from rules.lint_lists import fix_letter_o
from rules.reason import Reason, reason
from rules.rendering import render

ERRATUM_KINDS = {"text": "text", "keyword": "keyword", "wording": "wording", "as-printed": "printing"}
MAX_TEXT_LENGTH = 4000


@dataclass(frozen=True, slots=True)
class ParsedEntry:
    """An entry read from a document: its place, and how certain its card is."""

    entry: dict[str, object]
    line: int
    clause: str
    text: str
    card_match: CardMatch

    @property
    def is_numbered(self) -> bool:
        """Whether the paragraph has a number of its own beside its line."""
        return self.clause != cite_line(self.line)


class StoredParagraph(TypedDict):
    """An `UnresolvedParagraph` as a draft holds it.

    One from before its codes has a sentence, `why`.
    """

    line: int
    clause: str
    text: str
    reasons: NotRequired[list[dict[str, object]]]
    why: NotRequired[str]
    suggestions: list[str]


@dataclass(frozen=True, slots=True)
class UnresolvedParagraph:
    """A paragraph that no one could read, or that the catalogue contradicts.

    People have to settle it.
    """

    line: int
    clause: str
    text: str
    reasons: tuple[Reason, ...]
    suggestions: tuple[str, ...] = ()

    @property
    def is_numbered(self) -> bool:
        """Whether the paragraph has a number of its own beside its line."""
        return self.clause != cite_line(self.line)

    @property
    def why(self) -> str:
        """The reasons in words."""
        return render("reason", *self.reasons)

    @classmethod
    def from_json(cls, data: StoredParagraph) -> UnresolvedParagraph:
        """Return the paragraph as it is stored; one from before its codes has a sentence."""
        reasons = reasons_from_json(data["reasons"] if "reasons" in data else [data["why"]])
        return cls(data["line"], data["clause"], data["text"], reasons, tuple(data["suggestions"]))

    def to_json(self) -> StoredParagraph:
        """Return the paragraph as it is stored, without words."""
        return {
            "line": self.line,
            "clause": self.clause,
            "text": self.text[:MAX_TEXT_LENGTH],
            "reasons": [each.to_json() for each in self.reasons],
            "suggestions": list(self.suggestions[:6]),
        }


@dataclass(slots=True)
class ParsedList:
    """The draft that a document gives for one kind of list."""

    kind: str
    entries: list[ParsedEntry] = field(default_factory=list)
    unread: list[UnresolvedParagraph] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _ResolvedCard:
    """A named card and what the catalogue makes of it.

    `named_card` is the card as it is to be written.
    """

    named_card: NamedCard
    card_match: CardMatch


def parse_lists(document: Document, index: CardIndex, errata_prefix: str = "") -> dict[str, ParsedList]:
    """Return the lists of bans, errata and identities that a document gives.

    The result includes everything that stays open. Errata are numbered behind the prefix.
    """
    lists = {kind: ParsedList(kind) for kind in ("bans", "errata", "identities")}
    numbers = _numbers(document)
    for place, paragraph in enumerate(document.paragraphs):
        home = lists["bans" if paragraph.is_ban else "errata"]
        cards = [_resolve_card(named_card, paragraph, index) for named_card in paragraph.cards]
        wrong = [card for card in cards if card.card_match.sure == "conflict"]
        home.unread += [_conflicting_paragraph(paragraph, card) for card in wrong]
        sound = [card for card in cards if card not in wrong]
        if paragraph.is_ban:
            home.entries += [_to_parsed_entry(paragraph, card, _ban_entry(paragraph, card)) for card in sound]
        else:
            home.entries += _erratum_entries(paragraph, sound, errata_prefix, numbers[place])
            lists["identities"].entries += _identity_entries(paragraph, sound if not wrong else [])
    for unread_paragraph in document.unread:
        home = lists["bans" if unread_paragraph.is_ban else "errata"]
        home.unread.append(
            UnresolvedParagraph(
                unread_paragraph.line, unread_paragraph.clause, unread_paragraph.text, (unread_paragraph.why,)
            )
        )
    return lists


def _numbers(document: Document) -> list[str]:
    """Return the number of each paragraph.

    Paragraphs with the same number get the letters a, b, … in their order.
    """
    clause_counts = Counter(paragraph.clause for paragraph in document.paragraphs if not paragraph.is_ban)
    used_places: Counter[str] = Counter()
    numbers = []
    for paragraph in document.paragraphs:
        clause = paragraph.clause
        letter = (
            chr(ord("a") + used_places[clause]) if clause_counts[clause] > 1 and not paragraph.is_ban else ""
        )
        used_places[clause] += 1
        numbers.append(paragraph.number or clause + letter)
    return numbers


def _resolve_card(named_card: NamedCard, paragraph: CardStatement, index: CardIndex) -> _ResolvedCard:
    """Return what the catalogue says to a card.

    A letter O is read as zero if the catalogue confirms that.
    """
    code = fix_letter_o(named_card.set_code)
    if code != named_card.set_code:
        corrected_card = replace(named_card, set_code=code)
        card_match = find_card(_to_mention(corrected_card), index)
        if card_match.sure == "certain":
            why = (reason("set_with_letter_o", set=named_card.set_code, corrected=code),)
            return _ResolvedCard(corrected_card, replace(card_match, sure="likely", reasons=why))
    card_match = find_card(_to_mention(named_card), index)
    if card_match.sure == "conflict" and _shares_its_place(named_card, paragraph):
        card_match = find_card(CardMention(named_card.name, named_card.dots), index)
    if named_card.stray_dots and card_match.sure == "certain":
        card_match = replace(card_match, sure="likely", reasons=(reason("stray_dots"),))
    return _ResolvedCard(named_card, card_match)


def _shares_its_place(named_card: NamedCard, paragraph: CardStatement) -> bool:
    """Return whether the paragraph gives two names for this very number.

    Then either name is right.
    """
    place = (named_card.set_code, named_card.number)
    same = [card for card in paragraph.cards if (card.set_code, card.number) == place]
    return paragraph.meaning == "same" and len(same) > 1


def _to_mention(named_card: NamedCard) -> CardMention:
    if not named_card.set_code:
        return CardMention(named_card.name, card_id=named_card.ids[0] if named_card.ids else None)
    return CardMention(named_card.name, named_card.dots, named_card.set_code, str(named_card.number))


def _conflicting_paragraph(paragraph: CardStatement, card: _ResolvedCard) -> UnresolvedParagraph:
    card_match = card.card_match
    return UnresolvedParagraph(
        paragraph.line, paragraph.clause, paragraph.text, card_match.reasons, card_match.suggestions
    )


def _to_parsed_entry(paragraph: CardStatement, card: _ResolvedCard, entry: dict[str, object]) -> ParsedEntry:
    return ParsedEntry(entry, paragraph.line, paragraph.clause, paragraph.text, card.card_match)


def _plain_name(named_card: NamedCard) -> str:
    """Return the name with straight apostrophes, as catalogues write it."""
    return named_card.name.replace("’", "'")


def _card_facts(named_card: NamedCard) -> dict[str, object]:
    name = _plain_name(named_card)
    return {"name": name} if named_card.dots is None else {"name": name, "dots": named_card.dots}


def _facts(named_card: NamedCard) -> dict[str, object]:
    """Return where the card is printed: its set, else its numbers.

    Without a set, the other facts of the document are included.
    """
    if named_card.set_code:
        return {"printed": _printed_facts(named_card)}
    return {**({"ids": list(named_card.ids)} if named_card.ids else {}), **named_card.facts}


def _printed_facts(named_card: NamedCard) -> dict[str, object]:
    return {"set": named_card.set_code, "number": named_card.number, "set_size": named_card.set_size}


def _ban_entry(paragraph: CardStatement, card: _ResolvedCard) -> dict[str, object]:
    named_card = card.named_card
    if named_card.set_code:
        return {
            "card": _card_facts(named_card),
            "printed": _printed_facts(named_card),
            "clause": paragraph.clause,
        }
    card_id = {"id": named_card.ids[0]} if named_card.ids else {}
    return {"card": {**_card_facts(named_card), **card_id}, "clause": paragraph.clause}


def _erratum_entries(
    paragraph: CardStatement, cards: list[_ResolvedCard], prefix: str, number: str
) -> Iterator[ParsedEntry]:
    if paragraph.meaning == "distinct":
        cards = cards[:1]  # both have the name that the entry is about
    for card in cards:
        entry = {
            "id": prefix + number,
            "clause": number if card.named_card.set_code else paragraph.clause,
            "card": _card_facts(card.named_card),
            **_facts(card.named_card),
            "kinds": [ERRATUM_KINDS.get(paragraph.meaning, "identity")],
            "plays_differently": paragraph.plays_differently,
            "says": _erratum_text(paragraph)[:MAX_TEXT_LENGTH],
        }
        yield _to_parsed_entry(paragraph, card, entry)


def _erratum_text(paragraph: CardStatement) -> str:
    """Return the words of the document for an erratum.

    The whole paragraph if it says which cards are one card, or several.
    """
    return paragraph.text if paragraph.meaning in ("same", "distinct") else paragraph.says


def _identity_entries(paragraph: CardStatement, cards: list[_ResolvedCard]) -> Iterator[ParsedEntry]:
    """Yield what a paragraph says about the identity of cards.

    It says that cards are one, or that one name is several cards.
    """
    if not cards:
        return
    first = cards[0]
    if paragraph.meaning == "same":
        names = [_plain_name(card.named_card) for card in cards]
        entry: dict[str, object] = {"same": names, "clause": paragraph.clause}
        places = [_printed_facts(card.named_card) for card in cards]
        if all(place == places[0] for place in places):
            entry["printed"] = places[0]
        yield _to_parsed_entry(paragraph, first, entry)
    elif paragraph.meaning == "distinct":
        places = [{"set": card.named_card.set_code, "number": card.named_card.number} for card in cards]
        name = _plain_name(first.named_card)
        yield _to_parsed_entry(
            paragraph, first, {"name": name, "clause": paragraph.clause, "distinct": places}
        )
