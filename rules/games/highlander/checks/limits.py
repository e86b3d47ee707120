"""Checks of deck size, copies of a title and restriction numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix, MissingFact, build_fix
from rules.fixes import Removal, add_cards, find_zone, remove_cards, set_option
from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    get_names,
    missing_facts,
    pick_removals,
    quantity_of,
)
from rules.games.highlander.names import normalize_title
from rules.games.highlander.ownership import Access, classify_access
from rules.names import normalize_name
from rules.reason import Reason, reason
from rules.rule import Rule, fact_reasons, missing_fact


def compute_minimum(deck_view: DeckView, least: int) -> tuple[int, list[ViewedEntry]]:
    """The minimum size with every known effect that lowers it, and the pre-game cards that might lower it."""
    lowered = sum([view.lowers_minimum or 0 for _, view in deck_view.pregame])
    return max(0, least - lowered), [each for each in deck_view.pregame if each[1].lowers_minimum is None]


@check("highlander.zone_size")
def zone_size(deck: Deck, rule: Rule, *, zone: str, min: int) -> Iterator[Finding]:
    """At least `min` cards, less what pre-game cards take off; there is no maximum."""
    deck_view = view_deck(deck, rule)
    size = deck_view.tally.size
    if size >= min:
        return
    least, open_entries = compute_minimum(deck_view, min)
    if size >= least:
        return
    if open_entries:
        yield _minimum_unknown(rule, "minimum-unknown", open_entries, least, size)
        return
    fix = add_cards("main", least - size)
    yield rule.fault("deck-too-small", limit=least, found=size, fix=fix, format=rule.format_name)


def _minimum_unknown(rule: Rule, key: str, open_entries: list[ViewedEntry], least: int, size: int) -> Finding:
    facts, cards = missing_facts(open_entries, "lowers_minimum"), get_names(open_entries)
    return rule.unknown(key, facts, entries=get_entries(open_entries), limit=least, cards=cards, size=size)


def _shorten(deck_view: DeckView, surplus: int) -> Fix:
    """Take the last cards out, and put none in: the size is to become the minimum, lowered as it may be."""
    takes = pick_removals("main", deck_view.main, surplus)
    deck = deck_view.deck
    changes = tuple(
        Change("remove", find_zone(deck, zone, entry), qty, entry.card.key) for zone, entry, qty in takes
    )
    cards = tuple(reason("quantity", qty=qty, card=entry.card.name) for _, entry, qty in takes)
    return build_fix("remove", changes, cards=cards, zone="main")


@check("highlander.minimum_exactly")
def minimum_exactly(deck: Deck, rule: Rule, *, min: int) -> Iterator[Finding]:
    """Exactly the minimum size, lowered or not."""
    deck_view = view_deck(deck, rule)
    size = deck_view.tally.size
    least, open_entries = compute_minimum(deck_view, min)
    if open_entries and size <= least:
        yield _minimum_unknown(rule, "minimum-unknown.exactly", open_entries, least, size)
    elif size != least:
        fix = _shorten(deck_view, size - least) if size > least else add_cards("main", least - size)
        yield rule.fault("deck-not-minimum", limit=least, found=size, fix=fix, format=rule.format_name)


@dataclass(frozen=True, slots=True)
class TitleCount:
    """A title that more cards bear than six: its cards, how many they are, and how many are allowed."""

    words: str
    cards: list[ViewedEntry]
    number: int
    limit: int


@check("highlander.titles")
def titles(deck: Deck, rule: Rule, *, max: int) -> Iterator[Finding]:
    """At most `max` cards of each title; the sub-title is no part of it."""
    deck_view = view_deck(deck, rule)
    counted, undivided = deck_view.tally.titles, deck_view.tally.undivided
    many = [_title(deck_view, title, number, max) for title, number in counted.items() if number > max]
    over = [title for title in many if title.number > title.limit]
    silent = [each for each in deck_view.pregame if each[1].raises is None]
    if over and silent:
        yield _title_limit_unknown(rule, over, silent)
    elif over:
        yield _too_many_of_title(deck, rule, over)
    if undivided:
        yield from _undivided(rule, undivided, counted, max)


def _title(deck_view: DeckView, title: str, number: int, most: int) -> TitleCount:
    raised = [view.raises[title] for _, view in deck_view.pregame if view.raises and title in view.raises]
    titled = [each for each in deck_view.main if title in (each[1].titles or (each[1].title,))]
    return TitleCount(_display_title(titled, title), titled, number, max((most, *raised)))


def _too_many_of_title(deck: Deck, rule: Rule, over: list[TitleCount]) -> Finding:
    spare: dict[int, Removal] = {}
    for title in over:
        for zone, entry, qty in pick_removals("main", title.cards, title.number - title.limit):
            earlier = spare.get(id(entry))
            spare[id(entry)] = (zone, entry, max(qty, earlier[2]) if earlier else qty)
    cards = [entry for title in over for entry in get_entries(title.cards)]
    worst = max(over, key=lambda title: title.number - title.limit)
    fix = remove_cards(rule, deck, spare.values())
    titles = tuple(reason("cards-of-a-title", qty=t.number, title=t.words, limit=t.limit) for t in over)
    return rule.fault(
        "too-many-of-title", entries=cards, limit=worst.limit, found=worst.number, fix=fix, titles=titles
    )


def _title_limit_unknown(rule: Rule, over: list[TitleCount], silent: list[ViewedEntry]) -> Finding:
    titles = tuple(reason("cards-titled", qty=title.number, title=title.words) for title in over)
    cards = [entry for title in over for entry in get_entries(title.cards)]
    facts = missing_facts(silent, "raises")
    return rule.unknown("title-limit-unknown", facts, entries=cards, titles=titles)


def _display_title(titled: list[ViewedEntry], title: str) -> str:
    """The title as a card of that name writes it, else as it is compared."""
    return next((e.card.name for e, view in titled if view.title == title), title.title())


def _undivided(rule: Rule, cards: list[ViewedEntry], counted: dict[str, int], most: int) -> Iterator[Finding]:
    """Cards that may have two titles: open only where the parts could exceed the limit."""
    doubtful = []
    for entry, view in cards:
        parts = [part.strip() for part in view.title.split("/")]
        if any(counted.get(part, 0) + entry.qty > most for part in parts):
            doubtful.append((entry, view))
    if doubtful:
        facts, names = missing_facts(doubtful, "titles"), get_names(doubtful)
        yield rule.unknown("dual-title-unknown", facts, entries=get_entries(doubtful), cards=names)


@check("highlander.title_needed")
def title_needed(deck: Deck, rule: Rule, *, title: str, number: int) -> Iterator[Finding]:
    """At least so many cards of a title; the limit of a title keeps it from being more."""
    deck_view = view_deck(deck, rule)
    wanted = normalize_title(title)
    titled = [each for each in deck_view.main if wanted in (each[1].titles or (each[1].title,))]
    total = count_copies(titled)
    if total < number:
        missing = number - total
        addition = Change("add", "main", missing, None, {"title": title})
        yield rule.fault(
            "title-missing",
            entries=get_entries(titled),
            limit=number,
            found=total,
            fix=build_fix("add", (addition,), cards=reason("quantity", qty=missing, card=title)),
            title=title,
            format=rule.format_name,
        )


RAISER = "darius"


@dataclass(frozen=True, slots=True)
class RestrictionRaise:
    """A declared raise of one restriction number: the card meant, by how much, and why it does not hold.

    `open_facts` are the facts of the card that are not known and on which it hangs whether it holds.
    """

    written: str
    target: ViewedEntry | None
    by: int
    fault: Reason | None
    open_facts: tuple[str, ...] = ()


def get_declared_raises(deck_view: DeckView) -> list[RestrictionRaise]:
    """The raises that the list declares, in order."""
    declared = deck_view.deck.options.get("restriction_raise")
    records = declared if isinstance(declared, list | tuple) else [declared]
    return [_raise(deck_view, record) for record in records if isinstance(record, Mapping) and record]


def _raise(deck_view: DeckView, record: Mapping[str, object]) -> RestrictionRaise:
    written, by = str(record.get("card", "")), record.get("by", 1)
    target = _find(deck_view.main, written)
    amount = by if type(by) is int else 0
    fault = _fault(deck_view, target, amount, record.get("source"))
    open_facts = () if fault or target is None else _unknown_raise_facts(deck_view, target[1])
    return RestrictionRaise(written, target, amount, fault, open_facts)


def _unknown_raise_facts(deck_view: DeckView, view: CardView) -> tuple[str, ...]:
    """What must be known of a card before its number may be raised."""
    facts_of_card = {"owner": view.owner, "mark": view.mark}
    facts = tuple(fact for fact, value in facts_of_card.items() if value is None)
    return facts or (("owner",) if classify_access(deck_view, view) is Access.OPEN else ())


def _find(cards: list[ViewedEntry], written: str) -> ViewedEntry | None:
    plain = normalize_name(written)
    return next(
        (s for s in cards if plain in (normalize_name(s[0].card.key), normalize_name(s[0].card.name))),
        None,
    )


def _fault(deck_view: DeckView, target: ViewedEntry | None, amount: int, source: object) -> Reason | None:
    raiser = _find(deck_view.pregame, str(source)) if source is not None else _darius(deck_view)
    if raiser is None or not _is_raiser(raiser[1]):
        return reason("nothing-raises")
    most = raiser[1].whole("raises_restriction")
    if amount < 1 or (most is not None and amount > most):
        return reason("not-raised-by", amount=amount)
    if target is None:
        return None
    view = target[1]
    if view.mark == "S" or view.owner_kind == "faction":
        return reason("signature-not-raised")
    if classify_access(deck_view, view) not in (Access.OWN, Access.OPEN):
        return reason("foreign-not-raised")
    return None


def _darius(deck_view: DeckView) -> ViewedEntry | None:
    return next((each for each in deck_view.pregame if _is_raiser(each[1])), None)


def _is_raiser(view: CardView) -> bool:
    return view.title == RAISER or bool(view.whole("raises_restriction"))


@check("highlander.raise")
def restriction_raise(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """A declared raise names a card that may normally be included and bears no signature."""
    if not deck.options.get("restriction_raise"):
        return
    declared = get_declared_raises(view_deck(deck, rule))
    wrong = [each for each in declared if each.fault]
    if wrong:
        cards = [each.target[0] for each in wrong if each.target]
        fix = set_option("declare-no-raise", {"restriction_raise": {}})
        yield rule.fault("raise-not-allowed", entries=cards, fix=fix, raises=tuple(map(_refused, wrong)))
    facts = [missing_fact(m.target[0], fact) for m in declared if m.target for fact in m.open_facts]
    if facts:
        yield rule.unknown("raise-unknown", facts, facts_of_cards=fact_reasons(facts))


def _refused(declared: RestrictionRaise) -> Reason:
    name = declared.target[0].card.name if declared.target else declared.written
    return reason("raise-of-a-card", card=name, fault=declared.fault)


@dataclass(frozen=True, slots=True)
class UnknownRestriction:
    """Cards of one title of which it is not known whether so many are allowed."""

    cards: list[ViewedEntry]
    facts: list[MissingFact]


ExcessCopies = tuple[list[ViewedEntry], int]


@check("highlander.restrictions")
def restrictions(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """At most as many of a card as its number says; a card is title, owner and text, whatever its gems."""
    deck_view = view_deck(deck, rule)
    raised = get_declared_raises(deck_view) if deck.options.get("restriction_raise") else []
    over: list[ExcessCopies] = []
    doubts: list[UnknownRestriction] = []
    for alike in deck_view.tally.by_title.values():
        entry, view = alike[0]
        if len(alike) > 1 or (entry.qty > 1 and view.restriction != 0):
            _judge_title(alike, raised, over, doubts)
    if over:
        yield _over_restriction(deck, rule, over)
    if doubts:
        yield _restriction_unknown(rule, doubts)


def _judge_title(
    alike: list[ViewedEntry],
    raised: list[RestrictionRaise],
    over: list[ExcessCopies],
    doubts: list[UnknownRestriction],
) -> None:
    """The cards of one title, those of one owner and text together."""
    if all(view.restriction == 0 for _, view in alike):
        return
    cards: dict[object, list[ViewedEntry]] = {}
    for viewed_entry in alike:
        cards.setdefault(_card(viewed_entry), []).append(viewed_entry)
    limits = [(same_card, _limit(same_card, raised)) for same_card in cards.values()]
    beyond = [
        (same_card, limit)
        for same_card, limit in limits
        if limit is not None and count_copies(same_card) > limit
    ]
    over += beyond
    facts = [] if beyond else _open_facts(alike, cards, raised)
    if facts:
        doubts.append(UnknownRestriction(alike, facts))


def _card(viewed_entry: ViewedEntry) -> object:
    entry, view = viewed_entry
    return (view.owner, view.text) if view.owner is not None and view.text is not None else entry.card.key


def _limit(viewed_entries: list[ViewedEntry], raised: list[RestrictionRaise]) -> int | None:
    """The lowest number that is known of these printings, with what raises it; None where none has one."""
    numbers = [view.restriction for _, view in viewed_entries if view.restriction]
    if not numbers:
        return None
    keys = {entry.card.key for entry, _ in viewed_entries}
    good = [r.by for r in raised if r.fault is None and r.target is not None and r.target[0].card.key in keys]
    return min(numbers) + sum(good)


def _over_restriction(deck: Deck, rule: Rule, over: list[ExcessCopies]) -> Finding:
    restricted = tuple(
        reason("restricted", qty=count_copies(same_card), cards=get_names(same_card), limit=limit)
        for same_card, limit in over
    )
    spare = [
        take
        for same_card, limit in over
        for take in pick_removals("main", same_card, count_copies(same_card) - limit)
    ]
    cards = [entry for same_card, _ in over for entry in get_entries(same_card)]
    worst, limit = max(over, key=lambda excess: count_copies(excess[0]) - excess[1])
    fix = remove_cards(rule, deck, spare)
    found = count_copies(worst)
    return rule.fault(
        "over-restriction", entries=cards, limit=limit, found=found, fix=fix, restricted=restricted
    )


def _open_facts(
    alike: list[ViewedEntry], cards: Mapping[object, list[ViewedEntry]], raised: list[RestrictionRaise]
) -> list[MissingFact]:
    """Numbers that are not known, and printings that may be one card, where the copies could be too many."""
    facts = []
    for same_card in cards.values():
        if count_copies(same_card) > 1:
            facts += [missing_fact(e, "restriction") for e, view in same_card if view.restriction is None]
    least = _limit(alike, raised)
    if least is not None and len(alike) > 1 and count_copies(alike) > least:
        for entry, view in alike:
            facts_of_card = (("owner", view.owner), ("text", view.text))
            facts += [missing_fact(entry, fact) for fact, value in facts_of_card if value is None]
    return facts


def _restriction_unknown(rule: Rule, doubts: list[UnknownRestriction]) -> Finding:
    quantities = tuple(quantity_of(doubt.cards) for doubt in doubts)
    cards = [entry for doubt in doubts for entry in get_entries(doubt.cards)]
    facts = [fact for doubt in doubts for fact in doubt.facts]
    return rule.unknown("restriction-unknown", facts, entries=cards, quantities=quantities)
