"""Two-Headed Giant (HL-L45 to L49).

One male and one female immortal, and what they may not bring.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.fixes import Removal, remove_cards
from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    get_names,
    missing_facts,
    remove_entries,
)
from rules.names import normalize_name
from rules.reason import reason
from rules.rule import Rule


def _gender(viewed_entry: ViewedEntry) -> str | None:
    value = viewed_entry[1].facts.get("gender")
    letter = value.strip()[:1].upper() if isinstance(value, str) else ""
    return letter if letter in ("M", "F") else None


@check("highlander.two_heads")
def two_heads(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require exactly two personas, one male and one female."""
    deck_view = view_deck(deck, rule)
    number = count_copies(deck_view.personas)
    if number < 3 and deck_view.untyped_cards:
        yield rule.unknown(
            "heads-unknown",
            missing_facts(deck_view.untyped_cards, "type"),
            entries=get_entries(deck_view.untyped_cards),
            cards=get_names(deck_view.untyped_cards),
        )
        return
    genders = {_gender(each) for each in deck_view.personas}
    if number != 2 or genders in ({"M"}, {"F"}):
        yield _wrong_heads(deck, rule, deck_view.personas)
    elif None in genders:
        unknown = [each for each in deck_view.personas if _gender(each) is None]
        facts, names = missing_facts(unknown, "gender"), get_names(deck_view.personas)
        yield rule.unknown("gender-unknown", facts, entries=get_entries(deck_view.personas), cards=names)


def _wrong_heads(deck: Deck, rule: Rule, personas: list[ViewedEntry]) -> Finding:
    number, fix = count_copies(personas), _right_heads(deck, rule, personas)
    cards, names = get_entries(personas), get_names(personas)
    return rule.fault("wrong-heads", entries=cards, limit=2, found=number, fix=fix, cards=names)


def _right_heads(deck: Deck, rule: Rule, personas: list[ViewedEntry]) -> Fix:
    """Keep the first male and the first female persona.

    The others are removed, and what is lacking is added.
    """
    spare: list[Removal] = []
    lacking = ["M", "F"]
    for viewed_entry in sorted(personas, key=lambda each: _gender(each) is None):
        # A persona of unknown sex may fill the free place.
        gender = _gender(viewed_entry) or next(iter(lacking), None)
        copies_needed = gender in lacking
        lacking = [other for other in lacking if other != gender]
        if viewed_entry[0].qty > copies_needed:
            spare.append(("pregame", viewed_entry[0], viewed_entry[0].qty - copies_needed))
    drop = remove_cards(rule, deck, spare)
    adds = [Change("add", "pregame", 1, None, {"type": "Persona", "gender": gender}) for gender in lacking]
    wanted_personas = tuple(reason("persona-of-gender", gender=gender) for gender in lacking)
    return drop.then("add", adds, cards=wanted_personas) if wanted_personas else drop


@check("highlander.not_together")
def not_together(deck: Deck, rule: Rule, *, personas: tuple[str, ...]) -> Iterator[Finding]:
    """Refuse a deck that has all of these personas."""
    deck_view = view_deck(deck, rule)
    shut_out = {normalize_name(name) for name in personas}
    if shut_out <= deck_view.persona_names:
        personas_together = [each for each in deck_view.personas if each[1].title in shut_out]
        fix = remove_entries(rule, deck, "pregame", personas_together[1:])
        cards, names = get_entries(personas_together), get_names(personas_together)
        yield rule.fault("not-together", entries=cards, limit=1, found=len(cards), fix=fix, cards=names)


@check("highlander.no_generic_allowance")
def no_generic_allowance(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse an allowance card without an owner."""
    deck_view = view_deck(deck, rule)
    named_cards = deck_view.reader.allowances
    cards = [
        each for each in deck_view.main if each[1].title in named_cards or each[1].allowance != frozenset()
    ]
    cards += [each for each in deck_view.pregame if each[1].allowance]
    generic = [each for each in cards if _is_generic_allowance(each[1], named_cards)]
    unsure = [each for each in cards if _is_generic_allowance(each[1], named_cards) is None]
    if generic:
        yield rule.fault(
            "generic-allowance",
            entries=get_entries(generic),
            limit=0,
            found=count_copies(generic),
            fix=remove_cards(rule, deck, [("main", entry, entry.qty) for entry, _ in generic]),
            cards=get_names(generic),
            format=rule.format_name,
        )
    if unsure:
        facts = missing_facts([each for each in unsure if each[1].owner is None], "owner")
        open_kinds = [e for e in unsure if e[1].allowance is None and e[1].title not in named_cards]
        facts += missing_facts(open_kinds, "allowance")
        names = get_names(unsure)
        yield rule.unknown("generic-allowance-unknown", facts, entries=get_entries(unsure), cards=names)


def _is_generic_allowance(view: CardView, named_cards: Collection[str]) -> bool | None:
    """Return whether a card is an allowance card without an owner.

    None while that is not known. The cards that the document names (l.235) are allowance cards, whatever they
    let in.
    """
    is_allowance = True if view.title in named_cards or view.allowance else None
    if view.owner is None or is_allowance is None:
        return None if view.owner in (None, "") else False
    return view.owner == ""


@check("highlander.no_quickenings")
def no_quickenings(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse a Quickening among the pre-game cards."""
    deck_view = view_deck(deck, rule)
    if deck_view.quickenings:
        yield rule.fault(
            "quickening-not-here",
            entries=get_entries(deck_view.quickenings),
            limit=0,
            found=count_copies(deck_view.quickenings),
            fix=remove_entries(rule, deck, "pregame", deck_view.quickenings),
            cards=get_names(deck_view.quickenings),
            format=rule.format_name,
        )
    if deck_view.untyped_cards:
        facts, names = missing_facts(deck_view.untyped_cards, "type"), get_names(deck_view.untyped_cards)
        cards = get_entries(deck_view.untyped_cards)
        yield rule.unknown("quickening-unknown.type", facts, entries=cards, cards=names)
