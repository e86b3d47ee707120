"""Checks of pre-game cards, Watchers and Hunters (HL-L26 to L28, L31 to L33)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.fixes import remove_cards
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    choose_is_or_are,
    count_copies,
    get_entries,
    join_names,
    missing_facts,
    pick_removals,
    remove_entries,
)
from rules.games.highlander.ownership import is_group_allowed
from rules.rule import Rule, missing_fact
from rules.text import join_list, pluralize


def _number_in_words(*, max: int) -> str:
    return f"At most {pluralize(max, 'pre-game card')}, personas counted and Crystals not."


@check("highlander.pregame_number", says=_number_in_words)
def pregame_number(deck: Deck, rule: Rule, *, max: int) -> Iterator[Finding]:
    """At most `max` pre-game cards; Crystals are free of the count."""
    deck_view = view_deck(deck, rule.lists)
    counted = [each for each in deck_view.pregame if each[1].is_a("crystal") is not True]
    number = count_copies(counted)
    if number <= max:
        return
    certain = number - count_copies(deck_view.untyped)
    if certain > max or not deck_view.untyped:
        message = f"There are {number} pre-game cards; at most {max} are allowed, Crystals apart."
        # The last ones are taken out, so the personas come first.
        spare = sorted(counted, key=lambda each: not each[1].is_a("persona"))
        fix = remove_entries(rule, deck, "pregame", spare, number - max)
        yield rule.fault(
            "too-many-pregame", message, entries=get_entries(counted), limit=max, found=number, fix=fix
        )
        return
    message = f"There are {number} pre-game cards; whether some are Crystals, which are free, is not known."
    facts = missing_facts(deck_view.untyped, "type")
    yield rule.unknown(
        "pregame-number-unknown", message, facts, entries=get_entries(deck_view.untyped), limit=max
    )


@check("highlander.pregame_once", says=lambda: "One of each pre-game card.")
def pregame_once(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No pre-game card twice; Crystals have a rule of their own for that (HL-L34)."""
    deck_view = view_deck(deck, rule.lists)
    alike: dict[str, list[ViewedEntry]] = {}
    for viewed_entry in deck_view.pregame:
        if viewed_entry[1].is_a("crystal") is not True:
            alike.setdefault(viewed_entry[1].title, []).append(viewed_entry)
    repeated = [viewed_entries for viewed_entries in alike.values() if count_copies(viewed_entries) > 1]
    doubled = [
        same_card
        for viewed_entries in repeated
        for same_card in _one_card(viewed_entries)
        if count_copies(same_card) > 1
    ]
    if doubled:
        yield _doubled(deck, rule, doubled)
    doubtful = [
        viewed_entries
        for viewed_entries in repeated
        if all(count_copies(same_card) == 1 for same_card in _one_card(viewed_entries))
    ]
    for viewed_entries in doubtful:
        open_entries = [viewed_entry for viewed_entry in viewed_entries if viewed_entry[1].text is None]
        if open_entries:
            message = (
                f"Whether two pre-game cards called {join_names(viewed_entries)} are one card is not known."
            )
            facts = missing_facts(open_entries, "text")
            yield rule.unknown("pregame-unknown", message, facts, entries=get_entries(viewed_entries))


def _one_card(viewed_entries: list[ViewedEntry]) -> list[list[ViewedEntry]]:
    """Pre-game cards of one title, those together that are one card: the same text is the same card."""
    cards: dict[object, list[ViewedEntry]] = {}
    for entry, view in viewed_entries:
        place = view.text if view.text is not None else (entry.card.key,)
        cards.setdefault(place, []).append((entry, view))
    return list(cards.values())


def _doubled(deck: Deck, rule: Rule, doubled: list[list[ViewedEntry]]) -> Finding:
    card_list = join_list(f"{count_copies(same_card)} of {join_names(same_card)}" for same_card in doubled)
    spare = [
        take
        for same_card in doubled
        for take in pick_removals("pregame", same_card, count_copies(same_card) - 1)
    ]
    cards = [entry for same_card in doubled for entry in get_entries(same_card)]
    worst = max(count_copies(same_card) for same_card in doubled)
    message = f"The pre-game cards hold {card_list}; one of each is allowed."
    fix = remove_cards(rule, deck, spare)
    return rule.fault("pregame-doubled", message, entries=cards, limit=1, found=worst, fix=fix)


def _persona_in_words(*, pairs: tuple[tuple[str, ...], ...] = ()) -> str:
    also = "".join(f"; {' and '.join(pair)} may come as a pair" for pair in pairs)
    return f"One persona{also}."


