"""How many cards the endurance holds, with effects that lower the minimum (HL-L02, HL-L44)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.fixes import add, last_cards
from rules.rule import Rule
from rules.words import count, listed

from ..mends import entries, missing, names
from ..table import Seat, Table, table


def minimum(laid: Table, least: int) -> tuple[int, list[Seat]]:
    """The minimum size with every known effect that lowers it, and the pre-game cards that might lower it."""
    lowered = sum([view.lowers_minimum or 0 for _, view in laid.pregame])
    return max(0, least - lowered), [seat for seat in laid.pregame if seat[1].lowers_minimum is None]


def _minimum_in_words(*, zone: str, min: int) -> str:
    return f"The deck has {count(min)} or more; pre-game cards lie outside it, and an effect may lower this."


@check("highlander.zone_size", says=_minimum_in_words)
def zone_size(deck: Deck, rule: Rule, *, zone: str, min: int) -> Iterator[Finding]:
    """At least `min` cards, less what pre-game cards take off; there is no maximum."""
    laid = table(deck, rule.lists)
    size = laid.tally.size
    if size >= min:
        return
    least, open_seats = minimum(laid, min)
    if size >= least:
        return
    if open_seats:
        message = f"The deck has {count(size)}; whether {names(open_seats)} lowers the minimum is not known."
        facts = missing(open_seats, "lowers_minimum")
        yield rule.unknown("minimum-unknown", message, facts, entries=entries(open_seats), limit=least)
        return
    message = f"The deck has {count(size)}; {rule.format_name} needs at least {least}."
    fix = add("main", least - size)
    yield rule.fault("deck-too-small", message, limit=least, found=size, fix=fix)


def _shorten(deck: Deck, surplus: int) -> Fix:
    """Take the last cards out, and put none in: the size is to become the minimum, lowered as it may be."""
    takes = last_cards(deck, "main", surplus)
    changes = tuple(Change("remove", zone, qty, entry.card.key) for zone, entry, qty in takes)
    said = listed(f"{qty} {entry.card.name}" for _, entry, qty in takes)
    return Fix(f"Remove {said} from the main deck.", changes)


def _exact_in_words(*, min: int) -> str:
    return f"The deck has exactly its minimum size: {min}, or what an effect lowers it to."


@check("highlander.minimum_exactly", says=_exact_in_words)
def minimum_exactly(deck: Deck, rule: Rule, *, min: int) -> Iterator[Finding]:
    """Exactly the minimum size, lowered or not."""
    laid = table(deck, rule.lists)
    size = laid.tally.size
    least, open_seats = minimum(laid, min)
    if open_seats and size <= least:
        message = f"Whether {names(open_seats)} lowers the minimum is not known, so {size} may be wrong."
        facts = missing(open_seats, "lowers_minimum")
        yield rule.unknown("minimum-unknown", message, facts, entries=entries(open_seats), limit=least)
    elif size != least:
        message = f"The deck has {count(size)}; {rule.format_name} wants exactly the minimum of {least}."
        fix = _shorten(deck, size - least) if size > least else add("main", least - size)
        yield rule.fault("deck-not-minimum", message, limit=least, found=size, fix=fix)
