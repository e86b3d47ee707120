"""Catalogue per process (index and card facts), namesakes, and its overview.

It is built once for each version of the catalogue. The version is in the database, so every process
notices a change at its next look.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.db import connections
from django.db.models import Count, Q

import rules
from decks.catalogue.models import Card, CardSet, CatalogueImport, CatalogueState, Printing
from decks.catalogue.models import Printing as PrintingRow
from decks.importers.places import join_facts
from decks.matching.added_cards import AddedCardRecord, JoinedIndex, index_added_cards, make_added_cards
from decks.matching.catalogue import CatalogueCard, KnownCards, index_printing, rank_dots, share_facts
from decks.matching.index import CardIndex
from decks.shared.cache import CurrentValueCache

CatalogueStamp = tuple[int, str]

_COLUMNS = (
    "key", "card__key", "card__name", "card__attributes", "card_set__code", "card_set__size",
    "card_set__other_codes", "card_set__name", "number",
    "number_as_printed", "printed_name", "variant", "external_ids", "attributes", "is_deck_card",
)  # fmt: skip


@dataclass(frozen=True)
class LoadedCatalogue(KnownCards):
    """One version of a game's catalogue."""

    index: CardIndex
    stamp: CatalogueStamp

    def with_added(self, records: Sequence[AddedCardRecord]) -> LoadedCatalogue:
        """Return the catalogue with the cards that an organizer added for one event."""
        if not records:
            return self
        added_cards = make_added_cards(records)
        index = JoinedIndex(self.index, index_added_cards(self.game, added_cards))
        return replace(self, cards=ChainMap(added_cards, dict(self.cards)), index=index)


_catalogues: CurrentValueCache[str, LoadedCatalogue] = CurrentValueCache(
    slow_seconds=settings.SLOW_INDEX_SECONDS, after_thread=connections.close_all
)


def get_catalogue(game: str) -> LoadedCatalogue:
    """Return the catalogue of a game as it is now.

    If nothing changed, this takes one small query.
    """
    stamp = current_stamp(game)
    return _catalogues.get_or_compute(game, stamp, lambda: _build(game, stamp))


def get_ready_catalogue(game: str) -> tuple[LoadedCatalogue, bool]:
    """Return the catalogue for pages that must answer at once.

    Whether it is the previous catalogue is returned too. It is, while a new one that takes long is being
    indexed.
    """
    stamp = current_stamp(game)
    catalogue = _catalogues.get_or_swap(game, stamp, lambda: _build(game, stamp))
    return catalogue, catalogue.stamp != stamp


def current_stamp(game: str) -> CatalogueStamp:
    """Return the version number of a game's catalogue.

    The mark of the change that made it is returned too.
    """
    row = CatalogueState.objects.filter(game=game).values_list("version", "stamp").first()
    return row or (0, "")


def _build(game: str, stamp: CatalogueStamp) -> LoadedCatalogue:
    cards: dict[str, CatalogueCard] = {}
    index_rows = []
    for row in PrintingRow.objects.filter(game=game).order_by("pk").values(*_COLUMNS):
        card = cards.get(row["card__key"])
        if card is None:
            dots, is_deck_card = rank_dots(row["card__attributes"]), row["is_deck_card"]
            card = CatalogueCard(row["card__key"], row["card__name"], dots, is_deck_card=is_deck_card)
            cards[card.key] = card
        facts = _facts(row)
        card.printings[row["key"]] = facts
        ids = tuple(row["external_ids"].values())
        index_rows.append(
            index_printing(game, row["key"], card, facts, external_ids=ids, is_deck_card=row["is_deck_card"])
        )
    index = CardIndex(index_rows)
    # Arrange the names now: the first search should not have to wait for that.
    index.search("warm")
    share_facts(game, cards, index.twins)
    return LoadedCatalogue(game, cards, index, index.twins, stamp)


