"""Match the cards of list entries to the catalogue, with how sure each match is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from django.utils.translation import gettext_lazy

from decks.editions.domain.kinds import EntryData
from decks.importers.model import DeckLine
from decks.matching.index import CardIndex
from decks.matching.model import LineMatch
from rules import Edition
from rules.lint_lists import ListProblem, find_fault, get_entry_label
from rules.reason import Reason, reason
from rules.rendering import render

Certainty = Literal["certain", "likely", "several", "conflict", "unknown"]

# More cards than any list names; looking for each that is not there takes time.
MOST_MENTIONS = 2000
LONGEST_NAME = 200

CERTAINTY_LABELS = {
    "certain": gettext_lazy("In the catalogue"),
    "likely": gettext_lazy("Likely"),
    "several": gettext_lazy("Several cards"),
    "conflict": gettext_lazy("Number and name differ"),
    "unknown": gettext_lazy("Not in the catalogue"),
}


@dataclass(frozen=True, slots=True)
class CardMention:
    """A card as an entry or a document names it; what is None was not said."""

    name: str
    dots: int | None = None
    set_code: str | None = None
    number: str | None = None
    variant: str | None = None
    card_id: str | None = None


@dataclass(frozen=True, slots=True)
class CardMatch:
    """The matches of a mention in the catalogue.

    "certain": name and number agree, or one card has the name. "likely": found, but not as written; `reasons`
    say how. "several": the name is shared, and nothing tells its cards apart. "conflict": the number is of
    another card. `suggestions` are labels of cards that may be meant.
    """

    sure: Certainty
    card_key: str | None = None
    label: str = ""
    reasons: tuple[Reason, ...] = ()
    suggestions: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """The reasons in words."""
        return render("reason", *self.reasons)

    @property
    def words(self) -> str:
        return str(CERTAINTY_LABELS[self.sure])


def find_card(mention: CardMention, index: CardIndex) -> CardMatch:
    """Return the card of a mention.

    A number that the catalogue does not know leaves the name to decide.
    """
    whole = index.resolve(_line(mention, with_place=True))
    if whole.is_found or whole.status in ("conflict", "ambiguous") or not mention.number:
        return _to_card_match(whole, mention)
    by_name = index.resolve(_line(mention, with_place=False))
    if not by_name.is_found:
        return _to_card_match(by_name if by_name.status == "ambiguous" else whole, mention)
    reasons = (*whole.reasons, reason("name_followed"))
    return CardMatch("likely", by_name.card_key, by_name.name, reasons)


def _line(mention: CardMention, *, with_place: bool) -> DeckLine:
    place = (mention.set_code, mention.number) if with_place else (None, None)
    return DeckLine(
        number=1,
        text=mention.name,
        kind="card",
        qty=1,
        name=mention.name,
        set_code=place[0],
        collector_number=place[1],
        dots=mention.dots,
        variant=mention.variant,
        card_id=mention.card_id,
        written_text=mention.name,
    )


def _to_card_match(match: LineMatch, mention: CardMention) -> CardMatch:
    labels = tuple(dict.fromkeys(suggestion.label for suggestion in match.suggestions))
    if match.is_found:
        sure: Certainty = "certain" if match.sure == "certain" else "likely"
        return CardMatch(sure, match.card_key, match.name or mention.name, match.reasons)
    if match.status == "ambiguous":
        return CardMatch("several", None, mention.name, match.reasons, labels)
    sure = "conflict" if match.status == "conflict" else "unknown"
    return CardMatch(sure, None, "", match.reasons, labels)


def card_mentions(entry: EntryData) -> Iterator[CardMention]:
    """Yield every card that an entry names."""
    card, same, distinct, printing = (entry.get(part) for part in ("card", "same", "distinct", "printed"))
    place = printing if isinstance(printing, Mapping) else {}
    if isinstance(card, Mapping) and card.get("name"):
        yield _to_mention(str(card["name"]), {**place, **card})
    if isinstance(same, list | tuple):
        yield from (_to_mention(str(name), place) for name in same)
    if isinstance(distinct, list | tuple):
        yield from (
            _to_mention(str(entry.get("name", "")), where) for where in distinct if isinstance(where, Mapping)
        )
    elif card is None and same is None and entry.get("name"):
        yield _to_mention(str(entry["name"]), place)


def _to_mention(name: str, facts: EntryData) -> CardMention:
    dots, number = facts.get("dots"), facts.get("number")
    return CardMention(
        name[:LONGEST_NAME],
        dots if type(dots) is int else None,
        str(facts["set"]) if facts.get("set") else None,
        str(number) if number is not None else None,
        str(facts["variant"]) if facts.get("variant") else None,
        str(facts["id"]) if facts.get("id") else None,
    )


def check_against_catalogue(edition: Edition, index: CardIndex) -> list[ListProblem]:
    """Return what the catalogue says against an edition.

    All warnings, as a catalogue may be incomplete or wrong.
    """
    named_cards = (
        (place, entry, m) for place, entry in enumerate(edition.entries, 1) for m in card_mentions(entry)
    )
    return [
        problem
        for place, entry, mention in islice(named_cards, MOST_MENTIONS)
        for problem in _problems(place, entry, mention, find_card(mention, index), edition.kind)
    ]


def _problems(
    place: int, entry: EntryData, mention: CardMention, card_match: CardMatch, kind: str
) -> Iterator[ListProblem]:
    who, why, perhaps = get_entry_label(place, entry), card_match.reasons, card_match.suggestions
    problem: ListProblem | None = None
    if card_match.sure == "conflict":
        problem = find_fault("number-against-name", place, entry=who, why=why, perhaps=perhaps[:3])
    elif card_match.sure == "unknown":
        problem = find_fault("unknown-card", place, entry=who, why=why, perhaps=perhaps[:3])
    elif card_match.sure == "likely":
        problem = find_fault("not-as-written", place, entry=who, why=why)
    elif card_match.sure == "several" and kind == "bans" and mention.card_id is None:
        problem = find_fault("every-version", place, entry=who, cards=perhaps[:6])
    if problem:
        yield replace(problem, severity="warning")
