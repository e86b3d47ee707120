"""Find the card that someone typed into a form, or take it as written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import rules
from decks.catalogue.selectors import LoadedCatalogue, get_catalogue
from decks.editions.domain.content import format_card
from decks.importers.model import DeckLine
from decks.importers.typed_card import read_card_text
from decks.matching.model import LineMatch
from decks.shared.refusals import Refused
from rules.reason import Reason, reason

MOST_SUGGESTIONS = 8


@dataclass(frozen=True, slots=True)
class ChosenCard:
    """A card that was chosen.

    Holds the facts by which lists recognize it, and where it is printed, if stated.
    """

    facts: dict[str, object]
    printing_facts: dict[str, object]


class CardNotFound(Refused):
    """The typed text names no card, or several.

    `suggestions` are labels to type instead.
    """

    def __init__(self, why: tuple[Reason, ...], suggestions: tuple[str, ...]) -> None:
        super().__init__("card_not_found", field="card", why=why)
        self.suggestions = suggestions


def choose_card(game: str, typed_text: str, *, as_written: bool) -> ChosenCard:
    """Return the card for typed text.

    Examples: "Ken ●●", "SF01 38", "Ken ●● (SF01 38/143)". `as_written` takes it as it is where the catalogue
    does not settle it. Raises CardNotFound.
    """
    line, catalogue = _parse_typed(typed_text), get_catalogue(game)
    if line.kind != "card":
        raise CardNotFound((reason("not_typed_as_card"),), ())
    match = catalogue.index.resolve(line)
    if match.is_found and match.sure == "certain":
        return _from_catalogue(catalogue, match, line)
    if as_written and line.name:
        return ChosenCard(_as_written(game, line), _typed_place(line))
    why = match.reasons or (reason("not_in_catalogue", name=line.name),)
    labels = tuple(dict.fromkeys(each.label for each in match.suggestions))
    raise CardNotFound(why, labels[:MOST_SUGGESTIONS])


def _parse_typed(typed_text: str) -> DeckLine:
    """Return the words as a card line.

    The count in front prevents a number in the name from being read as a count.
    """
    return read_card_text(f"1 {typed_text}", 1, typed_text, "main", None)


def _from_catalogue(catalogue: LoadedCatalogue, match: LineMatch, line: DeckLine) -> ChosenCard:
    card = catalogue.cards[match.card_key or ""]
    facts: dict[str, object] = {"name": card.name}
    if card.dots:
        facts["dots"] = card.dots
    printing = card.printings.get(match.printing_key or "", {}) if line.collector_number else {}
    return ChosenCard(
        facts, {fact: printing[fact] for fact in ("set", "number", "set_size", "id") if fact in printing}
    )


def _as_written(game: str, line: DeckLine) -> dict[str, object]:
    """Return name and dots as they were typed.

    Where a game has no rank dots, they are part of the name.
    """
    has_ranks = any(each.key == game and each.rank_attribute for each in rules.games())
    if not has_ranks:
        return {"name": line.name if line.dots is None else line.written_text or line.name}
    return {"name": line.name} if line.dots is None else {"name": line.name, "dots": line.dots}


def _typed_place(line: DeckLine) -> dict[str, object]:
    """Set and number as they were typed; a number that is none is left out."""
    number, _, size = (line.collector_number or "").partition("/")
    if not line.set_code or not number.isdecimal() or len(number) > 6:
        return {}
    place: dict[str, object] = {"set": line.set_code, "number": int(number)}
    return {**place, "set_size": int(size)} if size.isdecimal() and len(size) <= 6 else place


def card_input_text(card: Mapping[str, object], printed_facts: Mapping[str, object]) -> str:
    """Return the text to type for the card of an entry: "Ken ●● (SF01 38/143)".

    A form shows this text.
    """
    known_facts = {**printed_facts, **{fact: value for fact, value in card.items() if fact != "id"}}
    return format_card(
        {
            fact: known_facts[fact]
            for fact in ("name", "dots", "set", "number", "set_size")
            if fact in known_facts
        }
    )


def suggest_cards(game: str, typed_text: str) -> tuple[str, ...]:
    """Suggest labels of cards for what has been typed so far."""
    suggestions = get_catalogue(game).index.search(typed_text, MOST_SUGGESTIONS) if typed_text.strip() else ()
    return tuple(dict.fromkeys(each.label for each in suggestions))