# Any: columns of a model
def _facts(row: Mapping[str, Any]) -> dict[str, object]:
    """Return everything known about a printing.

    The names are those that the rules use. Unknown facts are absent.
    """
    columns = {
        "name": row["card__name"],
        "printed_name": row["printed_name"],
        "set": row["card_set__code"],
        "set_size": row["card_set__size"],
        "number": row["number"],
        "number_as_printed": row["number_as_printed"],
        "variant": row["variant"],
    }
    columns["set_codes"] = [*(row["card_set__other_codes"] or ()), *filter(None, (row["card_set__name"],))]
    known_facts = {fact: value for fact, value in columns.items() if value not in (None, "", [])}
    return {**row["card__attributes"], **row["attributes"], **known_facts}


NamesakePlaces = Mapping[str, Mapping[str, str]]


def find_namesakes(game: str) -> NamesakePlaces:
    """Return the places of every printing of cards that share a name.

    Example: "SF03 15/90". They are by key of card and printing. Cards of one name with other rank dots are no
    namesakes: the dots are beside the name. Two queries.
    """
    cards_of_game = Card.objects.filter(game=game)
    often = (
        cards_of_game.order_by().values("name").annotate(cards=Count("pk")).filter(cards__gt=1).values("name")
    )
    by_name: dict[str, list[str]] = {}
    for card in cards_of_game.filter(name__in=often).only("key", "name", "attributes"):
        by_name.setdefault(str(card), []).append(card.key)
    places: dict[str, dict[str, str]] = {
        key: {} for keys in by_name.values() if len(keys) > 1 for key in keys
    }
    if places:
        printings = Printing.objects.filter(game=game, card__key__in=places).select_related(
            "card", "card_set"
        )
        for printing in printings:
            places[printing.card.key][printing.key] = printing.place
    return places


def disambiguate_name(entry: Mapping[str, object], places: NamesakePlaces) -> str:
    """Return the name of an entry, with set and number if other cards share it.

    Example: "Dark Hado (SF03 15/90)". An entry that names no printing gets the first place of its card, and
    its key if none is known.
    """
    card, printing = str(entry.get("card") or ""), str(entry.get("printing") or "")
    own = places.get(card, {})
    known_places = [place for place in own.values() if place]
    place = own.get(printing) or (known_places[0] if known_places else "")
    if place or not own:
        return f"{entry['name']} ({place})" if place else str(entry["name"])
    return f"{entry['name']} {join_facts(key=printing or card)}"


IMPORTS_SHOWN = 20


@dataclass(slots=True)
class GameCatalogue:
    """Stored counts of one game.

    `version` counts its changes, `not_cards` are markers and buttons.
    """

    key: str
    name: str
    version: int = 0
    cards: int = 0
    printings: int = 0
    not_cards: int = 0
    sets: list[CardSet] = field(default_factory=list)


def catalogue_overview() -> list[GameCatalogue]:
    """Return every game with its figures and its sets.

    Each set has `held`, the printings stored. This takes four queries.
    """
    overview = {game.key: GameCatalogue(game.key, game.name) for game in rules.games()}
    for game, version in CatalogueState.objects.values_list("game", "version"):
        if game in overview:
            overview[game].version = version
    for game, cards in Card.objects.values_list("game").annotate(count=Count("pk")).order_by():
        if game in overview:
            overview[game].cards = cards
    _count_printings(overview)
    for each in CardSet.objects.annotate(held=Count("printings")).order_by("game", "code"):
        if each.game in overview:
            overview[each.game].sets.append(each)
    return list(overview.values())


def count_deck_cards() -> dict[str, int]:
    """Return how many cards for decks the catalogue has, by game. One query."""
    cards = Card.objects.filter(printings__is_deck_card=True).order_by()
    return dict(cards.values_list("game").annotate(count=Count("pk", distinct=True)))


def _count_printings(overview: dict[str, GameCatalogue]) -> None:
    printing_counts = Printing.objects.values_list("game").order_by()
    figures = printing_counts.annotate(held=Count("pk"), aside=Count("pk", filter=Q(is_deck_card=False)))
    for game, printing_count, not_card_count in figures:
        if game in overview:
            overview[game].printings, overview[game].not_cards = printing_count, not_card_count


def recent_imports() -> Sequence[CatalogueImport]:
    """Return the last imports, newest first, without what they hold."""
    imports = CatalogueImport.objects.select_related("job").defer("preview", "report", "decisions")
    return list(imports[:IMPORTS_SHOWN])
