"""Restriction numbers, and what Darius may raise (HL-L15 to L19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rules.checks import check
from rules.deck import Deck
from rules.finding import Finding
from rules.names import normal
from rules.rule import Rule, missing_fact
from rules.words import listed

from ..mends import entries, names, set_option, take_out, total
from ..ownership import Access, access
from ..table import Seat, Table, table
from ..view import View

RAISER = "darius"


class Raise(NamedTuple):
    """A declared raise of one restriction number: the card meant, by how much, and why it does not hold."""

    written: str
    seat: Seat | None
    by: int
    fault: str | None


def raises(laid: Table) -> list[Raise]:
    """The raises that the list declares, in order."""
    declared = laid.deck.options.get("restriction_raise")
    records = declared if isinstance(declared, list | tuple) else [declared]
    return [_raise(laid, record) for record in records if isinstance(record, Mapping) and record]


def _raise(laid: Table, record: Mapping[str, object]) -> Raise:
    written, by = str(record.get("card", "")), record.get("by", 1)
    seat = _find(laid.main, written)
    amount = by if type(by) is int else 0
    return Raise(written, seat, amount, _fault(laid, seat, amount, record.get("source")))


def _find(seats: list[Seat], written: str) -> Seat | None:
    plain = normal(written)
    return next((s for s in seats if plain in (normal(s[0].card.key), normal(s[0].card.name))), None)


def _fault(laid: Table, seat: Seat | None, amount: int, source: object) -> str | None:
    raiser = _find(laid.pregame, str(source)) if source is not None else _darius(laid)
    if raiser is None or not _is_raiser(raiser[1]):
        return "no pre-game card that raises a restriction number is there"
    most = raiser[1].whole("raises_restriction")
    if amount < 1 or (most is not None and amount > most):
        return f"it cannot be raised by {amount}"
    if seat is None:
        return None
    view = seat[1]
    if view.mark == "S" or view.owner_kind == "faction":
        return "the number of a signature card cannot be altered"
    if access(laid, view) is not Access.OWN:
        return "it is no card that the deck may normally include"
    return None


def _darius(laid: Table) -> Seat | None:
    return next((seat for seat in laid.pregame if _is_raiser(seat[1])), None)


def _is_raiser(view: View) -> bool:
    return view.title == RAISER or bool(view.whole("raises_restriction"))


@check(
    "highlander.raise",
    says=lambda: "A pre-game Darius raises the number of a card, never of a signature card.",
)
def restriction_raise(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """A declared raise names a card that may normally be included and bears no signature."""
    if not deck.options.get("restriction_raise"):
        return
    wrong = [made for made in raises(table(deck, rule.lists)) if made.fault]
    if wrong:
        said = listed(
            f"{made.seat[0].card.name if made.seat else made.written}: {made.fault}" for made in wrong
        )
        cards = [made.seat[0] for made in wrong if made.seat]
        fix = set_option("Declare no raise.", {"restriction_raise": {}})
        yield rule.fault("raise-not-allowed", f"A raise does not hold: {said}.", entries=cards, fix=fix)


@check("highlander.restrictions", says=lambda: "No more of a card than its restriction number says.")
def restrictions(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """At most as many of a card as its number says; a card is title, owner and text, whatever its gems."""
    laid = table(deck, rule.lists)
    raised = raises(laid) if deck.options.get("restriction_raise") else []
    for alike in laid.tally.by_title.values():
        entry, view = alike[0]
        if len(alike) > 1 or (entry.qty > 1 and view.restriction != 0):
            yield from _title(deck, rule, alike, raised)


def _title(deck: Deck, rule: Rule, alike: list[Seat], raised: list[Raise]) -> Iterator[Finding]:
    """The cards of one title, those of one owner and text together."""
    if all(view.restriction == 0 for _, view in alike):
        return
    cards: dict[object, list[Seat]] = {}
    for seat in alike:
        cards.setdefault(_card(seat), []).append(seat)
    over = False
    for seats in cards.values():
        numbers = [view.restriction for _, view in seats if view.restriction]
        if numbers and total(seats) > min(numbers) + _by(seats, raised):
            over = True
            yield _too_many(deck, rule, seats, min(numbers) + _by(seats, raised))
    if not over:
        yield from _doubtful(rule, alike, cards, raised)


def _card(seat: Seat) -> object:
    entry, view = seat
    return (view.owner, view.text) if view.owner is not None and view.text is not None else entry.card.key


def _by(seats: list[Seat], raised: list[Raise]) -> int:
    keys = {entry.card.key for entry, _ in seats}
    return sum(
        [r.by for r in raised if r.fault is None and r.seat is not None and r.seat[0].card.key in keys]
    )


def _too_many(deck: Deck, rule: Rule, seats: list[Seat], limit: int) -> Finding:
    number = total(seats)
    message = f"The deck has {number} of {names(seats)}, which is restricted to {limit}."
    fix = take_out(rule, deck, "main", seats, number - limit)
    return rule.fault("over-restriction", message, entries=entries(seats), limit=limit, found=number, fix=fix)


def _doubtful(
    rule: Rule, alike: list[Seat], cards: Mapping[object, list[Seat]], raised: list[Raise]
) -> Iterator[Finding]:
    """Numbers that are not known, and printings that may be one card, where the copies could be too many."""
    facts = []
    for seats in cards.values():
        if total(seats) > 1:
            facts += [missing_fact(e, "restriction") for e, view in seats if view.restriction is None]
    least = min((view.restriction for _, view in alike if view.restriction), default=None)
    if least is not None and total(alike) > least + _by(alike, raised):
        for entry, view in alike:
            told = (("owner", view.owner), ("text", view.text))
            facts += [missing_fact(entry, fact) for fact, value in told if value is None and len(alike) > 1]
    if facts:
        message = f"Whether {total(alike)} of {names(alike)} are allowed is not known."
        yield rule.unknown("restriction-unknown", message, facts, entries=entries(alike), limit=least)
