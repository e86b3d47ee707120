"""Sealed Deck (HL-L38 to L42).

Every card received is used, except for a choice of persona and weapon.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.checks import check
from rules.deck import Deck, Entry
from rules.finding import Change, Finding, Fix, build_fix
from rules.fixes import Removal, remove_cards, set_option
from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    get_names,
    missing_facts,
)
from rules.reason import reason
from rules.rule import Rule, missing_fact

UsedCards = dict[object, list[tuple[str, Entry, CardView]]]

Surplus = tuple[list[tuple[str, Entry, CardView]], int]
"""Cards of a list that are one card, and how many of them are more than the pool holds."""


def _identity(view: CardView, entry: Entry) -> object:
    if view.text is None or view.is_a("quickening"):
        return entry.card.key
    return view.title, view.owner, view.text


def _pool(deck: Deck, deck_view: DeckView) -> list[ViewedEntry]:
    return [(entry, deck_view.reader.view(entry.card)) for entry in deck.zone("pool")]


@check("highlander.every_card")
def every_card(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require the whole pool in deck and pre-game cards.

    Personas and weapons are a choice, and banned cards may remain unused.
    """
    if deck.pool is None:
        yield rule.warning("pool-not-recorded.use")
    else:
        yield from _compare_with_pool(deck, rule)


def _compare_with_pool(deck: Deck, rule: Rule) -> Iterator[Finding]:
    deck_view = view_deck(deck, rule)
    pool: dict[object, list[ViewedEntry]] = {}
    for viewed_entry in _pool(deck, deck_view):
        pool.setdefault(_identity(viewed_entry[1], viewed_entry[0]), []).append(viewed_entry)
    used_copies: UsedCards = {}
    for zone, entry, view in deck_view.everything():
        used_copies.setdefault(_identity(view, entry), []).append((zone, entry, view))
    surplus = [
        (placed_cards, _surplus(placed_cards, pool.get(place, [])))
        for place, placed_cards in used_copies.items()
    ]
    beyond = [(placed_cards, number) for placed_cards, number in surplus if number > 0]
    unused_entries = [
        viewed_entry
        for place, viewed_entries in pool.items()
        for viewed_entry in _list_left_out(rule, viewed_entries, used_copies.get(place, []))
    ]
    certain = [each for each in unused_entries if each[1].is_known and not _missing_to_rest(rule, each)]
    rest = [number for _, number in surplus if number < 0]
    rest += [-count_copies(entries) for place, entries in pool.items() if place not in used_copies]
    strange = _strange(beyond, unused_entries, -sum(rest))
    if strange:
        beyond, certain = _keep_certain(beyond, certain, count_copies(strange))
        facts, names = missing_facts(strange, "the-card"), get_names(strange)
        yield rule.unknown("pool-use-unknown", facts, entries=get_entries(strange), cards=names)
    namesakes = _find_namesakes(beyond, unused_entries)
    if namesakes:
        facts, names = missing_facts(namesakes, "text"), get_names(namesakes)
        yield rule.unknown("pool-use-unknown", facts, entries=get_entries(namesakes), cards=names)
    titles = {view.title for _, view in namesakes}
    yield from _judge_pool(
        deck,
        rule,
        [(cards, number) for cards, number in beyond if cards[0][2].title not in titles],
        [each for each in certain if each[1].title not in titles],
    )
    yield from _doubt_unused(rule, unused_entries)


def _doubt_unused(rule: Rule, unused_entries: list[ViewedEntry]) -> Iterator[Finding]:
    """Report cards of the pool that may rest, for want of a fact."""
    unsure = [(each, fact) for each in unused_entries if (fact := _missing_to_rest(rule, each))]
    if unsure:
        facts = [missing_fact(entry, fact) for (entry, _), fact in unsure]
        cards = [each for each, _ in unsure]
        yield rule.unknown("unused-unknown", facts, entries=get_entries(cards), cards=get_names(cards))


def _missing_to_rest(rule: Rule, viewed_entry: ViewedEntry) -> str | None:
    """Return the fact that tells whether a card of the pool may remain unused.

    None if that is known.
    """
    entry, view = viewed_entry
    if not view.is_known:
        return None
    if view.kinds is None:
        return "type"
    bans = rule.lists.entries_of("bans", entry.card)
    return "id" if any(answer == "unknown" for _, answer in bans) else None


