"""Weapons of choice, what the errata bind to them, and titles shut out (HL-L29, L30, L35, L37)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.checks import check
from rules.deck import Deck
from rules.finding import Finding
from rules.fixes import remove_cards
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    choose_is_or_are,
    count_copies,
    get_entries,
    join_names,
    missing_facts,
    remove_entries,
)
from rules.games.highlander.names import normalize_title
from rules.rule import Rule
from rules.text import choose_plural, join_list, pluralize


def _hands_in_words(*, primaries: int, hands: int) -> str:
    return f"At most {pluralize(primaries, 'primary weapon')}, and {pluralize(hands, 'hand icon')} in all."


@check("highlander.hands", says=_hands_in_words)
def hands(deck: Deck, rule: Rule, *, primaries: int, hands: int) -> Iterator[Finding]:
    """One primary weapon; weapons together show at most two hand icons."""
    laid = view_deck(deck, rule.lists)
    if count_copies(laid.weapons) < 2:
        return
    primary = [seat for seat in laid.weapons if seat[1].is_off_hand is False]
    unsure = [seat for seat in laid.weapons if seat[1].is_off_hand is None]
    icons, open_icons = _icons(laid.weapons)
    faults = []
    if count_copies(primary) > primaries:
        faults.append(
            f"{count_copies(primary)} primary weapons ({join_names(primary)}), {primaries} is allowed"
        )
    if icons > hands:
        faults.append(f"{icons} hand icons, {hands} are allowed")
    if faults:
        message = f"The weapons do not fit together: {'; '.join(faults)}."
        fix = remove_entries(rule, deck, "pregame", laid.weapons, _to_drop(laid.weapons))
        cards = get_entries(laid.weapons)
        yield rule.fault("weapons-do-not-fit", message, entries=cards, limit=hands, found=icons, fix=fix)
    elif unsure or open_icons:
        message = f"Whether {join_names(laid.weapons)} fit together is not known."
        facts = missing_facts(unsure, "off_hand") + missing_facts(open_icons, "hand_icons")
        yield rule.unknown("weapons-unknown", message, facts, entries=get_entries(laid.weapons))


def _icons(weapons: list[ViewedEntry]) -> tuple[int, list[ViewedEntry]]:
    """The hand icons of the weapons, at least one each, and the weapons of which they are not known."""
    known = [(entry.qty, view.whole("hand_icons")) for entry, view in weapons]
    least = sum(qty * (1 if icons is None else icons) for qty, icons in known)
    return least, [seat for seat in weapons if seat[1].whole("hand_icons") is None]


def _to_drop(weapons: list[ViewedEntry]) -> int:
    """One weapon alone always fits."""
    return count_copies(weapons) - 1


@check("highlander.must_pair", says=lambda: "An off-hand weapon that must be paired does not come alone.")
def must_pair(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """An off-hand weapon whose text says "must" joins a primary or another off-hand weapon."""
    laid = view_deck(deck, rule.lists)
    if count_copies(laid.weapons) != 1:
        return
    alone = laid.weapons[0]
    answer = alone[1].flag("must_pair")
    if answer is True:
        message = f"{join_names([alone])} must be used with another weapon of choice."
        fix = remove_entries(rule, deck, "pregame", [alone])
        yield rule.fault("weapon-alone", message, entries=[alone[0]], limit=2, found=1, fix=fix)
    elif answer is None and alone[1].is_off_hand is not False:
        message = f"Whether {join_names([alone])} may be used alone is not known."
        facts = missing_facts([alone], "must_pair")
        yield rule.unknown("weapon-alone-unknown", message, facts, entries=[alone[0]])


@check("highlander.conditions", says=lambda: "The errata bind some cards to others, or against them.")
def conditions(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Cards that shut titles out, need a weapon of choice, or are for one persona alone."""
    laid = view_deck(deck, rule.lists)
    if not laid.tally.bound and not any(view.is_bound for _, view in laid.pregame):
        return
    yield from _absent(deck, rule, laid, "needs_weapon", laid.weapon_names)
    yield from _absent(deck, rule, laid, "persona_only", laid.persona_names)
    yield from _shut_out(deck, rule, laid)


_CONDITIONS: Mapping[str, tuple[str, str]] = {
    "needs_weapon": ("weapon-needed", "needs the weapon of choice"),
    "persona_only": ("persona-only", "is for one persona alone:"),
}


def _absent(deck: Deck, rule: Rule, laid: DeckView, fact: str, there: frozenset[str]) -> Iterator[Finding]:
    """Cards that are bound to a weapon or persona which is not there."""
    code, says = _CONDITIONS[fact]
    bound = [held for held in laid.everything() if getattr(held[2], fact) not in {"", *there}]
    perhaps = {view.title for _, view in laid.untyped}
    wrong = [held for held in bound if getattr(held[2], fact) not in perhaps]
    doubtful = [held for held in bound if getattr(held[2], fact) in perhaps]
    if wrong:
        cards = [entry for _, entry, _ in wrong]
        said = join_list(f"{e.card.name} {says} {v.facts.get(fact)}" for _, e, v in wrong)
        fix = remove_cards(rule, deck, [(zone, entry, entry.qty) for zone, entry, _ in wrong])
        number = sum(entry.qty for entry in cards)
        yield rule.fault(code, f"{said}.", entries=cards, limit=0, found=number, fix=fix)
    if doubtful:
        said = join_list(f"{e.card.name} {says} {v.facts.get(fact)}" for _, e, v in doubtful)
        message = f"{said}; whether that is there is not known."
        facts = missing_facts(laid.untyped, "type")
        yield rule.unknown(f"{code}-unknown", message, facts, entries=[entry for _, entry, _ in doubtful])


def _shut_out(deck: Deck, rule: Rule, laid: DeckView) -> Iterator[Finding]:
    """Cards of titles that another card of the list shuts out."""
    shutting = [(entry, view) for _, entry, view in laid.everything() if view.forbids_titles]
    forbidden = {title for _, view in shutting for title in view.forbids_titles}
    held = [seat for seat in laid.main if not forbidden.isdisjoint(seat[1].titles or (seat[1].title,))]
    if held:
        cards = [*get_entries(shutting), *get_entries(held)]
        shuts = choose_plural([entry.card.name for entry, _ in shutting], "shuts", "shut")
        message = f"{join_names(shutting)} {shuts} out {join_names(held)}."
        fix = remove_entries(rule, deck, "main", held)
        yield rule.fault("title-shut-out", message, entries=cards, limit=0, found=count_copies(held), fix=fix)


@check(
    "highlander.not_in_deck",
    says=lambda titles: f"{join_list(titles)} is not played in the deck; as a pre-game card it is.",
)
def not_in_deck(deck: Deck, rule: Rule, *, titles: tuple[str, ...]) -> Iterator[Finding]:
    """These titles are not legal as in-game cards in this format; a pre-game card of the name is not hit."""
    laid = view_deck(deck, rule.lists)
    by_title = laid.tally.by_title
    held = [seat for title in titles for seat in by_title.get(normalize_title(title), ())]
    if held:
        message = (
            f"{join_names(held)} {choose_is_or_are(held)} not legal in {rule.format_name} as an in-game card."
        )
        fix = remove_entries(rule, deck, "main", held)
        yield rule.fault(
            "not-legal-here", message, entries=get_entries(held), limit=0, found=count_copies(held), fix=fix
        )
