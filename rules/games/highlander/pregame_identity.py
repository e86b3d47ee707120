"""Decide which pre-game cards of one title are one card (HL-L27)."""

from __future__ import annotations

from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import ViewedEntry
from rules.games.highlander.names import normalize_id
from rules.names import normalize_name


def is_one_pregame_card(one: ViewedEntry, two: ViewedEntry) -> bool | None:
    """Return whether two pre-game cards of a title are one card.

    None while that is not known. The text tells. Quickenings all have one title: their persona and their
    number tell, and the text if no number is printed.
    """
    if one[0].card.key == two[0].card.key:
        return True
    if one[1].is_a("quickening") and two[1].is_a("quickening"):
        return _is_one_quickening(one[1], two[1])
    has_one_text = _has_one_text(one[1], two[1])
    # Two that may be Quickenings may be of two personas.
    return None if has_one_text and None in (one[1].kinds, two[1].kinds) else has_one_text


def _is_one_quickening(one: CardView, two: CardView) -> bool | None:
    personas = (get_quickening_persona(one), get_quickening_persona(two))
    numbers = (_number(one), _number(two))
    for known_values, other in (personas, numbers):
        if known_values is not None and other is not None and known_values != other:
            return False
    if None in personas or None in numbers:
        return None
    return True if numbers[0] else _has_one_text(one, two)


def _has_one_text(one: CardView, two: CardView) -> bool | None:
    return None if one.text is None or two.text is None else one.text == two.text


def get_quickening_persona(view: CardView) -> str | None:
    """Return the persona to whom a Quickening belongs.

    The name is in the form in which names are compared. None while it is not known. Some catalogues give it
    as the owner of the card.
    """
    name = view.facts.get("of")
    if isinstance(name, str):
        return normalize_name(name) or view.owner or ""
    return view.owner or None


def find_unknown_identity(view: CardView) -> list[str]:
    """Return the unknown facts that would tell which pre-game card a card is."""
    if view.kinds is None:
        return ["type"]
    if not view.is_a("quickening"):
        return ["text"] if view.text is None else []
    facts = {"of": get_quickening_persona(view), "id": _number(view)}
    return [fact for fact, value in facts.items() if value is None]


def _number(view: CardView) -> str | None:
    number = view.facts.get("id")
    return normalize_id(number) if isinstance(number, str) else None