def _find_namesakes(beyond: list[Surplus], unused_entries: list[ViewedEntry]) -> list[ViewedEntry]:
    """Find cards beyond the pool that may be cards left in it.

    They have the same title, but the text or owner is unknown.
    """
    left_views = [view for _, view in unused_entries]
    return [
        (entry, view)
        for (_, entry, view), *_ in (cards for cards, _ in beyond)
        if any(
            view.title == other.title and None in (view.text, view.owner, other.text, other.owner)
            for other in left_views
        )
    ]


def _strange(beyond: list[Surplus], unused_entries: list[ViewedEntry], rest: int) -> list[ViewedEntry]:
    """List unknown cards that may be the `rest` of the pool under another name.

    No catalogue holds them.
    """
    unknown_cards = [(cards[0], number) for cards, number in beyond if not cards[0][2].is_known]
    in_list = [(replace(entry, qty=number), view) for (_, entry, view), number in unknown_cards]
    fits = count_copies(in_list) <= rest
    return [*(in_list if fits else ()), *(each for each in unused_entries if not each[1].is_known)]


def _keep_certain(
    beyond: list[Surplus], unused_entries: list[ViewedEntry], strange: int
) -> tuple[list[Surplus], list[ViewedEntry]]:
    """Leave out of both as much as so many cards that no catalogue holds may be."""
    of_known_cards = [(cards, number) for cards, number in beyond if cards[0][2].is_known]
    return (
        of_known_cards if sum(number for _, number in of_known_cards) > strange else [],
        unused_entries if count_copies(unused_entries) > strange else [],
    )


def _surplus(placed_cards: list[tuple[str, Entry, CardView]], viewed_entries: list[ViewedEntry]) -> int:
    return sum(entry.qty for _, entry, _ in placed_cards) - count_copies(viewed_entries)


def _list_left_out(
    rule: Rule, viewed_entries: list[ViewedEntry], placed_cards: list[tuple[str, Entry, CardView]]
) -> list[ViewedEntry]:
    """List cards of the pool that had to be used and were not.

    Each is listed with the copies that are left. A ban may hit one printing of a card alone, so the printings
    of one card are looked at one by one.
    """
    bound_entries = [each for each in viewed_entries if not _may_rest(rule, each)]
    lacking = count_copies(bound_entries) - sum(
        entry.qty for _, entry, view in placed_cards if not _may_rest(rule, (entry, view))
    )
    there: dict[str, int] = {}
    for _, entry, _ in placed_cards:
        there[entry.card.key] = there.get(entry.card.key, 0) + entry.qty
    entries_left = []
    for entry, view in bound_entries:
        used_copies = min(entry.qty, there.get(entry.card.key, 0))
        there[entry.card.key] = there.get(entry.card.key, 0) - used_copies
        copies = min(lacking, entry.qty - used_copies)
        if copies > 0:
            entries_left.append((replace(entry, qty=copies), view))
            lacking -= copies
    return entries_left


def _may_rest(rule: Rule, viewed_entry: ViewedEntry) -> bool:
    may_choose = viewed_entry[1].kinds is not None and not viewed_entry[1].kinds.isdisjoint(
        {"persona", "weapon of choice", "weapon"}
    )
    return may_choose or any(
        answer == "yes" for _, answer in rule.lists.entries_of("bans", viewed_entry[0].card)
    )


def _judge_pool(
    deck: Deck,
    rule: Rule,
    beyond: list[Surplus],
    unused_entries: list[ViewedEntry],
) -> Iterator[Finding]:
    if not beyond and not unused_entries:
        return
    surplus = tuple(
        reason("quantity", qty=number, card=placed_cards[0][1].card.name) for placed_cards, number in beyond
    )
    cards = [entry for placed_cards, _ in beyond for _, entry, _ in placed_cards] + get_entries(
        unused_entries
    )
    takes: list[Removal] = [
        take for placed_cards, number in beyond for take in _take_last(placed_cards, number)
    ]
    fix = _use_whole_pool(rule, deck, takes, unused_entries)
    yield rule.fault(
        _pool_message(beyond=bool(beyond), left_out=bool(unused_entries)),
        entries=cards,
        limit=deck.size("pool"),
        fix=fix,
        surplus=surplus,
        unused=get_names(unused_entries),
    )


