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


def _gender(viewed_entry: ViewedEntry) -> str | None:
    value = viewed_entry[1].facts.get("gender")
    letter = value.strip()[:1].upper() if isinstance(value, str) else ""
    return letter if letter in ("M", "F") else None


@check("highlander.two_heads", says=lambda: "One male and one female persona.")
def two_heads(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Exactly two personas, one male and one female."""
    deck_view = view_deck(deck, rule.lists)
    number = count_copies(deck_view.personas)
    if number < 3 and deck_view.untyped:
        message = (
            f"Whether {join_names(deck_view.untyped)} "
            f"{choose_is_or_are(deck_view.untyped, 'a persona', 'personas')} is not known."
        )
        yield rule.unknown(
            "heads-unknown",
            message,
            missing_facts(deck_view.untyped, "type"),
            entries=get_entries(deck_view.untyped),
        )
        return
    genders = {_gender(each) for each in deck_view.personas}
    if number != 2 or genders in ({"M"}, {"F"}):
        yield _wrong_heads(deck, rule, deck_view.personas)
    elif None in genders:
        unknown = [each for each in deck_view.personas if _gender(each) is None]
        message = (
            f"Whether {join_names(deck_view.personas)} are one male and one female persona is not known."
        )
        facts = missing_facts(unknown, "gender")
        yield rule.unknown("gender-unknown", message, facts, entries=get_entries(deck_view.personas))


def _wrong_heads(deck: Deck, rule: Rule, personas: list[ViewedEntry]) -> Finding:
    persona_names, number = join_names(personas) or "none", count_copies(personas)
    message = (
        f"A male and a female persona are needed; there {'is' if number == 1 else 'are'} {persona_names}."
    )
    fix = _right_heads(deck, rule, personas)
    return rule.fault("wrong-heads", message, entries=get_entries(personas), limit=2, found=number, fix=fix)


def _right_heads(deck: Deck, rule: Rule, personas: list[ViewedEntry]) -> Fix:
    """Keep the first male and the first female persona, take the others out and add what is lacking."""
    spare: list[Removal] = []
    lacking = ["M", "F"]
    for viewed_entry in sorted(personas, key=lambda each: _gender(each) is None):
        # One of whom no one told it may fill the place that is left.
        gender = _gender(viewed_entry) or next(iter(lacking), None)
        copies_needed = gender in lacking
        lacking = [other for other in lacking if other != gender]
        if viewed_entry[0].qty > copies_needed:
            spare.append(("pregame", viewed_entry[0], viewed_entry[0].qty - copies_needed))
    drop = remove_cards(rule, deck, spare)
    adds = [Change("add", "pregame", 1, None, {"type": "Persona", "gender": gender}) for gender in lacking]
    wanted = join_list(f"a {'male' if gender == 'M' else 'female'} persona" for gender in lacking)
    sentence = f"{drop.sentence} Add {wanted}." if wanted else drop.sentence
    return Fix(sentence.strip(), (*drop.changes, *adds))


@check("highlander.not_together", says=lambda personas: f"{join_list(personas)} are not played together.")
def not_together(deck: Deck, rule: Rule, *, personas: tuple[str, ...]) -> Iterator[Finding]:
    """Not all of these personas in one deck."""
    deck_view = view_deck(deck, rule.lists)
    shut_out = {normalize_name(name) for name in personas}
    if shut_out <= deck_view.persona_names:
        personas_together = [each for each in deck_view.personas if each[1].title in shut_out]
        message = f"{join_names(personas_together)} may each be used, but not together."
        fix = remove_entries(rule, deck, "pregame", personas_together[1:])
        cards = get_entries(personas_together)
        yield rule.fault(
            "not-together", message, entries=cards, limit=1, found=len(personas_together), fix=fix
        )


@check(
    "highlander.no_generic_allowance",
    says=lambda: "No generic allowance cards; those of a persona are allowed.",
)
def no_generic_allowance(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No allowance card without an owner."""
    deck_view = view_deck(deck, rule.lists)
    generic = [each for each in deck_view.main if each[1].allowance and each[1].owner == ""]
    unsure = [each for each in deck_view.main if _may_be_generic(each)]
    if generic:
        message = f"{join_names(generic)}: generic allowance cards are not used in {rule.format_name}."
        fix = remove_entries(rule, deck, "main", generic)
        number = count_copies(generic)
        yield rule.fault(
            "generic-allowance", message, entries=get_entries(generic), limit=0, found=number, fix=fix
        )
    if unsure:
        what = choose_is_or_are(unsure, "a generic allowance card", "generic allowance cards")
        message = f"Whether {join_names(unsure)} {what} is not known."
        facts = missing_facts([each for each in unsure if each[1].owner is None], "owner")
        facts += missing_facts([each for each in unsure if each[1].allowance is None], "allowance")
        yield rule.unknown("generic-allowance-unknown", message, facts, entries=get_entries(unsure))


def _may_be_generic(viewed_entry: ViewedEntry) -> bool:
    view = viewed_entry[1]
    open_kind, open_owner = view.allowance is None, view.owner is None
    return (open_kind and (open_owner or view.owner == "")) or (bool(view.allowance) and open_owner)


@check("highlander.no_quickenings", says=lambda: "No Quickenings.")
def no_quickenings(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No Quickening among the pre-game cards."""
    deck_view = view_deck(deck, rule.lists)
    if deck_view.quickenings:
        number = count_copies(deck_view.quickenings)
        message = f"{join_names(deck_view.quickenings)}: {rule.format_name} is played without Quickenings."
        fix = remove_entries(rule, deck, "pregame", deck_view.quickenings)
        cards = get_entries(deck_view.quickenings)
        yield rule.fault("quickening-not-here", message, entries=cards, limit=0, found=number, fix=fix)
    if deck_view.untyped:
        what = choose_is_or_are(deck_view.untyped, "a Quickening", "Quickenings")
        message = f"Whether {join_names(deck_view.untyped)} {what} is not known."
        facts = missing_facts(deck_view.untyped, "type")
        yield rule.unknown("quickening-unknown", message, facts, entries=get_entries(deck_view.untyped))
