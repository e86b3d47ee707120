"""Checks of gems, Master cards and altered assignments (HL-L05 to L10).

Gems of the deck are held against those of the persona.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.checks import check, demand
from rules.deck import Deck
from rules.figures import Bar, measure
from rules.finding import Finding, Fix, MissingFact
from rules.fixes import remove_cards, set_option
from rules.games.highlander.deck_view import DeckView, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    get_names,
    remove_entries,
)
from rules.games.highlander.gem_sheet import (
    GEM_CAP,
    GemRange,
    GemSheet,
    compute_gem_sheet,
    get_altered_gems,
    get_printed_gems,
)
from rules.games.highlander.names import ATTRIBUTES, parse_gems
from rules.reason import Reason, reason
from rules.rendering import render
from rules.rule import Rule, missing_fact


@check("highlander.gem_limits")
def gem_limits(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Limit the gems on all deck cards to the multiplied gems of the persona.

    The limit applies to each attribute.
    """
    deck_view = view_deck(deck, rule)
    if not (deck_view.personas or deck_view.untyped_cards):
        return
    totals = {letter: n for letter, n in deck_view.tally.gems.items() if letter != "M"}
    sheet = compute_gem_sheet(deck_view)
    allowed_ranges = sheet.limits
    over = {a: n for a, n in totals.items() if n > _certain_limit(allowed_ranges[a], deck_view)}
    if over:
        yield _too_many(deck, rule, deck_view, over, allowed_ranges)
    doubtful = [
        a for a in ATTRIBUTES if a not in over and _may_exceed(deck_view, totals.get(a, 0), allowed_ranges[a])
    ]
    if doubtful:
        yield _not_known(rule, deck_view, sheet, doubtful)


@measure("highlander.gems")
def measure_gems(deck: Deck, rule: Rule) -> Iterator[Bar]:
    """Compare each attribute's gems on the deck cards with the persona's limit."""
    deck_view = view_deck(deck, rule)
    if not deck_view.main:
        return
    totals, limits = deck_view.tally.gems, compute_gem_sheet(deck_view).limits
    for letter in ATTRIBUTES:
        limit = limits[letter]
        most = limit.most if deck_view.personas and limit.least == limit.most else None
        is_open = bool(deck_view.tally.open_gems) or most is None
        label = render("reason", reason("gem", gem=letter))
        yield Bar(label, totals.get(letter, 0), 0, most, is_open)


def _certain_limit(limit: GemRange, deck_view: DeckView) -> int:
    """Return what no persona that is possible could exceed."""
    most = limit.most if not deck_view.untyped_cards else None
    return 3 * GEM_CAP if most is None else most


def _may_exceed(deck_view: DeckView, total_known: int, limit: GemRange) -> bool:
    least = 0 if deck_view.untyped_cards and not deck_view.personas else limit.least
    return bool(deck_view.tally.open_gems) or total_known > least


def _too_many(
    deck: Deck,
    rule: Rule,
    deck_view: DeckView,
    over: Mapping[str, int],
    allowed_ranges: Mapping[str, GemRange],
) -> Finding:
    most = {letter: _certain_limit(allowed_ranges[letter], deck_view) for letter in over}
    gems = tuple(reason("gems-of-limit", qty=n, gem=a, limit=most[a]) for a, n in over.items())
    cards = [e for e, view in deck_view.main if view.gems and any(view.gems.get(a) for a in over)]
    fix = _lighter(deck, rule, deck_view, {a: n - most[a] for a, n in over.items()})
    return rule.fault("too-many-gems", entries=cards, limit=most, found=dict(over), fix=fix, gems=gems)


def _lighter(deck: Deck, rule: Rule, deck_view: DeckView, surplus: Mapping[str, int]) -> Fix:
    """Remove the cards that relieve most of the exceeded attributes.

    Cards are removed until no attribute is exceeded.
    """
    open_surplus = dict(surplus)
    gem_entries = [(entry, view.gems) for entry, view in deck_view.main if view.gems]
    taken_counts = [0] * len(gem_entries)
    while any(number > 0 for number in open_surplus.values()):
        free = [place for place, (entry, _) in enumerate(gem_entries) if taken_counts[place] < entry.qty]
        place = max(free, key=lambda each: _relief(gem_entries[each][1], open_surplus))
        entry, gems = gem_entries[place]
        whole = [
            open_surplus[letter] // number
            for letter, number in gems.items()
            if number and open_surplus.get(letter, 0) > 0
        ]
        qty = min(entry.qty - taken_counts[place], max(1, min(whole)))
        taken_counts[place] += qty
        for letter in open_surplus:
            open_surplus[letter] -= gems.get(letter, 0) * qty
    takes = [("main", entry, qty) for (entry, _), qty in zip(gem_entries, taken_counts, strict=True) if qty]
    return remove_cards(rule, deck, takes)