def _pool_message(*, beyond: bool, left_out: bool) -> str:
    if beyond and left_out:
        return "pool-not-used"
    return "pool-not-used.beyond" if beyond else "pool-not-used.left-out"


def _use_whole_pool(rule: Rule, deck: Deck, takes: list[Removal], unused_entries: list[ViewedEntry]) -> Fix:
    """Take out what is not from the pool, and put in what was left."""
    out = remove_cards(rule, deck, takes) if takes else Fix()
    if not unused_entries:
        return out
    changes = [_put_in(entry, view) for entry, view in unused_entries]
    cards = tuple(reason("quantity", qty=entry.qty, card=entry.card.name) for entry, _ in unused_entries)
    return out.then("add", changes, cards=cards)


def _put_in(entry: Entry, view: CardView) -> Change:
    """Add the copies of a pool card that the list lacks.

    They are added in the zone where such cards belong.
    """
    zone = view.home or "main"
    number = entry.card.get("id")
    wanted_facts = {"id": number} if isinstance(number, str) and number else {}
    return Change("add", zone, entry.qty, None, {"title": entry.card.name, **wanted_facts})


def _take_last(placed_cards: list[tuple[str, Entry, CardView]], number: int) -> Iterator[Removal]:
    for zone, entry, _ in reversed(placed_cards):
        taken_count = min(number, entry.qty)
        number -= taken_count
        if taken_count:
            yield zone, entry, taken_count


@check("highlander.chosen")
def chosen_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require one persona and at most one weapon.

    No persona is required if the recorded pool holds none.
    """
    deck_view = view_deck(deck, rule)
    personas, weapons = count_copies(deck_view.personas), count_copies(deck_view.weapons)
    offered_personas = [each for each in _pool(deck, deck_view) if each[1].is_a("persona")]
    if personas > 1 or weapons > 1:
        many = [
            each
            for group in (deck_view.personas, deck_view.weapons)
            if count_copies(group) > 1
            for each in group
        ]
        takes = [
            take
            for group in (deck_view.personas, deck_view.weapons)
            if count_copies(group) > 1
            for take in _take_last([("pregame", e, v) for e, v in group], count_copies(group) - 1)
        ]
        fix = remove_cards(rule, deck, takes)
        card_count, names = count_copies(many), get_names(many)
        yield rule.fault(
            "not-chosen", entries=get_entries(many), limit=1, found=card_count, fix=fix, cards=names
        )
    elif deck_view.untyped_cards:
        yield rule.unknown(
            "chosen-unknown",
            missing_facts(deck_view.untyped_cards, "type"),
            entries=get_entries(deck_view.untyped_cards),
            cards=get_names(deck_view.untyped_cards),
        )
    elif personas == 0 and (offered_personas or deck.pool is None):
        yield _no_persona(rule, offered_personas)


def _no_persona(rule: Rule, offered_personas: list[ViewedEntry]) -> Finding:
    addition = Change("add", "pregame", 1, None, {"type": "Persona"})
    if not offered_personas:
        fix = build_fix("choose-a-persona", (addition,))
        return rule.fault("no-persona-chosen", limit=1, found=0, fix=fix)
    fix, personas = (
        build_fix("choose", (addition,), card=offered_personas[0][0].card.name),
        get_names(offered_personas),
    )
    return rule.fault("no-persona-chosen.from-pool", limit=1, found=0, fix=fix, personas=personas)


@check("highlander.starting_ability")
def starting_ability(deck: Deck, rule: Rule, *, ability: int) -> Iterator[Finding]:
    """Refuse another starting ability than the registered one, if one is registered."""
    declared_option = deck.options.get("starting_ability")
    if declared_option is None or declared_option == ability:
        return
    fix = set_option("start-with-ability", {"starting_ability": ability}, ability=ability)
    yield rule.fault(
        "wrong-starting-ability",
        limit=ability,
        found=declared_option,
        fix=fix,
        declared=str(declared_option),
        format=rule.format_name,
    )
