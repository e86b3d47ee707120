"""Checks of editions, sleeves and mixed versions, and errata notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.checks import check
from rules.deck import Deck, Entry
from rules.finding import Finding, MissingFact
from rules.fixes import remove_cards, set_option
from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import DeckView, view_deck
from rules.games.highlander.pregame_identity import get_quickening_persona
from rules.rule import Rule, missing_fact
from rules.text import card_names

Placed = tuple[str, Entry, CardView]


@check("highlander.editions")
def editions(deck: Deck, rule: Rule, *, editions: tuple[int, ...]) -> Iterator[Finding]:
    """Refuse cards of other editions than these."""
    deck_view = view_deck(deck, rule)
    if deck_view.editions.issubset(editions):
        return
    wrong: list[Placed] = []
    unknown: list[Entry] = []
    for zone, entry, view in deck_view.everything():
        if view.edition is None:
            unknown.append(entry)
        elif view.edition not in editions:
            wrong.append((zone, entry, view))
    if wrong:
        cards = [entry for _, entry, _ in wrong]
        names = card_names(cards)
        fix = remove_cards(rule, deck, [(zone, entry, entry.qty) for zone, entry, _ in wrong])
        yield rule.fault(
            "wrong-edition", entries=cards, limit=list(editions), fix=fix, cards=names, editions=editions
        )
    if unknown:
        facts = [missing_fact(entry, "edition") for entry in unknown]
        yield rule.unknown("edition-unknown", facts, entries=unknown, cards=card_names(unknown))


@check("highlander.sleeves")
def sleeves(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require sleeves if one endurance has backs of two editions.

    Registration requires them too.
    """
    deck_view = view_deck(deck, rule)
    known_editions = deck_view.tally.editions - {None}
    is_sleeved = deck.options.get("sleeved")
    if is_sleeved is True or len(deck_view.tally.editions) < 2:
        return
    if len(known_editions) < 2:
        unknown = [entry for entry, view in deck_view.main if view.edition is None]
        if is_sleeved is False:
            facts = [missing_fact(entry, "edition") for entry in unknown]
            yield rule.unknown("sleeves-unknown", facts, entries=unknown)
    elif is_sleeved is False:
        yield rule.fault("not-sleeved", fix=set_option("use-sleeves", {"sleeved": True}))
    else:
        yield rule.warning("sleeves-needed")


@check("highlander.one_version")
def one_version(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse cards from two editions that share title, grid and text."""
    deck_view = view_deck(deck, rule)
    if len(deck_view.editions) < 2 and None not in deck_view.editions:
        return
    for alike in _same_title(deck_view):
        certain, doubtful = _find_mixed(alike)
        if certain:
            yield _mixture(deck, rule, alike)
        elif doubtful:
            yield _doubt(rule, alike)


def _same_title(deck_view: DeckView) -> list[list[Placed]]:
    by_title: dict[str, list[Placed]] = {}
    for placed_card in deck_view.everything():
        by_title.setdefault(placed_card[2].title, []).append(placed_card)
    return [alike for alike in by_title.values() if len(alike) > 1]


def _find_mixed(alike: list[Placed]) -> tuple[bool, bool]:
    """Return whether two versions are one card of two editions.

    Returned are whether this is certain and whether it is possible.
    """
    certain = doubtful = False
    for place, (_, _, one) in enumerate(alike):
        for _, _, two in alike[place + 1 :]:
            answer = _is_one_card(one, two)
            certain = certain or answer is True
            doubtful = doubtful or answer is None
    return certain, doubtful


def _is_one_card(one: CardView, two: CardView) -> bool | None:
    """Return whether two cards of a title are one card in two editions.

    None while a fact is not known.
    """
    pairs: tuple[tuple[str | None, str | None], ...] = ((one.grid, two.grid), (one.text, two.text))
    are_quickenings = {one.is_a("quickening"), two.is_a("quickening")}
    if are_quickenings == {True}:
        # All Quickenings have one title, and that of another persona is another card.
        pairs = ((get_quickening_persona(one), get_quickening_persona(two)), *pairs)
    if any(a is not None and b is not None and a != b for a, b in pairs):
        return False
    if one.edition is not None and one.edition == two.edition:
        return False
    may_be_quickenings = None in are_quickenings and False not in are_quickenings
    is_open = may_be_quickenings or any(None in pair for pair in (*pairs, (one.edition, two.edition)))
    return None if is_open else True


def _mixture(deck: Deck, rule: Rule, alike: list[Placed]) -> Finding:
    cards = [entry for _, entry, _ in alike]
    edition = alike[0][2].edition
    others = [(zone, entry, entry.qty) for zone, entry, view in alike if view.edition != edition]
    fix, name = remove_cards(rule, deck, others), cards[0].card.name
    return rule.fault("versions-mixed", entries=cards, limit=1, found=2, fix=fix, card=name)


def _doubt(rule: Rule, alike: list[Placed]) -> Finding:
    cards = [entry for _, entry, _ in alike]
    facts = [
        MissingFact(fact, entry.card.key, entry.card.name)
        for _, entry, view in alike
        for fact, value in (("edition", view.edition), ("grid", view.grid), ("text", view.text))
        if value is None
    ]
    return rule.unknown("versions-unknown", facts, entries=cards, card=cards[0].card.name)


@check("highlander.errata_notes")
def errata_notes(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Note each correction that makes a listed card play differently from its print."""
    entries_by_erratum: dict[str, tuple[Mapping[str, object], list[Entry]]] = {}
    deck_view = view_deck(deck, rule)
    for entry, view in (*deck_view.tally.errata_cards, *deck_view.pregame, *deck_view.strays):
        for erratum in view.errata:
            if erratum.get("plays_differently") is True:
                entries_by_erratum.setdefault(str(erratum.get("id")), (erratum, []))[1].append(entry)
    for row, (erratum, entries) in entries_by_erratum.items():
        source = rule.lists.cite("errata", (erratum,))
        names, says = card_names(entries), str(erratum.get("says"))
        yield rule.note("plays-as-corrected", entries=entries, row=row, source=source, cards=names, says=says)
