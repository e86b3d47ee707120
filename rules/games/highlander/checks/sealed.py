"""Sealed Deck: every card received is used, but for a choice of persona and weapon (HL-L38 to L42)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck, Entry
from rules.finding import Change, Finding, Fix
from rules.fixes import Removal, remove_cards
from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    choose_is_or_are,
    count_copies,
    get_entries,
    join_names,
    missing_facts,
    set_option,
)
from rules.rule import Rule
from rules.text import join_list

PREGAME_KINDS = frozenset({"crystal", "quickening", "watcher", "hunter", "other"})

UsedCards = dict[object, list[tuple[str, Entry, CardView]]]


def _identity(view: CardView, entry: Entry) -> object:
    return (view.title, view.owner, view.text) if view.text is not None else entry.card.key


def _pool(deck: Deck, deck_view: DeckView) -> list[ViewedEntry]:
    return [(entry, deck_view.reader.view(entry.card)) for entry in deck.zone("pool")]


@check("highlander.every_card", says=lambda: "Every card received is used, and none that was not received.")
def every_card(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Deck and pre-game cards are the pool; personas and weapons are chosen from, banned cards rest."""
    if deck.pool is None:
        yield rule.warning("pool-not-recorded", "The pool was not recorded, so its use is not checked.")
        return
    deck_view = view_deck(deck, rule.lists)
    pool: dict[object, list[ViewedEntry]] = {}
    for viewed_entry in _pool(deck, deck_view):
        pool.setdefault(_identity(viewed_entry[1], viewed_entry[0]), []).append(viewed_entry)
    used: UsedCards = {}
    for zone, entry, view in deck_view.everything():
        used.setdefault(_identity(view, entry), []).append((zone, entry, view))
    beyond = [
        (placed_cards, _surplus(placed_cards, pool.get(place, []))) for place, placed_cards in used.items()
    ]
    unused = [
        viewed_entry
        for place, viewed_entries in pool.items()
        for viewed_entry in _left(rule, viewed_entries, used.get(place, []))
    ]
    certain = [viewed_entry for viewed_entry in unused if viewed_entry[1].kinds is not None]
    yield from _judged(deck, rule, [(placed_cards, n) for placed_cards, n in beyond if n > 0], certain)
    unsure = [viewed_entry for viewed_entry in unused if viewed_entry[1].kinds is None]
    if unsure:
        what = choose_is_or_are(unsure, "a persona or weapon", "personas or weapons")
        message = f"Whether {join_names(unsure)} {what}, which may stay out, is not known."
        yield rule.unknown(
            "unused-unknown", message, missing_facts(unsure, "type"), entries=get_entries(unsure)
        )


def _surplus(placed_cards: list[tuple[str, Entry, CardView]], viewed_entries: list[ViewedEntry]) -> int:
    return sum(entry.qty for _, entry, _ in placed_cards) - count_copies(viewed_entries)


def _left(
    rule: Rule, viewed_entries: list[ViewedEntry], placed_cards: list[tuple[str, Entry, CardView]]
) -> list[ViewedEntry]:
    """Cards of the pool that had to be used and were not, each with the copies that are left.

    A ban may hit one printing of a card alone, so the printings of one card are looked at one by one.
    """
    bound = [each for each in viewed_entries if not _may_rest(rule, each)]
    lacking = count_copies(bound) - sum(
        entry.qty for _, entry, view in placed_cards if not _may_rest(rule, (entry, view))
    )
    there: dict[str, int] = {}
    for _, entry, _ in placed_cards:
        there[entry.card.key] = there.get(entry.card.key, 0) + entry.qty
    left = []
    for entry, view in bound:
        used = min(entry.qty, there.get(entry.card.key, 0))
        there[entry.card.key] = there.get(entry.card.key, 0) - used
        copies = min(lacking, entry.qty - used)
        if copies > 0:
            left.append((entry._replace(qty=copies), view))
            lacking -= copies
    return left


def _may_rest(rule: Rule, viewed_entry: ViewedEntry) -> bool:
    chosen = viewed_entry[1].kinds is not None and not viewed_entry[1].kinds.isdisjoint(
        {"persona", "weapon of choice", "weapon"}
    )
    return chosen or any(answer == "yes" for _, answer in rule.lists.entries_of("bans", viewed_entry[0].card))