def _relief(gems: Mapping[str, int], open_surplus: Mapping[str, int]) -> int:
    """Return how many gems too many go with a card."""
    return sum([min(gems.get(letter, 0), max(0, number)) for letter, number in open_surplus.items()])


def _not_known(rule: Rule, deck_view: DeckView, sheet: GemSheet, letters: list[str]) -> Finding:
    cards = deck_view.tally.open_gems
    facts: list[MissingFact] = [missing_fact(entry, "gems") for entry, _ in cards]
    facts += [missing_fact(viewed_entry[0], fact) for viewed_entry, fact in sheet.open_entries]
    facts += [missing_fact(entry, "type") for entry, _ in deck_view.untyped_cards]
    gems = tuple(reason("gem", gem=letter) for letter in letters)
    return rule.unknown("gems-unknown", facts, entries=get_entries(cards), gems=gems)


@check("highlander.master_cards")
def master_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Limit cards with the word Master in the title to the Master gem of the persona."""
    deck_view = view_deck(deck, rule)
    masters = deck_view.tally.masters
    strange = [each for each in deck_view.tally.unknown_cards if each[1].is_master]
    if not (masters or strange) or not (deck_view.personas or deck_view.untyped_cards):
        return
    sheet, number = compute_gem_sheet(deck_view), count_copies(masters)
    limit = sheet.values["M"]
    if not deck_view.untyped_cards and limit.most is not None and number > limit.most:
        fix = remove_entries(rule, deck, "main", masters, number - limit.most)
        cards, names = get_entries(masters), get_names(masters)
        yield rule.fault(
            "too-many-masters", entries=cards, limit=limit.most, found=number, fix=fix, cards=names
        )
    elif number + count_copies(strange) > limit.least:
        facts = [missing_fact(entry, "the-card") for entry, _ in strange]
        facts += [missing_fact(viewed_entry[0], fact) for viewed_entry, fact in sheet.open_entries]
        facts += [missing_fact(entry, "type") for entry, _ in deck_view.untyped_cards]
        number, masters = number + count_copies(strange), [*masters, *strange]
        yield rule.unknown("masters-unknown", facts, entries=get_entries(masters), qty=number)


def _cap_says(*, cap: int) -> Reason:
    return demand("highlander.gem_cap", cap=cap, in_deck=3 * cap)


@check("highlander.gem_cap", says=_cap_says)
def gem_cap(deck: Deck, rule: Rule, *, cap: int) -> Iterator[Finding]:
    """Refuse a gem of an altered assignment above the cap."""
    if "gem_assignment" not in deck.options:
        return
    altered_values = get_altered_gems(view_deck(deck, rule))
    if altered_values is None:
        if deck.options["gem_assignment"] is not None:
            yield rule.unknown("gem-assignment-unreadable", [MissingFact("gem_assignment")])
        return
    above = {letter: number for letter, number in altered_values.items() if number > cap}
    if above:
        gems = tuple(reason("gem-of-number", gem=letter, qty=number) for letter, number in above.items())
        lowered_gems = {letter: min(number, cap) for letter, number in altered_values.items()}
        fix = set_option("lower-gems", {"gem_assignment": lowered_gems}, gems=gems, cap=cap)
        yield rule.fault("gem-above-cap", limit=cap, found=above, fix=fix, gems=gems)


@check("highlander.altered_gems")
def altered_gems(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require a pre-game card that alters gems if they differ from the print.

    No card alters Master.
    """
    deck_view = view_deck(deck, rule)
    altered_values = get_altered_gems(deck_view) or {}
    if not altered_values or not deck_view.personas:
        return
    certain, possible = _differences(deck_view, altered_values)
    if "M" in certain:
        rest = {letter: number for letter, number in altered_values.items() if letter != "M"}
        fix = set_option("keep-master-gem", {"gem_assignment": rest})
        limit = get_printed_gems(deck_view, "M").least
        yield rule.fault("master-gem-altered", limit=limit, found=altered_values["M"], fix=fix)
    if (certain | possible) - {"M"}:
        yield from _judge_alteration(deck_view, rule, altered_values)
    if "M" in possible:
        facts = [missing_fact(entry, "gems") for entry, view in deck_view.personas if view.gems is None]
        yield rule.unknown("alteration-unknown", facts)