@check("highlander.one_persona", says=_persona_in_words)
def one_persona(deck: Deck, rule: Rule, *, pairs: tuple[tuple[str, ...], ...] = ()) -> Iterator[Finding]:
    """Exactly one persona, or one of the documented pairs."""
    deck_view = view_deck(deck, rule.lists)
    number = count_copies(deck_view.personas)
    if number == 1 and not deck_view.untyped:
        return
    if number > 1 and not is_pair(deck_view, pairs):
        message = (
            f"The deck has {pluralize(number, 'persona')}: {join_names(deck_view.personas)}; one is allowed."
        )
        fix = remove_entries(rule, deck, "pregame", deck_view.personas, number - 1)
        cards = get_entries(deck_view.personas)
        yield rule.fault("too-many-personas", message, entries=cards, limit=1, found=number, fix=fix)
    elif deck_view.untyped:
        message = (
            f"Whether {join_names(deck_view.untyped)} "
            f"{choose_is_or_are(deck_view.untyped, 'a persona', 'personas')} is not known."
        )
        facts = missing_facts(deck_view.untyped, "type")
        yield rule.unknown("persona-unknown", message, facts, entries=get_entries(deck_view.untyped))
    elif number == 0:
        message = "There is no persona among the pre-game cards."
        fix = Fix("Add a persona.", (Change("add", "pregame", 1, None, {"type": "Persona"}),))
        yield rule.fault("no-persona", message, limit=1, found=0, fix=fix)


def is_pair(deck_view: DeckView, pairs: tuple[tuple[str, ...], ...]) -> bool:
    """Whether the personas are one documented pair, each once."""
    once = all(entry.qty == 1 for entry, _ in deck_view.personas)
    return once and any(
        len(deck_view.personas) == len(pair) and deck_view.persona_names == {name.casefold() for name in pair}
        for pair in pairs
    )


@check("highlander.no_own_quickening", says=lambda: "No Quickening of the own persona.")
def no_own_quickening(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No Quickening was won from the persona that plays it."""
    deck_view = view_deck(deck, rule.lists)
    if not deck_view.quickenings:
        return
    of = [(each, _quickening_persona(each)) for each in deck_view.quickenings]
    own = [each for each, name in of if name in deck_view.persona_names]
    unknown = [each for each, name in of if name is None]
    if own:
        message = (
            f"{join_names(own)} {choose_is_or_are(own, 'a Quickening', 'Quickenings')} of the own persona."
        )
        fix = remove_entries(rule, deck, "pregame", own)
        yield rule.fault(
            "own-quickening", message, entries=get_entries(own), limit=0, found=count_copies(own), fix=fix
        )
    if unknown:
        message = f"Whose Quickening {join_names(unknown)} is, is not known."
        yield rule.unknown(
            "quickening-unknown", message, missing_facts(unknown, "of"), entries=get_entries(unknown)
        )


def _quickening_persona(viewed_entry: ViewedEntry) -> str | None:
    name = viewed_entry[1].facts.get("of")
    return " ".join(name.casefold().split()) if isinstance(name, str) else None


GROUPS = (("watcher", "watchers"), ("hunter", "hunters"))


@check(
    "highlander.one_watcher", says=lambda: "One Watcher or one Hunter among the pre-game cards, never two."
)
def one_watcher(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """At most one Watcher or Hunter pre-game card."""
    deck_view = view_deck(deck, rule.lists)
    watchers = list({id(each): each for each in (*deck_view.watchers, *deck_view.hunters)}.values())
    number = count_copies(watchers)
    if number > 1:
        message = (
            f"{join_names(watchers)}: {number} Watcher and Hunter pre-game cards; one in all is allowed."
        )
        fix = remove_entries(rule, deck, "pregame", watchers, number - 1)
        yield rule.fault(
            "two-watchers", message, entries=get_entries(watchers), limit=1, found=number, fix=fix
        )


@check(
    "highlander.watcher_cards", says=lambda: "Watcher and Hunter cards need the pre-game card of their kind."
)
def watcher_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Watcher and Hunter cards need the pre-game card of their kind, or an allowance that says so."""
    deck_view = view_deck(deck, rule.lists)
    for group, place in GROUPS:
        if getattr(deck_view, place):
            continue
        members = [each for each in deck_view.tally.grouped if each[1].groups and group in each[1].groups]
        open_entries = [each for each in deck_view.tally.grouped if each[1].groups is None]
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
    opened = is_group_allowed(deck_view, deck_view.main[0][1], group)
    if opened:
        return
    word = group.title()
    if members and opened is False and not deck_view.untyped:
        verb = "needs" if choose_is_or_are(members) == "is" else "need"
        message = f"{join_names(members)} {verb} the {word} pre-game card, which is not there."
        fix = remove_entries(rule, deck, "main", members)
        number = count_copies(members)
        yield rule.fault(
            f"{group}-missing", message, entries=get_entries(members), limit=0, found=number, fix=fix
        )
        return
    concerned = members or open_entries
    facts = missing_facts(open_entries, "groups") if not members else []
    facts += missing_facts(deck_view.untyped, "type")
    facts += [missing_fact(e, "allowance") for _, e, v in deck_view.everything() if v.allowance is None]
    message = f"Whether the deck holds {word} cards without their pre-game card is not known."
    yield rule.unknown(f"{group}-unknown", message, facts, entries=get_entries(concerned))
