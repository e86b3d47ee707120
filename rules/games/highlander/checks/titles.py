"""At most six cards of a title, Dual Type cards counting for both, with what raises it (HL-L14, L15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.fixes import Take, remove
from rules.rule import Rule, missing_fact
from rules.words import count, listed

from ..mends import entries, missing, names, takes, total
from ..names import normal_title
from ..table import Seat, Table, table


def _in_words(*, max: int) -> str:
    return f"At most {count(max)} of a title, unless the persona raises that title."


class Title(NamedTuple):
    """A title that more cards bear than six: its cards, how many they are, and how many are allowed."""

    words: str
    seats: list[Seat]
    number: int
    limit: int


@check("highlander.titles", says=_in_words)
def titles(deck: Deck, rule: Rule, *, max: int) -> Iterator[Finding]:
    """At most `max` cards of each title; the sub-title is no part of it."""
    laid = table(deck, rule.lists)
    counted, undivided = laid.tally.titles, laid.tally.undivided
    many = [_title(laid, title, number, max) for title, number in counted.items() if number > max]
    over = [title for title in many if title.number > title.limit]
    silent = [seat for seat in laid.pregame if seat[1].raises is None]
    if over and silent:
        yield _not_known(rule, over, silent)
    elif over:
        yield _too_many(deck, rule, over)
    if undivided:
        yield from _undivided(rule, undivided, counted, max)


def _title(laid: Table, title: str, number: int, most: int) -> Title:
    raised = [view.raises[title] for _, view in laid.pregame if view.raises and title in view.raises]
    seats = [seat for seat in laid.main if title in (seat[1].titles or (seat[1].title,))]
    return Title(_said(seats, title), seats, number, max((most, *raised)))


def _too_many(deck: Deck, rule: Rule, over: list[Title]) -> Finding:
    said = listed(f"{t.number} cards with the title {t.words}, where {t.limit} are allowed" for t in over)
    spare: dict[int, Take] = {}
    for title in over:
        for zone, entry, qty in takes("main", title.seats, title.number - title.limit):
            kept = spare.get(id(entry))
            spare[id(entry)] = (zone, entry, max(qty, kept[2]) if kept else qty)
    cards = [entry for title in over for entry in entries(title.seats)]
    worst = max(over, key=lambda title: title.number - title.limit)
    fix = remove(rule, deck, spare.values())
    message = f"The deck has {said}."
    limit, found = worst.limit, worst.number
    return rule.fault("too-many-of-title", message, entries=cards, limit=limit, found=found, fix=fix)


def _not_known(rule: Rule, over: list[Title], silent: list[Seat]) -> Finding:
    said = listed(f"{title.number} cards titled {title.words}" for title in over)
    cards = [entry for title in over for entry in entries(title.seats)]
    message = f"Whether {said} are allowed is not known."
    return rule.unknown("title-limit-unknown", message, missing(silent, "raises"), entries=cards)


def _said(seats: list[Seat], title: str) -> str:
    """The title as a card of that name writes it, else as it is compared."""
    return next((e.card.name for e, view in seats if view.title == title), title.title())


def _undivided(rule: Rule, seats: list[Seat], counted: dict[str, int], most: int) -> Iterator[Finding]:
    """Cards that may have two titles: open only where the parts could exceed the limit."""
    doubtful = []
    for entry, view in seats:
        parts = [part.strip() for part in view.title.split("/")]
        if any(counted.get(part, 0) + entry.qty > most for part in parts):
            doubtful.append((entry, view))
    if doubtful:
        message = f"Whether {names(doubtful)} counts for two titles is not known."
        facts = [missing_fact(entry, "titles") for entry, _ in doubtful]
        yield rule.unknown("dual-title-unknown", message, facts, entries=entries(doubtful))


def _lean_in_words(*, title: str, number: int) -> str:
    return f"The deck holds {number} cards titled {title}."


@check("highlander.title_needed", says=_lean_in_words)
def title_needed(deck: Deck, rule: Rule, *, title: str, number: int) -> Iterator[Finding]:
    """At least so many cards of a title; the limit of a title keeps it from being more."""
    laid = table(deck, rule.lists)
    wanted = normal_title(title)
    held = [seat for seat in laid.main if wanted in (seat[1].titles or (seat[1].title,))]
    found = total(held)
    if found < number:
        message = f"The deck has {count(found)} titled {title}; {rule.format_name} needs {number}."
        fix = Fix(
            f"Add {number - found} {title}.",
            (Change("add", "main", number - found, None, {"title": title}),),
        )
        yield rule.fault("title-missing", message, entries=entries(held), limit=number, found=found, fix=fix)