def _differences(deck_view: DeckView, altered_values: Mapping[str, int]) -> tuple[set[str], set[str]]:
    """Return the attributes whose gems differ from the printed ones.

    The attributes for which this is unknown are returned too.
    """
    certain, possible = set(), set()
    for letter, number in altered_values.items():
        printed_gems = get_printed_gems(deck_view, letter)
        if number < printed_gems.least or (printed_gems.most is not None and number > printed_gems.most):
            certain.add(letter)
        elif printed_gems.most is None:
            possible.add(letter)
    return certain, possible


def _judge_alteration(
    deck_view: DeckView, rule: Rule, altered_values: Mapping[str, int]
) -> Iterator[Finding]:
    altering = [each for each in deck_view.pregame if each[1].flag("alters_gems")]
    caps = [parse_gems(view.facts.get("gem_caps")) for _, view in altering]
    above = [_above_caps(altered_values, each) for each in caps if each is not None]
    if not all(above):
        return
    if facts := _facts_of_alteration(deck_view):
        yield rule.unknown("alteration-unknown", facts)
    elif altering:
        gems = tuple(reason("gem-of-number", gem=letter, qty=altered_values[letter]) for letter in above[0])
        fix = set_option("lower-gems-to-caps", {"gem_assignment": {**altered_values, **above[0]}})
        yield rule.fault("gem-above-its-cap", entries=get_entries(altering), fix=fix, gems=gems)
    else:
        fix = set_option("declare-printed-gems", {"gem_assignment": {}})
        yield rule.fault("gems-not-alterable", fix=fix)


def _above_caps(altered_values: Mapping[str, int], caps: Mapping[str, int]) -> dict[str, int]:
    """Return the attributes that exceed the number allowed, with that number.

    The card that alters them sets the number.
    """
    return {letter: cap for letter, cap in caps.items() if altered_values.get(letter, 0) > cap}


def _facts_of_alteration(deck_view: DeckView) -> list[MissingFact]:
    """Return what would have to be known of the cards that may alter gems."""
    facts = [missing_fact(entry, "gems") for entry, view in deck_view.personas if view.gems is None]
    for entry, view in deck_view.pregame:
        if view.flag("alters_gems") is None:
            facts.append(missing_fact(entry, "alters_gems"))
        elif view.flag("alters_gems") and parse_gems(view.facts.get("gem_caps")) is None:
            facts.append(missing_fact(entry, "gem_caps"))
    return facts


@check("highlander.gem_sheet")
def gem_sheet(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Report that an altered assignment must be submitted on paper.

    The sheet is for the director, not for the opponent.
    """
    handed_in = deck.options.get("gem_sheet")
    if handed_in is True or (handed_in is None and not deck.options.get("gem_assignment")):
        return
    fix = set_option("hand-in-gem-sheet", {"gem_sheet": True})
    yield rule.fault("gem-sheet-missing", fix=fix)


@check("highlander.gem_total")
def gem_total(deck: Deck, rule: Rule, *, warn: bool) -> Iterator[Finding]:
    """Warn if an assignment has another total than the persona prints.

    The warning is given only if the organizer wants it.
    """
    if not warn:
        return
    deck_view = view_deck(deck, rule)
    altered_values = get_altered_gems(deck_view)
    if altered_values is None or len(deck_view.personas) != 1 or deck_view.personas[0][1].gems is None:
        return
    printed_gems = deck_view.personas[0][1].gems
    now = sum([altered_values.get(letter, printed_gems.get(letter, 0)) for letter in ATTRIBUTES])
    then = sum([printed_gems.get(letter, 0) for letter in ATTRIBUTES])
    if now != then:
        yield rule.warning("gem-total-differs", limit=then, found=now)
