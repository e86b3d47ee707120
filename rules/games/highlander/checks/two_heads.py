"""Two-Headed Giant: one male and one female immortal, and what they may not bring (HL-L45 to L49)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.fixes import Take, remove
from rules.names import normal
from rules.rule import Rule
from rules.words import listed

from ..mends import entries, is_or_are, missing, names, take_out, total
from ..table import Seat, table


def _gender(seat: Seat) -> str | None:
    value = seat[1].facts.get("gender")
    letter = value.strip()[:1].upper() if isinstance(value, str) else ""
    return letter if letter in ("M", "F") else None


@check("highlander.two_heads", says=lambda: "One male and one female persona.")
def two_heads(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Exactly two personas, one male and one female."""
    laid = table(deck, rule.lists)
    number = total(laid.personas)
    if number < 3 and laid.untyped:
        message = (
            f"Whether {names(laid.untyped)} {is_or_are(laid.untyped, 'a persona', 'personas')} is not known."
        )
        yield rule.unknown(
            "heads-unknown", message, missing(laid.untyped, "type"), entries=entries(laid.untyped)
        )
        return
    genders = {_gender(seat) for seat in laid.personas}
    if number != 2 or genders in ({"M"}, {"F"}):
        yield _wrong_heads(deck, rule, laid.personas)
    elif None in genders:
        unknown = [seat for seat in laid.personas if _gender(seat) is None]
        message = f"Whether {names(laid.personas)} are one male and one female persona is not known."
        facts = missing(unknown, "gender")
        yield rule.unknown("gender-unknown", message, facts, entries=entries(laid.personas))


def _wrong_heads(deck: Deck, rule: Rule, personas: list[Seat]) -> Finding:
    said, found = names(personas) or "none", total(personas)
    message = f"A male and a female persona are needed; there {'is' if found == 1 else 'are'} {said}."
    fix = _right_heads(deck, rule, personas)
    return rule.fault("wrong-heads", message, entries=entries(personas), limit=2, found=found, fix=fix)


def _right_heads(deck: Deck, rule: Rule, personas: list[Seat]) -> Fix:
    """Keep the first male and the first female persona, take the others out and add what is lacking."""
    spare: list[Take] = []
    lacking = ["M", "F"]
    for seat in sorted(personas, key=lambda held: _gender(held) is None):
        # One of whom nobody told it may fill the place that is left.
        gender = _gender(seat) or next(iter(lacking), None)
        kept = gender in lacking
        lacking = [other for other in lacking if other != gender]
        if seat[0].qty > kept:
            spare.append(("pregame", seat[0], seat[0].qty - kept))
    drop = remove(rule, deck, spare)
    adds = [Change("add", "pregame", 1, None, {"type": "Persona", "gender": gender}) for gender in lacking]
    wanted = listed(f"a {'male' if gender == 'M' else 'female'} persona" for gender in lacking)
    sentence = f"{drop.sentence} Add {wanted}." if wanted else drop.sentence
    return Fix(sentence.strip(), (*drop.changes, *adds))


@check("highlander.not_together", says=lambda personas: f"{listed(personas)} are not played together.")
def not_together(deck: Deck, rule: Rule, *, personas: tuple[str, ...]) -> Iterator[Finding]:
    """Not all of these personas in one deck."""
    laid = table(deck, rule.lists)
    shut_out = {normal(name) for name in personas}
    if shut_out <= laid.persona_names:
        seats = [seat for seat in laid.personas if seat[1].title in shut_out]
        message = f"{names(seats)} may each be used, but not together."
        fix = take_out(rule, deck, "pregame", seats[1:])
        cards = entries(seats)
        yield rule.fault("not-together", message, entries=cards, limit=1, found=len(seats), fix=fix)


@check(
    "highlander.no_generic_allowance",
    says=lambda: "No generic allowance cards; those of a persona are allowed.",
)
def no_generic_allowance(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No allowance card without an owner."""
    laid = table(deck, rule.lists)
    held = [seat for seat in laid.main if seat[1].allowance and seat[1].owner == ""]
    unsure = [seat for seat in laid.main if _may_be_generic(seat)]
    if held:
        message = f"{names(held)}: generic allowance cards are not used in {rule.format_name}."
        fix = take_out(rule, deck, "main", held)
        number = total(held)
        yield rule.fault("generic-allowance", message, entries=entries(held), limit=0, found=number, fix=fix)
    if unsure:
        what = is_or_are(unsure, "a generic allowance card", "generic allowance cards")
        message = f"Whether {names(unsure)} {what} is not known."
        facts = missing([seat for seat in unsure if seat[1].owner is None], "owner")
        facts += missing([seat for seat in unsure if seat[1].allowance is None], "allowance")
        yield rule.unknown("generic-allowance-unknown", message, facts, entries=entries(unsure))


def _may_be_generic(seat: Seat) -> bool:
    view = seat[1]
    open_kind, open_owner = view.allowance is None, view.owner is None
    return (open_kind and (open_owner or view.owner == "")) or (bool(view.allowance) and open_owner)


@check("highlander.no_quickenings", says=lambda: "No Quickenings.")
def no_quickenings(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No Quickening among the pre-game cards."""
    laid = table(deck, rule.lists)
    if laid.quickenings:
        number = total(laid.quickenings)
        message = f"{names(laid.quickenings)}: {rule.format_name} is played without Quickenings."
        fix = take_out(rule, deck, "pregame", laid.quickenings)
        cards = entries(laid.quickenings)
        yield rule.fault("quickening-not-here", message, entries=cards, limit=0, found=number, fix=fix)
    if laid.untyped:
        what = is_or_are(laid.untyped, "a Quickening", "Quickenings")
        message = f"Whether {names(laid.untyped)} {what} is not known."
        facts = missing(laid.untyped, "type")
        yield rule.unknown("quickening-unknown", message, facts, entries=entries(laid.untyped))
