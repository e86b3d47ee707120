"""Watcher and Hunter cards and their pre-game cards (HL-L32, L33)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Finding
from rules.rule import Rule, missing_fact

from ..mends import entries, is_or_are, missing, names, take_out, total
from ..ownership import opened_by_allowance
from ..table import Seat, Table, table

GROUPS = (("watcher", "watchers"), ("hunter", "hunters"))


@check(
    "highlander.one_watcher", says=lambda: "One Watcher or one Hunter among the pre-game cards, never two."
)
def one_watcher(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """At most one Watcher or Hunter pre-game card."""
    laid = table(deck, rule.lists)
    held = list({id(seat): seat for seat in (*laid.watchers, *laid.hunters)}.values())
    number = total(held)
    if number > 1:
        message = f"{names(held)}: {number} Watcher and Hunter pre-game cards; one in all is allowed."
        fix = take_out(rule, deck, "pregame", held, number - 1)
        yield rule.fault("two-watchers", message, entries=entries(held), limit=1, found=number, fix=fix)


@check(
    "highlander.watcher_cards", says=lambda: "Watcher and Hunter cards need the pre-game card of their kind."
)
def watcher_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Watcher and Hunter cards need the pre-game card of their kind, or an allowance that says so."""
    laid = table(deck, rule.lists)
    for group, place in GROUPS:
        if getattr(laid, place):
            continue
        members = [seat for seat in laid.tally.grouped if seat[1].groups and group in seat[1].groups]
        open_seats = [seat for seat in laid.tally.grouped if seat[1].groups is None]
        if members or open_seats:
            yield from _group(deck, rule, laid, group, members, open_seats)


def _group(
    deck: Deck, rule: Rule, laid: Table, group: str, members: list[Seat], open_seats: list[Seat]
) -> Iterator[Finding]:
    opened = opened_by_allowance(laid, laid.main[0][1], group)
    if opened:
        return
    word = group.title()
    if members and opened is False and not laid.untyped:
        verb = "needs" if is_or_are(members) == "is" else "need"
        message = f"{names(members)} {verb} the {word} pre-game card, which is not there."
        fix = take_out(rule, deck, "main", members)
        number = total(members)
        yield rule.fault(
            f"{group}-missing", message, entries=entries(members), limit=0, found=number, fix=fix
        )
        return
    concerned = members or open_seats
    facts = missing(open_seats, "groups") if not members else []
    facts += missing(laid.untyped, "type")
    facts += [missing_fact(e, "allowance") for _, e, v in laid.everything() if v.allowance is None]
    message = f"Whether the deck holds {word} cards without their pre-game card is not known."
    yield rule.unknown(f"{group}-unknown", message, facts, entries=entries(concerned))
