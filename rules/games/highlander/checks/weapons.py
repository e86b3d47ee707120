"""Weapons of choice, cards that errata bind to them, and excluded titles.

The clauses are HL-L29, L30, L35 and L37.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from rules.checks import check
from rules.deck import Deck, Entry
from rules.finding import Finding
from rules.fixes import Removal, remove_cards
from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    get_names,
    missing_facts,
    remove_entries,
)
from rules.games.highlander.names import normalize_title
from rules.lists import Citation
from rules.reason import Reason, reason
from rules.rule import Rule


@check("highlander.hands")
def hands(deck: Deck, rule: Rule, *, primaries: int, hands: int) -> Iterator[Finding]:
    """Require one primary weapon, and at most two hand icons on all weapons."""
    deck_view = view_deck(deck, rule)
    if count_copies(deck_view.weapons) < 2:
        return
    primary = [each for each in deck_view.weapons if each[1].is_off_hand is False]
    unsure = [each for each in deck_view.weapons if each[1].is_off_hand is None]
    icons, open_icons = _icons(deck_view.weapons)
    faults = []
    if count_copies(primary) > primaries:
        qty, names = count_copies(primary), get_names(primary)
        faults.append(reason("too-many-primaries", qty=qty, cards=names, limit=primaries))
    if icons > hands:
        faults.append(reason("too-many-hands", qty=icons, limit=hands))
    if faults:
        fix = remove_cards(rule, deck, _pick_weapons(deck_view.weapons, primaries, hands))
        cards = get_entries(deck_view.weapons)
        clauses = {"too-many-primaries": _PRIMARIES, "too-many-hands": rule.clause}
        yield rule.fault(
            "weapons-do-not-fit",
            entries=cards,
            limit=hands,
            found=icons,
            fix=fix,
            source=Citation("", ", ".join(clauses[fault.code] for fault in faults)),
            faults=tuple(faults),
        )
    elif unsure or open_icons:
        facts = missing_facts(unsure, "off_hand") + missing_facts(open_icons, "hand_icons")
        cards, names = get_entries(deck_view.weapons), get_names(deck_view.weapons)
        yield rule.unknown("weapons-unknown", facts, entries=cards, cards=names)


_PRIMARIES = "Primary Weapons of Choice (l.419)"


def _icons(weapons: list[ViewedEntry]) -> tuple[int, list[ViewedEntry]]:
    """Count the hand icons of the weapons, at least one each.

    The weapons whose icons are unknown are listed.
    """
    hands = [(entry.qty, view.whole("hand_icons")) for entry, view in weapons]
    least = sum(qty * (1 if icons is None else icons) for qty, icons in hands)
    return least, [each for each in weapons if each[1].whole("hand_icons") is None]


def _pick_weapons(weapons: list[ViewedEntry], primaries: int, hands: int) -> list[Removal]:
    """Pick the fewest weapons to remove so that the others fit.

    The first weapons are kept.
    """
    # Each shows an icon, so no more weapons than hands can stay.
    each = [weapon for weapon in weapons for _ in range(min(weapon[0].qty, hands))]
    choices = (fitting for number in range(hands, 0, -1) for fitting in combinations(each, number))
    fitting = next((fitting for fitting in choices if _fit(fitting, primaries, hands)), ())
    entries_left = [
        (entry, entry.qty - sum(1 for other, _ in fitting if other is entry)) for entry, _ in weapons
    ]
    return [("pregame", entry, qty) for entry, qty in entries_left if qty]


def _fit(weapons: Sequence[ViewedEntry], primaries: int, hands: int) -> bool:
    """Return whether weapons can be used together, as far as their facts tell."""
    primary = [each for each in weapons if each[1].is_off_hand is False]
    icons = sum([view.whole("hand_icons") or 1 for _, view in weapons])
    return len(weapons) < 2 or (len(primary) <= primaries and icons <= hands)


@check("highlander.must_pair")
def must_pair(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require another weapon beside an off-hand weapon whose text says "must".

    The other weapon is a primary or another off-hand weapon.
    """
    deck_view = view_deck(deck, rule)
    if count_copies(deck_view.weapons) != 1:
        return
    alone = deck_view.weapons[0]
    answer, name = alone[1].flag("must_pair"), alone[0].card.name
    if answer is True and not deck_view.untyped_cards:
        fix = remove_entries(rule, deck, "pregame", [alone])
        yield rule.fault("weapon-alone", entries=[alone[0]], limit=2, found=1, fix=fix, card=name)
    elif answer is True or (answer is None and alone[1].is_off_hand is not False):
        # Another weapon may hide behind a card of unknown type.
        facts = (
            missing_facts(deck_view.untyped_cards, "type") if answer else missing_facts([alone], "must_pair")
        )
        yield rule.unknown("weapon-alone-unknown", facts, entries=[alone[0]], card=name)