def _judged(
    deck: Deck,
    rule: Rule,
    beyond: list[tuple[list[tuple[str, Entry, CardView]], int]],
    unused: list[ViewedEntry],
) -> Iterator[Finding]:
    if not beyond and not unused:
        return
    faults = []
    if beyond:
        card_list = join_list(f"{number} {placed_cards[0][1].card.name}" for placed_cards, number in beyond)
        faults.append(f"{card_list} beyond the pool")
    if unused:
        faults.append(f"not used: {join_names(unused)}")
    cards = [entry for placed_cards, _ in beyond for _, entry, _ in placed_cards] + get_entries(unused)
    message = f"Every card received is used, and only those: {'; '.join(faults)}."
    takes: list[Removal] = [take for placed_cards, number in beyond for take in _last(placed_cards, number)]
    fix = _used(rule, deck, takes, unused)
    yield rule.fault("pool-not-used", message, entries=cards, limit=deck.size("pool"), fix=fix)


def _used(rule: Rule, deck: Deck, takes: list[Removal], unused: list[ViewedEntry]) -> Fix:
    """Take out what is not from the pool, and put in what was left."""
    out = remove_cards(rule, deck, takes) if takes else Fix("")
    changes = [_put_in(entry, view) for entry, view in unused]
    card_list = join_list(
        f"{change.qty} {entry.card.name}" for change, (entry, _) in zip(changes, unused, strict=True)
    )
    sentence = f"{out.sentence} Add {card_list}." if card_list else out.sentence
    return Fix(sentence.strip(), (*out.changes, *changes))


def _put_in(entry: Entry, view: CardView) -> Change:
    """The copies of a pool card that the list lacks, in the zone where such cards lie."""
    zone = "pregame" if view.kinds and not view.kinds.isdisjoint(PREGAME_KINDS) else "main"
    number = entry.card.get("id")
    wanted = {"id": number} if isinstance(number, str) and number else {}
    return Change("add", zone, entry.qty, None, {"title": entry.card.name, **wanted})


def _last(placed_cards: list[tuple[str, Entry, CardView]], number: int) -> Iterator[Removal]:
    for zone, entry, _ in reversed(placed_cards):
        taken = min(number, entry.qty)
        number -= taken
        if taken:
            yield zone, entry, taken


@check("highlander.chosen", says=lambda: "One persona of the pool plays, with one weapon of choice or none.")
def chosen(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """One persona, unless the recorded pool holds none, and at most one weapon."""
    deck_view = view_deck(deck, rule.lists)
    personas, weapons = count_copies(deck_view.personas), count_copies(deck_view.weapons)
    offered = [each for each in _pool(deck, deck_view) if each[1].is_a("persona")]
    if personas > 1 or weapons > 1:
        many = [
            each
            for group in (deck_view.personas, deck_view.weapons)
            if count_copies(group) > 1
            for each in group
        ]
        message = f"{join_names(many)}: of several personas or weapons one is chosen."
        takes = [
            take
            for group in (deck_view.personas, deck_view.weapons)
            if count_copies(group) > 1
            for take in _last([("pregame", e, v) for e, v in group], count_copies(group) - 1)
        ]
        fix = remove_cards(rule, deck, takes)
        yield rule.fault(
            "not-chosen", message, entries=get_entries(many), limit=1, found=count_copies(many), fix=fix
        )
    elif deck_view.untyped:
        what = choose_is_or_are(deck_view.untyped, "a persona or weapon", "personas or weapons")
        message = f"Whether {join_names(deck_view.untyped)} {what}, of which one is chosen, is not known."
        yield rule.unknown(
            "chosen-unknown",
            message,
            missing_facts(deck_view.untyped, "type"),
            entries=get_entries(deck_view.untyped),
        )
    elif personas == 0 and (offered or deck.pool is None):
        message = f"No persona was chosen{f' from {join_names(offered)}' if offered else ''}."
        choice = offered[0][0].card.name if offered else "a persona"
        fix = Fix(f"Choose {choice}.", (Change("add", "pregame", 1, None, {"type": "Persona"}),))
        yield rule.fault("no-persona-chosen", message, limit=1, found=0, fix=fix)


def _ability_in_words(*, ability: int) -> str:
    return f"Players start with {ability} ability."


@check("highlander.starting_ability", says=_ability_in_words)
def starting_ability(deck: Deck, rule: Rule, *, ability: int) -> Iterator[Finding]:
    """The registered starting ability, where one is registered."""
    declared = deck.options.get("starting_ability")
    if declared is None or declared == ability:
        return
    fix = set_option(f"Start with {ability} ability.", {"starting_ability": ability})
    message = f"The list starts with {declared} ability; in {rule.format_name} it is {ability}."
    yield rule.fault("wrong-starting-ability", message, limit=ability, found=declared, fix=fix)
