"""The pre-game cards: how many, one of each, personas and Quickenings (HL-L26 to L28, L31)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.fixes import remove
from rules.rule import Rule
from rules.words import count, listed

from ..mends import entries, is_or_are, missing, names, take_out, takes, total
from ..table import Seat, Table, table


def _number_in_words(*, max: int) -> str:
    return f"At most {count(max, 'pre-game card')}, personas counted and Crystals not."


@check("highlander.pregame_number", says=_number_in_words)
def pregame_number(deck: Deck, rule: Rule, *, max: int) -> Iterator[Finding]:
    """At most `max` pre-game cards; Crystals are free of the count."""
    laid = table(deck, rule.lists)
    counted = [seat for seat in laid.pregame if seat[1].is_a("crystal") is not True]
    number = total(counted)
    if number <= max:
        return
    certain = number - total(laid.untyped)
    if certain > max or not laid.untyped:
        message = f"There are {number} pre-game cards; at most {max} are allowed, Crystals apart."
        # The last ones are taken out, so the personas come first.
        spare = sorted(counted, key=lambda seat: not seat[1].is_a("persona"))
        fix = take_out(rule, deck, "pregame", spare, number - max)
        yield rule.fault(
            "too-many-pregame", message, entries=entries(counted), limit=max, found=number, fix=fix
        )
        return
    message = f"There are {number} pre-game cards; whether some are Crystals, which are free, is not known."
    facts = missing(laid.untyped, "type")
    yield rule.unknown("pregame-number-unknown", message, facts, entries=entries(laid.untyped), limit=max)


@check("highlander.pregame_once", says=lambda: "One of each pre-game card.")
def pregame_once(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No pre-game card twice; Crystals have a rule of their own for that (HL-L34)."""
    laid = table(deck, rule.lists)
    alike: dict[str, list[Seat]] = {}
    for seat in laid.pregame:
        if seat[1].is_a("crystal") is not True:
            alike.setdefault(seat[1].title, []).append(seat)
    repeated = [seats for seats in alike.values() if total(seats) > 1]
    doubled = [held for seats in repeated for held in _one_card(seats) if total(held) > 1]
    if doubled:
        yield _doubled(deck, rule, doubled)
    doubtful = [seats for seats in repeated if all(total(held) == 1 for held in _one_card(seats))]
    for seats in doubtful:
        open_seats = [seat for seat in seats if seat[1].text is None]
        if open_seats:
            message = f"Whether two pre-game cards called {names(seats)} are one card is not known."
            facts = missing(open_seats, "text")
            yield rule.unknown("pregame-unknown", message, facts, entries=entries(seats))


def _one_card(seats: list[Seat]) -> list[list[Seat]]:
    """Pre-game cards of one title, those together that are one card: the same text is the same card."""
    cards: dict[object, list[Seat]] = {}
    for entry, view in seats:
        place = view.text if view.text is not None else (entry.card.key,)
        cards.setdefault(place, []).append((entry, view))
    return list(cards.values())


def _doubled(deck: Deck, rule: Rule, doubled: list[list[Seat]]) -> Finding:
    said = listed(f"{total(held)} of {names(held)}" for held in doubled)
    spare = [take for held in doubled for take in takes("pregame", held, total(held) - 1)]
    cards = [entry for held in doubled for entry in entries(held)]
    worst = max(total(held) for held in doubled)
    message = f"The pre-game cards hold {said}; one of each is allowed."
    fix = remove(rule, deck, spare)
    return rule.fault("pregame-doubled", message, entries=cards, limit=1, found=worst, fix=fix)


def _persona_in_words(*, pairs: tuple[tuple[str, ...], ...] = ()) -> str:
    also = "".join(f"; {' and '.join(pair)} may come as a pair" for pair in pairs)
    return f"One persona{also}."


@check("highlander.one_persona", says=_persona_in_words)
def one_persona(deck: Deck, rule: Rule, *, pairs: tuple[tuple[str, ...], ...] = ()) -> Iterator[Finding]:
    """Exactly one persona, or one of the documented pairs."""
    laid = table(deck, rule.lists)
    number = total(laid.personas)
    if number == 1 and not laid.untyped:
        return
    if number > 1 and not is_pair(laid, pairs):
        message = f"The deck has {count(number, 'persona')}: {names(laid.personas)}; one is allowed."
        fix = take_out(rule, deck, "pregame", laid.personas, number - 1)
        cards = entries(laid.personas)
        yield rule.fault("too-many-personas", message, entries=cards, limit=1, found=number, fix=fix)
    elif laid.untyped:
        message = (
            f"Whether {names(laid.untyped)} {is_or_are(laid.untyped, 'a persona', 'personas')} is not known."
        )
        facts = missing(laid.untyped, "type")
        yield rule.unknown("persona-unknown", message, facts, entries=entries(laid.untyped))
    elif number == 0:
        message = "There is no persona among the pre-game cards."
        fix = Fix("Add a persona.", (Change("add", "pregame", 1, None, {"type": "Persona"}),))
        yield rule.fault("no-persona", message, limit=1, found=0, fix=fix)


def is_pair(laid: Table, pairs: tuple[tuple[str, ...], ...]) -> bool:
    """Whether the personas are one documented pair, each once."""
    once = all(entry.qty == 1 for entry, _ in laid.personas)
    return once and any(
        len(laid.personas) == len(pair) and laid.persona_names == {name.casefold() for name in pair}
        for pair in pairs
    )


@check("highlander.no_own_quickening", says=lambda: "No Quickening of the own persona.")
def no_own_quickening(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No Quickening was won from the persona that plays it."""
    laid = table(deck, rule.lists)
    if not laid.quickenings:
        return
    of = [(seat, _of(seat)) for seat in laid.quickenings]
    own = [seat for seat, name in of if name in laid.persona_names]
    unknown = [seat for seat, name in of if name is None]
    if own:
        message = f"{names(own)} {is_or_are(own, 'a Quickening', 'Quickenings')} of the own persona."
        fix = take_out(rule, deck, "pregame", own)
        yield rule.fault("own-quickening", message, entries=entries(own), limit=0, found=total(own), fix=fix)
    if unknown:
        message = f"Whose Quickening {names(unknown)} is, is not known."
        yield rule.unknown("quickening-unknown", message, missing(unknown, "of"), entries=entries(unknown))


def _of(seat: Seat) -> str | None:
    name = seat[1].facts.get("of")
    return " ".join(name.casefold().split()) if isinstance(name, str) else None
