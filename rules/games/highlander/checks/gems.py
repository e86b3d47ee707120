"""Gems of the deck against those of the persona, Master cards, and altered assignments (HL-L05 to L10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.checks import check
from rules.deck import Deck
from rules.finding import Finding, Fix, MissingFact
from rules.fixes import Removal, remove_cards
from rules.games.highlander.deck_view import DeckView, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    join_names,
    remove_entries,
    set_option,
)
from rules.games.highlander.gem_sheet import GEM_CAP, GemRange, GemSheet, compute_gem_sheet, get_altered_gems
from rules.games.highlander.names import ATTRIBUTES, GEMS
from rules.rule import Rule, missing_fact
from rules.text import join_list, pluralize


@check(
    "highlander.gem_limits",
    says=lambda: "The gems of the deck stay within three times the persona's, for each of five attributes.",
)
def gem_limits(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """For each attribute, the gems on all deck cards stay within the multiplied gems of the persona."""
    deck_view = view_deck(deck, rule.lists)
    if not (deck_view.personas or deck_view.untyped):
        return
    totals = {letter: n for letter, n in deck_view.tally.gems.items() if letter != "M"}
    sheet = compute_gem_sheet(deck_view)
    allowed = sheet.limits
    over = {a: n for a, n in totals.items() if n > _certain_limit(allowed[a], deck_view)}
    if over:
        yield _too_many(deck, rule, deck_view, over, allowed)
    doubtful = [
        a for a in ATTRIBUTES if a not in over and _may_exceed(deck_view, totals.get(a, 0), allowed[a])
    ]
    if doubtful:
        yield _not_known(rule, deck_view, sheet, doubtful)


def _certain_limit(limit: GemRange, deck_view: DeckView) -> int:
    """What no persona that is possible could exceed."""
    most = limit.most if not deck_view.untyped else None
    return 3 * GEM_CAP if most is None else most


def _may_exceed(deck_view: DeckView, total_known: int, limit: GemRange) -> bool:
    least = 0 if deck_view.untyped and not deck_view.personas else limit.least
    return bool(deck_view.tally.open_gems) or total_known > least


def _too_many(
    deck: Deck, rule: Rule, deck_view: DeckView, over: Mapping[str, int], allowed: Mapping[str, GemRange]
) -> Finding:
    most = {letter: _certain_limit(allowed[letter], deck_view) for letter in over}
    gem_list = join_list(f"{n} {GEMS[a]} of {most[a]}" for a, n in over.items())
    cards = [e for e, view in deck_view.main if view.gems and any(view.gems.get(a) for a in over)]
    fix = _lighter(deck, rule, deck_view, {a: n - most[a] for a, n in over.items()})
    message = f"The gems of the deck exceed those of the persona: {gem_list}."
    return rule.fault("too-many-gems", message, entries=cards, limit=most, found=dict(over), fix=fix)


def _lighter(deck: Deck, rule: Rule, deck_view: DeckView, surplus: Mapping[str, int]) -> Fix:
    """Take out the cards that weigh most, until no attribute is exceeded."""
    left, takes = dict(surplus), []
    for letter in surplus:
        viewed_entries = [each for each in deck_view.main if each[1].gems and each[1].gems.get(letter)]
        for entry, view in sorted(viewed_entries, key=lambda each: -(each[1].gems or {}).get(letter, 0)):
            weight = (view.gems or {})[letter]
            needed = min(entry.qty, -(-left[letter] // weight)) if left[letter] > 0 else 0
            if needed:
                takes.append(("main", entry, needed))
                for other, number in (view.gems or {}).items():
                    left[other] = left.get(other, 0) - number * needed
    return remove_cards(rule, deck, _joined(takes))


def _joined(takes: list[Removal]) -> list[Removal]:
    """A card that is taken out for two reasons is taken out as often as the greater needs."""
    most: dict[int, Removal] = {}
    for zone, entry, qty in takes:
        earlier = most.get(id(entry))
        most[id(entry)] = (zone, entry, min(entry.qty, qty + (earlier[2] if earlier else 0)))
    return list(most.values())


def _not_known(rule: Rule, deck_view: DeckView, sheet: GemSheet, letters: list[str]) -> Finding:
    cards = deck_view.tally.open_gems
    facts: list[MissingFact] = [missing_fact(entry, "gems") for entry, _ in cards]
    facts += [missing_fact(viewed_entry[0], fact) for viewed_entry, fact in sheet.open_entries]
    facts += [missing_fact(entry, "type") for entry, _ in deck_view.untyped]
    gem_list = join_list(GEMS[letter] for letter in letters)
    message = f"Whether the gems of the deck stay within the persona's is not known: {gem_list}."
    return rule.unknown("gems-unknown", message, facts, entries=get_entries(cards))


@check("highlander.master_cards", says=lambda: "Master cards stay within the Master gem, not multiplied.")
def master_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Cards with the word Master in the title, at most the Master gem of the persona."""
    deck_view = view_deck(deck, rule.lists)
    masters = deck_view.tally.masters
    if not masters or not (deck_view.personas or deck_view.untyped):
        return
    sheet, number = compute_gem_sheet(deck_view), count_copies(masters)
    limit = sheet.values["M"]
    if not deck_view.untyped and limit.most is not None and number > limit.most:
        message = (
            f"The deck has {number} Master cards ({join_names(masters)}); the Master gem allows {limit.most}."
        )
        fix = remove_entries(rule, deck, "main", masters, number - limit.most)
        cards = get_entries(masters)
        yield rule.fault("too-many-masters", message, entries=cards, limit=limit.most, found=number, fix=fix)
    elif number > limit.least:
        facts = [missing_fact(viewed_entry[0], fact) for viewed_entry, fact in sheet.open_entries]
        facts += [missing_fact(entry, "type") for entry, _ in deck_view.untyped]
        message = f"Whether the Master gem allows {number} Master cards is not known."
        yield rule.unknown("masters-unknown", message, facts, entries=get_entries(masters))


