"""Cards of one name: in a list each is named with set and number, so that nobody takes one for the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Count

from decks.catalogue.models.cards import Card, Printing

Places = Mapping[str, Mapping[str, str]]


def namesakes(game: str) -> Places:
    """The places ("SF03 15/90") of every printing, by key of card and printing, of cards that share a name.

    Cards of one name with other rank dots are no namesakes: the dots stand beside the name. Two queries.
    """
    held = Card.objects.filter(game=game)
    often = held.order_by().values("name").annotate(cards=Count("pk")).filter(cards__gt=1).values("name")
    by_name: dict[str, list[str]] = {}
    for card in held.filter(name__in=often).only("key", "name", "attributes"):
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


def told_apart(entry: Mapping[str, Any], places: Places) -> str:
    """The name of an entry, with set and number ("Dark Hado (SF03 15/90)") where other cards share it.

    An entry that names no printing gets the first place of its card; the name alone where none is known.
    """
    own = places.get(entry.get("card") or "", {})
    known = [place for place in own.values() if place]
    place = own.get(entry.get("printing") or "") or (known[0] if known else "")
    return f"{entry['name']} ({place})" if place else str(entry["name"])
