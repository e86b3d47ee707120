"""Restriction numbers, and what Darius may raise (HL-L15 to L19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rules.checks import check
from rules.deck import Deck
from rules.finding import Finding, MissingFact
from rules.fixes import remove
from rules.names import normal
from rules.rule import Rule, missing_fact
from rules.words import listed

from ..mends import entries, names, set_option, takes, total
from ..ownership import Access, access
from ..table import Seat, Table, table
from ..view import View

RAISER = "darius"


class Raise(NamedTuple):
    """A declared raise of one restriction number: the card meant, by how much, and why it does not hold.

    `open_facts` are the facts of the card that are not known and on which it hangs whether it holds.
    """

    written: str
    seat: Seat | None
    by: int
    fault: str | None
    open_facts: tuple[str, ...] = ()


def raises(laid: Table) -> list[Raise]:
    """The raises that the list declares, in order."""
    declared = laid.deck.options.get("restriction_raise")
    records = declared if isinstance(declared, list | tuple) else [declared]
    return [_raise(laid, record) for record in records if isinstance(record, Mapping) and record]


def _raise(laid: Table, record: Mapping[str, object]) -> Raise:
    written, by = str(record.get("card", "")), record.get("by", 1)
    seat = _find(laid.main, written)
    amount = by if type(by) is int else 0
    fault = _fault(laid, seat, amount, record.get("source"))
    return Raise(written, seat, amount, fault, () if fault or seat is None else _open(laid, seat[1]))


def _open(laid: Table, view: View) -> tuple[str, ...]:
    """What must be known of a card before its number may be raised."""
    told = {"owner": view.owner, "mark": view.mark}
    facts = tuple(fact for fact, value in told.items() if value is None)
    return facts or (("owner",) if access(laid, view) is Access.OPEN else ())


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
    if access(laid, view) not in (Access.OWN, Access.OPEN):
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
    declared = raises(table(deck, rule.lists))
    wrong = [made for made in declared if made.fault]
    if wrong:
        said = listed(
            f"of {made.seat[0].card.name if made.seat else made.written} ({made.fault})" for made in wrong
        )
        cards = [made.seat[0] for made in wrong if made.seat]
        fix = set_option("Declare no raise.", {"restriction_raise": {}})
        yield rule.fault("raise-not-allowed", f"The raise {said} does not hold.", entries=cards, fix=fix)
    facts = [missing_fact(m.seat[0], fact) for m in declared if m.seat for fact in m.open_facts]
    if facts:
        said = listed(f"the {fact.fact} of {fact.name}" for fact in facts)
        message = f"It is not known whether a raise holds: no catalogue tells {said}."
        yield rule.unknown("raise-unknown", message, facts)


class Doubt(NamedTuple):
    """Cards of one title of which it is not known whether so many are allowed."""

    seats: list[Seat]
    facts: list[MissingFact]


Excess = tuple[list[Seat], int]


@check("highlander.restrictions", says=lambda: "No more of a card than its restriction number says.")
def restrictions(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """At most as many of a card as its number says; a card is title, owner and text, whatever its gems."""
    laid = table(deck, rule.lists)
    raised = raises(laid) if deck.options.get("restriction_raise") else []
    over: list[Excess] = []
    doubts: list[Doubt] = []
    for alike in laid.tally.by_title.values():
        entry, view = alike[0]
        if len(alike) > 1 or (entry.qty > 1 and view.restriction != 0):
            _judge_title(alike, raised, over, doubts)
    if over:
        yield _too_many(deck, rule, over)
    if doubts:
        yield _not_known(rule, doubts)


def _judge_title(alike: list[Seat], raised: list[Raise], over: list[Excess], doubts: list[Doubt]) -> None:
    """The cards of one title, those of one owner and text together."""
    if all(view.restriction == 0 for _, view in alike):
        return
    cards: dict[object, list[Seat]] = {}
    for seat in alike:
        cards.setdefault(_card(seat), []).append(seat)
    found = [(seats, _limit(seats, raised)) for seats in cards.values()]
    beyond = [(seats, limit) for seats, limit in found if limit is not None and total(seats) > limit]
    over += beyond
    facts = [] if beyond else _open_facts(alike, cards, raised)
    if facts:
        doubts.append(Doubt(alike, facts))


def _card(seat: Seat) -> object:
    entry, view = seat
    return (view.owner, view.text) if view.owner is not None and view.text is not None else entry.card.key


def _limit(seats: list[Seat], raised: list[Raise]) -> int | None:
    """The lowest number that is known of these printings, with what raises it; None where none has one."""
    numbers = [view.restriction for _, view in seats if view.restriction]
    if not numbers:
        return None
    keys = {entry.card.key for entry, _ in seats}
    good = [r.by for r in raised if r.fault is None and r.seat is not None and r.seat[0].card.key in keys]
    return min(numbers) + sum(good)


def _too_many(deck: Deck, rule: Rule, over: list[Excess]) -> Finding:
    said = listed(f"{total(seats)} of {names(seats)}, restricted to {limit}" for seats, limit in over)
    spare = [take for seats, limit in over for take in takes("main", seats, total(seats) - limit)]
    cards = [entry for seats, _ in over for entry in entries(seats)]
    worst, limit = max(over, key=lambda excess: total(excess[0]) - excess[1])
    fix = remove(rule, deck, spare)
    message = f"The deck has {said}."
    return rule.fault("over-restriction", message, entries=cards, limit=limit, found=total(worst), fix=fix)


def _open_facts(
    alike: list[Seat], cards: Mapping[object, list[Seat]], raised: list[Raise]
) -> list[MissingFact]:
    """Numbers that are not known, and printings that may be one card, where the copies could be too many."""
    facts = []
    for seats in cards.values():
        if total(seats) > 1:
            facts += [missing_fact(e, "restriction") for e, view in seats if view.restriction is None]
    least = _limit(alike, raised)
    if least is not None and len(alike) > 1 and total(alike) > least:
        for entry, view in alike:
            told = (("owner", view.owner), ("text", view.text))
            facts += [missing_fact(entry, fact) for fact, value in told if value is None]
    return facts


def _not_known(rule: Rule, doubts: list[Doubt]) -> Finding:
    said = listed(f"{total(doubt.seats)} of {names(doubt.seats)}" for doubt in doubts)
    cards = [entry for doubt in doubts for entry in entries(doubt.seats)]
    facts = [fact for doubt in doubts for fact in doubt.facts]
    message = f"Whether {said} are allowed is not known."
    return rule.unknown("restriction-unknown", message, facts, entries=cards)