@check("highlander.conditions")
def conditions(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Check the conditions of cards.

    These are cards that exclude titles, need a weapon of choice, or are for one persona.
    """
    deck_view = view_deck(deck, rule)
    if not deck_view.tally.bound_cards and not any(view.is_bound for _, view in deck_view.pregame):
        return
    yield from _check_bonds(deck, rule, deck_view, "needs_weapon", deck_view.weapon_names)
    yield from _check_bonds(deck, rule, deck_view, "persona_only", deck_view.persona_names)
    yield from _shut_out(deck, rule, deck_view)


_CODES: Mapping[str, str] = {"needs_weapon": "weapon-needed", "persona_only": "persona-only"}


Placed = tuple[str, Entry, CardView]


def _check_bonds(
    deck: Deck, rule: Rule, deck_view: DeckView, fact: str, there: frozenset[str]
) -> Iterator[Finding]:
    """Refuse cards that are bound to a weapon or persona that is absent."""
    code = _CODES[fact]
    bound_cards = [card for card in deck_view.list_used() if getattr(card[2], fact) not in {"", *there}]
    wrong = [card for card in bound_cards if not deck_view.may_hold(getattr(card[2], fact))]
    doubtful = [card for card in bound_cards if deck_view.may_hold(getattr(card[2], fact))]
    if wrong:
        cards = [entry for _, entry, _ in wrong]
        fix = remove_cards(rule, deck, [(zone, entry, entry.qty) for zone, entry, _ in wrong])
        number = sum(entry.qty for entry in cards)
        bonds, source = _bonds(fact, wrong), _cite(rule, [view for _, _, view in wrong], fact)
        yield rule.fault(
            "bond", code=code, entries=cards, limit=0, found=number, fix=fix, source=source, bonds=bonds
        )
    if doubtful:
        facts, bonds = missing_facts(deck_view.untyped_cards, "type"), _bonds(fact, doubtful)
        cards = [entry for _, entry, _ in doubtful]
        source = _cite(rule, [view for _, _, view in doubtful], fact)
        yield rule.unknown(
            "bond-unknown", facts, code=f"{code}-unknown", entries=cards, source=source, bonds=bonds
        )


def _cite(rule: Rule, views: list[CardView], fact: str) -> Citation:
    """Cite the errata that say so of these cards; nothing if the cards themselves do."""
    errata = [erratum for view in views for erratum in view.errata if fact in erratum]
    return rule.lists.cite("errata", errata)


def _bonds(fact: str, placed_cards: list[Placed]) -> tuple[Reason, ...]:
    """Return which card is bound to which weapon or persona."""
    return tuple(
        reason("bond-of-a-card", bond=fact, card=entry.card.name, to=str(view.facts.get(fact)))
        for _, entry, view in placed_cards
    )


def _shut_out(deck: Deck, rule: Rule, deck_view: DeckView) -> Iterator[Finding]:
    """Refuse cards of titles that another card of the list excludes."""
    shutting = [(entry, view) for _, entry, view in deck_view.list_used() if view.forbids_titles]
    forbidden = {title for _, view in shutting for title in view.forbids_titles}
    forbidden_entries = [
        each for each in deck_view.main if not forbidden.isdisjoint(each[1].titles or (each[1].title,))
    ]
    if forbidden_entries:
        cards = [*get_entries(shutting), *get_entries(forbidden_entries)]
        yield rule.fault(
            "title-shut-out",
            entries=cards,
            limit=0,
            found=count_copies(forbidden_entries),
            fix=remove_entries(rule, deck, "main", forbidden_entries),
            source=_cite(rule, [view for _, view in shutting], "forbids_titles"),
            cards=get_names(forbidden_entries),
            by=get_names(shutting),
        )


@check("highlander.not_in_deck")
def not_in_deck(deck: Deck, rule: Rule, *, titles: tuple[str, ...]) -> Iterator[Finding]:
    """Refuse these titles as in-game cards in this format.

    A pre-game card of the same name is allowed.
    """
    deck_view = view_deck(deck, rule)
    by_title = deck_view.tally.by_title
    keys = [normalize_title(title) for title in titles]
    barred_entries = [each for key in keys for each in by_title.get(key, ())]
    barred_entries += [each for each in deck_view.strays if each[1].title in keys]
    if barred_entries:
        fix = remove_entries(rule, deck, "main", barred_entries)
        yield rule.fault(
            "not-legal-here",
            entries=get_entries(barred_entries),
            limit=0,
            found=count_copies(barred_entries),
            fix=fix,
            cards=get_names(barred_entries),
            format=rule.format_name,
        )
