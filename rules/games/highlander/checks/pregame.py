"""Checks of pre-game cards, Watchers and Hunters (HL-L26 to L28, L31 to L33)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check, demand
from rules.deck import Deck
from rules.finding import Change, Finding, build_fix
from rules.fixes import remove_cards
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    get_names,
    missing_facts,
    pick_removals,
    quantity_of,
    remove_entries,
)
from rules.games.highlander.ownership import is_group_allowed
from rules.games.highlander.pregame_identity import (
    find_unknown_identity,
    get_quickening_persona,
    is_one_pregame_card,
)
from rules.reason import Reason, reason
from rules.rule import Rule, missing_fact


@check("highlander.pregame_number")
def pregame_number(deck: Deck, rule: Rule, *, max: int) -> Iterator[Finding]:
    """Limit pre-game cards to `max`, without counting Crystals."""
    deck_view = view_deck(deck, rule)
    counted_cards = [each for each in deck_view.pregame if each[1].is_a("crystal") is not True]
    number = count_copies(counted_cards)
    if number <= max:
        return
    certain = number - count_copies(deck_view.untyped_cards)
    if certain > max or not deck_view.untyped_cards:
        # The last ones are taken out, so the personas come first.
        spare = sorted(counted_cards, key=lambda each: not each[1].is_a("persona"))
        fix = remove_entries(rule, deck, "pregame", spare, number - max)
        yield rule.fault(
            "too-many-pregame", entries=get_entries(counted_cards), limit=max, found=number, fix=fix
        )
        return
    facts, cards = missing_facts(deck_view.untyped_cards, "type"), get_entries(deck_view.untyped_cards)
    yield rule.unknown("pregame-number-unknown", facts, entries=cards, limit=max, qty=number)


@check("highlander.pregame_once")
def pregame_once(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse a second copy of a pre-game card.

    Crystals have their own rule for that (HL-L34).
    """
    deck_view = view_deck(deck, rule)
    alike: dict[str, list[ViewedEntry]] = {}
    for viewed_entry in deck_view.pregame:
        if viewed_entry[1].is_a("crystal") is not True:
            alike.setdefault(viewed_entry[1].title, []).append(viewed_entry)
    repeated_entries = [
        viewed_entries for viewed_entries in alike.values() if count_copies(viewed_entries) > 1
    ]
    doubled_entries = [
        same_card
        for viewed_entries in repeated_entries
        for same_card in _one_card(viewed_entries)
        if count_copies(same_card) > 1 and same_card[0][1].kinds is not None
    ]
    if doubled_entries:
        yield _report_doubled(deck, rule, doubled_entries)
    for viewed_entries in repeated_entries:
        if not any(same_card[0] in viewed_entries for same_card in doubled_entries):
            yield from _doubtful(rule, viewed_entries)


def _one_card(viewed_entries: list[ViewedEntry]) -> list[list[ViewedEntry]]:
    """Group the pre-game cards of one title that are one card."""
    cards: list[list[ViewedEntry]] = []
    for viewed_entry in viewed_entries:
        same_card = next((each for each in cards if is_one_pregame_card(each[0], viewed_entry)), None)
        if same_card is None:
            cards.append([viewed_entry])
        else:
            same_card.append(viewed_entry)
    return cards


def _doubtful(rule: Rule, viewed_entries: list[ViewedEntry]) -> Iterator[Finding]:
    """Report cards of one title that may be one card, with the facts that would tell."""
    unclear = [
        each
        for each in viewed_entries
        if (each[0].qty > 1 and each[1].kinds is None)
        or any(is_one_pregame_card(each, other) is None for other in viewed_entries if other is not each)
    ]
    facts = [missing_fact(entry, fact) for entry, view in unclear for fact in find_unknown_identity(view)]
    if unclear:
        names = get_names(unclear)
        yield rule.unknown("pregame-unknown", facts, entries=get_entries(viewed_entries), cards=names)


def _report_doubled(deck: Deck, rule: Rule, doubled_entries: list[list[ViewedEntry]]) -> Finding:
    quantities = tuple(quantity_of(same_card) for same_card in doubled_entries)
    spare = [
        take
        for same_card in doubled_entries
        for take in pick_removals("pregame", same_card, count_copies(same_card) - 1)
    ]
    cards = [entry for same_card in doubled_entries for entry in get_entries(same_card)]
    worst = max(count_copies(same_card) for same_card in doubled_entries)
    fix = remove_cards(rule, deck, spare)
    return rule.fault("pregame-doubled", entries=cards, limit=1, found=worst, fix=fix, quantities=quantities)


def _persona_says(*, pairs: tuple[tuple[str, ...], ...] = ()) -> Reason:
    if not pairs:
        return demand("highlander.one_persona")
    both = tuple(reason("pair-of-personas", personas=tuple(pair)) for pair in pairs)
    return demand("highlander.one_persona.or-pair", pairs=both)