@check("highlander.gem_cap", says=lambda cap: f"No altered gem stands above {cap}, {3 * cap} in the deck.")
def gem_cap(deck: Deck, rule: Rule, *, cap: int) -> Iterator[Finding]:
    """No gem of an altered assignment is above the cap."""
    if "gem_assignment" not in deck.options:
        return
    altered = get_altered_gems(view_deck(deck, rule.lists))
    if altered is None:
        if deck.options["gem_assignment"] is not None:
            message = "The altered gems cannot be read: they are numbers for attributes."
            yield rule.unknown("gem-assignment-unreadable", message, [MissingFact("gem_assignment")])
        return
    above = {letter: number for letter, number in altered.items() if letter != "M" and number > cap}
    if above:
        gem_list = join_list(f"{GEMS[letter]} {number}" for letter, number in above.items())
        lowered = {
            letter: min(number, cap) if letter != "M" else number for letter, number in altered.items()
        }
        fix = set_option(f"Lower {gem_list} to {cap}.", {"gem_assignment": lowered})
        message = f"An altered gem may not stand above {cap}: {gem_list}."
        yield rule.fault("gem-above-cap", message, limit=cap, found=above, fix=fix)


@check("highlander.gem_sheet", says=lambda: "An altered assignment of gems stands on paper beforehand.")
def gem_sheet(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """An altered assignment was submitted on paper; the director may see it, the opponent need not."""
    handed_in = deck.options.get("gem_sheet")
    if handed_in is True or (handed_in is None and deck.options.get("gem_assignment") is None):
        return
    message = "The altered assignment of gems was not handed in on paper before the event."
    fix = set_option("Hand the sheet in.", {"gem_sheet": True})
    yield rule.fault("gem-sheet-missing", message, fix=fix)


def _total_in_words(*, warn: bool) -> str:
    if not warn:
        return "Whether an altered assignment keeps the persona's total is not looked at."
    return "An altered assignment that does not keep the persona's total is pointed out."


@check("highlander.gem_total", says=_total_in_words)
def gem_total(deck: Deck, rule: Rule, *, warn: bool) -> Iterator[Finding]:
    """Where the organizer wants it, points out an assignment with another total than the persona prints."""
    if not warn:
        return
    deck_view = view_deck(deck, rule.lists)
    altered = get_altered_gems(deck_view)
    if altered is None or len(deck_view.personas) != 1 or deck_view.personas[0][1].gems is None:
        return
    printed = deck_view.personas[0][1].gems
    now = sum([altered.get(letter, printed.get(letter, 0)) for letter in ATTRIBUTES])
    then = sum([printed.get(letter, 0) for letter in ATTRIBUTES])
    if now != then:
        message = f"The altered gems total {now}; the persona prints {pluralize(then, 'gem')}."
        yield rule.warning("gem-total-differs", message, limit=then, found=now)
