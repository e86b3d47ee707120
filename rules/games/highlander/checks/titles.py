"""At most six cards of a title, Dual Type cards counting for both, with what raises it (HL-L14, L15)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.rule import Rule, missing_fact
from rules.words import count

from ..mends import entries, missing, names, take_out, total
from ..names import normal_title
from ..table import Seat, Table, table


def _in_words(*, max: int) -> str:
    return f"At most {count(max)} of a title, unless the persona raises that title."


@check("highlander.titles", says=_in_words)
def titles(deck: Deck, rule: Rule, *, max: int) -> Iterator[Finding]:
    """At most `max` cards of each title; the sub-title is no part of it."""
    laid = table(deck, rule.lists)
    counted, undivided = laid.tally.titles, laid.tally.undivided
    for title, number in counted.items():
        if number > max:
            yield from _over(deck, rule, laid, title, number, max)
    if undivided:
        yield from _undivided(rule, undivided, counted, max)


def _over(deck: Deck, rule: Rule, laid: Table, title: str, number: int, most: int) -> Iterator[Finding]:
    raised = [view.raises[title] for _, view in laid.pregame if view.raises and title in view.raises]
    limit = max((most, *raised))
    if number <= limit:
        return
    seats = [seat for seat in laid.main if title in (seat[1].titles or (seat[1].title,))]
    silent = [seat for seat in laid.pregame if seat[1].raises is None]
    if silent:
        message = f"Whether {number} cards titled {_said(seats, title)} are allowed is not known."
        facts = missing(silent, "raises")
        yield rule.unknown("title-limit-unknown", message, facts, entries=entries(seats), limit=limit)
        return
    message = (
        f"The deck has {number} cards with the title {_said(seats, title)}; at most {limit} are allowed."
    )
    fix = take_out(rule, deck, "main", seats, number - limit)
    yield rule.fault("too-many-of-title", message, entries=entries(seats), limit=limit, found=number, fix=fix)


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