@check("highlander.one_persona", says=_persona_says)
def one_persona(deck: Deck, rule: Rule, *, pairs: tuple[tuple[str, ...], ...] = ()) -> Iterator[Finding]:
    """Require exactly one persona, or one of the documented pairs."""
    deck_view = view_deck(deck, rule)
    number = count_copies(deck_view.personas)
    if number == 1 and not deck_view.untyped_cards:
        return
    if number > 1 and not is_pair(deck_view, pairs):
        fix = remove_entries(rule, deck, "pregame", deck_view.personas, number - 1)
        cards, names = get_entries(deck_view.personas), get_names(deck_view.personas)
        yield rule.fault("too-many-personas", entries=cards, limit=1, found=number, fix=fix, cards=names)
    elif deck_view.untyped_cards:
        facts, names = missing_facts(deck_view.untyped_cards, "type"), get_names(deck_view.untyped_cards)
        yield rule.unknown(
            "persona-unknown", facts, entries=get_entries(deck_view.untyped_cards), cards=names
        )
    elif number == 0:
        fix = build_fix("add-persona", (Change("add", "pregame", 1, None, {"type": "Persona"}),))
        yield rule.fault("no-persona", limit=1, found=0, fix=fix)


def is_pair(deck_view: DeckView, pairs: tuple[tuple[str, ...], ...]) -> bool:
    """Return whether the personas are one documented pair, each once."""
    once = all(entry.qty == 1 for entry, _ in deck_view.personas)
    return once and any(
        len(deck_view.personas) == len(pair) and deck_view.persona_names == {name.casefold() for name in pair}
        for pair in pairs
    )


@check("highlander.no_own_quickening")
def no_own_quickening(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse a Quickening that was won from the persona that plays it."""
    deck_view = view_deck(deck, rule)
    if not deck_view.quickenings:
        return
    persona_of_each = [(each, get_quickening_persona(each[1])) for each in deck_view.quickenings]
    own = [each for each, name in persona_of_each if name in deck_view.persona_names]
    unknown = [each for each, name in persona_of_each if name is None]
    if own:
        fix, card_count, names = remove_entries(rule, deck, "pregame", own), count_copies(own), get_names(own)
        yield rule.fault(
            "own-quickening", entries=get_entries(own), limit=0, found=card_count, fix=fix, cards=names
        )
    if unknown:
        facts, names = missing_facts(unknown, "of"), get_names(unknown)
        yield rule.unknown("quickening-unknown", facts, entries=get_entries(unknown), cards=names)


GROUPS = (("watcher", "watchers"), ("hunter", "hunters"))


@check("highlander.one_watcher")
def one_watcher(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse a second Watcher or Hunter pre-game card."""
    deck_view = view_deck(deck, rule)
    watchers = list({id(each): each for each in (*deck_view.watchers, *deck_view.hunters)}.values())
    number = count_copies(watchers)
    if number > 1:
        fix = remove_entries(rule, deck, "pregame", watchers, number - 1)
        cards, names = get_entries(watchers), get_names(watchers)
        yield rule.fault("two-watchers", entries=cards, limit=1, found=number, fix=fix, cards=names)


@check("highlander.watcher_cards")
def watcher_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require the pre-game card of their kind for Watcher and Hunter cards.

    An allowance that covers them is accepted instead.
    """
    deck_view = view_deck(deck, rule)
    for group, place in GROUPS:
        if getattr(deck_view, place):
            continue
        members = [
            each for each in deck_view.tally.grouped_cards if each[1].groups and group in each[1].groups
        ]
        open_entries = [each for each in deck_view.tally.grouped_cards if each[1].groups is None]
        if members or open_entries:
            yield from _check_group(deck, rule, deck_view, group, members, open_entries)


def _check_group(
    deck: Deck,
    rule: Rule,
    deck_view: DeckView,
    group: str,
    members: list[ViewedEntry],
    open_entries: list[ViewedEntry],
) -> Iterator[Finding]:
    is_open = is_group_allowed(deck_view, deck_view.main[0][1], group)
    if is_open:
        return
    if members and is_open is False and not deck_view.untyped_cards:
        yield rule.fault(
            "group-card-missing",
            code=f"{group}-missing",
            entries=get_entries(members),
            limit=0,
            found=count_copies(members),
            fix=remove_entries(rule, deck, "main", members),
            cards=get_names(members),
            group=group,
        )
        return
    concerned_entries = members or open_entries
    facts = missing_facts(open_entries, "groups") if not members else []
    facts += missing_facts(deck_view.untyped_cards, "type")
    facts += [missing_fact(e, "allowance") for _, e, v in deck_view.list_used() if v.allowance is None]
    cards = get_entries(concerned_entries)
    yield rule.unknown("group-card-unknown", facts, code=f"{group}-unknown", entries=cards, group=group)
