"""The catalogue at a glance: how much is stored of each game, its sets, and its last imports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Q

import rules
from decks.catalogue.models.cards import Card, CardSet, CatalogueState, Printing
from decks.catalogue.models.imports import CatalogueImport

LAST = 20


@dataclass(slots=True)
class GameCatalogue:
    """What is stored of one game; `version` counts its changes, `not_cards` are markers and buttons."""

    key: str
    name: str
    version: int = 0
    cards: int = 0
    printings: int = 0
    not_cards: int = 0
    sets: list[CardSet] = field(default_factory=list)


def overview() -> list[GameCatalogue]:
    """Every game with its figures and its sets (each with `held`, the printings stored); four queries."""
    found = {game.key: GameCatalogue(game.key, game.name) for game in rules.games()}
    for game, version in CatalogueState.objects.values_list("game", "version"):
        if game in found:
            found[game].version = version
    for game, cards in Card.objects.values_list("game").annotate(count=Count("pk")).order_by():
        if game in found:
            found[game].cards = cards
    _count_printings(found)
    for each in CardSet.objects.annotate(held=Count("printings")).order_by("game", "code"):
        if each.game in found:
            found[each.game].sets.append(each)
    return sorted(found.values(), key=lambda game: game.name)


def _count_printings(found: dict[str, GameCatalogue]) -> None:
    counted = Printing.objects.values_list("game").order_by()
    figures = counted.annotate(held=Count("pk"), aside=Count("pk", filter=Q(is_deck_card=False)))
    for game, held, aside in figures:
        if game in found:
            found[game].printings, found[game].not_cards = held, aside


def last_imports() -> Sequence[CatalogueImport]:
    """The last imports, newest first, without what they hold."""
    kept = CatalogueImport.objects.select_related("job").defer("preview", "report", "decisions")
    return list(kept[:LAST])
