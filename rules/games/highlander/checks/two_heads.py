"""Two-Headed Giant: one male and one female immortal, and what they may not bring (HL-L45 to L49)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.fixes import Removal, remove_cards
from rules.games.highlander.deck_view import ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    choose_is_or_are,
    count_copies,
    get_entries,
    join_names,
    missing_facts,
    remove_entries,
)
from rules.names import normalize_name
from rules.rule import Rule
from rules.text import join_list


def _gender(seat: ViewedEntry) -> str | None:
    value = seat[1].facts.get("gender")
    letter = value.strip()[:1].upper() if isinstance(value, str) else ""
    return letter if letter in ("M", "F") else None


@check("highlander.two_heads", says=lambda: "One male and one female persona.")
def two_heads(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Exactly two personas, one male and one female."""
    laid = view_deck(deck, rule.lists)
    number = count_copies(laid.personas)
    if number < 3 and laid.untyped:
        message = (
            f"Whether {join_names(laid.untyped)} "
            f"{choose_is_or_are(laid.untyped, 'a persona', 'personas')} is not known."
        )
        yield rule.unknown(
            "heads-unknown", message, missing_facts(laid.untyped, "type"), entries=get_entries(laid.untyped)
        )
        return
    genders = {_gender(seat) for seat in laid.personas}
    if number != 2 or genders in ({"M"}, {"F"}):
        yield _wrong_heads(deck, rule, laid.personas)
    elif None in genders:
        unknown = [seat for seat in laid.personas if _gender(seat) is None]
        message = f"Whether {join_names(laid.personas)} are one male and one female persona is not known."
        facts = missing_facts(unknown, "gender")
        yield rule.unknown("gender-unknown", message, facts, entries=get_entries(laid.personas))


def _wrong_heads(deck: Deck, rule: Rule, personas: list[ViewedEntry]) -> Finding:
    said, found = join_names(personas) or "none", count_copies(personas)
    message = f"A male and a female persona are needed; there {'is' if found == 1 else 'are'} {said}."
    fix = _right_heads(deck, rule, personas)
    return rule.fault("wrong-heads", message, entries=get_entries(personas), limit=2, found=found, fix=fix)


def _right_heads(deck: Deck, rule: Rule, personas: list[ViewedEntry]) -> Fix:
    """Keep the first male and the first female persona, take the others out and add what is lacking."""
    spare: list[Removal] = []
    lacking = ["M", "F"]
    for seat in sorted(personas, key=lambda held: _gender(held) is None):
        # One of whom nobody told it may fill the place that is left.
        gender = _gender(seat) or next(iter(lacking), None)
        kept = gender in lacking
        lacking = [other for other in lacking if other != gender]
        if seat[0].qty > kept:
            spare.append(("pregame", seat[0], seat[0].qty - kept))
    drop = remove_cards(rule, deck, spare)
    adds = [Change("add", "pregame", 1, None, {"type": "Persona", "gender": gender}) for gender in lacking]
    wanted = join_list(f"a {'male' if gender == 'M' else 'female'} persona" for gender in lacking)
    sentence = f"{drop.sentence} Add {wanted}." if wanted else drop.sentence
    return Fix(sentence.strip(), (*drop.changes, *adds))


@check("highlander.not_together", says=lambda personas: f"{join_list(personas)} are not played together.")
def not_together(deck: Deck, rule: Rule, *, personas: tuple[str, ...]) -> Iterator[Finding]:
    """Not all of these personas in one deck."""
    laid = view_deck(deck, rule.lists)
    shut_out = {normalize_name(name) for name in personas}
    if shut_out <= laid.persona_names:
        seats = [seat for seat in laid.personas if seat[1].title in shut_out]
        message = f"{join_names(seats)} may each be used, but not together."
        fix = remove_entries(rule, deck, "pregame", seats[1:])
        cards = get_entries(seats)
        yield rule.fault("not-together", message, entries=cards, limit=1, found=len(seats), fix=fix)


@check(
    "highlander.no_generic_allowance",
    says=lambda: "No generic allowance cards; those of a persona are allowed.",
)
def no_generic_allowance(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No allowance card without an owner."""
    laid = view_deck(deck, rule.lists)
    held = [seat for seat in laid.main if seat[1].allowance and seat[1].owner == ""]
    unsure = [seat for seat in laid.main if _may_be_generic(seat)]
    if held:
        message = f"{join_names(held)}: generic allowance cards are not used in {rule.format_name}."
        fix = remove_entries(rule, deck, "main", held)
        number = count_copies(held)
        yield rule.fault(
            "generic-allowance", message, entries=get_entries(held), limit=0, found=number, fix=fix
        )
    if unsure:
        what = choose_is_or_are(unsure, "a generic allowance card", "generic allowance cards")
        message = f"Whether {join_names(unsure)} {what} is not known."
        facts = missing_facts([seat for seat in unsure if seat[1].owner is None], "owner")
        facts += missing_facts([seat for seat in unsure if seat[1].allowance is None], "allowance")
        yield rule.unknown("generic-allowance-unknown", message, facts, entries=get_entries(unsure))


def _may_be_generic(seat: ViewedEntry) -> bool:
    view = seat[1]
    open_kind, open_owner = view.allowance is None, view.owner is None
    return (open_kind and (open_owner or view.owner == "")) or (bool(view.allowance) and open_owner)


@check("highlander.no_quickenings", says=lambda: "No Quickenings.")
def no_quickenings(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No Quickening among the pre-game cards."""
    laid = view_deck(deck, rule.lists)
    if laid.quickenings:
        number = count_copies(laid.quickenings)
        message = f"{join_names(laid.quickenings)}: {rule.format_name} is played without Quickenings."
        fix = remove_entries(rule, deck, "pregame", laid.quickenings)
        cards = get_entries(laid.quickenings)
        yield rule.fault("quickening-not-here", message, entries=cards, limit=0, found=number, fix=fix)
    if laid.untyped:
        what = choose_is_or_are(laid.untyped, "a Quickening", "Quickenings")
        message = f"Whether {join_names(laid.untyped)} {what} is not known."
        facts = missing_facts(laid.untyped, "type")
        yield rule.unknown("quickening-unknown", message, facts, entries=get_entries(laid.untyped))
