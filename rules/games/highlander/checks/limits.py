"""Checks of deck size, copies of a title and restriction numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, DeferredFix, Finding, Fix, MissingFact, build_fix
from rules.fixes import Removal, add_cards, find_zone, is_needed, remove_cards
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    get_names,
    missing_facts,
    pick_removals,
)
from rules.games.highlander.names import normalize_title
from rules.lists import Citation
from rules.reason import reason
from rules.rule import Rule


def compute_minimum(deck_view: DeckView, least: int) -> tuple[int, list[ViewedEntry]]:
    """Compute the minimum size with each known effect that lowers it.

    The pre-game cards that might lower it are named.
    """
    lowered_by = sum([view.lowers_minimum or 0 for _, view in deck_view.pregame])
    return max(0, least - lowered_by), [each for each in deck_view.pregame if each[1].lowers_minimum is None]


@check("highlander.zone_size")
def zone_size(deck: Deck, rule: Rule, *, zone: str, min: int) -> Iterator[Finding]:
    """Require at least `min` cards, less what pre-game cards subtract.

    There is no maximum.
    """
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


def _pick_unneeded(rule: Rule, deck_view: DeckView, qty: int) -> list[Removal]:
    """Pick the last cards of the endurance.

    Those that another rule needs are picked last of all.
    """
    ordered_entries = sorted(
        deck_view.main, key=lambda each: not (each[1].basic or is_needed(rule, each[0].card))
    )
    return pick_removals("main", ordered_entries, qty)


def _shorten(rule: Rule, deck_view: DeckView, surplus: int) -> Fix:
    """Remove the last cards and add none.

    The size is to become the minimum, which may be lowered.
    """
    takes = _pick_unneeded(rule, deck_view, surplus)
    deck = deck_view.deck
    changes = tuple(
        Change("remove", find_zone(deck, zone, entry), qty, entry.card.key) for zone, entry, qty in takes
    )
    cards = tuple(reason("quantity", qty=qty, card=entry.card.name) for _, entry, qty in takes)
    return build_fix("remove", changes, cards=cards, zone="main")


@check("highlander.minimum_exactly")
def minimum_exactly(deck: Deck, rule: Rule, *, min: int) -> Iterator[Finding]:
    """Require exactly the minimum size, lowered or not."""
    deck_view = view_deck(deck, rule)
    size = deck_view.tally.size
    least, open_entries = compute_minimum(deck_view, min)
    if open_entries and size <= least:
        yield _minimum_unknown(rule, "minimum-unknown.exactly", open_entries, least, size)
    elif size != least:
        fix = _shorten(rule, deck_view, size - least) if size > least else add_cards("main", least - size)
        yield rule.fault("deck-not-minimum", limit=least, found=size, fix=fix, format=rule.format_name)


@dataclass(frozen=True, slots=True)
class TitleCount:
    """A title that more than six cards have.

    Holds its cards, how many they are, and how many are allowed.
    """

    words: str
    cards: list[ViewedEntry]
    number: int
    limit: int
    is_raised: bool

    @property
    def clauses(self) -> tuple[str, ...]:
        """The lines of the document that the count follows from."""
        is_dual = any(view.titles and len(view.titles) > 1 for _, view in self.cards)
        raised_limits = (_RAISED,) if self.is_raised else ()
        return (_TITLE, *((_DUAL,) if is_dual else ()), *raised_limits)


_TITLE, _DUAL, _RAISED = "Title (l.44)", "Dual Type Cards (l.513)", "Persona Abilities (l.411)"


@check("highlander.titles")
def titles(deck: Deck, rule: Rule, *, max: int) -> Iterator[Finding]:
    """Limit each title to `max` cards; the sub-title is not part of it."""
    deck_view = view_deck(deck, rule)
    title_counts, undivided_counts = deck_view.tally.titles, deck_view.tally.unknown_title_cards
    strange = _strange_titles(deck_view, max) if deck_view.tally.unknown_cards else []
    many = [_title(deck_view, title, number, max) for title, number in title_counts.items() if number > max]
    over = [title for title in many if title.number > title.limit]
    silent = [each for each in deck_view.pregame if each[1].raises is None]
    if over and silent:
        yield _title_limit_unknown(rule, over, missing_facts(silent, "raises"))
    elif over:
        yield _too_many_of_title(deck, rule, over)
    if strange:
        cards = [each for title in strange for each in title.cards]
        yield _title_limit_unknown(rule, strange, missing_facts(cards, "the-card"))
    if undivided_counts:
        yield from _report_undivided(rule, undivided_counts, title_counts, max)


def _strange_titles(deck_view: DeckView, most: int) -> list[TitleCount]:
    """Return the titles that exceed the limit only with cards in no catalogue.

    Such cards may allow more.
    """
    copies: dict[str, list[ViewedEntry]] = {}
    for each in deck_view.tally.unknown_cards:
        copies.setdefault(each[1].title, []).append(each)
    title_counts = deck_view.tally.titles
    return [
        TitleCount(
            cards[0][0].card.name, cards, title_counts[title] + count_copies(cards), most, is_raised=False
        )
        for title, cards in copies.items()
        if title_counts[title] <= most < title_counts[title] + count_copies(cards)
    ]


def _title(deck_view: DeckView, title: str, number: int, most: int) -> TitleCount:
    raised_limits = [
        view.raises[title] for _, view in deck_view.pregame if view.raises and title in view.raises
    ]
    titled_entries = [
        each for each in deck_view.main if each[1].is_known and title in (each[1].titles or (each[1].title,))
    ]
    limit = max((most, *raised_limits))
    return TitleCount(_display_title(titled_entries, title), titled_entries, number, limit, limit > most)


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
    clauses = dict.fromkeys(clause for title in over for clause in title.clauses)
    return rule.fault(
        "too-many-of-title",
        entries=cards,
        limit=worst.limit,
        found=worst.number,
        fix=fix,
        source=Citation("", ", ".join(clauses)),
        titles=titles,
    )


def _title_limit_unknown(rule: Rule, over: list[TitleCount], facts: list[MissingFact]) -> Finding:
    titles = tuple(reason("cards-titled", qty=title.number, title=title.words) for title in over)
    cards = [entry for title in over for entry in get_entries(title.cards)]
    return rule.unknown("title-limit-unknown", facts, entries=cards, titles=titles)


def _display_title(titled_entries: list[ViewedEntry], title: str) -> str:
    """Return the title as a card of that name writes it, else as it is compared."""
    return next((e.card.name for e, view in titled_entries if view.title == title), title.title())


def _report_undivided(
    rule: Rule, cards: list[ViewedEntry], title_counts: dict[str, int], most: int
) -> Iterator[Finding]:
    """Report cards that may have two titles and whose parts could exceed the limit."""
    doubtful = []
    for entry, view in cards:
        parts = [part.strip() for part in view.title.split("/")]
        if any(title_counts.get(part, 0) + entry.qty > most for part in parts):
            doubtful.append((entry, view))
    if doubtful:
        facts, names = missing_facts(doubtful, "titles"), get_names(doubtful)
        yield rule.unknown("dual-title-unknown", facts, entries=get_entries(doubtful), cards=names)


@check("highlander.title_needed")
def title_needed(deck: Deck, rule: Rule, *, title: str, number: int, min: int) -> Iterator[Finding]:
    """Require a number of cards of a title.

    The limit of the title prevents a higher number. Decks have exactly the minimum of `min` cards, or fewer
    where an effect lowers that.
    """
    deck_view = view_deck(deck, rule)
    title_key = normalize_title(title)
    titled_entries = [each for each in deck_view.main if title_key in (each[1].titles or (each[1].title,))]
    total = count_copies(titled_entries)
    strange = [each for each in deck_view.tally.unknown_cards if each not in titled_entries]
    if total < number <= total + count_copies(strange):
        facts, names = missing_facts(strange, "the-card"), get_names(strange)
        yield rule.unknown("title-unknown", facts, entries=get_entries(strange), title=title, cards=names)
    elif total < number:
        missing_count = number - total
        yield rule.fault(
            "title-missing",
            entries=get_entries(titled_entries),
            limit=number,
            found=total,
            fix=DeferredFix(
                _exchange_for, deck_view, rule, title, missing_count, compute_minimum(deck_view, min)[0]
            ),
            title=title,
            format=rule.format_name,
        )


def _exchange_for(deck_view: DeckView, rule: Rule, title: str, missing_count: int, most: int) -> Fix:
    """Add cards of a title; where the deck would become too large by them, others go."""
    size = deck_view.tally.size
    surplus = size + missing_count - most if size <= most else 0
    out = _shorten(rule, deck_view, surplus) if surplus > 0 else Fix()
    addition = Change("add", "main", missing_count, None, {"title": title})
    return out.then("add", (addition,), cards=reason("quantity", qty=missing_count, card=title))
